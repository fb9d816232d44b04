import type { AccessPath } from '../../../core/kernel/planner/access-paths.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
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
export interface PagePath extends Pick<AccessPath<unknown>, 'isOrdered' | 'isCovering' | 'isExact'> {
  /** Binds limit and offset last. */
  readonly forward: Sql
  /** The same from the far end. */
  readonly backward: Sql
  /** How many match. */
  readonly total: Sql
  /** How many entries it leads to, at most so many: binds these last. */
  readonly entries: Sql
  /** The same, nearly, as a tally has it. */
  readonly tally: Sql | null
}

/** A page found by how many of each day match: only the days are walked that it lies on. */
export interface DayPlan {
  /** The next so many days in the order of the page, and from its end: bind how many last. */
  readonly forward: Sql
  readonly backward: Sql
  /** Their texts bind a day after which to go on. */
  readonly forwardAfter: Sql
  readonly backwardAfter: Sql
  /** Whether `forward` goes from the least day to the greatest. */
  readonly isAscending: boolean
  /** How many have no day: they come before the least. */
  readonly dayless: Sql
  readonly dayField: string
  readonly days: AnyCollection['days']
  /** Bounded where `FROM` and `TO` are bound. */
  readonly paths: readonly PagePath[]
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
  /** Null where no tally counts by the days of its order. */
  readonly byDay: DayPlan | null
}

export interface RowsPlan extends Walking {
  readonly kind: 'rows'
  readonly sql: Sql
}

/** An ask in SQL: plain data, so that a reader thread can answer it. */
export type Plan = DocPlan | PagePlan | RowsPlan
