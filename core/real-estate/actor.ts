import type { Instant } from '../kernel/values/day.ts'
import type { Role } from './role.ts'

/** Somebody who is registered, in their company. */
export interface Actor {
  /** A GUID. */
  readonly userId: string
  readonly companyId: string
  readonly role: Role
  /**
   * The e-mail that their provider has seen to be theirs, by which a broker's record, a tenant's and an owner's client are
   * theirs; null where it has not. Source: decisions.md §10, Identity.
   */
  readonly verifiedEmail: string | null
  /** Until when their token is good: what goes on for them ends then. Where it is left out nothing does. */
  readonly tokenExpiresAt?: Instant
}
