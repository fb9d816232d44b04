import type { AnyBulkWriteOperation, ClientSession, Collection, Db, ObjectId } from 'mongodb'
import type { NetWrite } from '../../core/kernel/records/batch-state.ts'
import type { At, Id, Rec } from '../../core/kernel/records/record.ts'
import { type TallyDelta, tallyDeltas } from '../../core/kernel/records/tally.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { isUnavailable } from './connection.ts'
import type { Database, DatabaseReader } from './database.ts'
import { type BucketDoc, bucketAdd, bucketSweep } from './layout/buckets.ts'
import { type Difference, type Doc, difference, docOf, generationOf, type KeyTexts, newRev } from './layout/document.ts'
import { keyPath, type Shape } from './layout/shape.ts'
import { type Interpreted, type ReadSet, textName } from './read-set.ts'
import { type CommitDeadline, commitDeadline, OUTCOME_UNKNOWN, runInTransaction } from './transactions.ts'

/** It happens only where the record still is what was read, or what the batch itself has put there. */
interface Guarded {
  readonly id: Id
  readonly since: ObjectId
  readonly put?: ObjectId
}

/** One write of a record. */
export type RecordWrite =
  | { readonly kind: 'insert'; readonly id: Id; readonly doc: Doc }
  | ({ readonly kind: 'update' } & Guarded & Difference)
  /** Writes it as a whole: it was written before its collection had what is still unfilled. */
  | ({ readonly kind: 'replace'; readonly doc: Doc } & Guarded)
  | ({ readonly kind: 'remove' } & Guarded)
  /** Gives up texts of unique keys that another record of the batch takes over, before it does. */
  | ({ readonly kind: 'release' } & Guarded & Difference)

export interface CollectionWrites {
  readonly name: string
  readonly writes: readonly RecordWrite[]
}

export interface BucketWrites {
  readonly name: string
  readonly writes: readonly AnyBulkWriteOperation<BucketDoc>[]
}

/** All that a batch writes. */
export interface WritePlan {
  /** What the records say wrote them last, once it is done. */
  readonly rev: ObjectId
  /** What others may be writing too comes first: a conflict then costs least. */
  readonly records: readonly CollectionWrites[]
  readonly buckets: readonly BucketWrites[]
}

/** What a batch is planned by. */
interface Known {
  readonly shapes: ReadonlyMap<string, Shape>
  readonly known: ReadSet
  readonly rev: ObjectId
  /** Who holds a text of a unique key after the batch, of those that change hands. */
  readonly taken: ReadonlyMap<string, Id | null>
}

export const planWrites = (
  shapes: ReadonlyMap<string, Shape>,
  { writes, keys, tallies, guarded }: Interpreted,
  known: ReadSet,
  stripe: number,
  generation: number,
): WritePlan => {
  const rev = newRev(generation)
  const taken = new Map(keys.filter(({ id }) => id !== null).map((move) => [textName(move), move.id]))
  const by: Known = { shapes, known, rev, taken }
  const all = [...writes, ...unwritten(by, guarded, writes)]
  const byCollection = new Map<string, RecordWrite[]>()
  for (const written of all) {
    const { name } = written.collection
    const list = byCollection.get(name) ?? []
    byCollection.set(name, list)
    list.push(...writesOf(by, written))
  }
  const records = [...byCollection].map(([name, list]) => ({ name, writes: list.sort(byKind) }))
  const deltas = [...tallies, ...firstCounted(by, all)]
  return { rev, records: records.sort(contestedFirst), buckets: bucketWrites(shapes, deltas, stripe) }
}

/** The shape of a collection that is written. */
const openShape = ({ shapes }: Known, name: string): Shape => {
  const shape = shapes.get(name)
  if (!shape) throw new Error(`no collection ${name}: the store was opened without it`)
  if (!shape.isOpen) throw new StoreUnavailable(`${name} is not written yet: its keys are being filled`)
  return shape
}

/** Whether the record was written before its collection had what is still unfilled. */
const isOfBefore = ({ unfilled }: Shape, since: ObjectId | null): boolean =>
  unfilled !== null && since !== null && generationOf(since) < unfilled.since

