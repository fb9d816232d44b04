import type { KeyMove } from '../../core/kernel/records/batch-state.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import { fillMissingFields, upgradeValues } from '../../core/kernel/records/missing-fields.ts'
import {
  compareIds,
  type Id,
  type Json,
  type Rec,
  recordOrder,
  type Scalar,
  scalarOf,
} from '../../core/kernel/records/record.ts'
import { type Bucket, bucketKey, type TallyDelta, tallyDeltas } from '../../core/kernel/records/tally.ts'
import type { Where } from '../../core/kernel/records/where.ts'

/** The records of one collection with what is kept beside them: owners, unique keys, tallies and the next id. */
export interface CollectionState {
  readonly collection: AnyCollection
  readonly records: Map<Id, Rec>
  readonly byOwner: Map<Scalar | undefined, Map<Id, Rec>>
  readonly keys: ReadonlyMap<string, Map<string, Id>>
  readonly tallies: readonly Map<string, Bucket>[]
  nextId: number
}

export const stateOf = (collection: AnyCollection): CollectionState => ({
  collection,
  records: new Map(),
  byOwner: new Map(),
  keys: new Map(Object.keys(collection.keys ?? {}).map((key) => [key, new Map()])),
  tallies: (collection.tallies ?? []).map(() => new Map()),
  nextId: 1,
})

/**
 * The same records under what another release says of the collection: fields with an upgrade are filled, what is made of the
 * records is made anew, and a key that was there stays with whoever holds its texts. Of a new key the first by id holds one.
 */
export const stateUnder = (collection: AnyCollection, was: CollectionState): CollectionState => {
  const state = stateOf(collection)
  state.nextId = was.nextId
  const filled = [...was.records.values()].map((record) => ({ ...record, ...upgradeValues(collection, record) }))
  for (const record of filled) place(state, record.id, null, record)
  const written = filled.map((after) => ({ collection, id: after.id, before: null, after }))
  for (const delta of tallyDeltas(written)) count(state, delta)
  for (const [key, held] of state.keys) {
    const kept = was.keys.get(key)
    const texts = kept ?? textsOf(collection, key, state.records.values())
    for (const [text, id] of texts) held.set(text, id)
  }
  return state
}

const textsOf = (collection: AnyCollection, key: string, records: Iterable<Rec>): ReadonlyMap<string, Id> => {
  const held = new Map<string, Id>()
  const read = fillMissingFields(collection)
  for (const record of [...records].sort(recordOrder())) {
    const text = collection.keys?.[key]?.(read(record)) ?? null
    if (text !== null && !held.has(text)) held.set(text, record.id)
  }
  return held
}

/** Puts a record, or removes it (`after` null). */
export const place = (state: CollectionState, id: Id, before: Rec | null, after: Rec | null): void => {
  const { owner } = state.collection
  if (owner !== null && before) state.byOwner.get(scalarOf(before, owner))?.delete(id)
  if (!after) {
    state.records.delete(id)
    return
  }
  const kept = keep(after)
  state.records.set(id, kept)
  if (owner === null) return
  const of = scalarOf(after, owner)
  const own = state.byOwner.get(of) ?? new Map<Id, Rec>()
  state.byOwner.set(of, own.set(id, kept))
}

// A copy of its own, frozen, so that nobody who holds a record can change what is stored; and -0 is 0, as in JSON.
const keep = <T extends Json>(value: T): T => frozen(value) as T
const frozen = (value: Json): Json => {
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozen))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([field, part]) => [field, frozen(part)])))
}

export const moveKey = (state: CollectionState, { key, text, from, id }: KeyMove): void => {
  const held = state.keys.get(key)
  if (id !== null) held?.set(text, id)
  else if (held?.get(text) === from) held?.delete(text)
}

export const count = (state: CollectionState, { row, by, count, sums }: TallyDelta): void => {
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

/** The records that may match, walked under their owner where the condition names one. */
export const candidates = ({ collection, records, byOwner }: CollectionState, where: Where): Iterable<Rec> => {
  const owner = collection.owner === null ? undefined : equalTo(where, collection.owner)
  return (owner === undefined ? records : byOwner.get(owner))?.values() ?? []
}

const equalTo = (where: Where, field: string): Scalar | undefined => {
  if ('eq' in where) return where.eq[0] === field ? where.eq[1] : undefined
  if (!('all' in where)) return undefined
  return where.all.map((part) => equalTo(part, field)).find((value) => value !== undefined)
}

export const sortedIds = (records: Iterable<Rec>): Id[] => Array.from(records, ({ id }) => id).sort(compareIds)
