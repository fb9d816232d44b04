import { onlyInPerson } from '../actor.ts'
import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { markAllRead, markRead, removeNotification, removeRead } from './change-notifications.ts'
import { inboxSubscriber } from './event-subscriber.ts'
import { countUnread, listNotifications, readNotification } from './list-notifications.ts'
import { notifications as collection } from './notification.ts'

/** What people are told inside the app. */
export const notifications = {
  collections: [collection],
  subscribers: () => [inboxSubscriber],
  useCases: (ports: PaymentsPorts) => ({
    /** A page of a person’s notifications, the newest first. */
    list: onlyInPerson(listNotifications(ports)),
    /** How many of them are unread. */
    countUnread: onlyInPerson(countUnread(ports)),
    /** One of a person’s notifications. */
    read: onlyInPerson(readNotification(ports)),
    /** Marks one as read. */
    markRead: onlyInPerson(markRead(ports)),
    /** Marks all of them as read. */
    markAllRead: onlyInPerson(markAllRead(ports)),
    /** Removes one. */
    remove: onlyInPerson(removeNotification(ports)),
    /** Removes those that were read. */
    removeRead: onlyInPerson(removeRead(ports)),
  }),
} satisfies PaymentsModule
