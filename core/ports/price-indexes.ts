import type { Day } from '../kernel/values/day.ts'

export const INDEX_SERIES = ['IGPM', 'IPCA'] as const
export type IndexSeries = (typeof INDEX_SERIES)[number]

/** By how much prices rose in a month, as whoever measures them has published it. */
export interface IndexFigure {
  /** `YYYY-MM`. */
  readonly month: string
  /** Percent, of at most 4 decimals; negative where they fell. */
  readonly percent: number
  /** Whose figure it is: `BCB SGS 189`. */
  readonly source: string
  /** When it was published, or read. */
  readonly date: Day
}

/** What price indexes are in each month. Rejects where nothing is known at all of what there is. */
export interface PriceIndexes {
  /** The figures of a series in these months, by month; those that are not known are left out. */
  figures(series: IndexSeries, months: readonly string[]): Promise<ReadonlyMap<string, IndexFigure>>
}
