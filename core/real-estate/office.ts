import { t } from '../fp.ts'
import { type Change, ensure, insert, patch } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { at, orNull, record, word } from '../kernel/records/record.ts'
import { always, eq, not } from '../kernel/records/where.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { type Queue, WAITING } from '../kernel/running/queue.ts'
import { inboxIn } from '../office/inbox.ts'
import { mailFields, mailIn, type NewMail, renderMail } from '../office/mail.ts'
import { eventFields, outboxIn, type Subscriber as SubscriberTo } from '../office/outbox.ts'
import { jobsIn, processesIn } from '../office/worker.ts'
import type { Cipher } from '../ports/runtime.ts'
import { byId } from '../ports/store.ts'
import type { EstateMail, RealEstatePorts } from './real-estate-ports.ts'
import { companies } from './records/people.ts'

/** What an agency's rooms tell each other. */
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

export const jobs = jobsIn('estate')
export const processes = processesIn('estate')

const queuedMail = record({
  ...mailFields,
  /** The company in whose name it goes out; null for our own. */
  companyId: orNull(t.string),
})

export type QueuedMail = t.TypeOf<typeof queuedMail>

const mail = mailIn('estate', queuedMail, { tenant: 'companyId', tenants: 'companies' })

export const { mails, templateOf } = mail

/** The change that queues a mail: in our own name, unless it names a company. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  letter: Omit<NewMail<QueuedMail>, 'companyId'> & Partial<Pick<QueuedMail, 'companyId'>>,
): Change => mail.enqueue(cipher, fresh, { companyId: null, ...letter })

/** The queues of mails, which a worker runs where there is a mailer. */
export const mailQueues = (ports: RealEstatePorts, { mailer, emailRenderer }: EstateMail): readonly Queue[] =>
  mail.queues(ports, async (queued) => {
    const company = queued.companyId === null ? null : await ports.store.find(byId(companies, queued.companyId))
    const sender = { name: company?.legalName ?? 'Portico', logoUrl: null }
    await mailer.send(renderMail(queued, templateOf(ports.cipher, queued), sender, emailRenderer))
  })

export const NOTIFICATION_TYPES = [
  'ContractExpiry',
  'PaymentDefault',
  'NewProposal',
  'ProposalApproved',
  'VisitConfirmed',
  'CommissionApproved',
  'CommissionPaid',
  'General',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** What a notification may be about. */
export const RESOURCE_TYPES = ['Property', 'Proposal', 'Contract', 'Payment', 'Commission', 'Visit'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

const notification = record({
  id: t.string,
  companyId: t.string,
  userId: t.string,
  type: word(...NOTIFICATION_TYPES),
  title: t.string,
  message: t.string,
  resourceType: orNull(word(...RESOURCE_TYPES)),
  resourceId: orNull(t.string),
  readAt: orNull(t.string),
  /** Grows from one to the next of all companies, in the order in which they came into the store: streams go by it. */
  seq: t.number,
  /** When it is to be mirrored; null where it is, or where nothing mirrors. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  updatedAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** Something that somebody of a company is told inside the app. */
export type Notification = t.TypeOf<typeof notification>

export const inbox = inboxIn<Notification>('estate', notification, {
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [
    { sort: 'seq' },
    { sort: 'seq', acrossOwners: true },
    { sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['companyId'] },
  ],
})

export const { notifications } = inbox

const count = record({ id: t.string, last: t.number })

/** The one keeper of the numbers of notifications. */
export const notificationCounts: Collection<t.TypeOf<typeof count>> = {
  name: 'estate.notification-counts',
  ids: 'text',
  codec: count,
  owner: null,
}

export const ALL_NOTIFICATIONS = 'all'

/** What is told to somebody: under an id of its own, where it is to be told once and never again. */
export interface Told {
  readonly id?: string
  readonly userId: string
  readonly companyId: string
  readonly type: NotificationType
  readonly title: string
  readonly message: string
  readonly resourceType: ResourceType
  readonly resourceId: string
}

/** The changes that tell people, two for each of them and one for all; `mirrors` says whether it is mirrored outside. */
export const notify = (fresh: Fresh, told: readonly Told[], mirrors: boolean): readonly Change[] => {
  const { now, steady } = fresh
  const dueAt = mirrors ? steady : null
  const trace = (mirrors && fresh.trace) || null
  const keeper = at(notificationCounts, ALL_NOTIFICATIONS)
  const inserts = told.flatMap(({ id = fresh.uuid(), ...each }) => [
    patch(notificationCounts, ALL_NOTIFICATIONS, { add: { last: 1 }, when: always }),
    insert(
      notifications,
      { ...each, id, readAt: null, seq: 0, dueAt, attempts: 0, createdAt: now, updatedAt: now, trace },
      { seq: [keeper, 'last'] },
    ),
  ])
  return told.length === 0 ? [] : [ensure(notificationCounts, { id: ALL_NOTIFICATIONS, last: 0 }), ...inserts]
}
