import { fillMissingFields } from './missing-fields.ts'
import type { AnyCollection, At, Id, Rec } from './record.ts'
import { ofCollection } from './table.ts'

/** Reads the store as it was before the batch, on demand. If it throws, the whole batch fails, not one commit. */
export interface StoreReader {
  record(at: At): Rec | null
  /** Returns the id of the record that has this text of a unique key. */
  owner(collection: string, key: string, text: string): Id | null
}

/** A record that the batch inserted (`before` null), changed or removed (`after` null). */
export interface NetWrite {
  readonly collection: AnyCollection
  readonly id: Id
  readonly before: Rec | null
  readonly after: Rec | null
}

/**
 * A text of a unique key that passes from one record (`from` null if free) to another (`id` null if it becomes free).
 * Records older than their key can share a text, which only one of them holds. The store must therefore free a text
 * (`id` null) only if `from` holds it.
 */
export interface KeyMove {
  readonly collection: string
  readonly key: string
  readonly text: string
  readonly from: Id | null
  readonly id: Id | null
}

/** A record with the changes of the batch so far. */
export interface RecordState {
  readonly collectionState: CollectionState
  readonly id: Id
  readonly before: Rec | null
  now: Rec | null
  /** The number of the commit that last wrote the record: a take reads only records that its own commit wrote. */
  writer: number
}

/**
 * The record that holds a text of a unique key: undefined until read, and read only before another record takes the
 * text.
 */
interface Holder {
  before: Id | null | undefined
  now: Id | null | undefined
  /** The records that freed the text before the holder was read. At most one of them held it. */
  readonly freed: Set<Id>
}

interface KeyState {
  readonly name: string
  readonly text: (record: Rec) => string | null
  readonly holders: Map<string, Holder>
}

export interface CollectionState {
  readonly collection: AnyCollection
  readonly records: Map<Id, RecordState>
  readonly keys: readonly KeyState[]
}

/**
 * The records and unique keys of a batch, over those of the store. Each commit is a member, which can be undone alone.
 */
export class BatchState {
  readonly #collections: ReadonlyMap<string, AnyCollection>
  readonly #reader: StoreReader
  readonly #collectionStates = new Map<string, CollectionState>()
  readonly #records: RecordState[] = []
  #undos: (() => void)[] = []
  #member = 0
  #readFailure: { readonly error: unknown } | null = null

  constructor(collections: ReadonlyMap<string, AnyCollection>, reader: StoreReader) {
    this.#collections = collections
    this.#reader = reader
  }

  /** Begins the next member and returns its number. */
  begin(): number {
    this.#undos = []
    this.#member += 1
    return this.#member
  }

  undo(): void {
    for (const undo of this.#undos.reverse()) undo()
    this.#undos = []
  }

  get readFailure(): { readonly error: unknown } | null {
    return this.#readFailure
  }

  record(at: At): RecordState {
    const state = this.#state(at[0])
    const known = state.records.get(at[1])
    if (known) return known
    if (!isIdOf(state.collection, at[1])) throw new Error(`${at[0]} has ${state.collection.ids} ids, not ${at[1]}`)
    const found = this.#read(() => this.#reader.record(at))
    const before = found && fillMissingFields(state.collection)(found)
    const made: RecordState = { collectionState: state, id: at[1], before, now: before, writer: 0 }
    state.records.set(at[1], made)
    this.#records.push(made)
    return made
  }

  /**
   * Writes or removes (null) a record. Returns the name of a unique key whose text another record holds, or null. The
   * caller then undoes the member.
   */
  write(recordState: RecordState, after: Rec | null): string | null {
    for (const key of recordState.collectionState.keys) if (!this.#move(key, recordState, after)) return key.name
    this.#put(recordState, after)
    recordState.writer = this.#member
    return null
  }

  writes(): NetWrite[] {
    return this.#records
      .filter((recordState) => recordState.now !== recordState.before)
      .map(({ collectionState: state, id, before, now }) => ({ collection: state.collection, id, before, after: now }))
  }

  keyMoves(): KeyMove[] {
    return [...this.#collectionStates.values()].flatMap(movesOf)
  }

  #state(name: string): CollectionState {
    const known = this.#collectionStates.get(name)
    if (known) return known
    const made = stateOf(ofCollection(this.#collections, name))
    this.#collectionStates.set(name, made)
    return made
  }

  #move(key: KeyState, { collectionState: state, id, now }: RecordState, after: Rec | null): boolean {
    const old = now && key.text(now)
    const text = after && key.text(after)
    if (old === text) return true
    if (text !== null) {
      const holder = this.#holder(state, key, text)
      if (holder.now !== null && holder.now !== id) return false
      this.#put(holder, id)
    }
    if (old !== null) this.#free(holderOf(key, old), id)
    return true
  }

  #holder(state: CollectionState, key: KeyState, text: string): Holder {
    const holder = holderOf(key, text)
    if (holder.before !== undefined) return holder
    const owner = this.#read(() => this.#reader.owner(state.collection.name, key.name, text))
    holder.before = owner
    holder.now = owner !== null && holder.freed.has(owner) ? null : owner
    return holder
  }

  #free(holder: Holder, id: Id): void {
    if (holder.now === id) this.#put(holder, null)
    if (holder.now !== undefined || holder.freed.has(id)) return
    holder.freed.add(id)
    this.#undos.push(() => {
      holder.freed.delete(id)
      // A later change of the member read the holder in between and found the text free.
      if (holder.now === null && holder.before === id) holder.now = id
    })
  }

  #put<T>(cell: { now: T }, value: T): void {
    const was = cell.now
    this.#undos.push(() => {
      cell.now = was
    })
    cell.now = value
  }

  #read<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      this.#readFailure = { error }
      throw error
    }
  }
}

const stateOf = (collection: AnyCollection): CollectionState => ({
  collection,
  records: new Map(),
  keys: Object.entries(collection.keys ?? {}).map(([name, text]) => ({ name, text, holders: new Map() })),
})

const isIdOf = (collection: AnyCollection, id: Id): boolean =>
  collection.ids === 'integer' ? Number.isSafeInteger(id) : typeof id === 'string'

const holderOf = (key: KeyState, text: string): Holder => {
  const known = key.holders.get(text)
  if (known) return known
  const made: Holder = { before: undefined, now: undefined, freed: new Set() }
  key.holders.set(text, made)
  return made
}

const movesOf = ({ collection, keys }: CollectionState): KeyMove[] =>
  keys.flatMap((key) =>
    [...key.holders].flatMap(([text, { before, now, freed }]) => {
      const move = { collection: collection.name, key: key.name, text }
      if (before === undefined || now === undefined) return [...freed].map((from) => ({ from, id: null, ...move }))
      return before === now ? [] : [{ from: before, id: now, ...move }]
    }),
  )