const writesOf = (by: Known, { collection, id, before, after }: NetWrite): RecordWrite[] => {
  const shape = openShape(by, collection.name)
  const since = by.known.rev([collection.name, id])
  if (!before || !since)
    return after ? [{ kind: 'insert', id, doc: docOf(shape, after, textsAfter(by, shape, {}, after), by.rev) }] : []
  if (!after) return [{ kind: 'remove', id, since }]
  const held = by.known.texts([collection.name, id])
  const texts = textsAfter(by, shape, held, after)
  const passed = Object.keys(held).filter((key) => isPassed(by, collection.name, key, held[key], id))
  const guard = passed.length === 0 ? { id, since } : { id, since, put: by.rev }
  const write: RecordWrite = isOfBefore(shape, since)
    ? { kind: 'replace', ...guard, doc: docOf(shape, after, texts, by.rev) }
    : { kind: 'update', ...guard, ...updated(by, shape, { record: before, texts: held }, { record: after, texts }) }
  if (passed.length === 0) return [write]
  return [{ kind: 'release', id, since, set: { _rev: by.rev }, unset: passed.map((key) => keyPath(shape, key)) }, write]
}

type Texted = Parameters<typeof difference>[1]

const updated = ({ rev }: Known, shape: Shape, before: Texted, after: Texted): Difference => {
  const { set, unset } = difference(shape, before, after)
  return { set: { ...set, _rev: rev }, unset }
}

const isPassed = ({ taken }: Known, collection: string, key: string, text: string | undefined, id: Id): boolean =>
  text !== undefined && (taken.get(textName({ collection, key, text })) ?? id) !== id

/** Which of its texts a record holds after the batch: those that it had and nobody took, and those that it took. */
const textsAfter = (by: Known, { collection }: Shape, held: KeyTexts, record: Rec): KeyTexts => {
  const texts: Record<string, string> = {}
  for (const key in collection.keys) {
    const text = collection.keys[key]?.(record) ?? null
    if (text === null) continue
    const owner = by.taken.get(textName({ collection: collection.name, key, text }))
    if (owner === record.id || (owner === undefined && held[key] === text)) texts[key] = text
  }
  return texts
}

/**
 * Records that were guarded and are not written otherwise: a guard is a write, or somebody could change what it saw
 * meanwhile. What only the batch itself knew has none.
 */
const unwritten = ({ shapes, known }: Known, guarded: readonly At[], writes: readonly NetWrite[]): NetWrite[] => {
  const seen = new Map<string, Set<Id>>()
  const isNew = ([name, id]: At): boolean => {
    const ids = seen.get(name) ?? new Set()
    seen.set(name, ids)
    if (ids.has(id)) return false
    ids.add(id)
    return true
  }
  for (const { collection, id } of writes) isNew([collection.name, id])
  return guarded.flatMap((at) => {
    const shape = shapes.get(at[0])
    const record = known.rev(at) && known.record(at)
    return shape && record && isNew(at)
      ? [{ collection: shape.collection, id: at[1], before: record, after: record }]
      : []
  })
}

/** What records of before add to tallies that have not counted them yet: what they were, which is then changed like any. */
const firstCounted = ({ shapes, known }: Known, writes: readonly NetWrite[]): TallyDelta[] => {
  const first = writes.filter(({ collection, id }) => {
    const shape = shapes.get(collection.name)
    return shape && isOfBefore(shape, known.rev([collection.name, id]))
  })
  if (first.length === 0) return []
  const deltas = tallyDeltas(first.map((written) => ({ ...written, before: null, after: written.before })))
  return deltas.filter(({ collection, row }) => shapes.get(collection.name)?.unfilled?.tallies.has(row))
}

// Removals and releases first: a text that one record gives up may be another's now.
const KINDS = ['remove', 'release', 'update', 'replace', 'insert']
const byKind = (a: RecordWrite, b: RecordWrite): number => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
const inserts = ({ writes }: CollectionWrites): number => Number(writes[0]?.kind === 'insert')
const contestedFirst = (a: CollectionWrites, b: CollectionWrites): number => inserts(a) - inserts(b)

