import { applyCommits, type CommitResult, type PendingCommit } from '../../core/kernel/records/apply-commits.ts'
import type { KeyMove, StoreReader } from '../../core/kernel/records/batch-state.ts'
import { fillMissingFields, upgradeValues } from '../../core/kernel/records/missing-fields.ts'
import {
  type AnyCollection,
  type Change,
  type CommitHook,
  compareIds,
  compile,
  type Id,
  type Json,
  type Outcome,
  type Rec,
  recordOrder,
  type Scalar,
  scalarOf,
  type Where,
} from '../../core/kernel/records/record.ts'
import { checkedChange, type StoredShape, storedShape } from '../../core/kernel/records/stored-shape.ts'
import { conditionTest, ofCollection, tableOf } from '../../core/kernel/records/table.ts'
import {
  type Bucket,
  bucketKey,
  coveringTally,
  type GroupRow,
  groupBuckets,
  groupRecords,
  type TallyDelta,
  type TallyQuery,
  tallyDeltas,
} from '../../core/kernel/records/tally.ts'
import { MAX_WAITING_COMMITS } from '../../core/limits.ts'
import {
  type Find,
  type Group,
  type List,
  type Listed,
  type Query,
  type Store,
  StoreUnavailable,
} from '../../core/ports/store.ts'

export interface MemoryOptions {
  readonly fault?: FaultOf
  /** Contains the records, so that another store can be opened on them after this one is closed. */
  readonly records?: MemoryRecords
}

/** Records that outlive their store, as in a file or a database. */
export type MemoryRecords = Map<string, { readonly shape: StoredShape; readonly state: CollectionState }>

export const memoryRecords = (): MemoryRecords => new Map()

/** A store in the memory of the process, for tests, simulations and embedding. */
export const memoryStore = (
  collections: readonly AnyCollection[],
  { fault, records = memoryRecords() }: MemoryOptions = {},
): Store => {
  const table = tableOf(collections)
  const states = new Map([...table].map(([name, collection]) => [name, openState(records, collection)]))
  for (const [name, state] of states) records.set(name, { shape: storedShape(state.collection), state })
  let closed = false

  const stateOf = (name: string): CollectionState => ofCollection(states, name)
  const ifOpen = <T>(value: T): T => {
    if (closed) throw new StoreUnavailable('the store is closed')
    return value
  }
  const state = (name: string): CollectionState => ifOpen(stateOf(name))
  const commit = commits(table, stateOf, fault)

  return {
    collections: [...table.keys()],
    system: 'memory',
    // The type of a result follows from its query, which the compiler cannot check.
    find: async (query) => runQuery(state, query) as never,
    list: async (query) => runQuery(state, query) as never,
    group: async (query) => runQuery(state, query) as never,
    read: async (queries) =>
      Object.fromEntries(Object.entries(queries).map(([key, query]) => [key, runQuery(state, query)])) as never,
    async *scan(from, where) {
      const test = compile(where)
      const fill = fillMissingFields(state(from.name).collection)
      for (const id of sortedIds(candidates(state(from.name), where))) {
        const record = state(from.name).records.get(id)
        if (record && test(record)) yield fill(record) as never
      }
    },
    commit: async (changes, hook) => ifOpen(commit)(changes, hook),
    reserve: async (collection, count) => {
      const on = state(collection)
      const first = on.nextId
      on.nextId += count
      return first
    },
    returnIds: async (collection, next, end) => {
      const on = state(collection)
      if (on.nextId === end) on.nextId = next
    },
    close: async () => {
      closed = true
    },
  }
}

const openState = (records: MemoryRecords, collection: AnyCollection): CollectionState => {
  const opened = records.get(collection.name)
  if (!opened) return newState(collection)
  checkedChange(opened.shape, collection)
  return upgradedState(collection, opened.state)
}

type StateOf = (collection: string) => CollectionState

const runQuery = (stateOf: StateOf, query: Query): unknown => {
  const state = stateOf(query.from.name)
  if (query.kind === 'find') return find(state, query)
  return query.kind === 'list' ? list(state, query) : group(state, query)
}

const find = (state: CollectionState, { by }: Find<Rec>): Rec | null => {
  const id = 'id' in by ? by.id : keyHolder(state, by.key, by.is)
  const found = id === undefined ? undefined : state.records.get(id)
  return found ? fillMissingFields(state.collection)(found) : null
}

