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
import { type Change, type Json, record, t } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { inboxIn } from '../../office/inbox.ts'
import { type Event, type EventType, NO_RECORD, subscriber } from '../events.ts'
import { teamOf } from '../members/membership.ts'

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

export const inbox = inboxIn<Notification>('payments', notification)

export const { notifications } = inbox

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

/** The events with a notification. */
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
