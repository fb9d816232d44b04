import type { AccessPath } from '../../../core/kernel/planner/access-paths.ts'
import type { Sql } from '../tables/sql.ts'

interface Walking {
  /** Gives a row where the answer may walk too much for this thread; null where it cannot. */
  readonly walk: Sql | null
  /** In whose line it waits where it walks: an owner's, or that of what is asked for nobody. */
  readonly whose: string
}

export interface DocPlan extends Walking {
  readonly kind: 'doc'
  readonly sql: Sql
}

/** One way to a page: which is the cheapest, the store finds out when it answers. */
export interface PagePath extends Pick<AccessPath<unknown>, 'isOrdered' | 'isCovering' | 'isStraight'> {
  /** Binds limit and offset last. */
  readonly forward: Sql
  /** The same from the far end. */
  readonly backward: Sql
  /** How many match. */
  readonly total: Sql
  /** How many entries it leads to, at most so many: binds these last. */
  readonly entries: Sql
}

export interface PagePlan extends Walking {
  readonly kind: 'page'
  /** At least one. */
  readonly paths: readonly PagePath[]
  readonly limit: number
  readonly offset: number
  readonly wantsTotal: boolean
  /** The total as a tally knows it. */
  readonly tally: Sql | null
}

export interface RowsPlan extends Walking {
  readonly kind: 'rows'
  readonly sql: Sql
}

/** An ask in SQL: plain data, so that a reader thread can answer it. */
export type Plan = DocPlan | PagePlan | RowsPlan
