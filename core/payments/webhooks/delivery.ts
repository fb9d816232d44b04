import { type Collection, eq, not, orNull, record, t, word } from '../../kernel/records/record.ts'
import { EVENT_TYPES } from '../events.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

const response = record({
  /** Null without a response. */
  status: orNull(t.number),
  /** Its first 4 KB. */
  body: orNull(t.string),
  error: orNull(t.string),
})

const delivery = record({
  id: t.number,
  accountId: t.number,
  eventId: t.string,
  event: word(...EVENT_TYPES),
  url: t.string,
  /** The host of the URL, with its port: the number of simultaneous calls is limited per host. */
  host: t.string,
  /** `webhook-id`: equal on each attempt, so that the receiver can recognise duplicates. */
  webhookId: t.string,
  /** The text that is signed and sent. */
  payload: t.string,
  status: word(...DELIVERY_STATUSES),
  /** The number of started attempts. */
  attempts: t.number,
  /** The response of the last ended attempt; null before. */
  response: orNull(response),
  /** The time of the next attempt; null when the delivery has ended. */
  dueAt: orNull(t.string),
  deliveredAt: orNull(t.string),
  createdAt: t.string,
  createdDay: t.string,
  updatedAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** The delivery of an event to a URL. */
export type Delivery = t.TypeOf<typeof delivery>

export const deliveries: Collection<Delivery> = {
  name: 'payments.deliveries',
  ids: 'integer',
  codec: delivery,
  owner: 'accountId',
  conditions: { waiting: not(eq('dueAt', null)) },
  keys: { target: ({ eventId, url }) => `${eventId}|${url}` },
  indexes: [
    { sort: 'dueAt', when: 'waiting', acrossOwners: true, include: ['accountId', 'host'] },
    { sort: 'createdAt', include: ['event'] },
  ],
  tallies: [{ by: ['accountId', 'createdDay', 'event'], sum: [] }],
}
