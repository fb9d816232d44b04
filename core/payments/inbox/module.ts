import { onlyInPerson } from '../actor.ts'
import { inbox } from '../office/notifications.ts'
import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { inboxSubscriber } from './event-subscriber.ts'

/** What people are told inside the app. */
export const notifications = {
  collections: [inbox.notifications],
  subscribers: () => [inboxSubscriber],
  useCases: (ports: PaymentsPorts) => {
    const own = inbox.useCases(ports)
    return {
      /** A page of a person’s notifications, the newest first. */
      list: onlyInPerson(own.list),
      /** How many of them are unread. */
      countUnread: onlyInPerson(own.countUnread),
      /** One of a person’s notifications. */
      read: onlyInPerson(own.read),
      /** Marks one as read. */
      markRead: onlyInPerson(own.markRead),
      /** Marks all of them as read; value: how many. */
      markAllRead: onlyInPerson(own.markAllRead),
      /** Removes one. */
      remove: onlyInPerson(own.remove),
      /** Removes those that were read; value: how many. */
      removeRead: onlyInPerson(own.removeRead),
    }
  },
} satisfies PaymentsModule
