import type { AnyCollection, Scalar } from '../records/record.ts'
import { endOfDay, isDay, startOfDay } from '../values/day.ts'
import type { AccessPath } from './access-paths.ts'

/** The count of the entries that a path scans. */
export interface EntryCount {
  readonly entries: number
  /** False if counting stopped early and there may be more. */
  readonly isComplete: boolean
}

export const UNCOUNTED: EntryCount = { entries: 0, isComplete: false }

/**
 * The next step of the planner: take a path, or count the entries of one up to a limit. Both name the path by position.
 */
export type PlanStep = { readonly take: number } | { readonly count: number; readonly upTo: number }

type Path = Pick<AccessPath<unknown>, 'isOrdered' | 'isCovering' | 'isExact'>

/**
 * Returns the next step towards the cheapest path. The path with the fewest counted entries is counted further while it
 * can still be cheaper than the best known one, so counting costs no more than the path that it finds. The choice
 * depends on these counts alone.
 */
export const nextStep = (paths: readonly Path[], counts: readonly EntryCount[], isPage: boolean): PlanStep => {
  if (paths.length <= 1 || (isPage && paths[0]?.isOrdered && paths[0].isExact)) return { take: 0 }
  const known = paths.map((path, at) => {
    const { entries, isComplete } = counts[at] ?? UNCOUNTED
    const each = costOf(path, isPage)
    return { at, entries, isComplete, each, cost: entries * each }
  })
  const best = Math.min(...known.filter(({ isComplete }) => isComplete).map(({ cost }) => cost))
  const open = known.filter(({ isComplete, cost, entries }) => !isComplete && cost < best && entries < MAX_COUNTED)
  const [least] = open.sort((a, b) => a.entries - b.entries)
  if (!least) {
    const [cheapest] = known.sort((a, b) => a.cost - b.cost)
    return { take: cheapest?.at ?? 0 }
  }
  const further = Math.max(FIRST_COUNT, least.entries * COUNT_GROWTH)
  return { count: least.at, upTo: Math.min(further, Math.ceil(best / least.each) + 1, MAX_COUNTED) }
}

/**
 * The cost of one entry of a path, in entries tested on the index alone. A total, unlike a page, needs no sort. Both
 * costs are estimates: measured on SQLite with records of 1.4 KB, reading a record costs 2 to 20 such entries if the
 * records lie together and 5 to 70 if they are scattered, more in longer lists; sorting an entry costs about 1.
 */
const costOf = ({ isOrdered, isCovering }: Path, isPage: boolean): number =>
  (isCovering ? 1 : READ) + (isPage && !isOrdered ? SORT : 0)

const READ = 10
const SORT = 2

/**
 * The first count stops here, and each further one at ten times the last: all counts together cost little more than the
 * last.
 */
const FIRST_COUNT = 1_000
const COUNT_GROWTH = 10
/** Paths with more entries are not counted further. */
const MAX_COUNTED = 1_000_000

/** A margin: around a page, matching entries may be this many times rarer than on average. */
const RARER = 8

/** Estimates the entries that a page of `upTo` records scans in order, given the matches among all entries. */
export const estimateEntries = (upTo: number, matches: number, entries: number): EntryCount => ({
  entries: Math.min(entries, Math.ceil((upTo * entries * RARER) / Math.max(1, matches))),
  isComplete: true,
})

/**
 * Returns the most entries of an estimated path that are tested for the page before another path is taken: its
 * estimate, or half of what the cheapest other path costs at least. Records that match are often not spread evenly:
 * charges that failed have no payment date, and are the last ones by it.
 */
export const entriesToTest = (paths: readonly Path[], counts: readonly EntryCount[], taken: number): number => {
  const costs = paths.map((path, at) => (counts[at] ?? UNCOUNTED).entries * costOf(path, true))
  const others = Math.min(...costs.filter((_, at) => at !== taken))
  const [path, estimate] = [paths[taken], counts[taken]]
  return path && estimate ? Math.max(estimate.entries, Math.floor(others / 2 / costOf(path, true))) : 0
}

/** At this offset and beyond, a page is read from the nearer end of its list, for which its total is read first. */
export const DEEP_OFFSET = 200

/** Returns the records to read for a page: from the nearer end of the list, if its total is known. */
export const pageWindow = (offset: number, limit: number, total: number | null) => {
  const size = total === null ? limit : Math.min(limit, total - offset)
  const isForward = total === null || offset < DEEP_OFFSET || offset <= total / 2
  return { size, isForward, skip: isForward ? offset : total - offset - size }
}

/**
 * Returns the total of a list whose page has `length` records; null unless it is the last page, which is incomplete.
 */
export const totalByPage = (offset: number, limit: number, length: number): number | null =>
  length < limit && (length > 0 || offset === 0) ? offset + length : null

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
