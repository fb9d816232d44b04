import { type AnyView, instant, oneOf, output, view } from '../kernel/input/mod.ts'
import { type Change, type Json, orNull, record, type Take, t } from '../kernel/records/record.ts'
import type { Fresh } from '../kernel/running/use-case.ts'
import { eventFields, outboxIn, type Subscriber as SubscriberTo } from '../office/outbox.ts'

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
  'charge.partially_paid',
  'charge.overpaid',
  'split.received',
  'charge.rest_refused',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The events of which only the ADMINs of the account are notified: neither webhooks nor the API show them. */
export const ADMIN_EVENT_TYPES = ['cards.declined', 'bank.unreadable', 'pay_out.late'] as const
type AdminEventType = (typeof ADMIN_EVENT_TYPES)[number]

const event = record({
  // `data` is the event's record as the API showed it then, or that of the notification.
  ...eventFields([...EVENT_TYPES, ...ADMIN_EVENT_TYPES]),
  accountId: t.number,
  /** The id of the event's record, or `NO_RECORD`. */
  subjectId: t.number,
  /**
   * The amount paid of a charge as of this commit, taken at commit because concurrent payments are decided without each
   * other. Null if the event has no payment; otherwise the `amount_paid` of `data`.
   */
  amountPaidCents: orNull(t.number),
  /** The refunded amount of a charge, likewise. */
  refundedCents: orNull(t.number),
  /** The amount of this payment; null if the event has no payment. */
  receivedCents: orNull(t.number),
  /** The time of a charge's event, in milliseconds since 1970; null for other events, whose time is `createdAt`. */
  happenedMs: orNull(t.number),
  /** The webhook URLs in addition to the account's own. */
  urls: t.array(t.string),
})

/** The subject of an event without a record: a payment without a charge. Ids start at 1. */
export const NO_RECORD = 0

/** An event in an account, written in the commit of its change. */
export type Event = t.TypeOf<typeof event>
export type Subscriber = SubscriberTo<Event>

/** True for an event that webhooks and the API show. */
export const isShown = (event: Event): event is Event & { readonly type: EventType } =>
  EVENT_TYPES.some((type) => type === event.type)

export const outbox = outboxIn('payments', event, 'accountId', [
  { eq: 'subjectId', sort: 'createdAt', acrossOwners: true },
])

export const { events, subscriber } = outbox

/** Returns the change that records an event, for the commit that it reports. Null and repeated `urls` are dropped. */
export const recordEvent = (
  fresh: Fresh,
  type: Event['type'],
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
  const { accountId, subjectId, data, receivedCents = null } = about
  const amounts = { amountPaidCents: null, refundedCents: null, receivedCents }
  const event = { accountId, subjectId, data, type, happenedMs: null, urls, ...amounts }
  return outbox.record(fresh, event, take)
}

/** The change that notifies the ADMINs of an account, for the commit of the change that it reports. */
export const notifyAdmins = (fresh: Fresh, accountId: number, type: AdminEventType, data: Json): Change =>
  recordEvent(fresh, type, { accountId, subjectId: NO_RECORD, data, urls: [] })

/** Builds the view of a webhook's body: the event, its time and its data. */
export const eventView = <D>(
  name: string,
  types: readonly EventType[],
  data: AnyView<D>,
  about: string,
  aboutTimestamp = 'Quando aconteceu',
) => {
  const fields = {
    type: oneOf(types, { about: 'O que aconteceu' }),
    timestamp: instant({ about: aboutTimestamp }),
    data: output.view(data, { about }),
  }
  return view(name, fields)
}
