import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { Mirror, MirroredNotification } from '../../ports/messaging.ts'
import { byId } from '../../ports/store.ts'
import { type Notification, notifications } from '../office/notifications.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { users } from '../records/user.ts'

/** Longer than a mirror takes for one call. */
const MIRROR_LEASE_SECONDS = 30
const MIRRORED_AT_ONCE = 32
/** Seconds between one failed try and the next; the last of them for ever, so that a mirror that was away catches up. */
const STEPS_SECONDS: readonly number[] = [2, 5, 15, 60, 300]

/** A notification as it is mirrored. */
export const mirrored = (of: Notification): MirroredNotification => ({
  type: of.type,
  title: of.title,
  message: of.message,
  isRead: of.readAt !== null,
  readAt: of.readAt,
  resourceType: of.resourceType,
  resourceId: of.resourceId,
  createdAt: of.createdAt,
})

/** When something that failed so often is tried again, in seconds. */
export const mirrorPause = (attempts: number): number => STEPS_SECONDS[attempts - 1] ?? STEPS_SECONDS.at(-1) ?? 0

/**
 * The queue of what is to be mirrored: notifications as they are then. One that is read meanwhile is due again, whatever came of
 * the try before.
 */
export const mirrorQueue = ({ store, clock }: Pick<RealEstatePorts, 'store' | 'clock'>, mirror: Mirror): Queue =>
  queueOf({
    collection: notifications,
    owner: 'companyId',
    leaseSeconds: MIRROR_LEASE_SECONDS,
    atOnce: MIRRORED_AT_ONCE,
    handle: async (claimed) => {
      const user = await store.find(byId(users, claimed.userId))
      try {
        if (user) await mirror.set(user.firebaseUid, claimed.id, mirrored(claimed))
      } catch (error) {
        const dueAt = addSeconds(clock.steady(), mirrorPause(claimed.attempts))
        await applyOutcome(store, notifications, claimed, { dueAt })
        throw error
      }
      await applyOutcome(store, notifications, claimed, { dueAt: null, attempts: 0 })
    },
  })
