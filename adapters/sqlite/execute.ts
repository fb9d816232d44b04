import {
  type DayCount,
  DEEP_OFFSET,
  type EntryCount,
  entriesToTest,
  estimateEntries,
  nextStep,
  pageDays,
  pageWindow,
  sortBounds,
  totalByPage,
  UNCOUNTED,
} from '../../core/kernel/planner/pages.ts'
import type { Scalar } from '../../core/kernel/records/record.ts'
import { type Connection, type Row, retryWhileBusy, type SqlValue } from './connection.ts'
import {
  type DayPlan,
  FROM,
  MAX_SHORT_ENTRIES,
  type PagePath,
  type PagePlan,
  type Plan,
  type SpanPlan,
  TO,
} from './plan.ts'
import type { Sql } from './sql.ts'

/** The result of a plan. Records are unparsed JSON, which is cheap to send between threads. */
export type RawResult = RawDoc | RawPage | RawRows

interface RawDoc {
  readonly kind: 'doc'
  readonly doc: string | null
}

export interface RawPage {
  readonly kind: 'page'
  /** A JSON array; null for an empty page. */
  readonly docs: string | null
  readonly isBackward: boolean
  readonly total: number | null
}

interface RawRows {
  readonly kind: 'rows'
  readonly rows: readonly Row[]
}

/** Executes plans as of one instant. */
export const executeAll = (
  connection: Connection,
  plans: readonly Plan[],
  busyWaitMs: number,
): Promise<readonly RawResult[]> =>
  retryWhileBusy(() => connection.snapshot(() => plans.map((plan) => execute(connection, plan))), busyWaitMs)

/** Executes a plan within a snapshot of the caller. A plan can have several statements. */
export const execute = (connection: Connection, plan: Plan): RawResult => {
  if (plan.kind === 'page') return page(connection, plan)
  if (plan.kind === 'rows') return { kind: 'rows', rows: all(connection, plan.sql) }
  const doc = get(connection, plan.sql)?.doc
  return { kind: 'doc', doc: typeof doc === 'string' ? doc : null }
}

const get = (connection: Connection, { text, values }: Sql, ...more: readonly number[]): Row | undefined =>
  connection.get(text, ...values, ...more)

const all = (connection: Connection, { text, values }: Sql): Row[] => connection.all(text, ...values)

interface PageLocation {
  readonly path: PagePath
  readonly isForward: boolean
  readonly size: number
  readonly offset: number
}

interface Located {
  /** Null for an empty page. */
  readonly place: PageLocation | null
  /** Null if no tally has it. */
  readonly total: number | null
  /** Returns the statement that counts the matching records by the fewest entries. */
  readonly counting: () => Sql | null
}

/** Chooses the cheapest path to a page. */
export const locatePage = (connection: Connection, plan: PagePlan): Located => {
  const { limit, offset, tally, byDay, span } = plan
  const paths = (span && spanPaths(connection, span)) ?? plan.paths
  const counts: Counts = new Map()
  const counting = () => tally ?? cheapestPath(connection, paths, { page: null, counts })?.total ?? null
  const isOpen = offset >= DEEP_OFFSET || paths.length > 1
  const total = tally && isOpen ? numberIn(connection, tally) : null
  if (total !== null && offset >= total) return { place: null, total, counting }
  const { size, isForward, skip } = pageWindow(offset, limit, total)
  // Few records are sorted faster than their days are found.
  const isMany = total !== null && total > MAX_SHORT_ENTRIES
  const days = byDay && isMany ? dayPage(connection, byDay, isForward, { offset: skip, limit: size }) : null
  const page = { matches: days ? null : total, upTo: skip + size, isForward }
  const path = cheapestPath(connection, days?.paths ?? paths, { page, counts })
  return { place: path && { path, isForward, size, offset: days?.offset ?? skip }, total, counting }
}

