import type { Db, Document, IndexDescription } from 'mongodb'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { isExistingCollection, type WithoutSocketTimeout } from '../connection.ts'
import type { Database } from '../database.ts'
import { isUniqueName, PROCESSES, SEQUENCES, SHAPES, type Shape, talliesOf } from '../layout/shape.ts'
import type { Definition } from './definitions.ts'

/** Receives one line for the operator. */
export type Report = (line: string) => void

/** Waits for all of the work, also after a failure, so that nothing runs on after a failed start. */
export const everyOne = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}

const unlessExisting = (error: unknown): void => {
  if (!isExistingCollection(error)) throw error
}

/** Creates the missing collections. Several processes may do so at once. */
export const makeCollections = async (
  { db, withTimeout }: Database,
  collections: readonly AnyCollection[],
): Promise<void> => {
  const stored = await withTimeout(() => db.listCollections({}, { nameOnly: true }).toArray())
  const names = new Set(stored.map(({ name }) => name))
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
 * Returns the names of the indexes of a collection. Throws for one that differs from its definition, and reports those
 * of other releases.
 */
export const checkIndexes = async (
  { db, withTimeout }: Database,
  shape: Shape,
  report: Report,
): Promise<ReadonlySet<string>> => {
  const { name } = shape.collection
  const list = await withTimeout(() => db.collection(name).listIndexes().toArray())
  const stored = new Map(list.map((index): readonly [string, Document] => [String(index.name), index]))
  for (const index of shape.made) refuseOther(name, index, stored.get(index.name ?? ''))
  const names = new Set(['_id_', ...shape.made.map((index) => index.name)])
  for (const [other, index] of stored)
    if (!names.has(other) && !isUniqueName(other))
      report(
        `MongoDB: the index "${other}" of ${name}, ${shown(index)}, is not used by this release: drop it once no process of an earlier release runs`,
      )
  return new Set(stored.keys())
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
 * Builds the missing indexes of a collection, and waits for those that another process is building: the server lists an
 * index from the start of its building. Other processes serve meanwhile.
 */
export const makeIndexes = async (
  { db, withTimeout }: Database,
  { collection: { name }, made }: Shape,
  stored: ReadonlySet<string>,
  building: readonly string[],
  withoutSocketTimeout: WithoutSocketTimeout,
): Promise<void> => {
  const missing = made.filter((index) => !stored.has(index.name ?? '') || building.includes(index.name ?? ''))
  if (missing.length === 0) return
  const first = await withTimeout(() => db.collection(name).findOne({}, { projection: { _id: 1 } }))
  if (first === null) return withTimeout(() => create(db, name, missing))
  const definitions = db.collection<Definition>(SHAPES)
  const names = missing.map((index) => index.name ?? '')
  await withTimeout(() => definitions.updateOne({ _id: name }, { $addToSet: { building: { $each: names } } }))
  await withoutSocketTimeout((patient) => create(patient, name, missing))
  await withTimeout(() => definitions.updateOne({ _id: name }, { $pull: { building: { $in: names } } }))
}

const create = async (db: Db, name: string, indexes: readonly IndexDescription[]): Promise<void> => {
  await db.collection(name).createIndexes(indexes.map((index) => ({ ...index })))
}

/**
 * Drops the unique indexes of former keys; one of a later generation belongs to a process that has taken over
 * meanwhile.
 */
export const dropFormerKeys = async (
  { db, withTimeout }: Database,
  { collection: { name }, made }: Shape,
  generation: number,
): Promise<void> => {
  const collection = db.collection(name)
  const names = new Set(made.map((index) => index.name))
  for (const { name: index } of await withTimeout(() => collection.listIndexes().toArray()))
    if (isUniqueName(index) && !names.has(index) && generationIn(index) <= generation)
      await withTimeout(() => collection.dropIndex(index))
}

/** Returns the generation in the name of a unique index; 0 for a key of the first release with the collection. */
const generationIn = (index: string): number => Number(/_(\d+)$/.exec(index)?.[1] ?? 0)