const keyHolder = ({ collection, keys }: CollectionState, key: string, text: string) => {
  const holders = keys.get(key)
  if (!holders) throw new Error(`${collection.name} has no key ${key}`)
  return holders.get(text)
}

const list = (state: CollectionState, query: List<Rec>): Listed<Rec> => {
  const { where, when, sort, limit, offset = 0 } = query
  const found = matching(state, where, when).sort(recordOrder(sort))
  const records = found.slice(offset, offset + limit).map(fillMissingFields(state.collection))
  const total = () => fromTally(state, { where, when, by: [], sum: [] })?.[0]?.count ?? found.length
  return { records, total: query.total ? total() : null }
}

const group = (state: CollectionState, { where, when, by, sum }: Group<Rec>): readonly GroupRow[] =>
  fromTally(state, { where, when, by, sum }) ?? groupRecords(matching(state, where, when), by, sum)

const fromTally = ({ collection, tallies }: CollectionState, query: TallyQuery): GroupRow[] | null => {
  const covering = coveringTally(collection, query)
  const [row, buckets] = covering ? [collection.tallies?.[covering.position], tallies[covering.position]] : []
  return covering && row && buckets ? groupBuckets(row, buckets.values(), { ...query, where: covering.where }) : null
}

const matching = (state: CollectionState, where: Where, when: string | undefined): Rec[] => {
  const test = compile(where)
  const also = when === undefined ? null : conditionTest(state.collection, when)
  return Array.from(candidates(state, where)).filter((record) => test(record) && (!also || also(record)))
}

/** A fault of a commit in a simulation. A crash is `StoreUnavailable`, before or after the commit is stored. */
export type Fault = 'stale' | 'conflict' | 'crash-before' | 'crash-after'

/** Returns the fault of each commit, in order. */
export type FaultOf = (changes: readonly Change[]) => Fault | null

interface Waiting extends PendingCommit {
  readonly resolve: (resolved: CommitResult) => void
}

/** Applies the commits of one turn of the event loop as one batch. */
const commits = (
  table: ReadonlyMap<string, AnyCollection>,
  state: (collection: string) => CollectionState,
  faultOf: FaultOf = () => null,
): ((changes: readonly Change[], hook?: CommitHook) => Promise<Outcome>) => {
  let waiting: Waiting[] = []

  const flush = (): void => {
    const batch = waiting
    waiting = []
    for (const [index, resolved] of applyBatch(table, state, batch).entries()) batch[index]?.resolve(resolved)
  }

  return (changes, hook) => {
    if (waiting.length >= MAX_WAITING_COMMITS) throw new StoreUnavailable('too many commits are waiting')
    const fault = faultOf(changes)
    const failed = failedBy(fault, changes)
    if (failed) return failed
    return new Promise((resolve, reject) => {
      const resolveWaiting = (resolved: CommitResult): void => {
        if ('error' in resolved) reject(resolved.error)
        else if (fault === 'crash-after') reject(new StoreUnavailable('crashed after the commit'))
        else resolve(resolved)
      }
      if (waiting.length === 0) queueMicrotask(flush)
      waiting.push({ changes, ...(hook && { hook }), resolve: resolveWaiting })
    })
  }
}

const applyBatch = (
  table: ReadonlyMap<string, AnyCollection>,
  state: (collection: string) => CollectionState,
  batch: readonly PendingCommit[],
): readonly CommitResult[] => {
  const reader: StoreReader = {
    record: ([collection, id]) => state(collection).records.get(id) ?? null,
    owner: (collection, key, text) => state(collection).keys.get(key)?.get(text) ?? null,
  }
  const { outcomes, writes, keys, tallies } = applyCommits(table, reader, batch)
  for (const { collection, id, before, after } of writes) place(state(collection.name), id, before, after)
  for (const move of keys) moveKey(state(move.collection), move)
  for (const delta of tallies) count(state(delta.collection.name), delta)
  return outcomes
}

const failedBy = (fault: Fault | null, changes: readonly Change[]): Promise<Outcome> | null => {
  const at = changes[0]?.at ?? ['nothing', 0]
  if (fault === 'stale') return Promise.resolve({ ok: false, stale: at })
  if (fault === 'conflict') return Promise.resolve({ ok: false, conflict: { collection: at[0], key: 'id' } })
  if (fault === 'crash-before') return Promise.reject(new StoreUnavailable('crashed before the commit'))
  return null
}

