import type { Failure } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { nullable } from '../../kernel/input/field.ts'
import { input } from '../../kernel/input/input.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, readUseCase, unavailable, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { CardNotice } from '../../ports/acquirer.ts'
import type { BankNotifications, PaymentNotice, ReceivedPix, UnreadableRecord } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { reportUnreadable } from '../bank/notices.ts'
import { bankOperations, operationExpiry } from '../bank/operation.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { applyDecision, type CardFacts, operationEnd, readCardFacts } from './card.ts'
import { type Charge, issuingOperationId } from './charge.ts'
import { findByTitle, NO_CHARGE } from './detail.ts'
import { cancelByBank } from './end.ts'
import {
  accountOf,
  anyText,
  type ConfirmedPayment,
  type CreditedPix,
  confirmPayment,
  idAtBank,
  idsForLog,
  receivePix,
  unreadableRecord,
} from './payment.ts'
import { dueOn } from './views.ts'

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
  useCaseOf<ConfirmedPayment>()(async (hooks) => {
    const taken = await confirmPayment(ports)(notice)(hooks)
    if (isLeft(taken)) logRefusal(ports, taken.left, notice)
    return taken
  })

const takeReceived = (ports: PaymentsPorts) => (pix: ReceivedPix) =>
  useCaseOf<CreditedPix>()(async (hooks) => {
    const taken = await receivePix(ports)(pix)(hooks)
    if (isLeft(taken)) logRefusal(ports, taken.left, pix)
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

const logRefusal = (
  { log }: Pick<PaymentsPorts, 'log'>,
  failed: Failure,
  notice: PaymentNotice | ReceivedPix,
): void => {
  if (failed.tag === 'unavailable') return
  const fields = failed.tag === 'invalid' ? { fields: failed.issues.map(({ path }) => path).join(', ') } : {}
  log.warn('a payment notice was refused', { code: failed.code, ...fields, ...idsForLog(notice) })
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

/** The charge of a card whose decision was taken. */
export interface DecidedCard {
  readonly chargeId: number
}

/** An acquirer's notice, of which nothing is believed before it was looked at. */
const cardNotice = input('CardNotice', {
  id: idAtBank,
  status: oneOf(['approved', 'declined', 'voided']),
  token: nullable(anyText),
  reason: nullable(anyText),
})

/**
 * Takes what an acquirer has decided of a card that it had left pending: posted once, however often it is told; what was
 * approved for a charge that nobody is to pay any more is given back.
 * Fails: `fields` (by the notice's own names), `charge.unknown`. Source: decisions.md §4, §9 and §11.
 */
export const takeDecision = (ports: PaymentsPorts) => (told: CardNotice) =>
  useCaseOf<DecidedCard>()(async (hooks) => {
    const taken = await withValidInput(ports, cardNotice, told, (notice) =>
      useCase(
        ports,
        () => readCardFacts(ports, { code: notice.id }),
        (facts, fresh) => decideNotice(ports.cipher, facts, notice, fresh),
      ),
    )(hooks)
    if (isLeft(taken) && taken.left.tag !== 'unavailable')
      ports.log.warn('a notice of a card was refused', { code: taken.left.code })
    return taken
  })

export const decideNotice = (
  cipher: Pick<Cipher, 'seal'>,
  facts: CardFacts | null,
  notice: CardNotice,
  fresh: Fresh,
) => {
  if (!facts) return left(NO_CHARGE)
  const { charge } = facts.detail
  // Somebody is giving it back: what comes of that is known when this is told again.
  if (charge.operationId !== null && issuingOperationId(charge) === null) return left(unavailable('store.busy'))
  return accept<DecidedCard>({ chargeId: charge.id }, ...applyNotice(cipher, facts, notice, fresh).changes)
}

/** What a notice makes of a charge of which nobody else asks anything. */
export const applyNotice = (cipher: Pick<Cipher, 'seal'>, facts: CardFacts, notice: CardNotice, fresh: Fresh) => {
  const { charge } = facts.detail
  const { value, changes = [] } = applyDecision(cipher, facts, notice, fresh)
  return { value, changes: [...(issuingOperationId(charge) === null ? [] : [endOperation(notice, fresh)]), ...changes] }
}

/** The operation that still waits for the same answer has it. */
const endOperation = (notice: CardNotice, fresh: Fresh): Change => {
  const { is: state, reason } = operationEnd(notice)
  const set = { state, reason, dueAt: null, expiresAt: operationExpiry(fresh) }
  return patch(bankOperations, notice.id, { set, when: eq('state', 'asking') })
}
