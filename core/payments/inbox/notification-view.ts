import { oneOf } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type Notification, notificationFields } from '../office/notifications.ts'

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
