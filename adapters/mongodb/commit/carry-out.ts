import type { AnyBulkWriteOperation, ClientSession, Collection, Db } from 'mongodb'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Base } from '../ask/reader.ts'
import { isUnavailable } from '../connection/faults.ts'
import { NOBODY_KNOWS, transaction } from '../connection/transaction.ts'
import type { BucketDoc } from '../layout/buckets.ts'
import type { Difference, Doc } from '../layout/document.ts'
import { type Patience, patienceOf } from './patience.ts'
import type { CollectionWrites, Plan, RecordWrite } from './plan.ts'

/** Somebody has written, between the look and the write, what the batch had looked at: nothing of it happened. */
export class Moved extends Error {
  override readonly name = 'Moved'
}

/** Writes a plan, all of it or nothing: one write by itself where it is but one, else one transaction. */
export const carryOut = async (
  base: Base,
  session: ClientSession,
  plan: Plan,
  patience = patienceOf(base.stopping),
): Promise<void> => {
  const only = onlyWrite(plan)
  if (only) await writeOne(base, only.name, only.write, patience)
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

/**
 * The driver asks twice itself, so that the server knows the second from a new one. Nobody may ask a third time. The server
 * does not refuse it where a transaction holds the record: it waits for the end of that.
 */
const writeOne = async (
  { db, answered }: Base,
  name: string,
  write: RecordWrite,
  patience: Patience,
): Promise<void> => {
  try {
    await patience.within(answered(() => writeAlone(db, name, write)))
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
  if ((await foundBy(collection, write)) !== 1) throw new Moved(name)
}

const foundBy = async (collection: Collection<Doc>, write: Exclude<RecordWrite, { kind: 'insert' }>) => {
  const guard = guardOf(write)
  if (write.kind === 'remove') return (await collection.deleteOne(guard)).deletedCount
  if (write.kind === 'replace') return (await collection.replaceOne(guard, withoutId(write.doc))).matchedCount
  return (await collection.updateOne(guard, updateOf(write))).matchedCount
}

const writeMany = async (base: Base, session: ClientSession, { name, writes }: CollectionWrites): Promise<void> => {
  const { db, answered } = base
  const done = await answered(() => db.collection<Doc>(name).bulkWrite(writes.map(operationOf), { session }))
  if (done.insertedCount + done.matchedCount + done.deletedCount !== writes.length) throw new Moved(name)
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
