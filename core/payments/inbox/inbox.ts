import { nullIfAbsent } from '../../kernel/input/field.ts'
import { storedTypes } from '../../kernel/input/input.ts'
import { jsonObject } from '../../kernel/input/json.ts'
import { guid, id, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { type Change, type Json, record, t } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { inboxIn } from '../../office/inbox.ts'

const NOTIFICATION_TYPES = [
  'charge.paid',
  'pix.received',
  'charge.failed',
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

export const notificationFields = {
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
