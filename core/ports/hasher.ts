/**
 * For whom something slow is done. Callers take turns by where they call from, and nothing is begun for one who waits no
 * more. Source: decisions.md §12, Fair shares.
 */
export interface Requester {
  /** An IP address. */
  readonly address: string
  /** Of an `AbortController`, or the like: aborted once nobody waits for the answer any more. */
  readonly signal?: { readonly aborted: boolean } | undefined
}

/** Too much waits to be hashed, or its caller waits no more: it was not begun. */
export class HasherBusy extends Error {
  override readonly name = 'HasherBusy'
}

/**
 * Slow hashing of passwords and PINs, stored as `scrypt$N$r$p$salt$key` (salt and key in base64).
 * No call may block the event loop, nor one requester hold up another; rejects with `HasherBusy` where too much waits.
 * Those of whom nobody says who they are for are one requester. Source: decisions.md §1 and §12, Fair shares.
 */
export interface Hasher {
  hash(secret: string, requester?: Requester | null): Promise<string>
  /** Constant-time; false for a stored text of another form. */
  verify(secret: string, stored: string, requester?: Requester | null): Promise<boolean>
  /** Takes as long as `verify` and says nothing: for an e-mail that nobody has. */
  waste(secret: string, requester?: Requester | null): Promise<void>
}
