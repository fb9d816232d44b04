import { type Either, type Failure, failure, left, refusal, right } from '../../failure.ts'
import { SNAKE_CASE } from '../../kernel/input/mod.ts'
import { always, type Change, eq, type Json, patch, type Take } from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  finishOperation,
  type RunnerCode,
  type Runtime,
  type UseCase,
} from '../../kernel/running/use-case.ts'
import { epochMs } from '../../kernel/values/day.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import {
  BANK_CALLS,
  type BankReply,
  enqueueOperation,
  NO_ANSWER,
  type Operation,
  subjectOf,
  UNAVAILABLE,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { type EventType, recordEvent } from '../events.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { asRead, type Charge, charges, issuingOperationId } from './charge.ts'
import { type ChargeDetail, chargeView, NO_CHARGE } from './detail.ts'

/** The types of events with a charge as data. */
export const CHARGE_EVENTS = [
  'charge.created',
  'charge.updated',
  'charge.paid',
  'charge.partially_paid',
  'charge.overpaid',
  'charge.rest_refused',
  'charge.expired',
  'charge.cancelled',
  'charge.deleted',
  'charge.failed',
  'pix.received',
] as const satisfies readonly EventType[]
export type ChargeEventType = (typeof CHARGE_EVENTS)[number]

/**
 * Assigns the next event time of a charge: now, or one millisecond after the last event of the charge if that is later.
 * The commit assigns it, so that times rise even if the clocks of processes differ.
 */
export const nextEventTime = (fresh: Fresh, chargeId: number) => ({
  moved: patch(charges, chargeId, { add: { lastEventMs: 1 }, max: { lastEventMs: epochMs(fresh.now) }, when: always }),
  take: { happenedMs: [[charges.name, chargeId], 'lastEventMs'] } as const,
})

/** Records an event of a charge with its data, and assigns its time. */
export const recordEventOf = (
  fresh: Fresh,
  type: EventType,
  { id, accountId, webhook }: Charge,
  data: Json,
  take?: Take<'amountPaidCents' | 'refundedCents'>,
  receivedCents: number | null = null,
): readonly Change[] => {
  const time = nextEventTime(fresh, id)
  const about = { accountId, subjectId: id, data, urls: [webhook], receivedCents }
  return [time.moved, recordEvent(fresh, type, about, { ...take, ...time.take })]
}

/** The charge as events contain it. */
export const encodeNow = (fresh: Fresh, detail: ChargeDetail) =>
  chargeView.on(SNAKE_CASE).encode({ ...detail, asOf: fresh.steady })

/** Records an event with the charge as the API shows it now; `receivedCents` is the payment that caused it, if any. */
export const recordChargeEvent = (
  fresh: Fresh,
  type: ChargeEventType,
  detail: ChargeDetail,
  take?: Take<'amountPaidCents'>,
  receivedCents?: number,
): readonly Change[] => recordEventOf(fresh, type, detail.charge, encodeNow(fresh, detail), take, receivedCents)

/** Changed fields of a charge; `changeCharge` sets `updatedAt`. */
export type ChangedFields = Partial<Omit<Charge, 'updatedAt'>>

/**
 * Returns the detail with changed fields, and the change that sets them if the charge is unchanged since it was read
 * and `operationId` is its running operation.
 */
export const changeCharge = <D extends ChargeDetail>(
  detail: D,
  fields: ChangedFields,
  { now }: Pick<Fresh, 'now'>,
  operationId: string | null = detail.charge.operationId,
) => {
  const { charge } = detail
  const set = { updatedAt: now, ...fields }
  const change: Change = patch(charges, charge.id, { set, when: asRead({ ...charge, operationId }) })
  return { after: { ...detail, charge: { ...charge, ...set } }, change }
}

/** Changes a charge as `changeCharge` does, and records the event. */
export const changeWithEvent = <D extends ChargeDetail>(
  detail: D,
  fields: ChangedFields,
  type: ChargeEventType,
  fresh: Fresh,
  operationId?: string | null,
) => {
  const { after, change } = changeCharge(detail, fields, fresh, operationId)
  return { after, changes: [change, ...recordChargeEvent(fresh, type, after)] }
}

export const NOT_PENDING = failure('refused', 'charge.not-pending')

/** The `failure` of a charge that was closed before its title existed; no error is reported for it. */
export const WITHDRAWN = 'withdrawn'

/** The `failure` of a charge whose title differs from the order. */
export const MISMATCHED_TITLE = 'O banco devolveu um título que não confere com a cobrança.'

