import { type DayCount, pageDays, sortBounds } from '../../../core/kernel/planner/day-fields.ts'
import type { Scalar } from '../../../core/kernel/records/record.ts'
import type { Connection } from '../file/connection.ts'
import type { SqlValue } from '../file/driver.ts'
import type { Sql } from '../tables/sql.ts'
import { numberIn } from './paths.ts'
import type { DayPlan, PagePath } from './plan-kinds.ts'

/** Stand for the first and the last moment of a page until its days are known: no text of a record has a NUL in it. */
export const [FROM, TO] = ['\u0000from', '\u0000to'] as const

/** A page on its days: what leads there, and how many come before it. */
export interface DayPage {
  readonly paths: readonly PagePath[]
  readonly offset: number
}

const LEAST_DAYS = 32
/** Days are not all alike. */
const MORE = 1.25

/** The days of a page, from the end of the list that is named; null where days do not tell them. */
export const dayPage = (
  connection: Connection,
  plan: DayPlan,
  isForward: boolean,
  page: { readonly offset: number; readonly limit: number },
): DayPage | null => {
  const counts: DayCount[] = []
  // What has no day is before all others, or behind them: nothing bounds it.
  const before = isForward === plan.isAscending ? numberIn(connection, plan.dayless) : 0
  if (page.offset < before) return null
  const ofDays = { ...page, offset: page.offset - before }
  for (let size = LEAST_DAYS; ; size = daysToGo(counts, ofDays)) {
    const more = daysAfter(connection, plan, isForward, counts.at(-1), size)
    counts.push(...more)
    const found = pageDays(counts, ofDays)
    if (found === null && more.length === size) continue
    const bounds = found && sortBounds(plan, plan.dayField, found)
    return bounds && { paths: plan.paths.map((path) => bounded(path, bounds)), offset: found.offset }
  }
}

/** So many more days reach the end of the page, if they are like those that were seen. */
const daysToGo = (
  counts: readonly DayCount[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
) => {
  const seen = counts.reduce((sum, { count }) => sum + count, 0)
  return Math.max(LEAST_DAYS, Math.ceil(((offset + limit - seen) / (seen / counts.length)) * MORE))
}

const daysAfter = (
  connection: Connection,
  { forward, backward, forwardAfter, backwardAfter }: DayPlan,
  isForward: boolean,
  last: DayCount | undefined,
  size: number,
): readonly DayCount[] => {
  const [first, after] = isForward ? [forward, forwardAfter] : [backward, backwardAfter]
  const { text, values } = last === undefined ? first : after
  const bound = last === undefined ? [] : [String(last.day)]
  const days: readonly (readonly [Scalar, number])[] = JSON.parse(
    String(connection.get(text, ...values, ...bound, size)?.days),
  )
  return days.map(([day, count]) => ({ day, count }))
}

const bounded = (path: PagePath, bounds: { readonly from: string; readonly to: string }): PagePath => {
  const put = ({ text, values }: Sql): Sql => ({ text, values: values.map((value) => standIn(value, bounds)) })
  const { forward, backward, total, entries } = path
  return {
    ...path,
    forward: put(forward),
    backward: put(backward),
    total: put(total),
    entries: put(entries),
    tally: null,
  }
}

const standIn = (value: SqlValue, { from, to }: { readonly from: string; readonly to: string }): SqlValue =>
  value === FROM ? from : value === TO ? to : value
