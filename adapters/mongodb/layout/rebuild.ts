import { type AnyBulkWriteOperation, type Db, ObjectId } from 'mongodb'
import type { Id, Rec } from '../../../core/kernel/records/collection.ts'
import { bucketKey, type TallyDelta, tallyDeltas } from '../../../core/kernel/records/tally.ts'
import { type BucketDoc, bucketAdd } from './buckets.ts'
import { type Doc, keysOf, recordOf, whenOf } from './document.ts'
import type { Shape } from './shape.ts'

const RECORDS_AT_ONCE = 500

/** Writes anew what the records carry beside their fields, and counts their tallies anew. Nobody else may write. */
export const rebuild = async (db: Db, { collection, tallies }: Shape): Promise<void> => {
  const records = db.collection<Doc>(collection.name)
  const rev = new ObjectId()
  const counted = new Map<string, TallyDelta>()
  for (let last: Id | null = null; ; ) {
    const filter = last === null ? {} : { _id: { $gt: last } }
    const docs: Doc[] = await records.find(filter).sort({ _id: 1 }).limit(RECORDS_AT_ONCE).toArray()
    const made = docs.map((doc) => recordOf(collection, doc))
    if (made.length > 0) await records.bulkWrite(made.map((record) => relabelled(record)))
    for (const delta of tallyDeltas(made.map((after) => ({ collection, id: after.id, before: null, after }))))
      count(counted, delta)
    last = docs.at(-1)?._id ?? null
    if (docs.length < RECORDS_AT_ONCE) break
  }
  if (tallies !== null) await refill(db, tallies, [...counted.values()])

  function relabelled(record: Rec): AnyBulkWriteOperation<Doc> {
    const $set = { _keys: keysOf(collection, record), _when: whenOf(collection, record), _rev: rev }
    return { updateOne: { filter: { _id: record.id }, update: { $set } } }
  }
}

const count = (counted: Map<string, TallyDelta>, delta: TallyDelta): void => {
  const key = `${delta.row}${bucketKey(delta.by)}`
  const known = counted.get(key)
  const sums = delta.sums.map((sum, index) => sum + (known?.sums[index] ?? 0))
  counted.set(key, { ...delta, count: delta.count + (known?.count ?? 0), sums })
}

const refill = async (db: Db, name: string, deltas: readonly TallyDelta[]): Promise<void> => {
  const buckets = db.collection<BucketDoc>(name)
  await buckets.deleteMany({})
  const adds = deltas.flatMap((delta) => {
    const row = delta.collection.tallies?.[delta.row]
    return row ? [bucketAdd(row, delta, 0)] : []
  })
  for (let start = 0; start < adds.length; start += RECORDS_AT_ONCE)
    await buckets.bulkWrite(adds.slice(start, start + RECORDS_AT_ONCE))
}