export const bucketWrites = (
  shapes: ReadonlyMap<string, Shape>,
  tallies: readonly TallyDelta[],
  stripe: number,
): readonly BucketWrites[] => {
  const byName = new Map<
    string,
    { adds: AnyBulkWriteOperation<BucketDoc>[]; sweeps: AnyBulkWriteOperation<BucketDoc>[] }
  >()
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

/** Somebody has written, between the look and the write, what the batch had looked at: nothing of it happened. */
export class ConcurrentWrite extends Error {
  override readonly name = 'Moved'
}

/** Writes a plan, all of it or nothing: one write by itself where it is but one, else one transaction. */
export const executePlan = async (
  base: Database,
  session: ClientSession,
  plan: WritePlan,
  patience = commitDeadline(base.stopping),
): Promise<void> => {
  const only = onlyWrite(plan)
  if (only) await writeOne(base, only.name, only.write, patience)
  else if (plan.records.length > 0)
    await runInTransaction(session, base.withTimeout, () => writeAll(base, session, plan))
}

/** The writes of a plan within a transaction. */
export const writeAll = async (
  base: Database,
  session: ClientSession,
  { records, buckets }: WritePlan,
): Promise<void> => {
  for (const one of records) await writeMany(base, session, one)
  for (const { name, writes } of buckets)
    await base.withTimeout(() => base.db.collection<BucketDoc>(name).bulkWrite(writes, { session }))
}

const onlyWrite = ({ records, buckets }: WritePlan): { readonly name: string; readonly write: RecordWrite } | null => {
  const [one, ...others] = records
  const [write, ...more] = one?.writes ?? []
  return one && write && others.length + more.length + buckets.length === 0 ? { name: one.name, write } : null
}

/**
 * The driver asks twice itself, so that the server knows the second from a new one. Nobody may ask a third time. The server
 * does not refuse it where a transaction holds the record: it waits for the end of that.
 */
const writeOne = async (
  { db, withTimeout: answered }: Database,
  name: string,
  write: RecordWrite,
  patience: CommitDeadline,
): Promise<void> => {
  try {
    await patience.within(answered(() => writeAlone(db, name, write)))
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
  if ((await foundBy(collection, write)) !== 1) throw new ConcurrentWrite(name)
}

const foundBy = async (collection: Collection<Doc>, write: Exclude<RecordWrite, { kind: 'insert' }>) => {
  const guard = guardOf(write)
  if (write.kind === 'remove') return (await collection.deleteOne(guard)).deletedCount
  if (write.kind === 'replace') return (await collection.replaceOne(guard, withoutId(write.doc))).matchedCount
  return (await collection.updateOne(guard, updateOf(write))).matchedCount
}

const writeMany = async (base: Database, session: ClientSession, { name, writes }: CollectionWrites): Promise<void> => {
  const { db, withTimeout: answered } = base
  const done = await answered(() => db.collection<Doc>(name).bulkWrite(writes.map(operationOf), { session }))
  if (done.insertedCount + done.matchedCount + done.deletedCount !== writes.length) throw new ConcurrentWrite(name)
}

const operationOf = (write: RecordWrite): AnyBulkWriteOperation<Doc> => {
  if (write.kind === 'insert') return { insertOne: { document: write.doc } }
  const filter = guardOf(write)
  if (write.kind === 'remove') return { deleteOne: { filter } }
  if (write.kind === 'replace') return { replaceOne: { filter, replacement: withoutId(write.doc) } }
  return { updateOne: { filter, update: updateOf(write) } }
}

const guardOf = ({ id, since, put = since }: Exclude<RecordWrite, { kind: 'insert' }>) => ({ _id: id, _rev: put })

const withoutId = ({ _id, ...rest }: Doc) => rest

const updateOf = ({ set, unset }: Difference) => ({
  $set: set,
  ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((path) => [path, ''] as const)) }),
})

/** `unknown` where others have written since, over whatever there was to see. */
export type PlanOutcome = 'done' | 'nothing' | 'unknown'

/** Looks for the traces of a plan whose transaction is over, one way or the other: its records name who wrote them. */
export const findOutcome = async (reader: DatabaseReader, { rev, records }: WritePlan): Promise<PlanOutcome> => {
  const found = await Promise.all(records.map((one) => tracesOf(reader, one, rev.toHexString())))
  if (found.flat().includes('done')) return 'done'
  return found.flat().every((became) => became === 'nothing') ? 'nothing' : 'unknown'
}

const tracesOf = async (
  reader: DatabaseReader,
  { name, writes }: CollectionWrites,
  rev: string,
): Promise<PlanOutcome[]> => {
  const filter = { _id: { $in: writes.map(({ id }) => id) } }
  const docs = await reader.find(name, { filter, projection: { _rev: 1 } })
  const revs = new Map<Id, string>(docs.map(({ _id, _rev }) => [_id, _rev.toHexString()]))
  return writes.map((write) => traceOf(write, revs.get(write.id), rev))
}

const traceOf = (write: RecordWrite, now: string | undefined, rev: string): PlanOutcome => {
  if (now === rev) return 'done'
  const before = write.kind === 'insert' ? undefined : write.since.toHexString()
  return now === before ? 'nothing' : 'unknown'
}
