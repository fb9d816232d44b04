import { t } from '../../fp.ts'
import { type Change, ensure, insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, orNull, record, word } from '../../kernel/records/record.ts'
import { always, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { inboxIn } from '../../office/inbox.ts'

/** Source: 03-real-estate.md, Notification. */
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

/** What a notification may be about. Source: decisions.md §10, Notifications and files. */
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

/** Something that somebody of a company is told inside the app. Source: 03-real-estate.md, Notification. */
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
