import type { IndexDescription } from 'mongodb'
import type { AnyCollection, IndexRow } from '../../../core/kernel/records/collection.ts'
import { fieldName, recordPath } from './filter.ts'

export interface IndexShape {
  readonly row: IndexRow
  readonly name: string
}

/** How a collection lies in the database: the records in one of its name, the buckets of its tallies in another. */
export interface Shape {
  readonly collection: AnyCollection
  readonly indexes: readonly IndexShape[]
  /** Every index of it, as it is made. */
  readonly made: readonly IndexDescription[]
  /** Where its buckets are, null where it has no tallies. */
  readonly tallies: string | null
}

// Names of collections have no underscore, so no name of ours is one of theirs.
export const SEQUENCES = '_sequences'
export const SHAPES = '_shapes'
const talliesOf = (name: string): string => `${name}_tallies`

/** Where a record says that a named condition holds: an index is partial by that, whatever form the condition has. */
export const whenPath = (condition: string): string => `_when.${fieldName(condition)}`

/** Where a record holds its text of a unique key. */
export const keyPath = (key: string): string => `_keys.${fieldName(key)}`

export const shapeOf = (collection: AnyCollection): Shape => {
  const { name, keys = {}, conditions = {}, indexes = [], tallies = [] } = collection
  for (const condition of Object.keys(conditions)) fieldName(condition)
  const rows = indexes
    .map((row) => ({ row, fields: fieldsOf(collection, row) }))
    .filter(({ fields }) => fields.length > 1)
  return {
    collection,
    indexes: rows.map(({ row, fields }) => ({ row, name: indexName(row, fields) })),
    made: [
      ...Object.keys(keys).map(uniqueIndex),
      ...rows.map(({ row, fields }) => ({
        name: indexName(row, fields),
        key: Object.fromEntries(fields.map((field) => [field, 1] as const)),
        ...(row.when !== undefined && { partialFilterExpression: { [whenPath(row.when)]: true } }),
      })),
    ],
    tallies: tallies.length === 0 ? null : talliesOf(name),
  }
}

const uniqueIndex = (key: string): IndexDescription => ({
  name: `key ${key}`,
  key: { [keyPath(key)]: 1 },
  unique: true,
  partialFilterExpression: { [keyPath(key)]: { $exists: true } },
})

/** The fields of an index, last those that are there to be looked at and not to be found by. */
const fieldsOf = ({ owner }: AnyCollection, { eq, sort, search, carries = [], across }: IndexRow): string[] => {
  const named = [across || owner === null ? undefined : owner, eq, sort, 'id', ...carries, search]
  return [...new Set(named)].filter((field) => field !== undefined).map(recordPath)
}

/** Says all that the index is, so that another index has another name. */
const indexName = ({ when }: IndexRow, fields: readonly string[]): string =>
  `${fields.join(' ')}${when === undefined ? '' : ` when ${when}`}`
