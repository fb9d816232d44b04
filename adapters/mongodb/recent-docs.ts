import { type At, deepFreeze } from '../../core/kernel/records/record.ts'
import { type Doc, recordName } from './layout/document.ts'

/** A request writes the records that it has just read or inserted. */
const MAX_DOCS = 256

/**
 * The documents that this process has found or inserted last, and not written since. A commit that writes only such
 * records needs no read: the revision of a document guards its write. If another process has written it meanwhile, the
 * guard fails, and the commit is tried again with reads.
 */
export class RecentDocs {
  readonly #docs = new Map<string, Doc>()

  get(at: At): Doc | undefined {
    return this.#docs.get(recordName(at))
  }

  /** Keeps a document that was read, unless another revision is kept: the order of the two is not known. */
  addFound(collection: string, doc: Doc): void {
    const name = recordName([collection, doc._id])
    const known = this.#docs.get(name)
    if (known?._rev.equals(doc._rev)) return
    if (known) this.#docs.delete(name)
    else this.#add(name, doc)
  }

  addInserted(collection: string, doc: Doc): void {
    this.#add(recordName([collection, doc._id]), doc)
  }

  /** Must be called before a write: its outcome may stay unknown. */
  forget(at: At): void {
    this.#docs.delete(recordName(at))
  }

  #add(name: string, doc: Doc): void {
    // Callers share the objects within a document.
    for (const field in doc) if (field !== '_rev') deepFreeze(doc[field])
    this.#docs.set(name, doc)
    if (this.#docs.size <= MAX_DOCS) return
    for (const oldest of this.#docs.keys()) {
      this.#docs.delete(oldest)
      break
    }
  }
}
