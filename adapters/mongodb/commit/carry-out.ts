import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Base } from '../ask/reader.ts'
import { isUnavailable } from '../connection/faults.ts'
import { NOBODY_KNOWS, transaction } from '../connection/transaction.ts'
import type { BucketDoc } from '../layout/buckets.ts'
import type { Doc } from '../layout/document.ts'
import type { CollectionWrites, Plan, RecordWrite } from './plan.ts'

/** Somebody has written, between the look and the write, what the batch had looked at: nothing of it happened. */
export class Moved extends Error {
  override readonly name = 'Moved'
}

/** Writes a plan, all of it or nothing: one write by itself where it is but one, else one transaction. */
export const carryOut = async (base: Base, session: ClientSession, plan: Plan): Promise<void> => {
  const only = onlyWrite(plan)
  if (only) await writeOne(base, only.name, only.write)
  else if (plan.records.length > 0) await transaction(session, base.answered, () => writeAll(base, session, plan))
}

/** The writes of a plan within a transaction. */
export const writeAll = async (base: Base, session: ClientSession, { records, buckets }: Plan): Promise<void> => {
  for (const one of records) await writeMany(base, session, one)
  for (const { name, writes } of buckets)
    await base.answered(() => base.db.collection<BucketDoc>(name).bulkWrite(writes, { session }))
}

const onlyWrite = ({ records, buckets }: Plan): { readonly name: string; readonly write: RecordWrite } | null => {
  const [one, ...others] = records
  const [write, ...more] = one?.writes ?? []
  return one && write && others.length + more.length + buckets.length === 0 ? { name: one.name, write } : null
}

/** The driver asks twice itself, so that the server knows the second from a new one. Nobody may ask a third time. */
const writeOne = async ({ db, answered }: Base, name: string, write: RecordWrite): Promise<void> => {
  try {
    await answered(() => writeAlone(db, name, write))
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(NOBODY_KNOWS, { cause: error }) : error
  }
}

const writeAlone = async (db: Db, name: string, write: RecordWrite): Promise<void> => {
  const collection = db.collection<Doc>(name)
  if (write.kind === 'insert') {
    await collection.insertOne(write.doc)
    return
  }
  const guard = { _id: write.id, _rev: write.since }
  const found =
    write.kind === 'remove'
      ? (await collection.deleteOne(guard)).deletedCount
      : (await collection.updateOne(guard, updateOf(write))).matchedCount
  if (found !== 1) throw new Moved(name)
}

const writeMany = async (base: Base, session: ClientSession, { name, writes }: CollectionWrites): Promise<void> => {
  const { db, answered } = base
  const done = await answered(() => db.collection<Doc>(name).bulkWrite(writes.map(operationOf), { session }))
  if (done.insertedCount + done.matchedCount + done.deletedCount !== writes.length) throw new Moved(name)
}

const operationOf = (write: RecordWrite): AnyBulkWriteOperation<Doc> => {
  if (write.kind === 'insert') return { insertOne: { document: write.doc } }
  const filter = { _id: write.id, _rev: write.since }
  return write.kind === 'remove' ? { deleteOne: { filter } } : { updateOne: { filter, update: updateOf(write) } }
}

const updateOf = (write: Extract<RecordWrite, { kind: 'update' | 'release' }>) =>
  write.kind === 'update'
    ? { $set: write.set }
    : { $unset: Object.fromEntries(write.paths.map((path) => [path, ''] as const)) }
