import type { Sql } from '../tables/sql.ts'

interface Walking {
  /** Gives a row where the answer may walk too much for this thread; null where it cannot. */
  readonly walk: Sql | null
}

export interface DocPlan extends Walking {
  readonly kind: 'doc'
  readonly sql: Sql
}

export interface PagePlan extends Walking {
  readonly kind: 'page'
  /** Binds limit and offset last. */
  readonly forward: Sql
  /** The same from the far end, where a tally knows how far that is. */
  readonly backward: Sql | null
  readonly limit: number
  readonly offset: number
  /** Null where nothing needs it. */
  readonly total: Sql | null
  readonly wantsTotal: boolean
}

export interface RowsPlan extends Walking {
  readonly kind: 'rows'
  readonly sql: Sql
}

/** An ask in SQL: plain data, so that the reader thread can answer it. */
export type Plan = DocPlan | PagePlan | RowsPlan
