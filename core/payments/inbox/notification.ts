import { oneOf } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { teamOf } from '../members/membership.ts'
import {
  type Event,
  type EventType,
  NO_RECORD,
  type Notification,
  type NotificationType,
  notificationFields,
  notify,
  subscriber,
} from '../office.ts'

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

/** How many are unread. */
export const unreadCountView = view(
  'UnreadCount',
  { unreadCount: output.count({ about: 'Notificações não lidas' }) },
  (unread: number) => ({ unreadCount: unread }),
)

/** What people are told of inside the app: what came in, and what went wrong. */
const TYPES = ['charge.paid', 'pix.received', 'charge.failed'] as const satisfies readonly (EventType &
  NotificationType)[]

const dataOf = ({ subjectId, amountPaidCents, data }: Pick<Event, 'subjectId' | 'amountPaidCents' | 'data'>) => {
  // Of money without a charge, what is told is all that there is.
  if (subjectId === NO_RECORD) return { charge_id: null, ...JSON.parse(data) }
  return { charge_id: subjectId, amount_paid: amountPaidCents === null ? null : reaisFromCents(amountPaidCents) }
}

/** A notification of an event for everybody who works in its account. */
export const inboxSubscriber = subscriber({
  name: 'inbox',
  types: TYPES,
  read: async (store, { accountId }) => (await store.list(teamOf(accountId))).records,
  decide(event, team, fresh) {
    const { accountId, type } = event
    const told = TYPES.find((each) => each === type)
    return told ? notify(fresh, team, { accountId, type: told, data: dataOf(event) }) : []
  },
})
