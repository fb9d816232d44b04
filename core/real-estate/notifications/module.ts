import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { Mirror, MirroredNotification } from '../../ports/messaging.ts'
import { byId } from '../../ports/store.ts'
import { notifications as collection, inbox, type Notification } from '../office.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { CompanyUser, RealEstatePorts } from '../real-estate-ports.ts'
import { users } from '../records/people.ts'
import { alertsJob, checkAlerts } from './alerts.ts'
import { defaultSubscriber, notificationSubscriber } from './event-subscriber.ts'
import { type FeedActor, openFeed } from './feed.ts'
import { type NotificationFilter, notificationFilter } from './notification-views.ts'

/** Notifications for users: in the app, as live streams, and in the mirror, if there is one. */
export const notifications = {
  subscribers: ({ mirror }: RealEstatePorts) => [
    notificationSubscriber(mirror !== undefined),
    defaultSubscriber(mirror !== undefined),
  ],
  jobs: (ports: RealEstatePorts) => [alertsJob(ports)],
  queues: (ports: RealEstatePorts) => (ports.mirror ? [mirrorQueue(ports, ports.mirror)] : []),
  useCases: (ports: RealEstatePorts) => {
    const own = inbox.useCases(ports, (steady) => (ports.mirror ? { dueAt: steady } : {}))
    const open = openFeed(ports)
    return {
      /**
       * Returns a page of the user's notifications, newest first, and the number of unread ones.
       * Fails: `fields`.
       */
      list: (actor: CompanyUser, submitted: NotificationFilter) =>
        withValidInput(ports, notificationFilter, submitted, (filter) => own.list(actor, filter)),
      /**
       * Returns a notification of the user.
       * Fails: `notification.unknown` (also of another user).
       */
      read: (actor: CompanyUser, id: string) => own.read(actor, id.toLowerCase()),
      /**
       * Marks a notification as read; a repeat changes nothing.
       * Fails: `notification.unknown` (also of another user).
       */
      markRead: (actor: CompanyUser, id: string) => own.markRead(actor, id.toLowerCase()),
      /** Marks all notifications of the user as read and returns their number. */
      markAllRead: (actor: CompanyUser) => own.markAllRead(actor),
      /**
       * Moves the company's overdue payments to Defaulted, and notifies its Admins and Financial of them and of active
       * contracts that end within 30 days, once of each.
       */
      checkAlerts: checkAlerts(ports),
      /**
       * Opens a feed of the user's notifications, from all processes on the store, until the token ends, or the user is
       * removed or barred. With the id of a notification, or the `startId` of an earlier feed, it begins with those
       * stored since. A user has at most 10 feeds at once in a process: close one by its iterator's `return`. Fails:
       * `stream.too-many`, `stream.full` (of the company, or of the process).
       */
      stream: (actor: FeedActor, after: string | null = null) => open(actor, after),
    }
  },
} satisfies RealEstateModule

/** Exceeds the longest call of a mirror. */
const MIRROR_LEASE_SECONDS = 30
const MIRRORED_AT_ONCE = 32
/** Seconds between attempts; the last interval repeats for ever, so that a mirror catches up after an outage. */
const STEPS_SECONDS: readonly number[] = [2, 5, 15, 60, 300]

const mirroredForm = (of: Notification): MirroredNotification => ({
  type: of.type,
  title: of.title,
  message: of.message,
  isRead: of.readAt !== null,
  readAt: of.readAt,
  resourceType: of.resourceType,
  resourceId: of.resourceId,
  createdAt: of.createdAt,
})

/** Returns the seconds until the next attempt. */
export const mirrorPause = (attempts: number): number => STEPS_SECONDS[attempts - 1] ?? STEPS_SECONDS.at(-1) ?? 0

/**
 * The queue of notifications to mirror. A notification that is read during an attempt is due again, whatever its
 * outcome.
 */
const mirrorQueue = ({ store, clock }: Pick<RealEstatePorts, 'store' | 'clock'>, mirror: Mirror): Queue =>
  queueOf({
    collection,
    owner: 'companyId',
    leaseSeconds: MIRROR_LEASE_SECONDS,
    atOnce: MIRRORED_AT_ONCE,
    handle: async (claimed) => {
      const user = await store.find(byId(users, claimed.userId))
      try {
        if (user) await mirror.set(user.firebaseUid, claimed.id, mirroredForm(claimed))
      } catch (error) {
        const dueAt = addSeconds(clock.steady(), mirrorPause(claimed.attempts))
        await applyOutcome(store, collection, claimed, { dueAt })
        throw error
      }
      await applyOutcome(store, collection, claimed, { dueAt: null, attempts: 0 })
    },
  })
