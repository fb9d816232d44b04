import type { Document } from 'mongodb'
import { conjuncts } from '../../../core/kernel/planner/access-paths.ts'
import type { Where } from '../../../core/kernel/records/record.ts'

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
