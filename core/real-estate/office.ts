import {
  always,
  at,
  type Change,
  type Collection,
  ensure,
  gt,
  insert,
  orNull,
  patch,
  record,
  t,
  word,
} from '../kernel/records/record.ts'
import type { JobRow } from '../kernel/running/jobs.ts'
import { type Queue, queueConditions, queueIndex } from '../kernel/running/queue.ts'
import { processEach } from '../kernel/running/slices.ts'
import { accept, decideAndCommit, type Fresh, type KeyHooks } from '../kernel/running/use-case.ts'
import type { Instant } from '../kernel/values/day.ts'
import { inboxIn } from '../office/inbox.ts'
import { mailFields, mailIn, type NewMail, renderMail } from '../office/mail.ts'
import { eventFields, outboxIn, type Subscriber as SubscriberTo } from '../office/outbox.ts'
import { jobsIn, processesIn } from '../office/worker.ts'
import type { Cipher } from '../ports/runtime.ts'
import { byId, listOf } from '../ports/store.ts'
import type { EstateMail, RealEstatePorts } from './real-estate-ports.ts'
import { companies } from './records/people.ts'

/** The events of an agency, recorded in one module and received in others. */
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
  /** The id of the record that the event is about. */
  subjectId: t.string,
})

/** An event, recorded in the commit of the change that it reports. */
export type Event = t.TypeOf<typeof event>
export type Subscriber = SubscriberTo<Event>

export const outbox = outboxIn('estate', event, 'companyId')

export const { events, subscriber, record: recordEvent } = outbox

/** Returns the event of a record's new name or code, by which copies are updated; none if the name is the same. */
export const renameEvents = <R extends { readonly id: string; readonly companyId: string }>(
  fresh: Fresh,
  type: Extract<EventType, `${string}.renamed`>,
  field: keyof R & string,
  before: R | null,
  { id: subjectId, companyId, [field]: name }: R,
): readonly Change[] =>
  name === before?.[field] ? [] : [recordEvent(fresh, { companyId, subjectId, type, data: { [field]: `${name}` } })]

export const jobs = jobsIn('estate')
export const processes = processesIn('estate')

/** Returns the value of a use case of several commits, and stores it with the caller's idempotency key, if any. */
export const storeResult = <V>(ports: RealEstatePorts, value: V, hooks: KeyHooks<V> | undefined) =>
  decideAndCommit(
    ports,
    () => null,
    () => accept<V>(value),
    hooks?.completed,
  )

/** Builds a job that runs for each company, at most `atOnce` at a time; a failed company does not stop the others. */
export const companiesJob = (
  { store }: Pick<RealEstatePorts, 'store'>,
  { atOnce, ...row }: Omit<JobRow, 'run'> & { readonly atOnce: number },
  run: (companyId: string, steady: Instant) => Promise<unknown>,
): JobRow => ({
  ...row,
  run: async ({ steady, cursor, report }) => {
    const { records } = await store.list(
      listOf(companies, { where: cursor === null ? always : gt('id', cursor), limit: atOnce }),
    )
    await processEach(companies, records, ({ id }) => run(id, steady), report)
    return records.length < atOnce ? null : (records.at(-1)?.id ?? null)
  },
})

const queuedMail = record({
  ...mailFields,
  /** The company that sends the mail; null for Portico. */
  companyId: orNull(t.string),
})

export type QueuedMail = t.TypeOf<typeof queuedMail>

const mail = mailIn('estate', queuedMail, { tenant: 'companyId', tenants: 'companies' })

export const { mails, templateOf } = mail

/** Returns the change that queues a mail, sent by Portico unless it names a company. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  letter: Omit<NewMail<QueuedMail>, 'companyId'> & Partial<Pick<QueuedMail, 'companyId'>>,
): Change => mail.enqueue(cipher, fresh, { companyId: null, ...letter })

/** The queues of mails, if there is a mail server. */
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

/** The types of record that a notification can be about. */
export const RESOURCE_TYPES = ['Property', 'Proposal', 'Contract', 'Payment', 'Commission', 'Visit'] as const

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
  /** Numbers all notifications of all companies in the order in which they are stored; streams follow it. */
  seq: t.number,
  /** The time at which it is mirrored; null if done, or without a mirror. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  updatedAt: t.string,
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** A notification of a user inside the app. */
export type Notification = t.TypeOf<typeof notification>

export const inbox = inboxIn<Notification>('estate', notification, {
  conditions: queueConditions,
  indexes: [{ sort: 'seq' }, { sort: 'seq', acrossOwners: true }, queueIndex('companyId')],
})

export const { notifications } = inbox

const notificationCount = record({ id: t.string, last: t.number })

/** The counter of notifications: one record for all companies. */
export const notificationCounts: Collection<t.TypeOf<typeof notificationCount>> = {
  name: 'estate.notification-counts',
  ids: 'text',
  codec: notificationCount,
  owner: null,
}

export const ALL_NOTIFICATIONS = 'all'

/** A notification to create. An `id` that depends on the cause prevents a second one for it. */
export interface NewNotification {
  readonly id?: string
  readonly userId: string
  readonly companyId: string
  readonly type: NotificationType
  readonly title: string
  readonly message: string
  readonly resourceType: (typeof RESOURCE_TYPES)[number]
  readonly resourceId: string
}

/**
 * Returns the changes that create notifications: two for each, and one for all together. `mirrors` is true if there is
 * a mirror.
 */
export const notify = (fresh: Fresh, drafts: readonly NewNotification[], mirrors: boolean): readonly Change[] => {
  const { now, steady } = fresh
  const dueAt = mirrors ? steady : null
  const trace = (mirrors && fresh.trace) || null
  const counter = at(notificationCounts, ALL_NOTIFICATIONS)
  const inserts = drafts.flatMap(({ id = fresh.uuid(), ...each }) => [
    patch(notificationCounts, ALL_NOTIFICATIONS, { add: { last: 1 }, when: always }),
    insert(
      notifications,
      { ...each, id, readAt: null, seq: 0, dueAt, attempts: 0, createdAt: now, updatedAt: now, trace },
      { seq: [counter, 'last'] },
    ),
  ])
  return drafts.length === 0 ? [] : [ensure(notificationCounts, { id: ALL_NOTIFICATIONS, last: 0 }), ...inserts]
}
