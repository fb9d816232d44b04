import type { Collection } from '../../kernel/records/collection.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'
import { markAllRead, markRead, removeNotification, removeRead } from './change-notifications.ts'
import { countUnread, listNotifications, readNotification } from './list-notifications.ts'
import { type AnyNotification, notificationsIn, notifyIn } from './notification.ts'

/**
 * What people are told inside the apps of a business: `inboxIn<Notification>('estate', codec)`. Each notification is one
 * person's, who alone reads, marks and removes it.
 */
export const inboxIn = <N extends AnyNotification>(business: string, codec: Collection<N>['codec']) => {
  const notifications = notificationsIn<N>(business, codec)
  return {
    notifications,
    notify: notifyIn(notifications),
    useCases: (ports: Runtime) => ({
      list: listNotifications(notifications, ports),
      countUnread: countUnread(notifications, ports),
      read: readNotification(notifications, ports),
      markRead: markRead(notifications, ports),
      markAllRead: markAllRead(notifications, ports),
      remove: removeNotification(notifications, ports),
      removeRead: removeRead(notifications, ports),
    }),
  }
}
