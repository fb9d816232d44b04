import { right } from '../../failure.ts'
import { SNAKE_CASE } from '../../kernel/input/field.ts'
import { always, type Change, eq, type Json, patch, type Take } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { epochMs } from '../../kernel/values/day.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import {
  BANK_CALLS,
  type BankReply,
  enqueueOperation,
  type Operation,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { type EventType, recordEvent } from '../events.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges } from './charge.ts'
import { type ChargeDetail, chargeView, NO_CHARGE } from './detail.ts'
import { type Refund, refundView } from './refund-records.ts'

/** The types of events with a charge as data. */
export const CHARGE_EVENTS = [
  'charge.created',
  'charge.updated',
  'charge.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.deleted',
  'charge.failed',
  'pix.received',
] as const satisfies readonly EventType[]
export type ChargeEventType = (typeof CHARGE_EVENTS)[number]

type Sums = Take<'amountPaidCents' | 'refundedCents'>

/**
 * Assigns the next event time of a charge: now, or one millisecond after the last event of the charge if that is later. The commit
 * assigns it, so that times rise even if the clocks of processes differ.
 */
export const nextEventTime = (fresh: Fresh, chargeId: number) => ({
  moved: patch(charges, chargeId, { add: { lastEventMs: 1 }, max: { lastEventMs: epochMs(fresh.now) }, when: always }),
  take: { happenedMs: [[charges.name, chargeId], 'lastEventMs'] } as const,
})

const record = (
  fresh: Fresh,
  type: EventType,
  { charge }: ChargeDetail,
  data: Json,
  take: Sums | undefined,
  receivedCents: number | null,
): readonly Change[] => {
  const { id, accountId, webhook } = charge
  const time = nextEventTime(fresh, id)
  const about = { accountId, subjectId: id, data, urls: [webhook], receivedCents }
  return [time.moved, recordEvent(fresh, type, about, { ...take, ...time.take })]
}

const encodeNow = (fresh: Fresh, detail: ChargeDetail) =>
  chargeView.on(SNAKE_CASE).encode({ ...detail, asOf: fresh.steady })

/** Records an event of a charge, with the charge as the API shows it now; `receivedCents` is the payment that caused it, if any. */
export const recordChargeEvent = (
  fresh: Fresh,
  type: ChargeEventType,
  detail: ChargeDetail,
  take?: Sums,
  receivedCents: number | null = null,
): readonly Change[] => record(fresh, type, detail, encodeNow(fresh, detail), take, receivedCents)

/** Records `charge.refunded`, with the charge and the refund as the API shows them now. */
export const recordRefund = (fresh: Fresh, detail: ChargeDetail, refund: Refund, take: Sums): readonly Change[] => {
  const data = { charge: encodeNow(fresh, detail), refund: refundView.on(SNAKE_CASE).encode(refund) }
  return record(fresh, 'charge.refunded', detail, data, take, null)
}

const CANCEL_TITLE = { kind: 'cancel-title', ...BANK_CALLS } as const

/** The title to close at the bank, or the card sale to void at the acquirer. */
export type CancelOrder = { readonly txid: string } | { readonly cardId: string }

/**
 * Starts the operation that closes the title `known`, or voids the card sale `known`; the worker sends it. The caller commits the
 * change, and sets the id as the charge's operation.
 */
export const newCancellation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, card }: Pick<Charge, 'id' | 'accountId' | 'card'>,
  known: string,
  fresh: Fresh,
) => {
  const order: CancelOrder = card === null ? { txid: known } : { cardId: known }
  const input = { id: fresh.uuid(), accountId, subject: subjectOf(charges, id), order }
  return { id: input.id, change: enqueueOperation(cipher, CANCEL_TITLE, input, fresh) }
}

/** Decides on the reply to a cancellation: a refusal ends it without effect; without an answer the worker retries. */
const decideCancellationReply = (
  { id, subject: [, chargeId] }: Pick<Operation, 'id' | 'subject'>,
  reply: BankReply<null>,
  { now }: Pick<Fresh, 'now'>,
): Verdict<null, never> => {
  if (reply.outcome === 'unknown' || reply.outcome === 'unavailable') return { is: 'asking', value: right(null) }
  const free: Change = patch(charges, chargeId, {
    set: { operationId: null, updatedAt: now },
    when: eq('operationId', id),
  })
  const reason = reply.outcome === 'refused' ? reply.reason : null
  return { is: reply.outcome, value: right(null), reason, changes: [free] }
}

/** Closes the title at the bank, or voids the sale at the acquirer. */
export const sendCancellation =
  ({ bank, acquirer }: Pick<PaymentsPorts, 'bank' | 'acquirer'>) =>
  async (order: CancelOrder): Promise<BankAnswer<null>> => {
    if ('txid' in order) return bank.cancelTitle(order.txid)
    return acquirer ? acquirer.void(order.cardId) : { outcome: 'unavailable' }
  }

/** The operations that close titles and void card sales. */
export const cancelTitle = (ports: PaymentsPorts) =>
  operationsOf<null, CancelOrder, null, null, 'charge.unknown'>(ports, {
    ...CANCEL_TITLE,
    read: async () => null,
    isWanted: () => true,
    send: sendCancellation(ports),
    // Cancellation is idempotent.
    find: null,
    decide: (operation, _, reply, fresh) => decideCancellationReply(operation, reply, fresh),
    ended: () => ({ value: right(null) }),
    unknown: NO_CHARGE,
  })
