import type { Document, IndexDescription } from 'mongodb'
import { conjuncts } from '../../../core/kernel/planner/access-paths.ts'
import type { AnyCollection, IndexRow, Where } from '../../../core/kernel/records/record.ts'

export interface IndexShape {
  readonly row: IndexRow
  readonly name: string
}

/** The names that a database has stored for parts of a collection. */
export interface StoredNames {
  /** The number of each tally, with which the ids of its buckets begin, in the order of the collection. */
  readonly numbers: readonly number[]
  /** The field of each key in `_keys`. */
  readonly keyNames: Readonly<Record<string, string>>
}

/** A collection in the database: its records in a collection of its name, the buckets of its tallies in another. */
export interface Shape extends StoredNames {
  readonly collection: AnyCollection
  readonly indexes: readonly IndexShape[]
  /** All indexes, with those of the keys. */
  readonly made: readonly (IndexDescription & { readonly name: string })[]
  /** The collection of the buckets; null without tallies. */
  readonly tallies: string | null
}

// Names of collections have no underscore.
export const SEQUENCES = '_sequences'
export const SHAPES = '_shapes'
export const PROCESSES = '_processes'
export const talliesOf = (name: string): string => `${name}_tallies`

/**
 * The path at which a record stores that a named condition is true. Partial indexes use it for conditions of any form.
 */
export const whenPath = (condition: string): string => `_when.${fieldName(condition)}`

/** The path at which a record stores its text of a unique key. */
export const keyPath = ({ keyNames }: Pick<StoredNames, 'keyNames'>, key: string): string =>
  `_keys.${fieldName(keyNames[key] ?? key)}`

const initialNames = ({ tallies = [], keys = {} }: AnyCollection): StoredNames => ({
  numbers: tallies.map((_, index) => index),
  keyNames: Object.fromEntries(Object.keys(keys).map((key) => [key, key])),
})

export const shapeOf = (collection: AnyCollection, stored: StoredNames = initialNames(collection)): Shape => {
  const { name, keys = {}, conditions = {}, indexes = [], tallies = [] } = collection
  for (const condition of Object.keys(conditions)) fieldName(condition)
  const rows = indexes
    .map((row) => ({ row, fields: fieldsOf(collection, row) }))
    .filter(({ fields }) => fields.length > 1)
  return {
    ...stored,
    collection,
    indexes: rows.map(({ row, fields }) => ({ row, name: indexName(row, fields) })),
    made: [
      ...Object.keys(keys).map((key) => uniqueIndex(stored, key)),
      ...rows.map(({ row, fields }) => ({
        name: indexName(row, fields),
        key: Object.fromEntries(fields.map((field) => [field, 1] as const)),
        ...(row.when !== undefined && { partialFilterExpression: { [whenPath(row.when)]: true } }),
      })),
    ],
    tallies: tallies.length === 0 ? null : talliesOf(name),
  }
}

const uniqueIndex = (stored: StoredNames, key: string): Shape['made'][number] => ({
  name: `key ${stored.keyNames[key] ?? key}`,
  key: { [keyPath(stored, key)]: 1 },
  unique: true,
  partialFilterExpression: { [keyPath(stored, key)]: { $exists: true } },
})

/** The fields of an index, last those that are there to be looked at and not to be found by. */
const fieldsOf = ({ owner }: AnyCollection, { eq, sort, search, include = [], acrossOwners }: IndexRow): string[] => {
  const named = [acrossOwners || owner === null ? undefined : owner, eq, sort, 'id', ...include, search]
  return [...new Set(named)].filter((field) => field !== undefined).map(recordPath)
}

/** Says all that the index is, so that another index has another name. */
const indexName = ({ when }: IndexRow, fields: readonly string[]): string =>
  `${fields.join(' ')}${when === undefined ? '' : ` when ${when}`}`

export type Filter = Document

/** Returns the path of a field in a stored document. */
export type PathOf = (field: string) => string

// Names with a leading underscore are fields of the store.
const FIELD = /^[A-Za-z][A-Za-z0-9_]*$/

/** Checks a field name before it goes into a path. Field names come from code, never from users. */
export const fieldName = (field: string): string => {
  if (!FIELD.test(field)) throw new Error(`invalid field name: ${field}`)
  return field
}

export const recordPath: PathOf = (field) => (field === 'id' ? '_id' : fieldName(field))

/** Matches no document, without a scan. */
const NEVER: Filter = { _id: { $in: [] } }

export const allOf = (parts: readonly Filter[]): Filter => (parts.length > 1 ? { $and: [...parts] } : (parts[0] ?? {}))

/**
 * Translates a condition to a filter that is true for exactly the records that `matches` accepts. Values are operands,
 * so none is interpreted as an operator. MongoDB compares numbers with numbers and texts with texts (by their UTF-8
 * bytes, which is by code point), and no other types, as `matches` does.
 */
export const filterOf = (where: Where, path: PathOf = recordPath): Filter => {
  if ('all' in where) return allOf(conjuncts(where).map((part) => filterOf(part, path)))
  if ('any' in where) return where.any.length === 0 ? NEVER : { $or: where.any.map((part) => filterOf(part, path)) }
  if ('not' in where) return { $nor: [filterOf(where.not, path)] }
  if ('eq' in where) return { [path(where.eq[0])]: { $eq: where.eq[1] } }
  if ('in' in where) return { [path(where.in[0])]: { $in: [...where.in[1]] } }
  if ('has' in where) return { [path(where.has[0])]: { $elemMatch: { $eq: where.has[1] } } }
  if ('contains' in where) return { [path(where.contains[0])]: { $regex: literal(where.contains[1]) } }
  if ('lt' in where) return { [path(where.lt[0])]: { $lt: where.lt[1] } }
  if ('lte' in where) return { [path(where.lte[0])]: { $lte: where.lte[1] } }
  if ('gt' in where) return { [path(where.gt[0])]: { $gt: where.gt[1] } }
  return { [path(where.gte[0])]: { $gte: where.gte[1] } }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
