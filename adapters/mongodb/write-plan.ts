import type { AnyBulkWriteOperation, ClientSession, Collection, Db, ObjectId } from 'mongodb'
import type { NetWrite } from '../../core/kernel/records/batch-state.ts'
import type { At, Id, Rec } from '../../core/kernel/records/record.ts'
import { ofCollection } from '../../core/kernel/records/table.ts'
import type { TallyDelta } from '../../core/kernel/records/tally.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { isUnavailable } from './connection.ts'
import type { Database } from './database.ts'
import { type BucketDoc, bucketAdd, bucketSweep } from './layout/buckets.ts'
import { type Difference, type Doc, difference, docOf, type KeyTexts, newRev, recordName } from './layout/document.ts'
import { keyPath, type Shape } from './layout/shape.ts'
import { type Interpreted, type ReadSet, textName } from './read-set.ts'
import type { RequestReader } from './requests.ts'
import { type CommitDeadline, commitDeadline, OUTCOME_UNKNOWN, runInTransaction } from './transactions.ts'

/**
 * The guard of a write: the record has the revision `guard`. `since` is its revision before the batch; the two differ
 * only if the batch has released texts of the record before.
 */
interface Guarded {
  readonly id: Id
  readonly since: ObjectId
  readonly guard: ObjectId
}

export type RecordWrite =
  | { readonly kind: 'insert'; readonly id: Id; readonly doc: Doc }
  | ({ readonly kind: 'update' } & Guarded & Difference)
  | ({ readonly kind: 'remove' } & Guarded)
  /** Releases texts of unique keys before another record of the batch claims them. */
  | ({ readonly kind: 'release' } & Guarded & Difference)

interface CollectionWrites {
  readonly name: string
  readonly writes: readonly RecordWrite[]
}

interface BucketWrites {
  readonly name: string
  readonly writes: readonly AnyBulkWriteOperation<BucketDoc>[]
}

/** The writes of a batch. */
export interface WritePlan {
  /** The revision of the written records. */
  readonly rev: ObjectId
  /** Writes that may conflict come first, because a conflict then wastes the least work. */
  readonly records: readonly CollectionWrites[]
  readonly buckets: readonly BucketWrites[]
}

/** The inputs of a plan. */
interface Planning {
  readonly shapes: ReadonlyMap<string, Shape>
  readonly known: ReadSet
  readonly rev: ObjectId
  /** The records that claim texts of unique keys, by text. */
  readonly newOwners: ReadonlyMap<string, Id | null>
}

/** Plans the writes of an interpreted batch. Its buckets are counted on one stripe. */
export const planWrites = (
  shapes: ReadonlyMap<string, Shape>,
  { writes, keys, tallies, guarded }: Interpreted,
  known: ReadSet,
  stripe: number,
  generation: number,
): WritePlan => {
  const rev = newRev(generation)
  const newOwners = new Map(keys.filter(({ id }) => id !== null).map((move) => [textName(move), move.id]))
  const planning: Planning = { shapes, known, rev, newOwners }
  const byCollection = new Map<string, RecordWrite[]>()
  for (const write of [...writes, ...guardWrites(planning, guarded, writes)]) {
    const { name } = write.collection
    const list = byCollection.get(name) ?? []
    byCollection.set(name, list)
    list.push(...recordWrites(planning, write))
  }
  const records = [...byCollection].map(([name, list]) => ({ name, writes: list.sort(byKind) }))
  return { rev, records: records.sort(insertsLast), buckets: bucketWrites(shapes, tallies, stripe) }
}

/**
 * Returns writes without a change for the guarded records that the batch does not write: a guard needs a write, or
 * another process could change the record meanwhile. Records that this batch inserts need none.
 */
const guardWrites = (
  { shapes, known }: Planning,
  guarded: readonly At[],
  writes: readonly NetWrite[],
): readonly NetWrite[] => {
  const written = new Set(writes.map(({ collection, id }) => recordName([collection.name, id])))
  return guarded.flatMap((at) => {
    const shape = shapes.get(at[0])
    const record = known.rev(at) && known.record(at)
    if (!shape || !record || written.has(recordName(at))) return []
    written.add(recordName(at))
    return [{ collection: shape.collection, id: at[1], before: record, after: record }]
  })
}

