import type { Db, Document, IndexDescription } from 'mongodb'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import type { WithoutSocketTimeout } from '../connection.ts'
import { isExistingCollection } from '../connection.ts'
import type { Database } from '../database.ts'
import { isUniqueName, PROCESSES, SEQUENCES, SHAPES, type Shape, talliesOf } from '../layout/shape.ts'
import type { ShapeDoc } from './shape-docs.ts'

/** Says in one line what an operator should know. */
export type Report = (line: string) => void

/** Waits for all of them, also where one has failed: nothing is under way any more when a start is given up. */
export const everyOne = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}

const unlessThere = (error: unknown): void => {
  if (!isExistingCollection(error)) throw error
}

/** Makes what is missing of collections; any number of processes may do so at once. */
export const makeCollections = async (
  { db, withTimeout: answered }: Database,
  collections: readonly AnyCollection[],
): Promise<void> => {
  const there = await answered(() => db.listCollections({}, { nameOnly: true }).toArray())
  const names = new Set(there.map(({ name }) => name))
  const wanted = [
    ...collections.flatMap(({ name, tallies = [] }) => (tallies.length === 0 ? [name] : [name, talliesOf(name)])),
    SEQUENCES,
    SHAPES,
    PROCESSES,
  ]
  const missing = wanted.filter((name) => !names.has(name))
  await everyOne(missing.map((name) => db.createCollection(name).catch(unlessThere)))
}

/**
 * What is there and is not as the table has it is never silently kept: it is reported where it is merely in the way, and
 * refused where it would make answers wrong. Nobody has been told to give way by then. Answers the names of those there are.
 */
export const checkIndexes = async (
  { db, withTimeout: answered }: Database,
  shape: Shape,
  report: Report,
): Promise<ReadonlySet<string>> => {
  const { name } = shape.collection
  const list = await answered(() => db.collection(name).listIndexes().toArray())
  const there = new Map(list.map((index): readonly [string, Document] => [String(index.name), index]))
  for (const index of shape.made) refuseOther(name, index, there.get(index.name ?? ''))
  const names = new Set(['_id_', ...shape.made.map((index) => index.name)])
  for (const [gone, index] of there)
    if (!names.has(gone) && !isUniqueName(gone))
      report(
        `MongoDB: the index "${gone}" of ${name}, ${shown(index)}, is not of this release: once no earlier one serves, drop it`,
      )
  return new Set(there.keys())
}

/**
 * Makes the indexes that must be there before a record is written, and answers the names of those that are still to be
 * built beside that.
 */
export const makeIndexes = async (
  base: Database,
  shape: Shape,
  there: ReadonlySet<string>,
  patiently: WithoutSocketTimeout,
): Promise<readonly string[]> => {
  const { name } = shape.collection
  const missing = shape.made.filter((index) => !there.has(index.name ?? ''))
  if (missing.length === 0) return []
  const isEmpty = (await base.db.collection(name).findOne({}, { projection: { _id: 1 } })) === null
  if (isEmpty) await create(base.db, name, missing)
  const now = missing.filter((index) => isEmpty || isUniqueName(index.name ?? ''))
  if (!isEmpty && now.length > 0) await patiently((db) => create(db, name, now))
  return missing.filter((index) => !now.includes(index)).map((index) => index.name ?? '')
}

const create = async (db: Db, name: string, indexes: readonly IndexDescription[]): Promise<void> => {
  await db.collection(name).createIndexes(indexes.map((index) => ({ ...index })))
}

const refuseOther = (name: string, index: IndexDescription, found: Document | undefined): void => {
  if (found && shown(found) !== shown(index))
    throw new Error(
      `MongoDB: the index "${index.name}" of ${name} is ${shown(found)} and should be ${shown(index)}: drop it, the next start makes it anew`,
    )
}

const shown = ({ key, unique = false, partialFilterExpression = {} }: Document | IndexDescription): string =>
  JSON.stringify({ key, ...(unique && { unique }), partialFilterExpression })

/**
 * Builds what is left, beside whatever the store serves. An index stands in lists of the server from the moment at which its
 * building begins: who else starts meanwhile is told that it cannot be gone through yet.
 */
export const buildIndexes = async (
  { db, withTimeout: answered }: Database,
  shape: Shape,
  patiently: WithoutSocketTimeout,
): Promise<void> => {
  const { collection, made, unbuilt } = shape
  const docs = db.collection<ShapeDoc>(SHAPES)
  const names = [...unbuilt]
  const wanted = made.filter((index) => unbuilt.has(index.name ?? ''))
  await answered(() => docs.updateOne({ _id: collection.name }, { $addToSet: { building: { $each: names } } }))
  await patiently((patient) => create(patient, collection.name, wanted))
  await answered(() => docs.updateOne({ _id: collection.name }, { $pull: { building: { $in: names } } }))
}

/** Drops the unique indexes of keys that are none any more. */
export const dropGoneKeys = async (
  { db, withTimeout: answered }: Database,
  { collection: { name }, made }: Shape,
): Promise<void> => {
  const collection = db.collection(name)
  const names = new Set(made.map((index) => index.name))
  for (const { name: index } of await answered(() => collection.listIndexes().toArray()))
    if (isUniqueName(index) && !names.has(index)) await answered(() => collection.dropIndex(index))
}
