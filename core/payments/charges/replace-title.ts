import { failure, left, refusal, right } from '../../failure.ts'
import { type Change, ensure } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import type { BankAnswer, TitleOrder } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Account } from '../accounts/account.ts'
import {
  asUnknown,
  BANK_CALLS,
  type BankReply,
  beginOperation,
  enqueueOperation,
  type Operation,
  type OperationResult,
  openVerdict,
  type StartedBankOperation,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { checkNotErased } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges, searchTextOf, statusAt } from './charge.ts'
import {
  type ChangedCharge,
  type ChargeDetail,
  findCharge,
  isTitleOutdated,
  NO_CHARGE,
  otherTitles,
  receivedCents,
} from './detail.ts'
import { bankSupports } from './new-charge.ts'
import { isSettled, restIssues, valuePaid } from './partial.ts'
import {
  type CheckedTitle,
  closeLateTitle,
  findTitle,
  postedFee,
  postIssueFee,
  releasedFee,
  releaseIssueFee,
  reserveIssueFee,
  sendTitle,
  titleOrder,
} from './titles.ts'
import {
  type ChangedFields,
  changeCharge,
  changeWithEvent,
  enqueueCancellation,
  MISMATCHED_TITLE,
  NOT_PENDING,
  recordChargeEvent,
} from './write.ts'

/** The kind of operations that replace a title; the id is the txid of the new title. */
const REPLACE_TITLE = { kind: 'replace-title', ...BANK_CALLS } as const

/** The new title, the txid of the former one, and the fields to set after the bank has replaced it. */
export interface ReplaceOrder {
  readonly title: TitleOrder
  readonly formerTxid: string
  readonly change: ChangedFields
}

/** The failure while another bank operation of the charge runs, or if a payment has made the change invalid. */
export const BUSY = failure('conflict', 'charge.busy')

type StartingPorts = Pick<PaymentsPorts, 'cipher' | 'bank'>

/** An open charge and its account. */
interface TitledCharge {
  readonly detail: ChargeDetail
  readonly account: Account
}

interface RequestedChange {
  /** The charge with the change. */
  readonly after: Charge
  readonly change: ChangedFields
  /** The fee of the charge; that of the new title if it had none. */
  readonly issueFee: Charge['issueFee']
}

/** Returns the started replacement of a changed charge's title, and its changes; null without a title to replace. */
export const beginReplacement = (
  { cipher, bank }: StartingPorts,
  { detail, account }: TitledCharge,
  { after, change, issueFee }: RequestedChange,
  fresh: Fresh,
): { readonly started: StartedBankOperation<ReplaceOrder>; readonly changes: readonly Change[] } | null => {
  const input = replacementInput(bank, { detail, account }, after, change, fresh)
  if (!input) return null
  const { started, change: begin } = beginOperation(cipher, REPLACE_TITLE, input, fresh)
  const isNewFee = detail.charge.issueFee === null
  const changes = [
    ...storeReplacement(detail, { operationId: input.id, issueFee }, begin, fresh),
    ...(isNewFee ? reserveIssueFee({ accountId: account.id, issueFee }) : []),
  ]
  return { started, changes }
}

/** Returns the changes that start the replacement of a title by one for the rest, which the worker sends. */
export const enqueueRestTitle = (
  { cipher, bank }: StartingPorts,
  { detail, account }: TitledCharge,
  fresh: Fresh,
): readonly Change[] => {
  const input = replacementInput(bank, { detail, account }, detail.charge, {}, fresh)
  if (!input) return []
  const enqueued = enqueueOperation(cipher, REPLACE_TITLE, input, fresh)
  return storeReplacement(detail, { operationId: input.id }, enqueued, fresh)
}

const replacementInput = (
  bank: PaymentsPorts['bank'],
  { detail: { charge, client }, account }: TitledCharge,
  after: Charge,
  change: ChangedFields,
  fresh: Fresh,
) => {
  const { paymentMethod: method } = after
  const { txid: formerTxid } = charge
  if (formerTxid === null || !bankSupports(bank, method)) return null
  const id = randomCode(fresh, bank.txidLength)
  const title = titleOrder(id, method, { charge: after, account, client }, fresh.today)
  // After a partial payment, the new title is for the rest: the charge then records the payments before it.
  const titlePaid = charge.received === null ? {} : { titlePaidCents: receivedCents(charge) }
  const order: ReplaceOrder = { title, formerTxid, change: { ...change, ...titlePaid } }
  return { id, accountId: account.id, subject: subjectOf(charges, charge.id), order }
}