/**
 * Returns the write of a record. An update whose texts other records of the batch claim is two: it releases these texts
 * first.
 */
const recordWrites = (planning: Planning, { collection, id, before, after }: NetWrite): readonly RecordWrite[] => {
  const { shapes, known, rev, newOwners } = planning
  const shape = ofCollection(shapes, collection.name)
  const since = known.rev([collection.name, id])
  if (!before || !since)
    return after ? [{ kind: 'insert', id, doc: docOf(shape, after, textsAfter(planning, shape, {}, after), rev) }] : []
  if (!after) return [{ kind: 'remove', id, since, guard: since }]
  const texts = known.texts([collection.name, id])
  const keyedAfter = { record: after, texts: textsAfter(planning, shape, texts, after) }
  const { set, unset } = difference(shape, { record: before, texts }, keyedAfter)
  const update = { set: { ...set, _rev: rev }, unset }
  const claimed = Object.entries(texts).filter(
    ([key, text]) => (newOwners.get(textName({ collection: collection.name, key, text })) ?? id) !== id,
  )
  if (claimed.length === 0) return [{ kind: 'update', id, since, guard: since, ...update }]
  const release = { set: { _rev: rev }, unset: claimed.map(([key]) => keyPath(shape, key)) }
  return [
    { kind: 'release', id, since, guard: since, ...release },
    { kind: 'update', id, since, guard: rev, ...update },
  ]
}

/** Returns the texts of a record after the batch: those that it keeps, and those that it claims. */
const textsAfter = ({ newOwners }: Planning, { collection }: Shape, before: KeyTexts, record: Rec): KeyTexts => {
  const texts: Record<string, string> = {}
  for (const key in collection.keys) {
    const text = collection.keys[key]?.(record) ?? null
    if (text === null) continue
    const owner = newOwners.get(textName({ collection: collection.name, key, text }))
    if (owner === record.id || (owner === undefined && before[key] === text)) texts[key] = text
  }
  return texts
}

// Removals and releases come first: another record may claim the same text.
const KINDS = ['remove', 'release', 'update', 'insert']
const byKind = (a: RecordWrite, b: RecordWrite): number => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)

const insertsLast = (a: CollectionWrites, b: CollectionWrites): number =>
  Number(hasInsertsOnly(a)) - Number(hasInsertsOnly(b))
// Inserts are the last kind: a list that begins with one has no other kind.
const hasInsertsOnly = ({ writes }: CollectionWrites): boolean => writes[0]?.kind === 'insert'

/** Returns the writes of the buckets of tallies; stripes that may be empty after them are removed last. */
export const bucketWrites = (
  shapes: ReadonlyMap<string, Shape>,
  tallies: readonly TallyDelta[],
  stripe: number,
): readonly BucketWrites[] => {
  type Writes = AnyBulkWriteOperation<BucketDoc>[]
  const byName = new Map<string, { readonly adds: Writes; readonly sweeps: Writes }>()
  for (const delta of tallies) {
    const shape = shapes.get(delta.collection.name)
    const [row, number] = [delta.collection.tallies?.[delta.row], shape?.numbers[delta.row]]
    if (!shape?.tallies || !row || number === undefined) continue
    const list = byName.get(shape.tallies) ?? { adds: [], sweeps: [] }
    byName.set(shape.tallies, list)
    list.adds.push(bucketAdd({ row, number }, delta, stripe))
    if (delta.count < 0) list.sweeps.push(bucketSweep({ row, number }, delta, stripe))
  }
  return [...byName].map(([name, { adds, sweeps }]) => ({ name, writes: [...adds, ...sweeps] }))
}

/** Another process has written a record between the read and the write of a batch, which had no effect. */
export class ConcurrentWrite extends Error {
  override readonly name = 'ConcurrentWrite'
}

/** Executes a plan completely or not at all: a single write without a transaction, else one transaction. */
export const executePlan = async (
  database: Database,
  session: ClientSession,
  plan: WritePlan,
  deadline = commitDeadline(database.stopping),
): Promise<void> => {
  const only = onlyWrite(plan)
  if (only) await writeOne(database, only.name, only.write, deadline)
  else if (plan.records.length > 0)
    await runInTransaction(session, database.withTimeout, () => writeAll(database, session, plan))
}