const page = (connection: Connection, plan: PagePlan): RawPage => {
  const { limit, offset, wantsTotal } = plan
  const { place, total, counting } = locatePage(connection, plan)
  if (!place) return { kind: 'page', docs: null, isBackward: false, total: wantsTotal ? total : null }
  const { path, isForward, size } = place
  const found = get(connection, isForward ? path.forward : path.backward, size, place.offset)
  const length = Number(found?.n)
  const known = total ?? totalByPage(offset, limit, length)
  const docs = typeof found?.docs === 'string' ? found.docs : null
  return {
    kind: 'page',
    docs,
    isBackward: !isForward,
    total: wantsTotal ? (known ?? numberIn(connection, counting() ?? path.total)) : null,
  }
}

interface Purpose {
  /** Null if only the total is needed. */
  readonly page: {
    /** The number of matching records, if a tally has it. */
    readonly matches: number | null
    /** The number of matching records up to the end of the page. */
    readonly upTo: number
    readonly isForward: boolean
  } | null
  /** The limit of counted entries. */
  readonly maxCounted?: number
  /** The counts of earlier choices among these paths, to which those of this one are added. */
  readonly counts?: Counts
}

type Counts = Map<PagePath, EntryCount>

/**
 * Returns the cheapest path to a page or its total; null if more than `maxCounted` entries would have to be counted.
 */
const cheapestPath = (
  connection: Connection,
  paths: readonly PagePath[],
  { page, maxCounted, counts = new Map() }: Purpose,
): PagePath | null => {
  for (const path of maxCounted === undefined && paths.length > 1 ? paths : []) {
    const entries = path.isExact && page?.matches != null ? page.matches : null
    if (!counts.get(path)?.isComplete && path.tally)
      counts.set(path, { entries: entries ?? numberIn(connection, path.tally), isComplete: true })
  }
  const uneven = new Set<PagePath>()
  for (;;) {
    const figures = paths.map((path) => readBy(path, counts.get(path) ?? UNCOUNTED, uneven.has(path) ? null : page))
    const step = nextStep(paths, figures, page !== null)
    if ('take' in step) {
      const path = paths[step.take] ?? null
      // With an estimate that does not hold, all entries of the path count.
      const isTaken =
        paths.length <= 1 ||
        path === null ||
        path.isExact ||
        page === null ||
        !isEstimated(path, counts.get(path) ?? UNCOUNTED, page) ||
        hasMatches(connection, path, page, entriesToTest(paths, figures, step.take))
      if (isTaken) return path
      uneven.add(path)
      continue
    }
    const path = paths[step.count]
    if (!path || (maxCounted !== undefined && step.upTo > maxCounted)) return null
    const counted = numberIn(connection, path.entries, step.upTo)
    counts.set(path, { entries: counted, isComplete: counted < step.upTo })
  }
}

type PagePurpose = NonNullable<Purpose['page']>

/**
 * Reports whether the entries that a page reads along a path are estimated: the matches may be spread evenly over all.
 */
const isEstimated = (
  { isOrdered, isSpread }: PagePath,
  { isComplete }: EntryCount,
  page: PagePurpose,
): page is PagePurpose & { readonly matches: number } => isComplete && isOrdered && isSpread && page.matches !== null

/** Returns the entries of a path that a page reads: up to the end of the page, if they can be estimated. */
const readBy = (path: PagePath, count: EntryCount, page: Purpose['page']): EntryCount =>
  page && isEstimated(path, count, page) ? estimateEntries(page.upTo, page.matches, count.entries) : count

/** Reports whether the first entries of a path contain the page, as was estimated. */
const hasMatches = (
  connection: Connection,
  { matchesForward, matchesBackward }: PagePath,
  { isForward, upTo }: PagePurpose,
  entries: number,
): boolean => numberIn(connection, isForward ? matchesForward : matchesBackward, entries, upTo) >= upTo

const numberIn = (connection: Connection, { text, values }: Sql, ...more: readonly number[]): number =>
  Number(connection.get(text, ...values, ...more)?.n)

