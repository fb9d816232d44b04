import type { NetWrite } from '../../core/kernel/records/batch-state.ts'
import { deepFreeze, type Id, type Rec } from '../../core/kernel/records/record.ts'
import type { Query } from '../../core/ports/store.ts'
import type { Connection } from './connection.ts'

/** A written record and the length of its JSON. */
export interface CachedWrite extends NetWrite {
  readonly chars: number
}

/**
 * Parsed results of queries, until their collection is written. It must be used within a snapshot or a transaction of
 * the connection: a cached result is then the one that the file has at that instant. Results are shared by all callers,
 * so they are frozen.
 */
export interface QueryCache {
  /** Returns undefined if the result is not cached. */
  get(query: Query): unknown
  /** Freezes the result. */
  put(query: Query, result: unknown, chars: number): void
  /** Returns null if the record does not exist, undefined if it is not cached. */
  record(collection: string, id: Id): Rec | null | undefined
  /** Must be called after the commit and before the next query. */
  applyWrites(writes: readonly CachedWrite[]): void
  clear(): void
}

interface Entry {
  readonly result: unknown
  readonly chars: number
}

/** The entries of a collection: records by id, which writes update, and other results, which the next write removes. */
interface CollectionEntries {
  readonly records: Map<Id, Entry>
  readonly results: Map<string, Entry>
}

/** Entries by the name of their collection. */
type Generation = Map<string, CollectionEntries>

/** The limit of results and keys, in characters. Half of it is for the recently used ones. */
const MAX_CHARS = 8_000_000
/** Longer results cost more to cache than to read again. */
const MAX_CHARS_EACH = 65_536
const ENTRY_CHARS = 200

export const queryCache = (connection: Pick<Connection, 'dataVersion'>): QueryCache => {
  let version = -1
  // A used entry moves to the newer generation. When that is full, the older one is dropped.
  let newer: Generation = new Map()
  let older: Generation = new Map()
  let chars = 0

  const clear = (): void => {
    newer = new Map()
    older = new Map()
    chars = 0
  }
  const checkVersion = (): void => {
    const now = connection.dataVersion()
    if (now !== version) clear()
    version = now
  }
  const count = (key: Id, entry: Entry): void => {
    chars += entry.chars + lengthOf(key) + ENTRY_CHARS
    if (chars < MAX_CHARS / 2) return
    older = newer
    newer = new Map()
    chars = 0
  }
  const find = <K extends Id>(
    collection: string,
    key: K,
    within: (of: CollectionEntries) => Map<K, Entry>,
  ): Entry | undefined => {
    const recent = newer.get(collection)
    const entry = recent && within(recent).get(key)
    if (entry) return entry
    const before = older.get(collection)
    const again = before && within(before).get(key)
    if (!again) return undefined
    within(entriesIn(newer, collection)).set(key, again)
    count(key, again)
    return again
  }
  const put = <K extends Id>(
    collection: string,
    key: K,
    within: (of: CollectionEntries) => Map<K, Entry>,
    entry: Entry,
  ): void => {
    if (entry.chars + lengthOf(key) > MAX_CHARS_EACH) drop(collection, key, within)
    else {
      within(entriesIn(newer, collection)).set(key, entry)
      count(key, entry)
    }
  }
  const drop = <K extends Id>(collection: string, key: K, within: (of: CollectionEntries) => Map<K, Entry>): void => {
    for (const generation of [newer, older]) {
      const known = generation.get(collection)
      if (known) within(known).delete(key)
    }
  }

  return {
    get(query) {
      checkVersion()
      const id = idOf(query)
      const entry = id === null ? find(query.from.name, keyOf(query), resultsOf) : find(query.from.name, id, recordsOf)
      return entry?.result
    },
    put(query, result, length) {
      checkVersion()
      const id = idOf(query)
      const entry = { result: deepFreeze(result), chars: length }
      if (id === null) put(query.from.name, keyOf(query), resultsOf, entry)
      else put(query.from.name, id, recordsOf, entry)
    },
    record(collection, id) {
      checkVersion()
      return find(collection, id, recordsOf)?.result as Rec | null | undefined
    },
    applyWrites(written) {
      // If another connection has written since, the next check of the version clears these too.
      for (const { collection, id, before, after, chars: length } of written) {
        for (const generation of [newer, older]) generation.get(collection.name)?.results.clear()
        // The committer may own an inserted record. V8 makes a new hidden class for each frozen spread.
        if (after) {
          const result = deepFreeze(before ? after : Object.assign({}, after))
          put(collection.name, id, recordsOf, { result, chars: length })
        } else drop(collection.name, id, recordsOf)
      }
    },
    clear,
  }
}

/** Keys count, because a caller chooses their length. */
const lengthOf = (key: Id): number => (typeof key === 'string' ? key.length : 0)

const recordsOf = ({ records }: CollectionEntries): Map<Id, Entry> => records
const resultsOf = ({ results }: CollectionEntries): Map<string, Entry> => results

const entriesIn = (generation: Generation, collection: string): CollectionEntries => {
  const known = generation.get(collection)
  if (known) return known
  const made: CollectionEntries = { records: new Map(), results: new Map() }
  generation.set(collection, made)
  return made
}

const idOf = (query: Query): Id | null => (query.kind === 'find' && 'id' in query.by ? query.by.id : null)

/** Returns a text that identifies any other query. */
const keyOf = (query: Query): string => {
  if (query.kind === 'find') return 'key' in query.by ? `key ${query.by.key} ${query.by.is}` : ''
  const { where, when = null } = query
  if (query.kind === 'group') return `group ${JSON.stringify([where, when, query.by, query.sum])}`
  const { sort = null, limit, offset = 0, total = false } = query
  return `list ${JSON.stringify([where, when, sort, limit, offset, total])}`
}
