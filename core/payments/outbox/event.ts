import { t } from '../../fp.ts'
import { type Change, insert, type Take } from '../../kernel/records/change.ts'
import type { Collection, Json } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'

/** Source: decisions.md §3, Events. */
export const EVENT_TYPES = [
  'charge.created',
  'charge.updated',
  'charge.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.deleted',
  'charge.failed',
  'payment_link.paid',
  'withdraw.completed',
  'withdraw.failed',
  'pix.received',
  'export.ready',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

const event = record({
  id: t.string,
  accountId: t.number,
  type: word(...EVENT_TYPES),
  /** The id of the record that it is about. */
  subjectId: t.number,
  /** The record as the API showed it then, as JSON text. */
  data: t.string,
  /**
   * What was paid of a charge as of this commit, its own payment included: of payments at once each is decided without the
   * others. Null where nothing was paid with it; else the `amount_paid` of `data`.
   */
  amountPaidCents: orNull(t.number),
  /** URLs besides the account's own that are to be told. */
  urls: t.array(t.string),
  /** The subscribers that are still to be told, where some threw; null for all of them. */
  missed: orNull(t.array(t.string)),
  /** When the worker is to fan it out; null once it did. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
})

/** Something that happened, written in the commit that made it happen. */
export type Event = t.TypeOf<typeof event>

export const events: Collection<Event> = {
  name: 'payments.events',
  ids: 'text',
  codec: event,
  owner: null,
  shard: 'accountId',
  conditions: { waiting: not({ eq: ['dueAt', null] }) },
  indexes: [{ sort: 'dueAt', when: 'waiting', across: true }],
}

/** The change that tells of something: rides in the commit of what it tells. `urls` with null or repeated ones is fine. */
export const recordEvent = (
  fresh: Fresh,
  type: EventType,
  about: {
    readonly accountId: number
    readonly subjectId: number
    readonly data: Json
    readonly urls: readonly (string | null)[]
  },
  take?: Take<'amountPaidCents'>,
): Change => {
  const told: Event = {
    id: fresh.uuid(),
    accountId: about.accountId,
    type,
    subjectId: about.subjectId,
    data: JSON.stringify(about.data),
    amountPaidCents: null,
    urls: [...new Set(about.urls.filter((url) => url !== null))],
    missed: null,
    dueAt: fresh.now,
    attempts: 0,
    createdAt: fresh.now,
  }
  return insert(events, told, take)
}
