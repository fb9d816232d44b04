import type { Collection } from '../../kernel/records/collection.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'
import { type AlsoRead, markAllRead, markRead, removeNotification, removeRead } from './change-notifications.ts'
import { countUnread, listNotifications, readNotification } from './list-notifications.ts'
import { type AnyNotification, type InboxBesides, notificationsIn, notifyIn } from './notification.ts'

/**
 * What people are told inside the apps of a business: `inboxIn<Notification>('estate', codec)`. Each notification is one
 * person's, who alone reads, marks and removes it.
 */
export const inboxIn = <N extends AnyNotification>(
  business: string,
  codec: Collection<N>['codec'],
  besides?: InboxBesides<N>,
) => {
  const notifications = notificationsIn<N>(business, codec, besides)
  return {
    notifications,
    notify: notifyIn(notifications),
    /** `also`: what else becomes of one that is read. */
    useCases: (ports: Runtime, also?: AlsoRead<N>) => ({
      list: listNotifications(notifications, ports),
      countUnread: countUnread(notifications, ports),
      read: readNotification(notifications, ports),
      markRead: markRead(notifications, ports, also),
      markAllRead: markAllRead(notifications, ports, also),
      remove: removeNotification(notifications, ports),
      removeRead: removeRead(notifications, ports),
    }),
  }
}
