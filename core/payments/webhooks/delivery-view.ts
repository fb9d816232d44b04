import { type Instant, withOffset } from '../../kernel/values/day.ts'
import type { Delivery } from './delivery.ts'

const shown = (at: Instant | null): string | null => (at === null ? null : withOffset(at))

/** A delivery as the API shows it. Source: 01-access.md, Webhook deliveries; decisions.md §3, Events. */
export const deliveryView = (delivery: Delivery) => ({
  id: delivery.id,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  attempts: delivery.attempts,
  payload: JSON.parse(delivery.payload) as unknown,
  response: delivery.response,
  next_attempt_at: shown(delivery.dueAt),
  delivered_at: shown(delivery.deliveredAt),
  created_at: withOffset(delivery.createdAt),
  updated_at: withOffset(delivery.updatedAt),
})
