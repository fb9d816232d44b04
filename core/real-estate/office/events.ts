import { t } from '../../fp.ts'
import { record } from '../../kernel/records/record.ts'
import type { Subscriber as SubscriberTo } from '../../office/outbox.ts'
import { eventFields, outboxIn } from '../../office/outbox.ts'

/** What an agency's rooms tell each other. Source: 03-real-estate.md, Events; decisions.md §6, Notifications. */
export const EVENT_TYPES = [
  'proposal.created',
  'proposal.approved',
  'visit.confirmed',
  'commission.approved',
  'commission.paid',
  'property.renamed',
  'client.renamed',
  'broker.renamed',
  'payment.defaulted',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

const event = record({
  ...eventFields(EVENT_TYPES),
  companyId: t.string,
  /** The id of the record that it is about. */
  subjectId: t.string,
})

/** Something that happened in an agency, written in the commit that made it happen. */
export type Event = t.TypeOf<typeof event>
export type Subscriber = SubscriberTo<Event>

export const outbox = outboxIn('estate', event, 'companyId')

export const { events, subscriber, record: recordEvent } = outbox