const storeReplacement = (
  detail: ChargeDetail,
  fields: ChangedFields & { readonly operationId: string },
  operation: Change,
  fresh: Fresh,
): readonly Change[] => {
  const { id: chargeId, accountId } = detail.charge
  return [
    ...checkNotErased(detail.client),
    changeCharge(detail, fields, fresh).change,
    operation,
    // A payment of the new title before the bank's answer belongs to this charge.
    ensure(otherTitles, { id: fields.operationId, accountId, chargeId }),
  ]
}

/** The new title at the bank, with the fields to set. */
export interface ReplacedTitle extends Pick<ReplaceOrder, 'formerTxid' | 'change'> {
  readonly made: CheckedTitle
  /** The reason why the new title is not used; null if the former one was closed. */
  readonly refusal: string | null
}

type ReplaceCode = 'charge.unknown' | 'charge.not-pending' | 'charge.busy' | 'bank.refused' | 'bank.unavailable'

/**
 * The operations that replace titles. The new title is created before the former one is closed, so that the payer can
 * always pay. If the bank refuses either, the charge stays as it was and the new title is closed.
 */
export const replaceTitle = (ports: PaymentsPorts) =>
  operationsOf<ChargeDetail | null, ReplaceOrder, ReplacedTitle, ChangedCharge, ReplaceCode>(ports, {
    ...REPLACE_TITLE,
    read: (_, { subject: [, id] }) => findCharge(ports, { id: Number(id) }),
    isWanted: ({ id }, detail, now) =>
      detail !== null && detail.charge.operationId === id && statusAt(detail.charge, now) === 'pending',
    send: sendReplacement(ports),
    find: findReplacement(ports),
    decide: (...facts) => decideReplacement(ports.cipher, ...facts),
    ended: (...facts) => decideLateReplacement(ports.cipher, ...facts),
    unknown: NO_CHARGE,
  })

export const sendReplacement =
  (ports: Pick<PaymentsPorts, 'bank'>) =>
  async (order: ReplaceOrder): Promise<BankAnswer<ReplacedTitle>> => {
    const sent = await sendTitle(ports)(order.title)
    return sent.outcome === 'done' ? closeFormer(ports, order, sent.value) : sent
  }

/** Reads the new title from the bank, and closes the former one unless the operation has ended. */
const findReplacement =
  (ports: Pick<PaymentsPorts, 'bank'>) =>
  async (order: ReplaceOrder, isEnded: boolean): Promise<BankAnswer<ReplacedTitle | null>> => {
    const known = await findTitle(ports)(order.title)
    if (known.outcome !== 'done') return known
    if (known.value === null) return { outcome: 'done', value: null }
    return isEnded ? done(order, known.value, null) : closeFormer(ports, order, known.value)
  }

/** Closes the former title after the new one was created; the bank refuses to close a paid title. */
const closeFormer = async (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  order: ReplaceOrder,
  made: CheckedTitle,
): Promise<BankAnswer<ReplacedTitle>> => {
  if (made.mismatch !== null) return done(order, made, MISMATCHED_TITLE)
  const closed = await bank.cancelTitle(order.formerTxid)
  if (closed.outcome === 'done') return done(order, made, null)
  // The new title exists: the request to close the former one is repeated.
  if (closed.outcome !== 'refused') return asUnknown(closed)
  if ((order.change.titlePaidCents ?? 0) === 0) return done(order, made, closed.reason)
  // The former title of a charge that was paid in part may be paid, and stays so.
  const former = await bank.findTitle(order.formerTxid)
  if (former.outcome !== 'done') return asUnknown(former)
  const isEnded = former.value !== null && (former.value.cancelled || former.value.payments.length > 0)
  return done(order, made, isEnded ? null : closed.reason)
}

const done = (
  { formerTxid, change }: ReplaceOrder,
  made: CheckedTitle,
  reason: string | null,
): BankAnswer<ReplacedTitle> => ({ outcome: 'done', value: { made, formerTxid, change, refusal: reason } })

type Outcome = Verdict<ChangedCharge, ReplaceCode>

/** Decides on the charge after the bank's answer. */
export const decideReplacement = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail | null,
  reply: BankReply<ReplacedTitle>,
  fresh: Fresh,
): Outcome => {
  if (!detail) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const open = openVerdict(operation, reply, right({ ...detail, isAnswered: false }))
  if (open) return open
  const isMade = reply.outcome === 'done'
  const reason = refusalOf(reply)
  if (reason !== null) return refused(cipher, operation, { detail, isMade }, reason, fresh)
  const isPending = statusAt(detail.charge, fresh.steady) === 'pending'
  const isUnfit = isMade && isUnfitAfterPayment(detail.charge, reply.value, fresh)
  if (isMade && isPending && detail.charge.operationId === operation.id && !isUnfit)
    return replaced(operation, detail, reply.value, fresh)
  const { after, changes } = keepCharge(cipher, operation, { detail, isMade }, {}, fresh)
  if (reply.outcome === 'unavailable')
    return { is: 'refused', value: left(failure('refused', 'bank.unavailable')), changes }
  // The charge was paid, also in part, or expired before the new title existed: it has not changed.
  const unchanged = isUnfit ? left(BUSY) : right({ ...after, isAnswered: true })
  return { is: isMade ? 'done' : 'withdrawn', value: isPending ? unchanged : left(NOT_PENDING), changes }
}

