import { isLeft, right } from '../../failure.ts'
import {
  guid,
  id,
  jsonObject,
  nullIfAbsent,
  oneOf,
  output,
  pick,
  storedTypes,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import { type Change, eq, type Json, record, t } from '../../kernel/records/record.ts'
import { slicesOf } from '../../kernel/running/slices.ts'
import { type Fresh, mapUseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { inboxIn, type NotificationFilter, type PageOfNotifications } from '../../office/inbox.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { ADMIN_EVENT_TYPES, type Event, type EventType, NO_RECORD, subscriber } from '../events.ts'
import { adminsOf, mayEnter, teamOf } from '../members/membership.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'

const NOTIFICATION_TYPES = [
  'charge.paid',
  'pix.received',
  'charge.failed',
  'charge.rest_refused',
  'webhook.failed',
  'smtp.failed',
  'key.exchanged',
  'export.ready',
  'export.failed',
  'export.removed',
  'bank.differs',
  'bank.unreadable',
  'pay_out.late',
  'messages.unsent',
  'cards.declined',
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
  ...storedTypes(notificationFields),
  /** The account of the notified event. */
  accountId: t.number,
})

/** An in-app notification of a user. */
export type Notification = t.TypeOf<typeof notification>

const KEY_USE: NotificationType = 'key.exchanged'
const KEY_USES = 'keyUses'

export const inbox = inboxIn<Notification>('payments', notification, {
  conditions: { [KEY_USES]: eq('type', KEY_USE) },
  indexes: [{ eq: 'accountId', sort: 'createdAt', when: KEY_USES, acrossOwners: true }],
})

export const { notifications } = inbox

/** The user whose notifications are read, and whether the session proved the second factor. */
type Reader = Pick<Person, 'userId' | 'hasSecondFactor'>

/** Replaces the id of an export's notification, because that id opens the file. */
const HIDDEN_ID = '00000000-0000-0000-0000-000000000000'

/** Returns the function that removes the content of notifications of accounts that a session may not enter. */
const withoutClosedAccounts = async (store: Store, reader: Reader, found: readonly Notification[]) => {
  const ids = [...new Set(found.map(({ accountId }) => accountId))]
  const named = await store.read(Object.fromEntries(ids.map((id) => [`${id}`, byId(accounts, id)])))
  const isOpen = ({ accountId }: Notification): boolean => {
    const account = named[`${accountId}`]
    return !account || mayEnter(account, { ...reader, boundTo: null })
  }
  return (each: Notification): Notification =>
    isOpen(each) ? each : { ...each, data: '{}', ...(each.type === 'export.ready' && { id: HIDDEN_ID }) }
}

/** The use cases of a user's notifications. An account that requires the second factor hides their content. */
export const ownNotifications = (ports: PaymentsPorts) => {
  const { store } = ports
  const own = inbox.useCases(ports)
  return {
    ...own,
    list: (reader: Reader, filter: NotificationFilter) =>
      useCaseOf<PageOfNotifications<Notification>>()(async (hooks) => {
        const page = await own.list(reader, filter)(hooks)
        if (isLeft(page)) return page
        const { records } = page.right
        return right({ ...page.right, records: records.map(await withoutClosedAccounts(store, reader, records)) })
      }),
    read: (reader: Reader, id: string) =>
      useCaseOf<Notification>()(async (hooks) => {
        const found = await own.read(reader, id)(hooks)
        return isLeft(found) ? found : right((await withoutClosedAccounts(store, reader, [found.right]))(found.right))
      }),
    markRead: (reader: Reader, id: string) =>
      useCaseOf<Notification>()(async (hooks) => {
        const found = await own.read(reader, id)()
        if (isLeft(found)) return found
        return mapUseCase(own.markRead(reader, id), await withoutClosedAccounts(store, reader, [found.right]))(hooks)
      }),
  }
}

/** Yields the notifications that name a member of an account: those of a use of its API key, one a notified ADMIN. */
export async function* notificationsNaming(
  store: Store,
  accountId: number,
  userId: number,
): AsyncIterable<Notification> {
  const query = { from: notifications, where: eq('accountId', accountId), when: KEY_USES, sort: 'createdAt' } as const
  for await (const slice of slicesOf(store, query))
    yield* slice.filter(({ data }) => JSON.parse(data).user_id === userId)
}

interface NewNotification {
  readonly accountId: number
  readonly type: NotificationType
  readonly data: Json
}

/** Builds a notification with a given id: an export's file refers to it. */
export const notificationOf = (
  { now, ...whose }: Pick<Notification, 'id' | 'userId'> & Pick<Fresh, 'now'>,
  { data, ...notification }: NewNotification,
): Notification => ({
  ...notification,
  ...whose,
  data: JSON.stringify(data),
  readAt: null,
  createdAt: now,
  updatedAt: now,
})

/** The changes that notify users. */
export const notify = (
  fresh: Fresh,
  people: readonly Pick<Notification, 'userId'>[],
  notification: NewNotification,
): readonly Change[] => inbox.notify(fresh, people, { ...notification, data: JSON.stringify(notification.data) })

export const notificationView = view(
  'Notification',
  {
    ...pick(notificationFields, 'id', 'type'),
    notifiableType: oneOf(['user'], { about: 'De que é quem é notificado' }),
    ...pick(notificationFields, 'userId', 'data', 'readAt', 'createdAt', 'updatedAt'),
  },
  (notification: Notification) => ({
    ...notification,
    notifiableType: 'user' as const,
    data: JSON.stringify({ account_id: notification.accountId, ...JSON.parse(notification.data) }),
  }),
)

export const unreadCountView = view(
  'UnreadCount',
  { unreadCount: output.count({ about: 'Notificações não lidas' }) },
  (unread: number) => ({ unreadCount: unread }),
)

/** The events with a notification of the team. */
const TYPES = [
  'charge.paid',
  'pix.received',
  'charge.failed',
  'charge.rest_refused',
] as const satisfies readonly (EventType & NotificationType)[]

const dataOf = ({ subjectId, amountPaidCents, data }: Pick<Event, 'subjectId' | 'amountPaidCents' | 'data'>) => {
  // A payment without a charge is notified with its own data.
  if (subjectId === NO_RECORD) return { charge_id: null, ...JSON.parse(data) }
  return { charge_id: subjectId, amount_paid: amountPaidCents === null ? null : reaisFromCents(amountPaidCents) }
}

/** Notifies the team of an account about its events. */
export const inboxSubscriber = subscriber({
  name: 'inbox',
  types: TYPES,
  read: async (store, { accountId }) => (await store.list(teamOf(accountId))).records,
  decide(event, team, fresh) {
    const { accountId, type } = event
    const notified = TYPES.find((each) => each === type)
    return notified ? notify(fresh, team, { accountId, type: notified, data: dataOf(event) }) : []
  },
})

/** Notifies the ADMINs of an account about the events that are theirs alone. */
export const adminSubscriber = subscriber({
  name: 'inbox-admins',
  types: ADMIN_EVENT_TYPES,
  read: async (store, { accountId }) => (await store.list(adminsOf(accountId))).records,
  decide({ accountId, type, data }, admins, fresh) {
    const notified = ADMIN_EVENT_TYPES.find((each) => each === type)
    return notified ? notify(fresh, admins, { accountId, type: notified, data: JSON.parse(data) }) : []
  },
})
