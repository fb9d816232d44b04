import { SNAKE_CASE } from '../../kernel/input/side.ts'
import type { Change, Take } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { type EventType, recordEvent } from '../office/events.ts'
import { chargeView } from './charge-view.ts'
import type { ChargeDetail } from './find-charge.ts'

/** What is told of charges: a type that nothing records is not offered. */
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

/** Tells what became of a charge, as the API shows it now, and what came by it, to its own webhook and the account's. */
export const recordChargeEvent = (
  fresh: Fresh,
  type: ChargeEventType,
  detail: ChargeDetail,
  take?: Take<'amountPaidCents' | 'refundedCents'>,
  receivedCents: number | null = null,
): Change => {
  const { charge } = detail
  const data = chargeView.on(SNAKE_CASE).encode({ ...detail, asOf: fresh.steady })
  return recordEvent(
    fresh,
    type,
    { accountId: charge.accountId, subjectId: charge.id, data, urls: [charge.webhook], receivedCents },
    take,
  )
}
