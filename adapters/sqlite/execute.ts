import { type EntryCount, estimateEntries, nextStep, UNCOUNTED } from '../../core/kernel/planner/access-paths.ts'
import { type DayCount, pageDays, sortBounds } from '../../core/kernel/planner/day-fields.ts'
import type { Scalar } from '../../core/kernel/records/record.ts'
import type { Connection, Row, SqlValue } from './connection.ts'
import { type DayPlan, FROM, MAX_ENTRIES_HERE, type PagePath, type PagePlan, type Plan, TO } from './plan.ts'
import type { Sql } from './sql.ts'

/** What a plan gave, still as text: cheap to send between threads. */
export type RawResult = RawDoc | RawPage | RawRows

export interface RawDoc {
  readonly kind: 'doc'
  readonly doc: string | null
}

export interface RawPage {
  readonly kind: 'page'
  /** A JSON list, null for an empty page. */
  readonly docs: string | null
  readonly isBackward: boolean
  readonly total: number | null
}

export interface RawRows {
  readonly kind: 'rows'
  readonly rows: readonly Row[]
}

/** Answers one plan; several statements, so the caller holds a snapshot where the instant matters. */
export const execute = (connection: Connection, plan: Plan): RawResult => {
  if (plan.kind === 'page') return page(connection, plan)
  if (plan.kind === 'rows') return { kind: 'rows', rows: all(connection, plan.sql) }
  const doc = get(connection, plan.sql)?.doc
  return { kind: 'doc', doc: typeof doc === 'string' ? doc : null }
}

const get = (connection: Connection, { text, values }: Sql, ...more: readonly number[]): Row | undefined =>
  connection.get(text, ...values, ...more)

const all = (connection: Connection, { text, values }: Sql): Row[] => connection.all(text, ...values)

/** From this offset on it is asked which end is nearer. */
const DEEP_OFFSET = 200

/** Where a page is found, or null where there is none. */
interface Place {
  readonly path: PagePath
  readonly isForward: boolean
  readonly size: number
  readonly offset: number
}

/** The way that a page is read now, by what tallies and counting tell of it; and its total where they tell it too. */
export const locatePage = (
  connection: Connection,
  plan: PagePlan,
): { readonly place: Place | null; readonly total: number | null } => {
  const { paths, limit, offset, tally, byDay } = plan
  const isDeep = offset >= DEEP_OFFSET
  const isOpen = isDeep || paths.length > 1
  const total = tally && isOpen ? numberIn(connection, tally) : null
  if (total !== null && offset >= total) return { place: null, total }
  const isForward = !(isDeep && total !== null && offset > total / 2)
  const size = total === null ? limit : Math.min(limit, total - offset)
  const skipped = isForward || total === null ? offset : total - offset - size
  // Few are sooner sorted than looked for among all of the days, which are walked through in this thread.
  const isMany = total !== null && total > MAX_ENTRIES_HERE
  const days = byDay && isMany ? dayPage(connection, byDay, isForward, { offset: skipped, limit: size }) : null
  const page = { matches: days ? null : total, upTo: skipped + size }
  const path = cheapestPath(connection, days?.paths ?? paths, { page })
  return { place: path && { path, isForward, size, offset: days?.offset ?? skipped }, total }
}

const page = (connection: Connection, plan: PagePlan): RawPage => {
  const { paths, limit, offset, wantsTotal, tally } = plan
  const { place, total } = locatePage(connection, plan)
  if (!place) return { kind: 'page', docs: null, isBackward: false, total: wantsTotal ? total : null }
  const { path, isForward, size } = place
  const found = get(connection, isForward ? path.forward : path.backward, size, place.offset)
  const there = Number(found?.n)
  // A page that ends early tells the total by itself.
  const known = total ?? (there < limit && (there > 0 || offset === 0) ? offset + there : null)
  const count = (): number =>
    numberIn(connection, tally ?? (cheapestPath(connection, paths, { page: null }) ?? path).total)
  const told = wantsTotal ? (known ?? count()) : null
  return { kind: 'page', docs: textOf(found), isBackward: !isForward, total: told }
}

const textOf = (row: Row | undefined): string | null => (typeof row?.docs === 'string' ? row.docs : null)

interface Wanted {
  /** Null where only the total is asked for. */
  readonly page: {
    /** How many match, where a tally tells. */
    readonly matches: number | null
    /** How many of them come up to its end. */
    readonly upTo: number
  } | null
  /** Gives up where more than so many entries would have to be counted. */
  readonly most?: number
}

/** Finds out which path is the cheapest, for a page or for its total; null where that takes too much counting. */
export const cheapestPath = (
  connection: Connection,
  paths: readonly PagePath[],
  { page, most = Number.POSITIVE_INFINITY }: Wanted,
): PagePath | null => {
  const figures = paths.map((path) => (paths.length > 1 ? likely(connection, path, page) : UNCOUNTED))
  for (;;) {
    const step = nextStep(paths, figures, page !== null)
    if ('take' in step) return paths[step.take] ?? null
    const path = paths[step.count]
    if (step.upTo > most || !path) return null
    const counted = numberIn(connection, path.entries, step.upTo)
    figures[step.count] = { entries: counted, isComplete: counted < step.upTo }
  }
}

/** What tallies tell of a path without counting. */
const likely = (connection: Connection, { isOrdered, tally }: PagePath, page: Wanted['page']): EntryCount =>
  page && page.matches !== null && isOrdered && tally
    ? estimateEntries(page.upTo, page.matches, numberIn(connection, tally))
    : UNCOUNTED

export const numberIn = (connection: Connection, { text, values }: Sql, ...more: readonly number[]): number =>
  Number(connection.get(text, ...values, ...more)?.n)

/** Whether a page may walk far: what is asked for by its index is found at once, and what is known to be little looked through. */
export const isLongPage = (connection: Connection, plan: PagePlan): boolean => {
  const { paths, limit, offset, wantsTotal, tally } = plan
  const [first] = paths
  const isNear = first?.isOrdered && first.isExact && offset + limit <= MAX_ENTRIES_HERE
  if (isNear && (!wantsTotal || tally)) return false
  const upTo = offset + limit
  const isLittle = (page: Wanted['page']): boolean => {
    const path = cheapestPath(connection, paths, { page, most: MAX_ENTRIES_HERE })
    return path !== null && numberIn(connection, path.entries, MAX_ENTRIES_HERE + 1) <= MAX_ENTRIES_HERE
  }
  return !isLittle({ matches: null, upTo }) || (wantsTotal && !tally && !isLittle(null))
}

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
