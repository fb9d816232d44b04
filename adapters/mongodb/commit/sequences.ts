import type { Base } from '../ask/reader.ts'
import { isDuplicate } from '../connection/faults.ts'
import { SEQUENCES } from '../layout/shape.ts'

interface Sequence {
  readonly _id: string
  /** The last id that was reserved. */
  readonly last: number
}

/** The first of `count` ids that nobody else gets. */
export const reserve = async ({ db, answered }: Base, collection: string, count: number): Promise<number> => {
  const sequences = db.collection<Sequence>(SEQUENCES)
  const options = { upsert: true, returnDocument: 'after' } as const
  const next = () => answered(() => sequences.findOneAndUpdate({ _id: collection }, { $inc: { last: count } }, options))
  // Of two that make the record, one is refused; it is there then.
  const made = await next().catch((error: unknown) => (isDuplicate(error) ? next() : Promise.reject(error)))
  if (!made) throw new Error(`no ids of ${collection}`)
  return made.last - count + 1
}

/** Takes ids back where nobody reserved after. */
export const returnIds = async (base: Base, collection: string, next: number, end: number): Promise<void> => {
  const sequences = base.db.collection<Sequence>(SEQUENCES)
  const was = { _id: collection, last: end - 1 }
  await base.answered(() => sequences.updateOne(was, { $set: { last: next - 1 } }))
}
