import type { AnyCollection } from './collection.ts'
import { missingAsNull } from './missing-fields.ts'
import type { At, Id, Rec } from './record.ts'

/**
 * What the interpreter sees of the store before the batch; called as it goes. What it throws ends the whole batch:
 * a store that cannot be read is nobody's broken commit.
 */
export interface StoreReader {
  record(at: At): Rec | null
  /** The record that holds this text of a unique key. */
  owner(collection: string, key: string, text: string): Id | null
}

/** A record that the batch put, changed or removed (`after` null). */
export interface Written {
  readonly collection: AnyCollection
  readonly id: Id
  readonly before: Rec | null
  readonly after: Rec | null
}

/**
 * A text of a unique key that changes hands: from whoever held it (null where nobody did) to who holds it now (`id` null
 * where nobody does). What nobody takes over is given back only by the record that holds it: records that were there
 * before their key was may give the same text, and one of them alone holds it. Whoever writes a move with `id` null asks
 * that `from` is the holder.
 */
export interface KeyMove {
  readonly collection: string
  readonly key: string
  readonly text: string
  readonly from: Id | null
  readonly id: Id | null
}

/** A record as the changes so far have left it. */
export interface RecordState {
  readonly collectionState: CollectionState
  readonly id: Id
  readonly before: Rec | null
  now: Rec | null
  /** The member that last wrote it: takes copy only from what their own commit wrote. */
  writer: number
}

/** Who holds a text. It is looked up once somebody wants it: to let go of what one has needs no look. */
interface Hold {
  before: Id | null | undefined
  now: Id | null | undefined
  /** Those that let go of it before anybody looked, of whom at most one held it. */
  readonly gave: Set<Id>
}

interface KeyState {
  readonly name: string
  readonly text: (record: Rec) => string | null
  readonly holds: Map<string, Hold>
}

export interface CollectionState {
  readonly collection: AnyCollection
  readonly records: Map<Id, RecordState>
  readonly keys: readonly KeyState[]
}

/** The records and keys of a batch, over what the store held before; a member that breaks is undone. */
export class BatchState {
  readonly #collections: ReadonlyMap<string, AnyCollection>
  readonly #reader: StoreReader
  readonly #collectionStates = new Map<string, CollectionState>()
  readonly #records: RecordState[] = []
  #undos: (() => void)[] = []
  #member = 0
  #lost: { readonly error: unknown } | null = null

  constructor(collections: ReadonlyMap<string, AnyCollection>, reader: StoreReader) {
    this.#collections = collections
    this.#reader = reader
  }

  /** Begins the next member and answers its number. */
  begin(): number {
    this.#undos = []
    this.#member += 1
    return this.#member
  }

  /** Leaves no trace of the member. */
  undo(): void {
    for (const undo of this.#undos.reverse()) undo()
    this.#undos = []
  }

  /** What the store itself failed with, if it did. */
  get lost(): { readonly error: unknown } | null {
    return this.#lost
  }

  record(at: At): RecordState {
    const state = this.#state(at[0])
    const known = state.records.get(at[1])
    if (known) return known
    if (!isIdOf(state.collection, at[1])) throw new Error(`${at[0]} has ${state.collection.ids} ids, not ${at[1]}`)
    const found = this.#read(() => this.#reader.record(at))
    const before = found && missingAsNull(state.collection)(found)
    const made: RecordState = { collectionState: state, id: at[1], before, now: before, writer: 0 }
    state.records.set(at[1], made)
    this.#records.push(made)
    return made
  }

  /** Writes or removes (null) a record. Answers the unique key that another record holds: the member is then broken. */
  write(recordState: RecordState, after: Rec | null): string | null {
    for (const key of recordState.collectionState.keys) if (!this.#move(key, recordState, after)) return key.name
    this.#put(recordState, after)
    recordState.writer = this.#member
    return null
  }

  writes(): Written[] {
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
    const collection = this.#collections.get(name)
    if (!collection) throw new Error(`no collection ${name}: the store was opened without it`)
    const made = stateOf(collection)
    this.#collectionStates.set(name, made)
    return made
  }

  #move(key: KeyState, { collectionState: state, id, now }: RecordState, after: Rec | null): boolean {
    const old = now && key.text(now)
    const text = after && key.text(after)
    if (old === text) return true
    if (text !== null) {
      const hold = this.#looked(state, key, text)
      if (hold.now !== null && hold.now !== id) return false
      this.#put(hold, id)
    }
    if (old !== null) this.#giveBack(holdOf(key, old), id)
    return true
  }

  #looked(state: CollectionState, key: KeyState, text: string): Hold {
    const hold = holdOf(key, text)
    if (hold.before !== undefined) return hold
    const owner = this.#read(() => this.#reader.owner(state.collection.name, key.name, text))
    hold.before = owner
    hold.now = owner !== null && hold.gave.has(owner) ? null : owner
    return hold
  }

  #giveBack(hold: Hold, id: Id): void {
    if (hold.now === id) this.#put(hold, null)
    if (hold.now !== undefined || hold.gave.has(id)) return
    hold.gave.add(id)
    this.#undos.push(() => {
      hold.gave.delete(id)
      // Somebody looked in between, for whom it was free.
      if (hold.now === null && hold.before === id) hold.now = id
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
      this.#lost = { error }
      throw error
    }
  }
}

const stateOf = (collection: AnyCollection): CollectionState => ({
  collection,
  records: new Map(),
  keys: Object.entries(collection.keys ?? {}).map(([name, text]) => ({ name, text, holds: new Map() })),
})

const isIdOf = (collection: AnyCollection, id: Id): boolean =>
  collection.ids === 'integer' ? Number.isSafeInteger(id) : typeof id === 'string'

const holdOf = (key: KeyState, text: string): Hold => {
  const known = key.holds.get(text)
  if (known) return known
  const made: Hold = { before: undefined, now: undefined, gave: new Set() }
  key.holds.set(text, made)
  return made
}

const movesOf = ({ collection, keys }: CollectionState): KeyMove[] =>
  keys.flatMap((key) =>
    [...key.holds].flatMap(([text, { before, now, gave }]) => {
      const move = { collection: collection.name, key: key.name, text }
      if (before === undefined || now === undefined) return [...gave].map((from) => ({ ...move, from, id: null }))
      return before === now ? [] : [{ ...move, from: before, id: now }]
    }),
  )
