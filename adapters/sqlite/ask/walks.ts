import { chooseIndex, isPin } from '../../../core/kernel/records/index-choice.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import { filter, type Shape, source } from '../tables/schema.ts'
import { bound, type Sql } from '../tables/sql.ts'
import type { TallyShape } from '../tables/tally-table.ts'
import { serves } from './served.ts'

/** What may walk more entries than this runs on the reader thread. */
export const WALK_HERE = 1_000

/** The walk of what is long in any case. */
export const LONG: Sql = { text: 'SELECT 1', values: [] }

/** Looks whether the entries that an index leads to, whatever else is asked of them, are too many. */
export const probe = (shape: Shape, parts: readonly Where[], when: string | undefined): Sql => {
  const index = chooseIndex(shape, { parts, when, sort: null })
  const served = index ? parts.filter((part) => serves(shape, index, part)) : []
  return bound((put) => {
    const condition = filter(shape, { all: served }, index?.isPartial ? index.row.when : undefined, put)
    return `SELECT 1 FROM ${source(shape, index)} WHERE ${condition} LIMIT 1 OFFSET ${WALK_HERE}`
  })
}

/** The same for the buckets of a tally. */
export const tallyWalk = ({ row, table }: TallyShape, parts: readonly Where[]): Sql | null => {
  const [first] = row.by
  if (first === undefined || parts.some((part) => isPin(part, first))) return null
  return { text: `SELECT 1 FROM ${table} LIMIT 1 OFFSET ${WALK_HERE}`, values: [] }
}
