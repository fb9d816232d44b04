import { failure, refusal } from '../../../failure.ts'
import { left, right } from '../../../fp.ts'
import { ensure, insert, patch } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import type { BankAnswer, TitleOrder } from '../../../ports/bank.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import type { BankReply, Verdict } from '../../bank/operation.ts'
import { bankOperations, type Operation } from '../../bank/operation.ts'
import { operationsOf } from '../../bank/run-operation.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Charge, charges, searchTextOf, statusAt, whileAsked } from '../charge.ts'
import { MISTAKEN, NO_CHARGE } from '../charge-failure.ts'
import { type ChargeDetail, findCharge } from '../find-charge.ts'
import { recordChargeEvent } from '../record-charge-event.ts'
import { newCancellation } from '../titles/cancel-title.ts'
import { findTitle, sendTitle } from '../titles/create-title.ts'
import { postedFee, postIssueFee, releasedFee, releaseIssueFee } from '../titles/issue-fee.ts'
import type { MadeTitle } from '../titles/made-title.ts'
import { otherTitles } from '../titles/other-title.ts'
import { TITLE_LEASE_SECONDS } from '../titles/title-order.ts'

/** The kind of the operations that put another title in the place of one; each is known by the new one's txid. */
export const REPLACE_TITLE = 'replace-title'
const PLACES = 4
const FIRST_WAIT_SECONDS = 5

/** What a charge becomes once the bank has done it. */
export type ChangedFields = Partial<
  Pick<
    Charge,
    | 'valueCents'
    | 'paymentMethod'
    | 'dueDate'
    | 'webhook'
    | 'description'
    | 'details'
    | 'instructions'
    | 'amountRateHundredths'
    | 'typeRate'
    | 'discountHundredths'
    | 'lapsesAt'
  >
>

/** The new title, the one that goes, and what the charge becomes with it. */
export interface ReplaceOrder {
  readonly title: TitleOrder
  readonly formerTxid: string
  readonly change: ChangedFields
}

/** The new title, with what the charge becomes. */
export interface Replaced extends Pick<ReplaceOrder, 'formerTxid' | 'change'> {
  readonly made: MadeTitle
  /** Why it takes nobody's place; null where the old title is closed. */
  readonly refusal: string | null
}

type ReplaceCode = 'charge.unknown' | 'charge.not-pending' | 'bank.refused' | 'bank.unavailable'

/** A charge after it was asked to change; what the bank has not answered yet is still as it was. */
export interface ChangedCharge extends ChargeDetail {
  readonly isAnswered: boolean
}

/**
 * Titles that take the place of others. The new one is made before the old one is closed, so that whoever is to pay always
 * can; where the bank refuses either, the charge stays as it was, and the new one is closed.
 */
export const replaceTitle = (ports: PaymentsPorts) =>
  operationsOf<ChargeDetail | null, ReplaceOrder, Replaced, ChangedCharge, ReplaceCode>(ports, {
    kind: REPLACE_TITLE,
    places: PLACES,
    leaseSeconds: TITLE_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    read: (_, { subject: [, id] }) => findCharge(ports, { id: Number(id) }),
    wanted: ({ id }, detail, now) =>
      detail !== null && detail.charge.operationId === id && statusAt(detail.charge, now) === 'pending',
    send: sendReplacement(ports),
    find: async (order) => {
      const known = await findTitle(ports)(order.title)
      if (known.outcome !== 'done') return known
      return known.value === null ? { outcome: 'done', value: null } : closed(ports, order, known.value)
    },
    decide: (...facts) => decideReplaced(ports.cipher, ...facts),
    ended: (_, detail) => ({ value: detail ? right({ ...detail, isAnswered: true }) : left(NO_CHARGE) }),
    unknown: NO_CHARGE,
  })

export const sendReplacement =
  (ports: Pick<PaymentsPorts, 'bank'>) =>
  async (order: ReplaceOrder): Promise<BankAnswer<Replaced>> => {
    const sent = await sendTitle(ports)(order.title)
    return sent.outcome === 'done' ? closed(ports, order, sent.value) : sent
  }

