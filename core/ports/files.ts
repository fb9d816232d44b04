/** The content of a file, in pieces. */
export type Chunks = AsyncIterable<Uint8Array>

/**
 * Private files by name. A file is stored whole or not at all: a partial write is never readable.
 * Methods reject with `StoreUnavailable` if the files cannot be reached.
 */
export interface Files {
  /**
   * Stores a file under a name of letters, digits and hyphens, replacing a file of that name. Content that comes in
   * pieces is never held in memory as a whole; if it breaks off, nothing is stored.
   */
  write(name: string, content: Uint8Array | Chunks): Promise<void>
  /** Returns the content, or null if there is no file of this name. */
  open(name: string): Promise<Chunks | null>
  /** Removes a file, and partial writes of this name that a dead process left. Does nothing if there is none. */
  remove(name: string): Promise<void>
}