/** Executes the writes of a plan within a transaction of the caller. */
export const writeAll = async (
  database: Database,
  session: ClientSession,
  { records, buckets }: WritePlan,
): Promise<void> => {
  for (const one of records) await writeMany(database, session, one)
  for (const { name, writes } of buckets)
    await database.withTimeout(() => database.db.collection<BucketDoc>(name).bulkWrite(writes, { session }))
}

const onlyWrite = ({ records, buckets }: WritePlan): { readonly name: string; readonly write: RecordWrite } | null => {
  const [one, ...others] = records
  const [write, ...more] = one?.writes ?? []
  return one && write && others.length + more.length + buckets.length === 0 ? { name: one.name, write } : null
}

/**
 * Executes a single write. The driver retries it once, in a way that the server recognises as a retry, so it must not
 * be sent again here. If a transaction has locked the record, the server waits for its end.
 */
const writeOne = async (
  { db, withTimeout }: Database,
  name: string,
  write: RecordWrite,
  deadline: CommitDeadline,
): Promise<void> => {
  try {
    await deadline.within(withTimeout(() => writeAlone(db, name, write)))
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(OUTCOME_UNKNOWN, { cause: error }) : error
  }
}

const writeAlone = async (db: Db, name: string, write: RecordWrite): Promise<void> => {
  const collection = db.collection<Doc>(name)
  if (write.kind === 'insert') {
    await collection.insertOne(write.doc)
    return
  }
  if ((await applyWrite(collection, write)) !== 1) throw new ConcurrentWrite(name)
}

const applyWrite = async (collection: Collection<Doc>, write: Exclude<RecordWrite, { kind: 'insert' }>) => {
  const filter = guardOf(write)
  if (write.kind === 'remove') return (await collection.deleteOne(filter)).deletedCount
  return (await collection.updateOne(filter, updateOf(write))).matchedCount
}

const writeMany = async (
  database: Database,
  session: ClientSession,
  { name, writes }: CollectionWrites,
): Promise<void> => {
  const { db, withTimeout } = database
  const done = await withTimeout(() => db.collection<Doc>(name).bulkWrite(writes.map(operationOf), { session }))
  if (done.insertedCount + done.matchedCount + done.deletedCount !== writes.length) throw new ConcurrentWrite(name)
}

const operationOf = (write: RecordWrite): AnyBulkWriteOperation<Doc> => {
  if (write.kind === 'insert') return { insertOne: { document: write.doc } }
  const filter = guardOf(write)
  if (write.kind === 'remove') return { deleteOne: { filter } }
  return { updateOne: { filter, update: updateOf(write) } }
}

const guardOf = ({ id, guard }: Guarded) => ({ _id: id, _rev: guard })

const updateOf = ({ set, unset }: Difference) => ({
  $set: set,
  ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((path) => [path, ''] as const)) }),
})

/** `unknown` if other processes have written the records since. */
type PlanOutcome = 'done' | 'nothing' | 'unknown'

/** Finds the outcome of a plan whose transaction has ended, by the revisions of its records. */
export const findOutcome = async (reader: RequestReader, { rev, records }: WritePlan): Promise<PlanOutcome> => {
  const found = await Promise.all(records.map((one) => outcomesOf(reader, one, rev.toHexString())))
  if (found.flat().includes('done')) return 'done'
  return found.flat().every((outcome) => outcome === 'nothing') ? 'nothing' : 'unknown'
}

const outcomesOf = async (
  reader: RequestReader,
  { name, writes }: CollectionWrites,
  rev: string,
): Promise<PlanOutcome[]> => {
  const filter = { _id: { $in: writes.map(({ id }) => id) } }
  const docs = await reader.find(name, { filter, projection: { _rev: 1 } })
  const revs = new Map<Id, string>(docs.map(({ _id, _rev }) => [_id, _rev.toHexString()]))
  return writes.map((write) => outcomeOf(write, revs.get(write.id), rev))
}

const outcomeOf = (write: RecordWrite, now: string | undefined, rev: string): PlanOutcome => {
  if (now === rev) return 'done'
  const before = write.kind === 'insert' ? undefined : write.since.toHexString()
  return now === before ? 'nothing' : 'unknown'
}
