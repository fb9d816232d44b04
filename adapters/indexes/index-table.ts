import { type Either, isLeft, left, right } from '../../core/failure.ts'
import { type DecodedOf, input, list, object, oneOf } from '../../core/kernel/input/mod.ts'
import { INDEX_SERIES, type IndexFigure, type PriceIndexes } from '../../core/ports/price-indexes.ts'
import { indexFigureFields } from '../../core/real-estate/records/contract.ts'

/** Exceeds the months of every series. */
const MAX_ROWS = 100_000

const row = input(null, { series: oneOf(INDEX_SERIES), ...indexFigureFields })

const table = input(null, { rows: list(object(row), { max: MAX_ROWS }) })

/** The figure of a series for a month. */
export type IndexRow = DecodedOf<typeof row>

/** Reads a JSON array of `{series, month, percent, source, date}`. Fails with the first error and its path. */
export const readIndexRows = (text: string): Either<string, readonly IndexRow[]> => {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return left('is not JSON')
  }
  const read = table.decode({ rows: sent })
  if (!isLeft(read)) return right(read.right.rows)
  const [{ path, code } = { path: 'rows', code: 'list' }] = read.left
  return left(`has an invalid ${path} (${code})`)
}

/**
 * Price indexes from rows. Of several figures for a month, the one with the latest date counts, because figures are
 * corrected.
 */
export const indexTable = (rows: readonly IndexRow[]): PriceIndexes => {
  const known = new Map<string, IndexFigure>()
  for (const { series, ...figure } of rows) {
    const key = `${series} ${figure.month}`
    const before = known.get(key)
    if (!before || before.date <= figure.date) known.set(key, figure)
  }
  return {
    figures: async (series, months) =>
      new Map(
        months.flatMap((each) => {
          const figure = known.get(`${series} ${each}`)
          return figure ? [[each, figure]] : []
        }),
      ),
  }
}
