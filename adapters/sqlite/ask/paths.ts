import { type EntryCount, estimateEntries, nextStep, UNCOUNTED } from '../../../core/kernel/planner/access-paths.ts'
import type { Connection } from '../file/connection.ts'
import type { Sql } from '../tables/sql.ts'
import type { PagePath, PagePlan } from './plan-kinds.ts'
import { WALK_HERE } from './walks.ts'

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
export const isFar = (connection: Connection, plan: PagePlan): boolean => {
  const { paths, limit, offset, wantsTotal, tally } = plan
  const [first] = paths
  const isNear = first?.isOrdered && first.isExact && offset + limit <= WALK_HERE
  if (isNear && (!wantsTotal || tally)) return false
  const upTo = offset + limit
  const isLittle = (page: Wanted['page']): boolean => {
    const path = cheapestPath(connection, paths, { page, most: WALK_HERE })
    return path !== null && numberIn(connection, path.entries, WALK_HERE + 1) <= WALK_HERE
  }
  return !isLittle({ matches: null, upTo }) || (wantsTotal && !tally && !isLittle(null))
}
