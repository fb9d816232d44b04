import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import type { Collection, Json } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { all, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { withOffset } from '../../kernel/values/day.ts'
import { type List, listOf } from '../../ports/store.ts'
import { ACTIVE_MEMBERSHIP } from '../members/account-membership.ts'
import { type Membership, memberships } from '../members/membership.ts'
import { ADMIN, API } from '../role.ts'

export const NOTIFICATION_TYPES = [
  'charge.paid',
  'pix.received',
  'charge.failed',
  'webhook.failed',
  'smtp.failed',
  'key.exchanged',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

const notification = record({
  id: t.string,
  userId: t.number,
  /** The account in which it happened. */
  accountId: t.number,
  type: word(...NOTIFICATION_TYPES),
  /** What happened, as JSON text. */
  data: t.string,
  readAt: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** Something that somebody is told inside the app. Source: 01-access.md, Notification. */
export type Notification = t.TypeOf<typeof notification>

export const notifications: Collection<Notification> = {
  name: 'payments.notifications',
  ids: 'text',
  codec: notification,
  owner: 'userId',
  shard: 'userId',
  conditions: { unread: eq('readAt', null), read: not(eq('readAt', null)) },
  indexes: [{ sort: 'createdAt' }, { sort: 'createdAt', when: 'unread' }, { sort: 'createdAt', when: 'read' }],
  tallies: [
    { by: ['userId'], sum: [] },
    { by: ['userId'], sum: [], when: 'unread' },
  ],
}

/** Whom an account's notifications reach at most: the newest who work there. */
const MAX_TOLD = 200

/** Memberships of those who may be told of what happens in an account: programs read no notifications. */
export const teamOf = (accountId: number): List<Membership> =>
  listOf(memberships, {
    where: all(
      eq<keyof Membership & string>('accountId', accountId),
      not(eq('roleId', API.id)),
      eq('status', ACTIVE_MEMBERSHIP),
    ),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_TOLD,
  })

/** Memberships of the account's active ADMINs. */
export const adminsOf = (accountId: number): List<Membership> =>
  listOf(memberships, {
    where: all(
      eq<keyof Membership & string>('accountId', accountId),
      eq('roleId', ADMIN.id),
      eq('status', ACTIVE_MEMBERSHIP),
    ),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_TOLD,
  })

/** The changes that tell these people. */
export const notify = (
  fresh: Fresh,
  memberships: readonly Membership[],
  told: { readonly accountId: number; readonly type: NotificationType; readonly data: Json },
): readonly Change[] =>
  memberships.map(({ userId }) =>
    insert(notifications, {
      id: fresh.uuid(),
      userId,
      accountId: told.accountId,
      type: told.type,
      data: JSON.stringify(told.data),
      readAt: null,
      createdAt: fresh.now,
      updatedAt: fresh.now,
    }),
  )

export const notificationView = ({
  id,
  type,
  userId,
  accountId,
  data,
  readAt,
  createdAt,
  updatedAt,
}: Notification) => ({
  id,
  type,
  notifiable_type: 'user' as const,
  notifiable_id: userId,
  data: { account_id: accountId, ...(JSON.parse(data) as Readonly<Record<string, Json>>) },
  read_at: readAt && withOffset(readAt),
  created_at: withOffset(createdAt),
  updated_at: withOffset(updatedAt),
})
