import type { Db, Document, IndexDescription } from 'mongodb'
import { isDuplicate, isThere } from '../connection/faults.ts'
import { rebuild } from './rebuild.ts'
import { SEQUENCES, SHAPES, type Shape } from './shape.ts'

/** Says in one line what an operator should know. */
export type Report = (line: string) => void

export interface MigrateOptions {
  readonly report: Report
  /** Writes anew what records and tallies carry for conditions, keys and tallies that have changed. Nobody else may write. */
  readonly rebuild: boolean
}

/** What the stored records and buckets were made for; a new meaning needs them made anew. */
interface StoredShape {
  readonly _id: string
  readonly ids: string
  /** Text of the conditions, the names of the keys and the tallies. A key is known by its name. */
  readonly made: string
}

/**
 * Makes what is missing of collections and indexes; any number of processes may do so at once. What is there and is
 * not as the table has it is never silently kept: it is reported where it is merely in the way, and refused where it
 * would make answers wrong.
 */
export const migrate = async (db: Db, shapes: readonly Shape[], options: MigrateOptions): Promise<void> => {
  const there = await db.listCollections({}, { nameOnly: true }).toArray()
  const names = new Set(there.map(({ name }) => name))
  const wanted = shapes.flatMap(({ collection, tallies }) => [collection.name, ...(tallies === null ? [] : [tallies])])
  const missing = [...wanted, SEQUENCES, SHAPES].filter((name) => !names.has(name))
  await everyOne(missing.map((name) => db.createCollection(name).catch(unlessThere)))
  await everyOne(shapes.map((shape) => migrateIndexes(db, shape, options.report)))
  await migrateShapes(db, shapes, options)
}

/** Waits for all of them, also where one has failed: nothing is under way any more when a start is given up. */
const everyOne = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}

const unlessThere = (error: unknown): void => {
  if (!isThere(error)) throw error
}

const migrateIndexes = async (db: Db, { collection: { name }, made }: Shape, report: Report): Promise<void> => {
  const collection = db.collection(name)
  const there = new Map((await collection.listIndexes().toArray()).map((index) => [String(index.name), index]))
  for (const index of made) {
    const found = there.get(index.name ?? '')
    if (found && shown(found) !== shown(index))
      throw new Error(
        `MongoDB: the index "${index.name}" of ${name} is ${shown(found)} and should be ${shown(index)}: drop it, the next start makes it anew`,
      )
  }
  const names = new Set(['_id_', ...made.map((index) => index.name)])
  for (const [gone, index] of there)
    if (!names.has(gone))
      report(`MongoDB: the index "${gone}" of ${name}, ${shown(index)}, is in no row of the table (any more): drop it`)
  const missing = made.filter((index) => !there.has(index.name ?? ''))
  if (missing.length > 0) await collection.createIndexes(missing.map((index) => ({ ...index })))
}

const shown = ({ key, unique = false, partialFilterExpression = {} }: Document | IndexDescription): string =>
  JSON.stringify({ key, ...(unique && { unique }), partialFilterExpression })

const migrateShapes = async (db: Db, shapes: readonly Shape[], options: MigrateOptions): Promise<void> => {
  const stored = db.collection<StoredShape>(SHAPES)
  const read = async () => new Map((await stored.find().toArray()).map((one) => [one._id, one]))
  let there = await read()
  const fresh = shapes.filter(({ collection }) => !there.has(collection.name)).map(storedShapeOf)
  if (fresh.length > 0) {
    await stored.insertMany(fresh, { ordered: false }).catch((error: unknown) => {
      // Another process was first; what it stored is looked at like any other.
      if (!isDuplicate(error)) throw error
    })
    there = await read()
  }
  for (const shape of shapes) {
    const [found, wanted] = [there.get(shape.collection.name), storedShapeOf(shape)]
    if (found?.ids !== wanted.ids) throw new Error(`MongoDB: ${wanted._id} has ${found?.ids} ids in the database`)
    if (found.made !== wanted.made) await remake(db, shape, wanted, options)
  }
}

const remake = async (db: Db, shape: Shape, wanted: StoredShape, options: MigrateOptions): Promise<void> => {
  const stored = db.collection<StoredShape>(SHAPES)
  const isEmpty = (await db.collection(wanted._id).findOne({}, { projection: { _id: 1 } })) === null
  if (!isEmpty && !options.rebuild)
    throw new Error(
      `MongoDB: conditions, keys or tallies of ${wanted._id} have changed: stop every process and start one with rebuild`,
    )
  if (!isEmpty) {
    // Until it is done nobody may take the records for either.
    await stored.updateOne({ _id: wanted._id }, { $set: { made: 'being rebuilt' } })
    await rebuild(db, shape)
    options.report(`MongoDB: ${wanted._id} was rebuilt`)
  }
  await stored.updateOne({ _id: wanted._id }, { $set: { made: wanted.made } })
}

const storedShapeOf = ({ collection }: Shape): StoredShape => {
  const { name, ids, conditions = {}, keys = {}, tallies = [] } = collection
  return { _id: name, ids, made: JSON.stringify({ conditions, keys: Object.keys(keys), tallies }) }
}
