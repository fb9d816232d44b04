import type { Id, Rec } from '../../../core/kernel/records/record.ts'
import { tallyDeltas } from '../../../core/kernel/records/tally.ts'
import { type Database, localReader } from '../database.ts'
import { type BucketDoc, everyBucketOf } from '../layout/buckets.ts'
import { type Doc, docOf, keyTextsOf, newRev, recordOf } from '../layout/document.ts'
import { keyPath, type Shape, talliesOf } from '../layout/shape.ts'
import { bucketWrites } from '../write-plan.ts'
import type { Definition } from './definitions.ts'

const RECORDS_AT_ONCE = 500

/**
 * Rewrites all records of a collection for its present shape, with upgraded fields, conditions and keys, and counts its
 * tallies under new numbers. If another process has taken over, the server refuses the records, and the counts are under
 * numbers that only this one uses. Every record gets a new revision, so that no write of an earlier generation matches it.
 */
export const migrateRecords = async (
  database: Database,
  shape: Shape,
  { stands, lastNumber }: Pick<Definition, 'stands' | 'lastNumber'>,
  generation: number,
): Promise<void> => {
  const { db, withTimeout } = database
  const { name } = shape.collection
  const formerKeys: readonly string[] = JSON.parse(stands).keys
  const firstNumber = Math.min(lastNumber + 1, ...shape.numbers)
  const records = db.collection<Doc>(name)
  const buckets = db.collection<BucketDoc>(talliesOf(name))
  const newKeys = Object.keys(shape.collection.keys ?? {}).filter((key) => !formerKeys.includes(key))
  for (let last: Id | null = null; ; ) {
    const filter = last === null ? {} : { _id: { $gt: last } }
    const docs = await localReader(database).find(name, {
      filter,
      sort: { _id: 1 },
      limit: RECORDS_AT_ONCE,
      hint: '_id_',
    })
    const migrated = await migratedDocs(database, shape, newKeys, generation, docs)
    const writes = migrated.map(replacement)
    if (writes.length > 0) await withTimeout(() => records.bulkWrite(writes, { ordered: false }))
    const counted = docs.map((doc) => recordOf(shape.collection, doc))
    const deltas = tallyDeltas(
      counted.map((after) => ({ collection: shape.collection, id: after.id, before: null, after })),
    )
    for (const { writes: counts } of bucketWrites(new Map([[name, shape]]), deltas, 0))
      await withTimeout(() => buckets.bulkWrite(counts))
    last = docs.at(-1)?._id ?? null
    if (docs.length < RECORDS_AT_ONCE) break
  }
  for (let number = 0; number < firstNumber; number += 1)
    await withTimeout(() => buckets.deleteMany(everyBucketOf(number)))
}

const replacement = ({ _id, ...doc }: Doc) => ({ replaceOne: { filter: { _id }, replacement: doc } })

const migratedDocs = async (
  database: Database,
  shape: Shape,
  newKeys: readonly string[],
  generation: number,
  docs: readonly Doc[],
): Promise<readonly Doc[]> => {
  const records = docs.map((doc) => recordOf(shape.collection, doc))
  const texts = docs.map((doc): Record<string, string> => ({ ...keyTextsOf(shape, doc) }))
  for (const key of newKeys) await claimTexts(database, shape, key, records, texts)
  const rev = newRev(generation)
  return docs.map((doc, at) => docOf(shape, records[at] ?? { id: doc._id }, texts[at] ?? {}, rev))
}

/** Gives each text of a new key to the first record by id. A record that already has it keeps it. */
const claimTexts = async (
  database: Database,
  shape: Shape,
  key: string,
  records: readonly Rec[],
  texts: readonly Record<string, string>[],
): Promise<void> => {
  const wanted = records.map((record) => shape.collection.keys?.[key]?.(record) ?? null)
  const filter = { [keyPath(shape, key)]: { $in: wanted.filter((text) => text !== null) } }
  const found = await localReader(database).find(shape.collection.name, { filter, projection: { _keys: 1 } })
  const holders = new Map(found.map((doc) => [keyTextsOf(shape, doc)[key], doc._id]))
  for (const [at, text] of wanted.entries()) {
    const [own, record] = [texts[at], records[at]]
    if (text === null || !own || !record) continue
    if (!holders.has(text)) holders.set(text, record.id)
    if (holders.get(text) === record.id) own[key] = text
  }
}
