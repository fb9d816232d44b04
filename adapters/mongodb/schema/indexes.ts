import type { Db, Document, IndexDescription } from 'mongodb'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { isExistingCollection, type WithoutSocketTimeout } from '../connection.ts'
import type { Database } from '../database.ts'
import { PROCESSES, SEQUENCES, SHAPES, type Shape, talliesOf } from '../layout/shape.ts'
import type { Definition } from './definitions.ts'

/** Receives one line for the operator. */
export type Report = (line: string) => void

interface IndexOptions {
  readonly report: Report
  readonly withoutSocketTimeout: WithoutSocketTimeout
}

/** Waits for all of the work, also after a failure, so that nothing runs on after a failed start. */
export const everyOne = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}

const unlessExisting = (error: unknown): void => {
  if (!isExistingCollection(error)) throw error
}

/**
 * Creates the missing collections. Several processes may do so at once. Throws if there must be a store and is none.
 */
export const makeCollections = async (
  { db, withTimeout }: Database,
  collections: readonly AnyCollection[],
  mustExist: boolean,
): Promise<void> => {
  const stored = await withTimeout(() => db.listCollections({}, { nameOnly: true }).toArray())
  const names = new Set(stored.map(({ name }) => name))
  if (mustExist && !names.has(SHAPES)) throw new Error(`the database ${db.databaseName} has no store`)
  const wanted = [
    ...collections.flatMap(({ name, tallies = [] }) => (tallies.length === 0 ? [name] : [name, talliesOf(name)])),
    SEQUENCES,
    SHAPES,
    PROCESSES,
  ]
  const missing = wanted.filter((name) => !names.has(name))
  await everyOne(missing.map((name) => withTimeout(() => db.createCollection(name)).catch(unlessExisting)))
}

/**
 * Builds the missing indexes of a collection, and waits for those that another process is building: the server lists an
 * index from the start of its building. Other processes serve meanwhile. Throws for an index that differs from its
 * definition, and reports those of other releases.
 */
export const makeIndexes = async (
  { db, withTimeout }: Database,
  { collection: { name }, made }: Shape,
  building: readonly string[],
  { report, withoutSocketTimeout }: IndexOptions,
): Promise<void> => {
  const list = await withTimeout(() => db.collection(name).listIndexes().toArray())
  const stored = new Map(list.map((index): readonly [string, Document] => [String(index.name), index]))
  for (const index of made) refuseOther(name, index, stored.get(index.name))
  const names = new Set(['_id_', ...made.map((index) => index.name)])
  for (const [other, index] of stored)
    if (!names.has(other))
      report(
        `MongoDB: the index "${other}" of ${name}, ${shown(index)}, is not used by this release: drop it once no process of an earlier release runs`,
      )
  const missing = made.filter((index) => !stored.has(index.name) || building.includes(index.name))
  if (missing.length === 0) return
  const first = await withTimeout(() => db.collection(name).findOne({}, { projection: { _id: 1 } }))
  if (first === null) return withTimeout(() => create(db, name, missing))
  const definitions = db.collection<Definition>(SHAPES)
  const begun = missing.map((index) => index.name)
  await withTimeout(() => definitions.updateOne({ _id: name }, { $addToSet: { building: { $each: begun } } }))
  await withoutSocketTimeout((patient) => create(patient, name, missing))
  await withTimeout(() => definitions.updateOne({ _id: name }, { $pull: { building: { $in: begun } } }))
}

const refuseOther = (name: string, index: IndexDescription, found: Document | undefined): void => {
  if (found && shown(found) !== shown(index))
    throw new Error(
      `MongoDB: the index "${index.name}" of ${name} is ${shown(found)} and should be ${shown(index)}: drop it, the next start makes it anew`,
    )
}

const shown = ({ key, unique = false, partialFilterExpression = {} }: Document | IndexDescription): string =>
  JSON.stringify({ key, ...(unique && { unique }), partialFilterExpression })

const create = async (db: Db, name: string, indexes: readonly IndexDescription[]): Promise<void> => {
  await db.collection(name).createIndexes(indexes.map((index) => ({ ...index })))
}
