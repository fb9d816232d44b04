/** What a stored file holds. */
export type Chunks = AsyncIterable<Uint8Array>

/**
 * Files by a name that we give: private, whole or not there. Nothing is read of what was never kept whole.
 * Rejects with `StoreUnavailable` where they cannot be reached.
 */
export interface Files {
  /**
   * Keeps a file under a name of letters, digits and hyphens; the same name again replaces it. What comes piece by piece is never
   * in memory as a whole, and nothing of it is kept where it breaks off.
   */
  keep(name: string, content: Uint8Array | Chunks): Promise<void>
  /** What it holds, or null where there is none of this name. */
  open(name: string): Promise<Chunks | null>
  /** Removes it, and what a process that died has left of this name; nothing happens where there is none. */
  remove(name: string): Promise<void>
}
