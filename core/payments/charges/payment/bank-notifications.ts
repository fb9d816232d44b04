import type { Failure } from '../../../failure.ts'
import { isLeft } from '../../../fp.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { BankNotifications, PaymentNotice, ReceivedPix, UnreadableRecord } from '../../../ports/bank.ts'
import { reportUnreadable } from '../../bank/notices.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Charge } from '../charge.ts'
import { dueOn } from '../charge-view.ts'
import { cancelByBank } from '../end-open-charge.ts'
import { findByTitle } from '../titles/other-title.ts'
import { type Confirmed, confirmPayment } from './confirm-payment.ts'
import { factsOf, unreadableRecord } from './payment-notice.ts'
import { accountOf, type Received, receivePix } from './receive-pix.ts'

/** Where the bank tells payments what happened to its titles. */
export const bankNotifications = (ports: PaymentsPorts) =>
  ({
    /**
     * Takes a payment that reached a title, its value in cents: posted once, however often it is told; whatever a
     * charge cannot take any more is credited all the same.
     * Fails: `fields` (by the notice's own names), `title.unknown`, `payment.elsewhere` (its id was posted for another
     * charge), `payment.contradictory` (it was posted with another amount).
     * Source: decisions.md §3, §9 and §11.
     */
    paid: takePayment(ports),
    /**
     * Takes a Pix without a title that we know, its value in cents: posted once with its fee to the account of its key, and
     * told as `pix.received`, whatever became of the account.
     * Fails: `fields`, `account.unknown` (no account has the key, nor that open code), `payment.contradictory` (it was posted with another
     * amount).
     * Source: decisions.md §9, Others.
     */
    received: takeReceived(ports),
    /**
     * Takes the bank's word that it closed an open title, by its txid.
     * Fails: `title.unknown`.
     * Source: decisions.md §3.
     */
    cancelled: cancelByBank(ports),
    /**
     * Reports a record that the bank gave and that cannot be read, once however often it is told: the log gets a line at level
     * error with the bank's id, `/metrics` counts it, and the ADMINs of the account are notified. The account is that of the
     * title, else that of the key.
     * Fails: `fields`.
     */
    unreadable: takeUnreadable(ports),
    /**
     * What a title asks today, in cents.
     * Fails: `title.unknown`.
     * Source: decisions.md §9.
     */
    amountDue: (txid: string) =>
      readUseCase('title.unknown', async () => {
        const detail = await findByTitle(ports, txid)
        return detail && dueOn(detail.charge, dayOf(ports.clock.steady()))
      }),
  }) satisfies BankNotifications

/** The one way in for notices of payments: the operator is told of those that are refused, since no bank reads why. */
const takePayment = (ports: PaymentsPorts) => (notice: PaymentNotice) =>
  useCaseOf<Confirmed>()(async (hooks) => {
    const taken = await confirmPayment(ports)(notice)(hooks)
    if (isLeft(taken)) warnOf(ports, taken.left, notice)
    return taken
  })

const takeReceived = (ports: PaymentsPorts) => (pix: ReceivedPix) =>
  useCaseOf<Received>()(async (hooks) => {
    const taken = await receivePix(ports)(pix)(hooks)
    if (isLeft(taken)) warnOf(ports, taken.left, pix)
    return taken
  })

const takeUnreadable = (ports: PaymentsPorts) => (told: UnreadableRecord) =>
  withValidInput(ports, unreadableRecord, told, (found) =>
    useCaseOf<boolean>()(async (hooks) => {
      const { txid, pixKey } = found
      const title = txid === null ? null : await findByTitle(ports, txid)
      const account = pixKey === null ? null : await accountOf(ports.store, { pixKey, txid })
      return reportUnreadable(ports, found, title?.charge.accountId ?? account?.id ?? null)(hooks)
    }),
  )

const warnOf = ({ log }: Pick<PaymentsPorts, 'log'>, failed: Failure, notice: PaymentNotice | ReceivedPix): void => {
  if (failed.tag === 'unavailable') return
  const fields = failed.tag === 'invalid' ? { fields: failed.issues.map(({ path }) => path).join(', ') } : {}
  log.warn('a payment notice was refused', { code: failed.code, ...fields, ...factsOf(notice) })
}

/**
 * Asks the bank what became of a title and takes it over: payments that were not told yet, and a cancellation. One that
 * is refused keeps none of the others. A bank that does not answer changes nothing.
 */
export const syncTitle =
  (ports: PaymentsPorts) =>
  async ({ txid, pix, boleto }: Charge): Promise<void> => {
    if (txid === null || (pix === null && boleto === null)) return
    const known = await ports.bank.findTitle(txid)
    if (known.outcome === 'unknown' && known.unreadable) await takeUnreadable(ports)(known.unreadable)()
    if (known.outcome !== 'done' || !known.value) return
    for (const payment of known.value.payments) await takePayment(ports)(payment)()
    if (known.value.cancelled) await cancelByBank(ports)(txid)()
  }
