import type { AnyCollection } from '../records/collection.ts'
import type { Scalar } from '../records/where.ts'
import { endOfDay, isDay, startOfDay } from '../values/day.ts'

/** How many of a list a day has. */
export interface DayCount {
  readonly day: Scalar
  readonly count: number
}

/** Between which days a page lies, both ends included, in the order of the page, and how many of the first day come before it. */
export interface PageDays {
  readonly first: Scalar
  readonly last: Scalar
  readonly offset: number
}

/** The field by whose days the order of another field goes: that of its days where there is one, else itself. */
export const dayFieldOf = ({ days = {} }: Pick<AnyCollection, 'days'>, sort: string): string =>
  Object.keys(days).find((day) => days[day] === sort) ?? sort

interface Page {
  readonly offset: number
  readonly limit: number
}

/**
 * Finds the days of a page in counts by day, which come in the order of the page and a few at a time; null while they do not
 * reach its end.
 */
export const pageDays = (counts: readonly DayCount[], { offset, limit }: Page): PageDays | null => {
  let before = 0
  let first: { readonly day: Scalar; readonly before: number } | null = null
  for (const { day, count } of counts) {
    if (first === null && before + count > offset) first = { day, before }
    before += count
    if (first !== null && before >= offset + limit)
      return { first: first.day, last: day, offset: offset - first.before }
  }
  return null
}

/** The least and the greatest value that a field has on these days: moments where it holds such, else the days themselves. */
export const boundsOf = (
  { days = {} }: { readonly days?: AnyCollection['days'] | undefined },
  dayField: string,
  { first, last }: Pick<PageDays, 'first' | 'last'>,
): { readonly from: string; readonly to: string } | null => {
  if (typeof first !== 'string' || typeof last !== 'string') return null
  const [from, to] = first < last ? [first, last] : [last, first]
  if (days[dayField] === undefined) return { from, to }
  return isDay(from) && isDay(to) ? { from: startOfDay(from), to: endOfDay(to) } : null
}
