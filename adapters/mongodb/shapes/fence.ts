import type { Db } from 'mongodb'
import type { Database } from '../database.ts'
import { validatorOf } from '../layout/document.ts'
import { SHAPES } from '../layout/shape.ts'
import { type GenerationDoc, STORE_DOC } from './announce.ts'
import { everyOne } from './indexes.ts'

/** Whoever comes after one that waits for the lock of a collection waits with it, readers too: then it is tried again. */
const LOCK_MS = 200

/**
 * Has the server take for the records only what is written for a generation: a process that was asleep, or cut off, while
 * its lease ran out writes nothing more, also what it had already sent. The server does so once no transaction is open on
 * the collection, and ends one that nobody goes on with (after 60 s, if not told otherwise; those of a killed process are ended before).
 */
export const fence = async (base: Pick<Database, 'db' | 'withTimeout'>, generation: number): Promise<void> => {
  await takeOnly(base, generation)
  // Whoever was held up between its look and this may have come after a later one: that one's is put back.
  const stores = base.db.collection<GenerationDoc>(SHAPES)
  const store = await base.withTimeout(() => stores.findOne({ _id: STORE_DOC }))
  if (store && store.fenced > generation) await fence(base, store.fenced)
}

const takeOnly = async (
  { db, withTimeout: answered }: Pick<Database, 'db' | 'withTimeout'>,
  generation: number,
): Promise<void> => {
  const shapes = await answered(() =>
    db
      .collection<{ _id: string }>(SHAPES)
      .find({}, { projection: { _id: 1 } })
      .toArray(),
  )
  const names = new Set(shapes.map(({ _id }) => _id).filter((name) => name !== STORE_DOC))
  const there = await answered(() => db.listCollections({}, { nameOnly: false }).toArray())
  const wanted = JSON.stringify(validatorOf(generation))
  const others = there.filter(
    ({ name, options }) => names.has(name) && JSON.stringify(options?.validator ?? {}) !== wanted,
  )
  await everyOne(others.map(({ name }) => answered(() => fenceOne(db, name, generation))))
}

const fenceOne = async (db: Db, name: string, generation: number): Promise<void> => {
  const validation = { validator: validatorOf(generation), validationLevel: 'strict', validationAction: 'error' }
  await db.command({ collMod: name, ...validation, maxTimeMS: LOCK_MS, writeConcern: { w: 'majority' } })
}
