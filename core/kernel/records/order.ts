import { compareCodePoints } from '../values/text.ts'
import type { Id, Rec } from './collection.ts'

/** Booleans, then numbers, then texts, as one field never holds but one of them; null is the smallest. */
const rank = (value: unknown): number => ['boolean', 'number', 'string'].indexOf(typeof value)

/** The order of two values of a field: nulls first, numbers by value, texts by code point. */
export const compareValues = (a: unknown, b: unknown): number => {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return rank(a) - rank(b) || (rank(a) < 0 ? 0 : Number(a) - Number(b))
}

export const compareIds = (a: Id, b: Id): number => compareValues(a, b)

/** The order of a page: by a field, ties by id in the same direction; without a field by id ascending. */
export const recordOrder = (sort?: {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}): ((a: Rec, b: Rec) => number) => {
  if (!sort) return (a, b) => compareIds(a.id, b.id)
  const sign = sort.dir === 'asc' ? 1 : -1
  return (a, b) => sign * (compareValues(a[sort.by], b[sort.by]) || compareIds(a.id, b.id))
}
