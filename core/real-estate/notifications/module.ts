import { withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import { inbox } from '../office/notifications.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { alertsJob, checkAlerts } from './check-alerts.ts'
import { defaultSubscriber, notificationSubscriber } from './event-subscriber.ts'
import { openFeed } from './feed.ts'
import { mirrorQueue } from './mirror-queue.ts'
import { type NotificationFilter, notificationFilter } from './notification-views.ts'

type In = Pick<Actor, 'companyId' | 'userId'>

/** What people are told inside the app, on their screens as it happens, and outside where there is a mirror. */
export const notifications = {
  subscribers: ({ digest, mirror }: RealEstatePorts) => [
    notificationSubscriber(mirror !== undefined),
    defaultSubscriber(digest, mirror !== undefined),
  ],
  jobs: (ports: RealEstatePorts) => [alertsJob(ports)],
  queues: (ports: RealEstatePorts) => (ports.mirror ? [mirrorQueue(ports, ports.mirror)] : []),
  useCases: (ports: RealEstatePorts) => {
    const own = inbox.useCases(ports, (steady) => (ports.mirror ? { dueAt: steady } : {}))
    const open = openFeed(ports)
    return {
      /**
       * A page of a person's notifications, the newest first, and how many of all are unread.
       * Fails: `fields`.
       * Source: 03-real-estate.md, Notifications.
       */
      list: (actor: In, given: NotificationFilter) =>
        withValidInput(ports, notificationFilter, given, (filter) => own.list(actor, filter)),
      /**
       * One of a person's notifications, by its id.
       * Fails: `notification.unknown` (somebody else's too).
       * Source: 03-real-estate.md, Notifications.
       */
      read: (actor: In, id: string) => own.read(actor, id.toLowerCase()),
      /**
       * Marks one as read; again changes nothing.
       * Fails: `notification.unknown` (somebody else's too).
       * Source: 03-real-estate.md, Notifications; decisions.md §10, States.
       */
      markRead: (actor: In, id: string) => own.markRead(actor, id.toLowerCase()),
      /**
       * Marks all as read that are there; value: how many.
       * Source: 03-real-estate.md, Notifications.
       */
      markAllRead: (actor: In) => own.markAllRead(actor),
      /**
       * Moves the company's payments that are overdue to Defaulted, and tells its Admins and Financial of them and of contracts
       * that end within 30 days: once each.
       * Source: 03-real-estate.md, Events; decisions.md §6, Notifications, and §10, Figures.
       */
      checkAlerts: checkAlerts(ports),
      /**
       * Opens a feed of a user's notifications from now on, of every process on the store, until the token ends. With the id of a
       * notification, or the `startId` of an earlier feed, it begins with all that were stored since. A user has at most 10 feeds
       * at once in a process: close one by its iterator's `return`.
       * Fails: `stream.too-many`, `stream.full` (of the company, or of the process).
       * Source: decisions.md §6 and §10, Notifications.
       */
      stream: (actor: In & Pick<Actor, 'tokenExpiresAt'>, after: string | null = null) => open(actor, after),
    }
  },
} satisfies RealEstateModule
