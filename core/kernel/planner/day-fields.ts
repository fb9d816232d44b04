import { type AnyCollection, gt, gte, lt, lte, type Scalar, type Where } from '../records/record.ts'
import { endOfDay, isDay, startOfDay } from '../values/day.ts'

type Dated = Pick<AnyCollection, 'days'>

/**
 * Replaces conditions on day fields by ranges of the instant fields that they derive from, so that an index on the
 * instant is bounded. Matches the same records.
 */
export const toInstantRanges = (collection: Dated, parts: readonly Where[]): readonly Where[] =>
  collection.days === undefined ? parts : parts.flatMap((part) => momentsOf(collection, part))

const momentsOf = ({ days = {} }: Dated, part: Where): readonly Where[] => {
  for (const [operator, rangeOf] of OPERATORS) {
    const bound = boundOf(part, operator)
    const instant = bound && days[bound[0]]
    if (bound && instant && typeof bound[1] === 'string' && isDay(bound[1])) return rangeOf(instant, bound[1])
  }
  return [part]
}

type Operator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'

const OPERATORS: readonly (readonly [Operator, (instant: string, day: string) => readonly Where[]])[] = [
  ['eq', (instant, day) => [gte(instant, startOfDay(day)), lte(instant, endOfDay(day))]],
  ['lt', (instant, day) => [lt(instant, startOfDay(day))]],
  ['lte', (instant, day) => [lte(instant, endOfDay(day))]],
  ['gt', (instant, day) => [gt(instant, endOfDay(day))]],
  ['gte', (instant, day) => [gte(instant, startOfDay(day))]],
]

const boundOf = (part: Where, operator: Operator): readonly [string, unknown] | null => {
  if (operator === 'eq') return 'eq' in part ? part.eq : null
  if (operator === 'lt') return 'lt' in part ? part.lt : null
  if (operator === 'lte') return 'lte' in part ? part.lte : null
  if (operator === 'gt') return 'gt' in part ? part.gt : null
  return 'gte' in part ? part.gte : null
}

/** The number of records of a list on one day. */
export interface DayCount {
  readonly day: Scalar
  readonly count: number
}

/**
 * The days of a page, in its order, both included. `offset` is the number of records of the first day before the page.
 */
export interface PageDays {
  readonly first: Scalar
  readonly last: Scalar
  readonly offset: number
}

/** Returns the day field that derives from a sort field, or the sort field itself if there is none. */
export const dayFieldOf = ({ days = {} }: Dated, sort: string): string =>
  Object.keys(days).find((day) => days[day] === sort) ?? sort

interface Page {
  readonly offset: number
  readonly limit: number
}

/**
 * Finds the days of a page in counts by day, which are in the order of the page. Returns null if the counts end before
 * the page.
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

/**
 * Returns the bounds of the sort field on these days: instants if the day field derives from one, else the days
 * themselves.
 */
export const sortBounds = (
  { days = {} }: { readonly days?: AnyCollection['days'] | undefined },
  dayField: string,
  { first, last }: Pick<PageDays, 'first' | 'last'>,
): { readonly from: string; readonly to: string } | null => {
  if (typeof first !== 'string' || typeof last !== 'string') return null
  const [from, to] = first < last ? [first, last] : [last, first]
  if (days[dayField] === undefined) return { from, to }
  return isDay(from) && isDay(to) ? { from: startOfDay(from), to: endOfDay(to) } : null
}
