import { type Figure, nextStep, UNCOUNTED } from '../../../core/kernel/planner/choice.ts'
import type { Connection } from '../file/connection.ts'
import type { Sql } from '../tables/sql.ts'
import type { PagePath, PagePlan } from './plan-kinds.ts'
import { WALK_HERE } from './walks.ts'

/** Finds out which path is the cheapest, for a page or for its total; null where more than so many would have to be counted. */
export const cheapestPath = (
  connection: Connection,
  { paths }: PagePlan,
  { isPage, most = Number.POSITIVE_INFINITY }: { readonly isPage: boolean; readonly most?: number },
): PagePath | null => {
  const figures: Figure[] = paths.map(() => UNCOUNTED)
  for (;;) {
    const step = nextStep(paths, figures, isPage)
    if ('take' in step) return paths[step.take] ?? null
    const path = paths[step.count]
    if (step.upTo > most || !path) return null
    const counted = entriesOf(connection, path, step.upTo)
    figures[step.count] = { entries: counted, isAll: counted < step.upTo }
  }
}

const entriesOf = (connection: Connection, { entries }: PagePath, upTo: number): number =>
  numberIn(connection, entries, upTo)

export const numberIn = (connection: Connection, { text, values }: Sql, ...more: readonly number[]): number =>
  Number(connection.get(text, ...values, ...more)?.n)

/** Whether a page may walk far: what is asked for by its index is found at once, and what is known to be little looked through. */
export const isFar = (connection: Connection, plan: PagePlan): boolean => {
  const { paths, limit, offset, wantsTotal, tally } = plan
  const [first] = paths
  const isNear = first?.isOrdered && first.isStraight && offset + limit <= WALK_HERE
  if (isNear && (!wantsTotal || tally)) return false
  const isLittle = (isPage: boolean): boolean => {
    const path = cheapestPath(connection, plan, { isPage, most: WALK_HERE })
    return path !== null && entriesOf(connection, path, WALK_HERE + 1) <= WALK_HERE
  }
  return !isLittle(true) || (wantsTotal && !tally && !isLittle(false))
}
