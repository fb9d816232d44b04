import type { ObjectId } from 'mongodb'
import type { Database } from '../database.ts'
import { everyBucketOf } from '../layout/buckets.ts'
import { SHAPES, type Shape } from '../layout/shape.ts'
import type { Permit } from '../transactions.ts'
import { type GenerationDoc, STORE_DOC } from './announce.ts'
import { fill } from './fill.ts'
import { dropGoneKeys } from './indexes.ts'
import type { Leases } from './leases.ts'
import { doneDoc, type ShapeDoc } from './shape-docs.ts'

export interface Filling {
  readonly base: Database
  readonly leases: Leases
  readonly permit: Permit
  isEnded(): boolean
}

/** Fills a collection, if no other process is at it, and answers whether all of its shape stands then. */
export const fillAndFinish = async (filling: Filling, shape: Shape, doc: ShapeDoc): Promise<boolean> => {
  const { base, permit, isEnded } = filling
  if (!(await claim(filling, doc))) return false
  await fill(base, shape, permit, isEnded)
  if (isEnded()) return false
  await dropGoneBuckets(base, shape, doc)
  await dropGoneKeys(base, shape)
  const { db, withTimeout: answered } = base
  const is = { _id: doc._id, since: doc.since, digest: doc.digest }
  await answered(() => db.collection<Claimed>(SHAPES).updateOne(is, { $set: doneDoc(doc), $unset: { filler: '' } }))
  await answered(() => db.collection<GenerationDoc>(SHAPES).updateOne({ _id: STORE_DOC }, { $inc: { version: 1 } }))
  return true
}

interface Claimed extends ShapeDoc {
  /** The process that fills it. */
  readonly filler?: ObjectId
}

/** Two would only be in each other's way. */
const claim = async ({ base: { db, withTimeout: answered }, leases }: Filling, { _id }: ShapeDoc): Promise<boolean> => {
  const docs = db.collection<Claimed>(SHAPES)
  const found = await answered(() => docs.findOne({ _id }, { projection: { filler: 1 } }))
  const { filler } = found ?? {}
  if (filler?.equals(leases.id)) return true
  if (filler && (await leases.isLive(filler))) return false
  const is = { _id, filler: filler ?? { $exists: false } }
  return (await answered(() => docs.updateOne(is, { $set: { filler: leases.id } }))).matchedCount === 1
}

const dropGoneBuckets = async (
  { db, withTimeout: answered }: Database,
  { tallies, numbers }: Shape,
  doc: ShapeDoc,
): Promise<void> => {
  if (tallies === null) return
  const gone = Array.from({ length: doc.lastNumber + 1 }, (_, number) => number).filter(
    (number) => !numbers.includes(number),
  )
  for (const number of gone) await answered(() => db.collection(tallies).deleteMany(everyBucketOf(number)))
}
