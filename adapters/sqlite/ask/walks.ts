import { accessPaths, isEquality } from '../../../core/kernel/planner/access-paths.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import { filter, type IndexShape, type Shape, source } from '../tables/schema.ts'
import { bound, type Sql } from '../tables/sql.ts'
import type { TallyShape } from '../tables/tally-table.ts'

/** What may walk more entries than this is not for the thread that everybody waits for. */
export const WALK_HERE = 1_000

/** The owner that the parts name; empty where they name none. */
export const whoseOf = ({ collection: { owner } }: Shape, parts: readonly Where[]): string => {
  const named = parts.find((part) => owner !== null && isEquality(part, owner))
  return named && 'eq' in named ? String(named.eq[1]) : ''
}

/** The walk of what is long in any case. */
export const LONG: Sql = { text: 'SELECT 1', values: [] }

/** The entries that an index leads to, whatever else is asked of them; without one, all that there is. */
export const entriesIn = (
  shape: Shape,
  index: IndexShape | null,
  served: readonly Where[],
): ((rest: string) => Sql) => {
  const when = index?.isPartial ? index.row.when : undefined
  return (rest) =>
    bound((put) => `SELECT 1 FROM ${source(shape, index)} WHERE ${filter(shape, { all: served }, when, put)} ${rest}`)
}

/** Looks whether the entries that an index leads to are too many. */
export const probe = (shape: Shape, parts: readonly Where[], when: string | undefined): Sql => {
  const [path] = accessPaths(shape, { parts, when, sort: null })
  return entriesIn(shape, path?.index ?? null, path?.served ?? [])(`LIMIT 1 OFFSET ${WALK_HERE}`)
}

/** The same for the buckets of a tally. */
export const tallyWalk = ({ row, table }: TallyShape, parts: readonly Where[]): Sql | null => {
  const [first] = row.by
  if (first === undefined || parts.some((part) => isEquality(part, first))) return null
  return { text: `SELECT 1 FROM ${table} LIMIT 1 OFFSET ${WALK_HERE}`, values: [] }
}
