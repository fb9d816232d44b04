import { pick } from '../../kernel/input/input.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { type Event, type EventType, NO_RECORD, subscriber } from '../events.ts'
import { teamOf } from '../members/membership.ts'
import { type Notification, type NotificationType, notificationFields, notify } from './inbox.ts'

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
const TYPES = ['charge.paid', 'pix.received', 'charge.failed'] as const satisfies readonly (EventType &
  NotificationType)[]

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