/** Returns the bank's reason for a refusal of either title; null without one. */
const refusalOf = (reply: BankReply<ReplacedTitle>): string | null => {
  if (reply.outcome === 'done') return reply.value.refusal
  return reply.outcome === 'refused' ? reply.reason : null
}

/** A charge that keeps its title. */
interface KeptCharge {
  readonly detail: ChargeDetail
  /** True if the bank created the new title, which is to be closed. */
  readonly isMade: boolean
}

/** Keeps the charge as it was, and records a refused title for the rest: the worker does not request it again. */
const refused = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  kept: KeptCharge,
  reason: string,
  fresh: Fresh,
): Outcome => {
  const { charge } = kept.detail
  const isPending = statusAt(charge, fresh.steady) === 'pending'
  const isRest = isPending && charge.operationId === operation.id && isTitleOutdated(charge)
  const fields = isRest ? { restRefusedCents: receivedCents(charge) } : {}
  const { after, changes } = keepCharge(cipher, operation, kept, fields, fresh)
  const event = isRest ? recordChargeEvent(fresh, 'charge.rest_refused', after) : []
  return { is: 'refused', reason, value: left(refusal('bank.refused', reason)), changes: [...changes, ...event] }
}

/** Sets the fields, releases the operation and its fee, and closes a new title that is not used. */
const keepCharge = (
  cipher: Pick<Cipher, 'seal'>,
  { id }: Operation,
  { detail, isMade }: KeptCharge,
  fields: ChangedFields,
  fresh: Fresh,
) => {
  const { charge } = detail
  if (charge.operationId !== id) return { after: detail, changes: [] }
  const closing = isMade ? enqueueCancellation(cipher, charge, id, fresh) : null
  const set = { ...fields, operationId: closing?.operationId ?? null, issueFee: releasedFee(charge) }
  const { after, change } = changeCharge(detail, set, fresh)
  return { after, changes: [change, ...releaseIssueFee(charge), ...(closing ? [closing.change] : [])] }
}

/** Reports whether the change is invalid after a partial payment that arrived while the bank replaced the title. */
const isUnfitAfterPayment = (charge: Charge, { change }: ReplacedTitle, { today }: Fresh): boolean => {
  const after = { ...charge, ...change }
  return restIssues(charge, after, today).length > 0 || isSettled(after, NO_TOLERANCE, today)
}

// Within the tolerance, the charge is closed by the queue of rest titles, to which the payment has added it.
const NO_TOLERANCE = { acceptPartial: false, partialToleranceCents: null }

const replaced = (
  { id: txid }: Operation,
  detail: ChargeDetail,
  { made: { pix, boleto }, formerTxid, change }: ReplacedTitle,
  fresh: Fresh,
): Outcome => {
  const { charge, client } = detail
  const nossoNumero = boleto?.nossoNumero ?? null
  const search = searchTextOf({ code: charge.code, txid, nossoNumero }, client)
  const titled = { txid, pix, boleto, nossoNumero, search, issueFee: postedFee(charge), operationId: null }
  const set = { ...change, ...valuePaid({ ...charge, ...change }), ...titled }
  const { after, changes } = changeWithEvent(detail, set, 'charge.updated', fresh, txid)
  return {
    is: 'done',
    value: right({ ...after, isAnswered: true }),
    changes: [
      ...changes,
      ensure(otherTitles, { id: formerTxid, accountId: charge.accountId, chargeId: charge.id }),
      ...postIssueFee(fresh, charge, txid),
    ],
  }
}

/** Returns the result of a replacement that has ended, and closes the new title that the bank created after its end. */
export const decideLateReplacement = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Pick<Operation, 'id' | 'state'>,
  detail: ChargeDetail | null,
  reply: BankReply<ReplacedTitle> | null,
  fresh: Fresh,
): OperationResult<ChangedCharge, ReplaceCode> => {
  if (!detail) return { value: left(NO_CHARGE) }
  const title = reply?.outcome === 'done' ? reply.value.made : null
  const value = right({ ...detail, isAnswered: true })
  return { value, ...closeLateTitle(cipher, operation, detail, title, fresh) }
}
