import type { Day } from '../kernel/values/day.ts'

export const INDEX_SERIES = ['IGPM', 'IPCA'] as const
export type IndexSeries = (typeof INDEX_SERIES)[number]

/** The published change of a price index in a month. */
export interface IndexFigure {
  /** `YYYY-MM`. */
  readonly month: string
  /** Percent with at most 4 decimals; negative if prices fell. */
  readonly percent: number
  /** The publisher and series: `BCB SGS 189`. */
  readonly source: string
  /** The day of publication, or of reading. */
  readonly date: Day
}

/** Monthly price indexes. Rejects if no figure of any month is available. */
export interface PriceIndexes {
  /** Returns the figures of a series by month; unknown months are left out. */
  figures(series: IndexSeries, months: readonly string[]): Promise<ReadonlyMap<string, IndexFigure>>
}
