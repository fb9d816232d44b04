import type { Document } from 'mongodb'
import { conjuncts } from '../../../core/kernel/planner/access-paths.ts'
import type { Where } from '../../../core/kernel/records/where.ts'

export type Filter = Document

/** Where a field lies in a stored document. */
export type PathOf = (field: string) => string

// Nothing that begins with an underscore: those names are the store's own, beside the fields of a record.
const FIELD = /^[A-Za-z][A-Za-z0-9_]*$/

/** The name of a field, fit to stand in a path. Fields are named by code, never by users. */
export const fieldName = (field: string): string => {
  if (!FIELD.test(field)) throw new Error(`${field} is no name of a field`)
  return field
}

export const recordPath: PathOf = (field) => (field === 'id' ? '_id' : fieldName(field))

/** Matches no document, and walks none. */
export const NEVER: Filter = { _id: { $in: [] } }

export const allOf = (parts: readonly Filter[]): Filter => (parts.length > 1 ? { $and: [...parts] } : (parts[0] ?? {}))

/**
 * The condition as a filter, true for exactly the records that `matches` accepts. A value stands only where MongoDB
 * takes a value, so none of them is ever read as an operator. MongoDB compares numbers with numbers and texts with
 * texts (by their bytes in UTF-8, which is by code point), and nothing else with either, as `matches` does.
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
