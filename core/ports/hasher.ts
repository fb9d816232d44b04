/**
 * Slow hashing of passwords and PINs, stored as `scrypt$N$r$p$salt$key` (salt and key in base64).
 * Neither call may block the event loop. Source: decisions.md §1.
 */
export interface Hasher {
  hash(secret: string): Promise<string>
  /** Constant-time; false for a stored text of another form. */
  verify(secret: string, stored: string): Promise<boolean>
  /** Takes as long as `verify` and says nothing: for an e-mail that nobody has. */
  waste(secret: string): Promise<void>
}
