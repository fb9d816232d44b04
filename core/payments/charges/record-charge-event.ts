import { SNAKE_CASE } from '../../kernel/input/side.ts'
import type { Change, Take } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import type { Client } from '../customers/client.ts'
import { type EventType, recordEvent } from '../office/events.ts'
import type { Charge } from './charge.ts'
import { chargeView } from './charge-view.ts'

/** What is told of charges: a type that nothing records is not offered. */
export const CHARGE_EVENTS = [
  'charge.created',
  'charge.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.failed',
  'pix.received',
] as const satisfies readonly EventType[]
export type ChargeEventType = (typeof CHARGE_EVENTS)[number]

/** Tells what became of a charge, as the API shows it now, to its own webhook and the account's. */
export const recordChargeEvent = (
  fresh: Fresh,
  type: ChargeEventType,
  charge: Charge,
  client: Client,
  take?: Take<'amountPaidCents'>,
): Change => {
  const data = chargeView.on(SNAKE_CASE).encode({ charge, client, asOf: fresh.now })
  return recordEvent(
    fresh,
    type,
    { accountId: charge.accountId, subjectId: charge.id, data, urls: [charge.webhook] },
    take,
  )
}
