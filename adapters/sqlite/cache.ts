import type { NetWrite } from '../../core/kernel/records/batch-state.ts'
import type { Id, Rec } from '../../core/kernel/records/record.ts'
import type { Listed, Query } from '../../core/ports/store.ts'
import type { Connection } from './connection.ts'

/** A record that was written, and how long its text is. */
export interface CachedWrite extends Pick<NetWrite, 'collection' | 'id' | 'after'> {
  readonly chars: number
}

/**
 * Answers kept as they were parsed, as long as nobody has written what they are made of. Whoever asks holds a snapshot, or a
 * transaction, of the connection: an answer that is kept is the one that the file would give at its instant.
 */
export interface QueryCache {
  /** Undefined where it is not known. */
  get(ask: Query): unknown
  put(ask: Query, answer: unknown, chars: number): void
  /** Not to be handed on, nor changed: undefined where it is not known, null where there is none. */
  record(collection: string, id: Id): Rec | null | undefined
  /** Told once they are committed, before anybody can ask. */
  applyWrites(writes: readonly CachedWrite[]): void
  /** Of what was written nothing is known. */
  clear(): void
}

interface Kept {
  readonly kind: Query['kind']
  readonly answer: unknown
  readonly chars: number
}

/** What is kept of a collection: its records by id, which are kept up, and other answers, which its next write ends. */
interface CollectionAnswers {
  readonly records: Map<Id, Kept>
  readonly answers: Map<string, Kept>
}

/** What is kept, by the name of its collection. */
type Generation = Map<string, CollectionAnswers>

/** Texts that are kept, and asked by, in characters: half of them of what was asked for last. */
const MOST_CHARS = 8_000_000
/** Longer answers cost more to keep than to read again. */
const MOST_CHARS_EACH = 65_536
/** What an entry takes besides. */
const ENTRY_CHARS = 200

export const queryCache = (connection: Pick<Connection, 'dataVersion'>): QueryCache => {
  let version = -1
  // What is asked for moves to the newer generation; the older one is dropped when that is full.
  let newer: Generation = new Map()
  let older: Generation = new Map()
  let chars = 0

  const forget = (): void => {
    newer = new Map()
    older = new Map()
    chars = 0
  }
  const look = (): void => {
    const now = connection.dataVersion()
    if (now !== version) forget()
    version = now
  }
  const counted = (key: Id, kept: Kept): void => {
    chars += kept.chars + lengthOf(key) + ENTRY_CHARS
    if (chars < MOST_CHARS / 2) return
    older = newer
    newer = new Map()
    chars = 0
  }
  const find = <K extends Id>(
    collection: string,
    key: K,
    within: (of: CollectionAnswers) => Map<K, Kept>,
  ): Kept | undefined => {
    const recent = newer.get(collection)
    const kept = recent && within(recent).get(key)
    if (kept) return kept
    const before = older.get(collection)
    const again = before && within(before).get(key)
    if (!again) return undefined
    within(answersIn(newer, collection)).set(key, again)
    counted(key, again)
    return again
  }
  const put = <K extends Id>(
    collection: string,
    key: K,
    within: (of: CollectionAnswers) => Map<K, Kept>,
    kept: Kept,
  ): void => {
    if (kept.chars + lengthOf(key) > MOST_CHARS_EACH) drop(collection, key, within)
    else {
      within(answersIn(newer, collection)).set(key, { ...kept, answer: withRecords(kept.kind, kept.answer, ownCopy) })
      counted(key, kept)
    }
  }
  const drop = <K extends Id>(collection: string, key: K, within: (of: CollectionAnswers) => Map<K, Kept>): void => {
    for (const generation of [newer, older]) {
      const known = generation.get(collection)
      if (known) within(known).delete(key)
    }
  }

  return {
    get(ask) {
      look()
      const id = idOf(ask)
      const kept = id === null ? find(ask.from.name, keyOf(ask), answersOf) : find(ask.from.name, id, recordsOf)
      return kept && withRecords(kept.kind, kept.answer, copy)
    },
    put(ask, answer, length) {
      look()
      const id = idOf(ask)
      const kept = { kind: ask.kind, answer, chars: length }
      if (id === null) put(ask.from.name, keyOf(ask), answersOf, kept)
      else put(ask.from.name, id, recordsOf, kept)
    },
    record(collection, id) {
      look()
      return find(collection, id, recordsOf)?.answer as Rec | null | undefined
    },
    applyWrites(written) {
      // What others have written since is seen by the next look, which forgets these too.
      for (const { collection, id, after, chars: length } of written) {
        for (const generation of [newer, older]) generation.get(collection.name)?.answers.clear()
        if (after) put(collection.name, id, recordsOf, { kind: 'find', answer: after, chars: length })
        else drop(collection.name, id, recordsOf)
      }
    },
    clear: forget,
  }
}

/** What is asked for may be longer than its answer: whoever asks for what there is not says how long. */
const lengthOf = (key: Id): number => (typeof key === 'string' ? key.length : 0)

const recordsOf = ({ records }: CollectionAnswers): Map<Id, Kept> => records
const answersOf = ({ answers }: CollectionAnswers): Map<string, Kept> => answers

const answersIn = (generation: Generation, collection: string): CollectionAnswers => {
  const known = generation.get(collection)
  if (known) return known
  const made: CollectionAnswers = { records: new Map(), answers: new Map() }
  generation.set(collection, made)
  return made
}

type EachRecord = (record: object) => object

/** The same answer with each record in it made anew. */
const withRecords = (kind: Query['kind'], answer: unknown, each: EachRecord): unknown => {
  if (kind === 'list') {
    const page = answer as Listed<Rec>
    return { ...page, records: page.records.map(each) }
  }
  if (kind === 'group') return (answer as readonly object[]).map(each)
  return answer === null ? null : each(answer as Rec)
}

/** For whoever asks: what is within a record is shared. */
const copy: EachRecord = (record) => ({ ...record })

/** What nobody else has. It is not frozen itself, since of a frozen one another is made six times as slowly. */
const ownCopy: EachRecord = (record) => {
  const own = { ...record }
  freezeWithin(own)
  return own
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const freezeWithin = (value: unknown): void => {
  if (!isObject(value)) return
  for (const field in value) {
    const part = value[field]
    if (!isObject(part) || Object.isFrozen(part)) continue
    freezeWithin(part)
    Object.freeze(part)
  }
}

/** Null where it asks for no record by its id. */
const idOf = (ask: Query): Id | null => (ask.kind === 'find' && 'id' in ask.by ? ask.by.id : null)

/** All that the answer of another ask depends on. */
const keyOf = (ask: Query): string => {
  if (ask.kind === 'find') return 'key' in ask.by ? `key ${ask.by.key} ${ask.by.is}` : ''
  const { where, when = null } = ask
  if (ask.kind === 'group') return `group ${JSON.stringify([where, when, ask.by, ask.sum])}`
  const { sort = null, limit, offset = 0, total = false } = ask
  return `list ${JSON.stringify([where, when, sort, limit, offset, total])}`
}
