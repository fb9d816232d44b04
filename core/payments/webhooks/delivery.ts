import { type Collection, eq, not, orNull, record, t, word } from '../../kernel/records/record.ts'
import { EVENT_TYPES, type EventType } from '../events.ts'
import type { Permission } from '../payments-ports.ts'

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

/** The kind of record that an event shows: `charge` of `charge.paid`. */
type RecordKind<T extends EventType> = T extends `${infer Kind}.${string}` ? Kind : never

/** The permission that reads the records of each kind of event. */
const READS: Readonly<Record<RecordKind<EventType>, Permission>> = {
  charge: 'charges:read',
  pix: 'charges:read',
  payment_link: 'links:read',
  withdraw: 'withdrawals:read',
  export: 'statements:read',
}

/** A member, or a token, with its permissions in an account. */
export interface DeliveryReader {
  readonly accountId: number
  readonly permissions: readonly Permission[]
}

/** Reports whether these permissions read the records that an event shows. */
export const mayRead = ({ permissions }: Pick<DeliveryReader, 'permissions'>, event: EventType): boolean => {
  const [kind] = event.split('.') as [RecordKind<EventType>]
  return permissions.includes(READS[kind])
}

/** Returns the delivery if it belongs to the reader's account and its event is readable; otherwise null. */
export const ifReadable = (reader: DeliveryReader, delivery: Delivery | null): Delivery | null =>
  delivery?.accountId === reader.accountId && mayRead(reader, delivery.event) ? delivery : null
