import { t } from '../../fp.ts'
import type { Change, Take } from '../../kernel/records/change.ts'
import { type Json, orNull, record } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Subscriber as SubscriberTo } from '../../office/outbox.ts'
import { eventFields, outboxIn } from '../../office/outbox.ts'

/** Source: decisions.md §3, Events. */
export const EVENT_TYPES = [
  'charge.created',
  'charge.updated',
  'charge.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.deleted',
  'charge.failed',
  'charge.refunded',
  'payment_link.paid',
  'withdraw.completed',
  'withdraw.failed',
  'pix.received',
  'export.ready',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

const event = record({
  // `data` is the record that it is about, as the API showed it then.
  ...eventFields(EVENT_TYPES),
  accountId: t.number,
  /** The id of the record that it is about; `NO_RECORD` where there is none. */
  subjectId: t.number,
  /**
   * What was paid of a charge as of this commit, its own payment included: of payments at once each is decided without the
   * others. Null where nothing was paid with it; else the `amount_paid` of `data`.
   */
  amountPaidCents: orNull(t.number),
  /** The same of what was given back of it. */
  refundedCents: orNull(t.number),
  /** What came by this payment alone, whatever became of its charge; null where the event is of none. */
  receivedCents: orNull(t.number),
  /** When it happened, in milliseconds since 1970, where it is about a charge; null elsewhere: `createdAt` counts. */
  happenedMs: orNull(t.number),
  /** URLs besides the account's own that are to be told. */
  urls: t.array(t.string),
})

/** The subject of an event that is about no record: money without a charge. No id is 0. */
export const NO_RECORD = 0

/** Something that happened in an account, written in the commit that made it happen. */
export type Event = t.TypeOf<typeof event>
export type Subscriber = SubscriberTo<Event>

export const outbox = outboxIn('payments', event, 'accountId')

export const { events, subscriber } = outbox

/** The change that tells of something: rides in the commit of what it tells. `urls` with null or repeated ones is fine. */
export const recordEvent = (
  fresh: Fresh,
  type: EventType,
  about: {
    readonly accountId: number
    readonly subjectId: number
    readonly data: Json
    readonly urls: readonly (string | null)[]
    readonly receivedCents?: number | null
  },
  take?: Take<'amountPaidCents' | 'refundedCents' | 'happenedMs'>,
): Change => {
  const urls = [...new Set(about.urls.filter((url) => url !== null))]
  const { receivedCents = null } = about
  const told = { ...about, type, amountPaidCents: null, refundedCents: null, receivedCents, happenedMs: null, urls }
  return outbox.record(fresh, told, take)
}
