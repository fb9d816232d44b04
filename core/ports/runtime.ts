/** The time. The core reads no other clock, so that tests and simulations control it. */
export interface Clock {
  /**
   * Returns the machine's current instant, ISO 8601 in UTC with milliseconds: `2026-11-21T13:05:09.123Z`. Used for
   * displayed timestamps, for signatures and for leases.
   */
  now(): string
  /**
   * Returns the instant that decides what is due, what has expired and which day it is. Equal to `now`, except after a
   * jump of the machine's clock ahead of the elapsed time: it follows such a jump only after the jump has lasted for a
   * while.
   */
  steady(): string
  /** Resolves after `milliseconds` of this clock. */
  wait(milliseconds: number): Promise<void>
}

/** Cryptographically secure random bytes; deterministic in tests. */
export interface Random {
  bytes(count: number): Uint8Array
}

/** The operator's log. Lines contain no secrets and no personal data. */
export interface Log {
  warn(message: string, facts?: Readonly<Record<string, string | number>>): void
  /** Logs a fault that lasts until an operator acts. */
  error(message: string, facts?: Readonly<Record<string, string | number>>): void
}

/**
 * Encrypts stored secrets (API keys, webhook secrets, SMTP passwords) and computes keyed digests, both under
 * `DATA_KEY`.
 */
export interface Cipher {
  /**
   * Encrypts a text. `context` (collection, id and field) is authenticated: a sealed text moved elsewhere does not
   * open.
   */
  seal(text: string, context: string): string
  /** Decrypts a text. Throws if it was not sealed under this key and context. */
  open(sealed: string, context: string): string
  /**
   * Returns a keyed digest: equal for equal texts of one context. Without the key, short texts (a code, a PIN) cannot
   * be found by trying all of them.
   */
  digest(text: string, context: string): string
}

/** Fast digests (SHA-256) for code hashes, request fingerprints and webhook signatures. */
export interface Digest {
  /** Lower-case hex. */
  sha256(text: string): string
  /** Base64. */
  hmacSha256(key: Uint8Array, text: string): string
  /** The raw code of HMAC-SHA-1, which RFC 6238 specifies: for codes of authenticator apps only. */
  hmacSha1(key: Uint8Array, message: Uint8Array): Uint8Array
  /** Compares two texts in constant time. */
  equal(a: string, b: string): boolean
}