/** The records of a collection by id and by owner, with its unique keys, tallies and next id. */
interface CollectionState {
  readonly collection: AnyCollection
  readonly records: Map<Id, Rec>
  readonly byOwner: Map<Scalar | undefined, Map<Id, Rec>>
  readonly keys: ReadonlyMap<string, Map<string, Id>>
  readonly tallies: readonly Map<string, Bucket>[]
  nextId: number
}

const newState = (collection: AnyCollection): CollectionState => ({
  collection,
  records: new Map(),
  byOwner: new Map(),
  keys: new Map(Object.keys(collection.keys ?? {}).map((key) => [key, new Map()])),
  tallies: (collection.tallies ?? []).map(() => new Map()),
  nextId: 1,
})

/**
 * Upgrades a state to another release's collection: fills fields with an upgrade and rebuilds owners and tallies.
 * Existing keys keep their records; a text of a new key belongs to the first record by id.
 */
const upgradedState = (collection: AnyCollection, was: CollectionState): CollectionState => {
  const state = newState(collection)
  state.nextId = was.nextId
  const filled = [...was.records.values()].map((record) => ({ ...record, ...upgradeValues(collection, record) }))
  for (const record of filled) place(state, record.id, null, record)
  const written = filled.map((after) => ({ collection, id: after.id, before: null, after }))
  for (const delta of tallyDeltas(written)) count(state, delta)
  for (const [key, held] of state.keys) {
    const texts = was.keys.get(key) ?? textsOf(collection, key, state.records.values())
    for (const [text, id] of texts) held.set(text, id)
  }
  return state
}

const textsOf = (collection: AnyCollection, key: string, records: Iterable<Rec>): ReadonlyMap<string, Id> => {
  const holders = new Map<string, Id>()
  const read = fillMissingFields(collection)
  for (const record of [...records].sort(recordOrder())) {
    const text = collection.keys?.[key]?.(read(record)) ?? null
    if (text !== null && !holders.has(text)) holders.set(text, record.id)
  }
  return holders
}

const place = (state: CollectionState, id: Id, before: Rec | null, after: Rec | null): void => {
  const { owner } = state.collection
  if (owner !== null && before) state.byOwner.get(scalarOf(before, owner))?.delete(id)
  if (!after) {
    state.records.delete(id)
    return
  }
  const stored = frozenCopy(after) as Rec
  state.records.set(id, stored)
  if (owner === null) return
  const of = scalarOf(after, owner)
  const own = state.byOwner.get(of) ?? new Map<Id, Rec>()
  state.byOwner.set(of, own.set(id, stored))
}

// A frozen copy, so that callers cannot change stored records. -0 becomes 0, as in JSON.
const frozenCopy = (value: Json): Json => {
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([field, part]) => [field, frozenCopy(part)])))
}

const moveKey = (state: CollectionState, { key, text, from, id }: KeyMove): void => {
  const holders = state.keys.get(key)
  if (id !== null) holders?.set(text, id)
  else if (holders?.get(text) === from) holders?.delete(text)
}

const count = (state: CollectionState, { row, by, count, sums }: TallyDelta): void => {
  const key = bucketKey(by)
  const buckets = state.tallies[row]
  const bucket = buckets?.get(key)
  const sum = {
    by,
    count: (bucket?.count ?? 0) + count,
    sums: sums.map((value, index) => (bucket?.sums[index] ?? 0) + value),
  }
  if (sum.count === 0) buckets?.delete(key)
  else buckets?.set(key, sum)
}

/** Returns the records that can match: those of the owner, if the condition names one. */
const candidates = ({ collection, records, byOwner }: CollectionState, where: Where): Iterable<Rec> => {
  const owner = collection.owner === null ? undefined : equalTo(where, collection.owner)
  return (owner === undefined ? records : byOwner.get(owner))?.values() ?? []
}

const equalTo = (where: Where, field: string): Scalar | undefined => {
  if ('eq' in where) return where.eq[0] === field ? where.eq[1] : undefined
  if (!('all' in where)) return undefined
  return where.all.map((part) => equalTo(part, field)).find((value) => value !== undefined)
}

const sortedIds = (records: Iterable<Rec>): Id[] => Array.from(records, ({ id }) => id).sort(compareIds)
