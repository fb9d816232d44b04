import { SNAKE_CASE } from '../../kernel/input/field.ts'
import { always, type Change, type Json, patch, type Take } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { epochMs } from '../../kernel/values/day.ts'
import { type EventType, recordEvent } from '../events.ts'
import { charges } from './charge.ts'
import type { ChargeDetail } from './detail.ts'
import { type Refund, refundView } from './refund-records.ts'
import { chargeView } from './views.ts'

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