/** Returns the failure for a stored reason; `refused` is the code if the bank or acquirer gave it. */
export const failureOf = <const C extends string>(why: string, refused: C) =>
  why === UNAVAILABLE ? failure('refused', 'bank.unavailable') : refusal(refused, why)

/** Returns the result of an issued charge for a later call: the charge, or the failure that is stored in it. */
export const resultOf = <const C extends string>(
  detail: ChargeDetail,
  refused: C,
): Either<ReturnType<typeof failureOf<C>>, ChargeDetail> => {
  const { failure: why } = detail.charge
  return why === null || why === WITHDRAWN ? right(detail) : left(failureOf(why, refused))
}

/** Resumes the operation that issues a charge. After its end, returns the stored result. */
export const resumeIssue =
  <C extends string, D extends string>(
    runtime: Runtime,
    read: () => Promise<ChargeDetail | null>,
    repeat: (operationId: string) => UseCase<ChargeDetail, C, never>,
    resultIn: (detail: ChargeDetail) => Either<Failure<D, never>, ChargeDetail>,
  ): UseCase<ChargeDetail, C | D | 'charge.unknown' | RunnerCode, never> =>
  async (hooks) => {
    const found = await read()
    const issuing = found && issuingOperationId(found.charge)
    if (issuing !== null) return repeat(issuing)(hooks)
    return finishOperation(runtime, read, (detail) => (detail ? accept(resultIn(detail)) : left(NO_CHARGE)))(hooks)
  }

/** Calls the bank for each item, `MAX_BANK_CALLS` at once. */
export const inBatches = async <A>(items: readonly A[], call: (item: A) => Promise<unknown>): Promise<void> => {
  for (let first = 0; first < items.length; first += MAX_BANK_CALLS)
    await Promise.all(items.slice(first, first + MAX_BANK_CALLS).map(call))
}

const CANCEL_TITLE = { kind: 'cancel-title', ...BANK_CALLS } as const

/** The title to close at the bank, or the card sale to void at the acquirer. */
export type CancelOrder = { readonly txid: string } | { readonly cardId: string }

/**
 * Starts the operation that closes the title `known`, or voids the card sale `known`; the worker sends it. The caller
 * commits the change, and sets `operationId` in the charge.
 */
export const enqueueCancellation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, card }: Pick<Charge, 'id' | 'accountId' | 'card'>,
  known: string,
  fresh: Fresh,
) => {
  const order: CancelOrder = card === null ? { txid: known } : { cardId: known }
  const operationId = fresh.uuid()
  const input = { id: operationId, accountId, subject: subjectOf(charges, id), order }
  return { operationId, change: enqueueOperation(cipher, CANCEL_TITLE, input, fresh) }
}

/** Decides on the reply to a cancellation: a refusal ends it without effect; without an answer the worker retries. */
export const decideCancellationReply = (
  { id }: Pick<Operation, 'id'>,
  charge: Pick<Charge, 'id' | 'operationId'> | null,
  reply: BankReply<null>,
  { now }: Pick<Fresh, 'now'>,
): Verdict<null, never> => {
  if (reply.outcome === 'unknown' || reply.outcome === 'unavailable') return { is: 'asking', value: right(null) }
  const set = { operationId: null, updatedAt: now }
  const reason = reply.outcome === 'refused' ? reply.reason : null
  const changes = charge?.operationId === id ? [patch(charges, charge.id, { set, when: eq('operationId', id) })] : []
  return { is: reply.outcome, value: right(null), reason, changes }
}

/** Closes the title at the bank, or voids the sale at the acquirer. */
export const sendCancellation =
  ({ bank, acquirer }: Pick<PaymentsPorts, 'bank' | 'acquirer'>) =>
  async (order: CancelOrder): Promise<BankAnswer<null>> => {
    if ('txid' in order) return bank.cancelTitle(order.txid)
    return acquirer ? acquirer.void(order.cardId) : NO_ANSWER
  }

/** The operations that close titles and void card sales. */
export const cancelTitle = (ports: PaymentsPorts) =>
  operationsOf<Charge | null, CancelOrder, null, null, 'charge.unknown'>(ports, {
    ...CANCEL_TITLE,
    read: (store, { subject: [, id] }) => store.find(byId(charges, Number(id))),
    isWanted: () => true,
    send: sendCancellation(ports),
    // Cancellation is idempotent.
    find: null,
    decide: decideCancellationReply,
    ended: () => ({ value: right(null) }),
    unknown: NO_CHARGE,
  })