/** The old title is closed once the new one is there; one that the bank does not close has been paid. */
const closed = async (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  { formerTxid, change }: ReplaceOrder,
  made: MadeTitle,
): Promise<BankAnswer<Replaced>> => {
  const replaced = { made, formerTxid, change }
  if (made.mismatch !== null) return { outcome: 'done', value: { ...replaced, refusal: MISTAKEN } }
  const answer = await bank.cancelTitle(formerTxid)
  if (answer.outcome === 'done') return { outcome: 'done', value: { ...replaced, refusal: null } }
  if (answer.outcome === 'refused') return { outcome: 'done', value: { ...replaced, refusal: answer.reason } }
  // The new title exists: the bank is asked again about the old one.
  return answer.outcome === 'unknown' ? answer : { outcome: 'unknown' }
}

const NOT_PENDING = failure('refused', 'charge.not-pending')

/** What the bank has said makes of the charge, once. */
export const decideReplaced = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail | null,
  reply: BankReply<Replaced>,
  fresh: Fresh,
): Verdict<ChangedCharge, ReplaceCode> => {
  if (!detail) return { is: 'withdrawn', value: left(NO_CHARGE) }
  if (reply.outcome === 'unknown') return { is: 'asking', value: right({ ...detail, isAnswered: false }) }
  if (reply.outcome === 'unavailable' && operation.attempts > 0)
    return { is: 'superseded', value: right({ ...detail, isAnswered: false }) }
  const isPending = statusAt(detail.charge, fresh.steady) === 'pending'
  const isOpen = detail.charge.operationId === operation.id && isPending
  const reason = reasonIn(reply)
  if (reply.outcome === 'done' && reason === null && isOpen) return replaced(operation, detail, reply.value, fresh)
  const kept = asItWas(cipher, operation, detail, reply.outcome === 'done', fresh)
  const value = right({ ...detail, charge: kept.charge, isAnswered: true })
  if (reason !== null)
    return { is: 'refused', reason, value: left(refusal('bank.refused', reason)), changes: kept.changes }
  if (reply.outcome === 'unavailable')
    return { is: 'refused', value: left(failure('refused', 'bank.unavailable')), changes: kept.changes }
  // Somebody paid it, or its time was over, before the other title was there: nobody is told that it has changed.
  return { is: reply.outcome, value: isPending ? value : left(NOT_PENDING), changes: kept.changes }
}

/** Why the bank has refused either title; null where it has not. */
const reasonIn = (reply: BankReply<Replaced>): string | null => {
  if (reply.outcome === 'done') return reply.value.refusal
  return reply.outcome === 'refused' ? reply.reason : null
}

const replaced = (
  operation: Operation,
  detail: ChargeDetail,
  { made: { pix, boleto }, formerTxid, change }: Replaced,
  fresh: Fresh,
): Verdict<ChangedCharge, ReplaceCode> => {
  const { charge, client } = detail
  const { id: txid } = operation
  const nossoNumero = boleto?.nossoNumero ?? null
  const search = searchTextOf({ code: charge.code, txid, nossoNumero }, client)
  const set = { ...change, txid, pix, boleto, nossoNumero, search, issueFee: postedFee(charge), operationId: null }
  const after: Charge = { ...charge, ...set, updatedAt: fresh.now }
  const { accountId, id: chargeId } = charge
  return {
    is: 'done',
    value: right({ ...detail, charge: after, isAnswered: true }),
    changes: [
      patch(charges, charge.id, { set: { ...set, updatedAt: fresh.now }, when: whileAsked(operation, charge) }),
      ensure(otherTitles, { id: formerTxid, accountId, chargeId }),
      ...postIssueFee(fresh, charge, txid),
      ...recordChargeEvent(fresh, 'charge.updated', { ...detail, charge: after }),
    ],
  }
}

/** The charge stays as it was; a title that was made for nothing is closed. */
const asItWas = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  { charge }: ChargeDetail,
  isMade: boolean,
  fresh: Fresh,
) => {
  if (charge.operationId !== operation.id) return { charge, changes: [] }
  const cancellation = isMade ? newCancellation(cipher, charge, operation.id, fresh) : null
  const set = { operationId: cancellation?.id ?? null, issueFee: releasedFee(charge), updatedAt: fresh.now }
  return {
    charge: { ...charge, ...set },
    changes: [
      patch(charges, charge.id, { set, when: whileAsked(operation, charge) }),
      ...releaseIssueFee(charge),
      ...(cancellation ? [insert(bankOperations, cancellation)] : []),
    ],
  }
}
