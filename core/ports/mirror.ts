import type { Instant } from '../kernel/values/day.ts'

/** A notification as it is seen outside. */
export interface MirroredNotification {
  readonly type: string
  readonly title: string
  readonly message: string
  readonly isRead: boolean
  readonly readAt: Instant | null
  readonly resourceType: string | null
  readonly resourceId: string | null
  readonly createdAt: Instant
}

/** Where apps see notifications come in without asking: a database of the identity provider, which they listen to. */
export interface Mirror {
  /**
   * Puts a notification, as it is now, at `notifications/{uid}/items/{notificationId}`. May be called again with the same, and
   * one that is read there stays so. Rejects where it is not known to be there, within 10 s.
   */
  set(uid: string, notificationId: string, document: MirroredNotification): Promise<void>
}
