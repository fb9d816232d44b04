import { type PaymentsModule, type PaymentsPorts, withoutApiKeyToken } from '../payments-ports.ts'
import { adminSubscriber, inbox, inboxSubscriber, ownNotifications } from './inbox.ts'

/** In-app notifications. */
export const notifications = {
  collections: [inbox.notifications],
  subscribers: () => [inboxSubscriber, adminSubscriber],
  useCases: (ports: PaymentsPorts) => {
    const own = ownNotifications(ports)
    return {
      /**
       * Lists a user's notifications, newest first, with the number of all unread ones. To a session without the second
       * factor, an account that requires it shows only its id, the type and the dates; of `export.ready` not the
       * notification's id either, which opens the file. Fails: `permission.lacking` (the token was issued for an API
       * key), `fields`.
       */
      list: withoutApiKeyToken(own.list),
      /** Counts a user's unread notifications. Fails: `permission.lacking` (the token was issued for an API key). */
      countUnread: withoutApiKeyToken(own.countUnread),
      /**
       * Reads one of a user's notifications, by its id.
       * Fails: `permission.lacking` (the token was issued for an API key), `notification.unknown` (also another
       * user's).
       */
      read: withoutApiKeyToken(own.read),
      /**
       * Marks one as read; a repetition changes nothing.
       * Fails: `permission.lacking` (the token was issued for an API key), `notification.unknown`.
       */
      markRead: withoutApiKeyToken(own.markRead),
      /**
       * Marks all current ones as read and returns their number.
       * Fails: `permission.lacking` (the token was issued for an API key).
       */
      markAllRead: withoutApiKeyToken(own.markAllRead),
      /** Removes one. Fails: `permission.lacking` (the token was issued for an API key), `notification.unknown`. */
      remove: withoutApiKeyToken(own.remove),
      /**
       * Removes the read ones and returns their number.
       * Fails: `permission.lacking` (the token was issued for an API key).
       */
      removeRead: withoutApiKeyToken(own.removeRead),
    }
  },
} satisfies PaymentsModule
