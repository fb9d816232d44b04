import { isLeft } from '../../../fp.ts'
import { readUseCase } from '../../../kernel/running/read-use-case.ts'
import { useCaseOf } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { PaymentNotice } from '../../../ports/bank.ts'
import type { BankNotifications } from '../../../ports/bank-notifications.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Charge } from '../charge.ts'
import { dueOn } from '../charge-view.ts'
import { type Confirmed, confirmPayment } from '../confirm-payment.ts'
import { cancelByBank } from '../end-open-charge.ts'
import { findCharge } from '../find-charge.ts'
import { factsOf } from './payment-notice.ts'

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
     * Takes the bank's word that it closed an open title, by its txid.
     * Fails: `title.unknown`.
     * Source: decisions.md §3.
     */
    cancelled: cancelByBank(ports),
    /**
     * What a title asks today, in cents.
     * Fails: `title.unknown`.
     * Source: decisions.md §9.
     */
    amountDue: (txid: string) =>
      readUseCase('title.unknown', async () => {
        const detail = await findCharge(ports, { txid })
        return detail && dueOn(detail.charge, dayOf(ports.clock.now()))
      }),
  }) satisfies BankNotifications

/** The one way in for notices of payments: the operator is told of those that are refused, since no bank reads why. */
const takePayment = (ports: PaymentsPorts) => (notice: PaymentNotice) =>
  useCaseOf<Confirmed>()(async (hooks) => {
    const taken = await confirmPayment(ports)(notice)(hooks)
    if (isLeft(taken) && taken.left.tag !== 'unavailable') {
      const { code } = taken.left
      const fields =
        taken.left.tag === 'invalid' ? { fields: taken.left.issues.map(({ path }) => path).join(', ') } : {}
      ports.log.warn('a payment notice was refused', { code, ...fields, ...factsOf(notice) })
    }
    return taken
  })

/**
 * Asks the bank what became of a title and takes it over: payments that were not told yet, and a cancellation. One that
 * is refused keeps none of the others. A bank that does not answer changes nothing.
 */
export const syncTitle =
  (ports: PaymentsPorts) =>
  async ({ txid, pix }: Charge): Promise<void> => {
    if (txid === null || pix === null) return
    const known = await ports.bank.findPix(txid)
    if (known.outcome !== 'done' || !known.value) return
    for (const payment of known.value.payments) await takePayment(ports)(payment)()
    if (known.value.cancelled) await cancelByBank(ports)(txid)()
  }
