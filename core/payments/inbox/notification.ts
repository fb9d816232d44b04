import { t } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/codec.ts'
import { oneOf } from '../../kernel/input/fields/choices.ts'
import { timestamp } from '../../kernel/input/fields/days.ts'
import { jsonObject } from '../../kernel/input/fields/json.ts'
import { id } from '../../kernel/input/fields/numbers.ts'
import { guid } from '../../kernel/input/fields/texts.ts'
import { stored } from '../../kernel/input/stored.ts'
import { pick } from '../../kernel/input/table.ts'
import { view } from '../../kernel/input/view.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import type { Collection, Json } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'
import { all, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
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

const notificationFields = {
  id: guid({ about: 'Identificador' }),
  type: oneOf(NOTIFICATION_TYPES, { about: 'O que aconteceu' }),
  userId: id({ wire: 'notifiable_id', about: 'Quem é notificado' }),
  data: jsonObject({ about: 'Os dados do que aconteceu' }),
  readAt: nullIfAbsent(timestamp({ about: 'Quando foi lida' })),
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
}

const notification = record({
  ...stored(notificationFields),
  /** The account in which it happened. */
  accountId: t.number,
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

/** Source: 01-access.md, Notification. */
export const notificationView = view(
  'Notification',
  {
    ...pick(notificationFields, 'id', 'type'),
    notifiableType: oneOf(['user'], { about: 'De que é quem é notificado' }),
    ...pick(notificationFields, 'userId', 'data', 'readAt', 'createdAt', 'updatedAt'),
  },
  (told: Notification) => ({
    ...told,
    notifiableType: 'user' as const,
    data: JSON.stringify({ account_id: told.accountId, ...JSON.parse(told.data) }),
  }),
)