/**
 * Reports whether a page may read more than `MAX_SHORT_ENTRIES` entries. A near page of an ordered, exact path does
 * not.
 */
export const isLongPage = (connection: Connection, plan: PagePlan): boolean => {
  const { paths, limit, offset, wantsTotal, tally } = plan
  const [first] = paths
  const isNear = first?.isOrdered && first.isExact && offset + limit <= MAX_SHORT_ENTRIES
  if (isNear && (!wantsTotal || tally)) return false
  const upTo = offset + limit
  const isShort = (page: Purpose['page']): boolean => {
    const path = cheapestPath(connection, paths, { page, maxCounted: MAX_SHORT_ENTRIES })
    return path !== null && numberIn(connection, path.entries, MAX_SHORT_ENTRIES + 1) <= MAX_SHORT_ENTRIES
  }
  return !isShort({ matches: null, upTo, isForward: true }) || (wantsTotal && !tally && !isShort(null))
}

/** A page within the days that contain it. */
interface DayPage {
  readonly paths: readonly PagePath[]
  /** The offset of the page from the first of these days. */
  readonly offset: number
}

const MIN_DAYS = 32
/** A margin, because the number of records differs from day to day. */
const MARGIN = 1.25

/** Finds the days of a page, from the start or the end of the list; null if days do not delimit it. */
const dayPage = (
  connection: Connection,
  plan: DayPlan,
  isForward: boolean,
  page: { readonly offset: number; readonly limit: number },
): DayPage | null => {
  const counts: DayCount[] = []
  // Records without a day are the first or the last of the list. Days cannot delimit them.
  const before = isForward === plan.isAscending ? numberIn(connection, plan.dayless) : 0
  if (page.offset < before) return null
  const ofDays = { ...page, offset: page.offset - before }
  for (let size = MIN_DAYS; ; size = estimateDays(counts, ofDays)) {
    const more = nextDays(connection, plan, isForward, counts.at(-1), size)
    counts.push(...more)
    const found = pageDays(counts, ofDays)
    if (found === null && more.length === size) continue
    const bounds = found && sortBounds(plan, plan.dayField, found)
    return bounds && { paths: plan.paths.map((path) => withBounds(path, bounds)), offset: found.offset }
  }
}

const estimateDays = (
  counts: readonly DayCount[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
) => {
  const seen = counts.reduce((sum, { count }) => sum + count, 0)
  return Math.max(MIN_DAYS, Math.ceil(((offset + limit - seen) / (seen / counts.length)) * MARGIN))
}

const nextDays = (
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

/** Returns the paths within the days of a span; null if it does not bound the page. */
const spanPaths = (connection: Connection, { ends, ...span }: SpanPlan): readonly PagePath[] | null => {
  const found = ends.flatMap(({ text, values }) => {
    const { first = null, last = null } = connection.get(text, ...values) ?? {}
    return typeof first === 'string' && typeof last === 'string' ? [{ first, last }] : []
  })
  const first = found
    .map((end) => end.first)
    .sort()
    .at(-1)
  const [last] = found.map((end) => end.last).sort()
  const bounds = first === undefined || last === undefined ? null : sortBounds(span, span.dayField, { first, last })
  return bounds && span.paths.map((path) => withBounds(path, bounds))
}

/** Replaces the placeholders `FROM` and `TO` in a path. */
const withBounds = (path: PagePath, { from, to }: { readonly from: string; readonly to: string }): PagePath => {
  const resolve = (value: SqlValue): SqlValue => (value === FROM ? from : value === TO ? to : value)
  const put = ({ text, values }: Sql): Sql => ({ text, values: values.map(resolve) })
  const { forward, backward, total, entries, matchesForward, matchesBackward } = path
  return {
    ...path,
    forward: put(forward),
    backward: put(backward),
    total: put(total),
    entries: put(entries),
    matchesForward: put(matchesForward),
    matchesBackward: put(matchesBackward),
    tally: null,
  }
}
