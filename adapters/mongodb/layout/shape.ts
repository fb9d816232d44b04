import type { IndexDescription } from 'mongodb'
import type { AnyCollection, IndexRow } from '../../../core/kernel/records/collection.ts'
import { fieldName, recordPath } from './filter.ts'

export interface IndexShape {
  readonly row: IndexRow
  readonly name: string
}

/** What records of earlier generations do not carry yet. Nothing may be asked by it before they do. */
export interface Unfilled {
  /** The generation whose records carry it. */
  readonly since: number
  readonly fields: ReadonlySet<string>
  readonly conditions: ReadonlySet<string>
  readonly keys: ReadonlySet<string>
  /** Places in the table. */
  readonly tallies: ReadonlySet<number>
}

/** What the database says of a collection, beside its row of the table. */
export interface Standing {
  /** The number of each tally, in the order of the table: it begins the ids of its buckets. */
  readonly numbers: readonly number[]
  /** Under which name records hold their texts of a key. */
  readonly keyNames: Readonly<Record<string, string>>
  readonly unfilled: Unfilled | null
  /** Names of indexes that are still being built. */
  readonly unbuilt: ReadonlySet<string>
  /** Whether it may be written: a new unique key is filled first. */
  readonly isOpen: boolean
}

/** How a collection lies in the database: the records in one of its name, the buckets of its tallies in another. */
export interface Shape extends Standing {
  readonly collection: AnyCollection
  /** Those that can be gone through now. */
  readonly indexes: readonly IndexShape[]
  /** Every index of it, as it is made. */
  readonly made: readonly IndexDescription[]
  /** Where its buckets are, null where it has no tallies. */
  readonly tallies: string | null
}

// Names of collections have no underscore, so no name of ours is one of theirs.
export const SEQUENCES = '_sequences'
export const SHAPES = '_shapes'
export const PROCESSES = '_processes'
export const talliesOf = (name: string): string => `${name}_tallies`

/** Where a record says that a named condition holds: an index is partial by that, whatever form the condition has. */
export const whenPath = (condition: string): string => `_when.${fieldName(condition)}`

/** Where a record holds its text of a unique key. */
export const keyPath = ({ keyNames }: Pick<Standing, 'keyNames'>, key: string): string =>
  `_keys.${fieldName(keyNames[key] ?? key)}`

/** As it is in a database where it was never otherwise. */
const asNew = ({ tallies = [], keys = {} }: AnyCollection): Standing => ({
  numbers: tallies.map((_, index) => index),
  keyNames: Object.fromEntries(Object.keys(keys).map((key) => [key, key])),
  unfilled: null,
  unbuilt: new Set(),
  isOpen: true,
})

export const shapeOf = (collection: AnyCollection, standing: Standing = asNew(collection)): Shape => {
  const { name, keys = {}, conditions = {}, indexes = [], tallies = [] } = collection
  const { unfilled, unbuilt } = standing
  for (const condition of Object.keys(conditions)) fieldName(condition)
  const rows = indexes
    .map((row) => ({ row, fields: fieldsOf(collection, row) }))
    .filter(({ fields }) => fields.length > 1)
  return {
    ...standing,
    collection,
    indexes: rows
      .map(({ row, fields }) => ({ row, name: indexName(row, fields) }))
      .filter(({ row, name }) => !unbuilt.has(name) && (row.when === undefined || !unfilled?.conditions.has(row.when))),
    made: [
      ...Object.keys(keys).map((key) => uniqueIndex(standing, key)),
      ...rows.map(({ row, fields }) => ({
        name: indexName(row, fields),
        key: Object.fromEntries(fields.map((field) => [field, 1] as const)),
        ...(row.when !== undefined && { partialFilterExpression: { [whenPath(row.when)]: true } }),
      })),
    ],
    tallies: tallies.length === 0 ? null : talliesOf(name),
  }
}

const UNIQUE = 'key '
export const isUniqueName = (index: string): boolean => index.startsWith(UNIQUE)

const uniqueIndex = (standing: Standing, key: string): IndexDescription => ({
  name: `${UNIQUE}${standing.keyNames[key] ?? key}`,
  key: { [keyPath(standing, key)]: 1 },
  unique: true,
  partialFilterExpression: { [keyPath(standing, key)]: { $exists: true } },
})

/** The fields of an index, last those that are there to be looked at and not to be found by. */
const fieldsOf = ({ owner }: AnyCollection, { eq, sort, search, include = [], acrossOwners }: IndexRow): string[] => {
  const named = [acrossOwners || owner === null ? undefined : owner, eq, sort, 'id', ...include, search]
  return [...new Set(named)].filter((field) => field !== undefined).map(recordPath)
}

/** Says all that the index is, so that another index has another name. */
const indexName = ({ when }: IndexRow, fields: readonly string[]): string =>
  `${fields.join(' ')}${when === undefined ? '' : ` when ${when}`}`
