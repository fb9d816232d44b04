import type { Instant } from '../kernel/values/day.ts'

/** Who somebody is, as their identity provider says. */
export interface IdentityClaims {
  /** The provider's id of the user: 1 to 128 characters. */
  readonly uid: string
  /** Lower-case; null where the provider told none. */
  readonly email: string | null
  /** Whether the provider has seen that the e-mail is theirs. */
  readonly emailVerified: boolean
  readonly name: string | null
  /** Until when the token is good. */
  readonly expiresAt?: Instant
}

/** An identity provider, as it is asked whose a token is. */
export interface Identity {
  /**
   * The claims of a token that is signed by the provider for us and is valid at this instant; null for any other.
   * Rejects with `IdentityUnavailable` where its keys cannot be had, and were not had lately.
   */
  verify(token: string, now: Instant): Promise<IdentityClaims | null>
}

/** The keys of the identity provider cannot be had: whether a token is sound is not known. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable'
}
