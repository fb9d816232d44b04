import { withoutApiKeyToken } from '../actor.ts'
import { inbox } from '../office.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { inboxSubscriber } from './notification.ts'

/** What people are told inside the app. */
export const notifications = {
  collections: [inbox.notifications],
  subscribers: () => [inboxSubscriber],
  useCases: (ports: PaymentsPorts) => {
    const own = inbox.useCases(ports)
    return {
      /**
       * A page of a person's notifications, the newest first, and how many of all are unread.
       * Fails: `permission.lacking` (the token was given for an API key), `fields`.
       * Source: 01-access.md, Legacy notifications.
       */
      list: withoutApiKeyToken(own.list),
      /**
       * How many of a person's notifications are unread.
       * Fails: `permission.lacking` (the token was given for an API key).
       * Source: 01-access.md, Legacy notifications.
       */
      countUnread: withoutApiKeyToken(own.countUnread),
      /**
       * One of a person's notifications, by its id.
       * Fails: `permission.lacking` (the token was given for an API key), `notification.unknown` (somebody else's too).
       * Source: 01-access.md, Legacy notifications.
       */
      read: withoutApiKeyToken(own.read),
      /**
       * Marks one as read; again changes nothing.
       * Fails: `permission.lacking` (the token was given for an API key), `notification.unknown`.
       * Source: 01-access.md, Legacy notifications.
       */
      markRead: withoutApiKeyToken(own.markRead),
      /**
       * Marks all as read that are there; value: how many.
       * Fails: `permission.lacking` (the token was given for an API key).
       * Source: 01-access.md, Legacy notifications.
       */
      markAllRead: withoutApiKeyToken(own.markAllRead),
      /**
       * Removes one.
       * Fails: `permission.lacking` (the token was given for an API key), `notification.unknown`.
       * Source: 01-access.md, Legacy notifications.
       */
      remove: withoutApiKeyToken(own.remove),
      /**
       * Removes those that were read; value: how many.
       * Fails: `permission.lacking` (the token was given for an API key).
       * Source: 01-access.md, Legacy notifications.
       */
      removeRead: withoutApiKeyToken(own.removeRead),
    }
  },
} satisfies PaymentsModule
