import { type Failure, isLeft, left } from '../../failure.ts'
import { input, nullable, oneOf } from '../../kernel/input/mod.ts'
import {
  accept,
  type Fresh,
  readUseCase,
  type UseCase,
  unavailable,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { CardNotice } from '../../ports/acquirer.ts'
import type { BankNotifications, PaymentNotice, ReceivedPix, UnreadableRecord } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { endOperation, reportUnreadable } from '../bank/run-operation.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { applyDecision, type CardFacts, operationEnd, readCardFacts } from './card.ts'
import { type Charge, hasTitle, issuingOperationId } from './charge.ts'
import { dueOn, findByTitle, NO_CHARGE } from './detail.ts'
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

/** The entry points for notices of the bank. */
export const bankNotifications = (ports: PaymentsPorts) =>
  ({
    /**
     * Posts a payment of a title, its value in cents, once for any number of notices. A payment of a charge that
     * accepts none is credited too. Fails: `fields` (by the notice's own names), `title.unknown`, `payment.elsewhere`
     * (its id was posted for another charge), `payment.contradictory` (it was posted with another amount).
     */
    paid: takePayment(ports),
    /**
     * Posts a Pix without a known title, its value in cents: once, with its fee, to the account of its key, in any
     * status of the account. Records `pix.received`. Fails: `fields`, `account.unknown` (no account has the key, nor
     * that open code), `payment.contradictory` (it was posted with another amount).
     */
    received: logged(ports, receivePix(ports)),
    /** Cancels the pending charge of a title that the bank closed, by its txid. Fails: `title.unknown`. */
    cancelled: cancelByBank(ports),
    /**
     * Reports a bank record that cannot be read, once for any number of notices: the log gets a line at level error
     * with the bank's id, `/metrics` counts it, and the ADMINs of the account are notified. The account is that of the
     * title, else that of the key. Fails: `fields`.
     */
    unreadable: takeUnreadable(ports),
    /**
     * Returns the amount due of a title today, in cents; the value if nothing is left to pay.
     * Fails: `title.unknown`.
     */
    amountDue: (txid: string) =>
      readUseCase('title.unknown', async () => {
        const detail = await findByTitle(ports, txid)
        return detail && (dueOn(detail.charge, dayOf(ports.clock.steady())) || detail.charge.valueCents)
      }),
  }) satisfies BankNotifications

/** Logs refused notices for the operator, since banks do not read the response, and money that no member reaches. */
const logged =
  <N extends PaymentNotice | ReceivedPix, V extends ConfirmedPayment | CreditedPix, C extends string, I extends string>(
    { log }: Pick<PaymentsPorts, 'log'>,
    take: (notice: N) => UseCase<V, C, I>,
  ) =>
  (notice: N): UseCase<V, C, I> =>
  async (hooks) => {
    const taken = await take(notice)(hooks)
    if (!isLeft(taken) && taken.right.isOutOfReach)
      log.error('a payment was posted to a removed organization', idsForLog(notice))
    if (!isLeft(taken) || taken.left.tag === 'unavailable') return taken
    const failed: Failure = taken.left
    const fields = failed.tag === 'invalid' ? { fields: failed.issues.map(({ path }) => path).join(', ') } : {}
    log.warn('a payment notice was refused', { code: failed.code, ...fields, ...idsForLog(notice) })
    return taken
  }

const takePayment = (ports: PaymentsPorts) => logged(ports, confirmPayment(ports))

const takeUnreadable = (ports: PaymentsPorts) => (raw: UnreadableRecord) =>
  withValidInput(ports, unreadableRecord, raw, (found) =>
    useCaseOf<boolean>()(async (hooks) => {
      const { txid, pixKey } = found
      const title = txid === null ? null : await findByTitle(ports, txid)
      const account = pixKey === null ? null : await accountOf(ports.store, { pixKey, txid })
      return reportUnreadable(ports, found, title?.charge.accountId ?? account?.id ?? null)(hooks)
    }),
  )

/**
 * Reads a title from the bank, and applies its payments and its cancellation. A refused payment does not stop the
 * others. If the bank does not answer, nothing changes.
 */
export const syncTitle =
  (ports: PaymentsPorts) =>
  async (charge: Charge): Promise<void> => {
    const { txid } = charge
    if (txid === null || !hasTitle(charge)) return
    const known = await ports.bank.findTitle(txid)
    if (known.outcome === 'unknown' && known.unreadable) await takeUnreadable(ports)(known.unreadable)()
    if (known.outcome !== 'done' || !known.value) return
    for (const payment of known.value.payments) await takePayment(ports)(payment)()
    if (known.value.cancelled) await cancelByBank(ports)(txid)()
  }

/** The charge of a decided card. */
export interface DecidedCard {
  readonly chargeId: number
}

/** The input of an acquirer's notice. */
const cardNotice = input('CardNotice', {
  id: idAtBank,
  status: oneOf(['approved', 'declined', 'voided']),
  token: nullable(anyText),
  reason: nullable(anyText),
})

export const takeDecision = (ports: PaymentsPorts) => (raw: CardNotice) =>
  useCaseOf<DecidedCard>()(async (hooks) => {
    const taken = await withValidInput(ports, cardNotice, raw, (notice) =>
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
  // The sale is being voided: the acquirer repeats the notice after that.
  if (charge.operationId !== null && issuingOperationId(charge) === null) return left(unavailable('store.busy'))
  return accept<DecidedCard>({ chargeId: charge.id }, ...applyNotice(cipher, facts, notice, fresh).changes)
}

/** Applies a notice to a charge, and ends the operation that waits for the same answer. */
export const applyNotice = (cipher: Pick<Cipher, 'seal'>, facts: CardFacts, notice: CardNotice, fresh: Fresh) => {
  const { charge } = facts.detail
  const { value, changes = [] } = applyDecision(cipher, facts, notice, fresh)
  return {
    value,
    changes: [
      ...(issuingOperationId(charge) === null ? [] : [endOperation(notice.id, operationEnd(notice), fresh)]),
      ...changes,
    ],
  }
}
