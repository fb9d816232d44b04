import { type AnyBulkWriteOperation, ObjectId } from 'mongodb'
import type { AnyCollection, At, Id, Rec } from '../../../core/kernel/records/collection.ts'
import type { TallyDelta } from '../../../core/kernel/records/tally.ts'
import { type BucketDoc, bucketAdd, bucketSweep } from '../layout/buckets.ts'
import { changedFields, type Doc, docOf, keysOf } from '../layout/document.ts'
import { keyPath, type Shape } from '../layout/shape.ts'
import type { Interpreted } from './interpret.ts'
import { type ReadSet, textName } from './read-set.ts'

/** One write of a record, guarded: it happens only where the record still is what was read. */
export type RecordWrite =
  | { readonly kind: 'insert'; readonly id: Id; readonly doc: Doc }
  | { readonly kind: 'update'; readonly id: Id; readonly since: ObjectId; readonly set: Record<string, unknown> }
  | { readonly kind: 'remove'; readonly id: Id; readonly since: ObjectId }
  /** Gives up texts of unique keys that another record of the batch takes over, before it does. */
  | { readonly kind: 'release'; readonly id: Id; readonly since: ObjectId; readonly paths: readonly string[] }

export interface CollectionWrites {
  readonly name: string
  readonly writes: readonly RecordWrite[]
}

/** All that a batch writes. */
export interface Plan {
  /** What the records say wrote them last, once it is done. */
  readonly rev: ObjectId
  /** What others may be writing too comes first: a conflict then costs least. */
  readonly records: readonly CollectionWrites[]
  readonly buckets: readonly { readonly name: string; readonly writes: readonly AnyBulkWriteOperation<BucketDoc>[] }[]
}

export const planOf = (
  shapes: ReadonlyMap<string, Shape>,
  { writes, keys, tallies, guarded }: Interpreted,
  known: ReadSet,
  stripe: number,
): Plan => {
  const rev = new ObjectId()
  const byCollection = new Map<string, RecordWrite[]>()
  const into = (name: string): RecordWrite[] => {
    const list = byCollection.get(name) ?? []
    byCollection.set(name, list)
    return list
  }
  const taken = new Map(keys.filter(({ id }) => id !== null).map((move) => [textName(move), move.id]))
  const written = new Map<string, Set<Id>>()
  for (const { collection, id, before, after } of writes) {
    const since = known.rev([collection.name, id])
    into(collection.name).push(...writesOf(collection, id, before, after, since, rev, taken))
    written.set(collection.name, (written.get(collection.name) ?? new Set()).add(id))
  }
  for (const [name, id] of unwritten(guarded, written)) {
    const since = known.rev([name, id])
    // A guard is a write, or somebody could change what it saw meanwhile; what only the batch itself knew has none.
    if (since) into(name).push({ kind: 'update', id, since, set: { _rev: rev } })
  }
  const records = [...byCollection].map(([name, list]) => ({ name, writes: list.sort(byKind) }))
  return { rev, records: records.sort(contestedFirst), buckets: bucketWrites(shapes, tallies, stripe) }
}

type Texts = ReadonlyMap<string, Id | null>

const writesOf = (
  collection: AnyCollection,
  id: Id,
  before: Rec | null,
  after: Rec | null,
  since: ObjectId | null,
  rev: ObjectId,
  taken: Texts,
): RecordWrite[] => {
  if (!before || !since) return after ? [{ kind: 'insert', id, doc: docOf(collection, after, rev) }] : []
  if (!after) return [{ kind: 'remove', id, since }]
  const update: RecordWrite = {
    kind: 'update',
    id,
    since,
    set: { ...changedFields(collection, before, after), _rev: rev },
  }
  const passed = Object.entries(keysOf(collection, before)).filter(([key, text]) => {
    const owner = taken.get(textName({ collection: collection.name, key, text })) ?? id
    return owner !== id
  })
  if (passed.length === 0) return [update]
  return [{ kind: 'release', id, since, paths: passed.map(([key]) => keyPath(key)) }, update]
}

const unwritten = (guarded: readonly At[], written: ReadonlyMap<string, ReadonlySet<Id>>): readonly At[] => {
  const seen = new Map<string, Set<Id>>()
  return guarded.filter(([name, id]) => {
    const ids = seen.get(name) ?? new Set()
    seen.set(name, ids)
    const isNew = !ids.has(id) && !written.get(name)?.has(id)
    ids.add(id)
    return isNew
  })
}

// Removals and releases first: a text that one record gives up may be another's now.
const KINDS = ['remove', 'release', 'update', 'insert']
const byKind = (a: RecordWrite, b: RecordWrite): number => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
const inserts = ({ writes }: CollectionWrites): number => Number(writes[0]?.kind === 'insert')
const contestedFirst = (a: CollectionWrites, b: CollectionWrites): number => inserts(a) - inserts(b)

const bucketWrites = (shapes: ReadonlyMap<string, Shape>, tallies: readonly TallyDelta[], stripe: number) => {
  const byName = new Map<
    string,
    { adds: AnyBulkWriteOperation<BucketDoc>[]; sweeps: AnyBulkWriteOperation<BucketDoc>[] }
  >()
  for (const delta of tallies) {
    const name = shapes.get(delta.collection.name)?.tallies
    const row = delta.collection.tallies?.[delta.row]
    if (!name || !row) continue
    const list = byName.get(name) ?? { adds: [], sweeps: [] }
    byName.set(name, list)
    list.adds.push(bucketAdd(row, delta, stripe))
    if (delta.count < 0) list.sweeps.push(bucketSweep(row, delta, stripe))
  }
  return [...byName].map(([name, { adds, sweeps }]) => ({ name, writes: [...adds, ...sweeps] }))
}
