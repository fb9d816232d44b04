import type { Instant } from '../kernel/values/day.ts'

/** The claims of a user's token. */
export interface IdentityClaims {
  /** The provider's id of the user: 1 to 128 characters. */
  readonly uid: string
  /** Lower-case; null if the token has none. */
  readonly email: string | null
  /** True if the provider has verified that the e-mail belongs to the user. */
  readonly emailVerified: boolean
  readonly name: string | null
  /** The token's expiry. */
  readonly expiresAt?: Instant
}

/** Verifies tokens of an identity provider. */
export interface Identity {
  /**
   * Returns the claims of a token that the provider signed for us and that is valid at `now`; null for any other token.
   * Rejects with `IdentityUnavailable` if the provider's keys cannot be fetched and no recent copy exists.
   */
  verify(token: string, now: Instant): Promise<IdentityClaims | null>
}

/** The identity provider's keys cannot be fetched, so that tokens cannot be verified. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable'
}

/** Claims of an access token. `acc` is absent from v1 tokens. Times are seconds since the epoch. */
export interface Claims {
  readonly sub: number
  readonly sid: string
  readonly acc?: number
  readonly jti: string
  readonly iat: number
  readonly exp: number
}

/** Signs and verifies access tokens: JWT, HS256 only. */
export interface Tokens {
  sign(claims: Claims): string
  /**
   * Returns the claims of a token with a valid signature and shape, else null. Does not check the expiry: the caller
   * compares it with the clock port, since refresh accepts expired tokens.
   */
  read(token: string): Claims | null
}

/**
 * The origin of a request for slow work. Waiting requests are served in turn by address; a request whose signal is
 * aborted is not started.
 */
export interface Requester {
  /** An IP address. */
  readonly address: string
  /** Aborted when the caller no longer waits for the answer, e.g. the signal of an `AbortController`. */
  readonly signal?: { readonly aborted: boolean } | undefined
}

/** The hash was not started: the queue is full, or the caller no longer waits. */
export class HasherBusy extends Error {
  override readonly name = 'HasherBusy'
}

/**
 * Slow hashing of passwords and PINs, stored as `scrypt$N$r$p$salt$key` (salt and key in base64). No call may block the
 * event loop, and no requester may hold up another. Rejects with `HasherBusy` if the queue is full. Calls without a
 * requester count as one requester.
 */
export interface Hasher {
  hash(secret: string, requester?: Requester | null): Promise<string>
  /** Compares in constant time. False if the stored text has another form. */
  verify(secret: string, stored: string, requester?: Requester | null): Promise<boolean>
  /** Takes as long as `verify`, so that the answer to an unknown e-mail takes as long as that to a known one. */
  verifyDummy(secret: string, requester?: Requester | null): Promise<void>
}
