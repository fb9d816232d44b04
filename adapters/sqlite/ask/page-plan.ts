import type { Rec } from '../../../core/kernel/records/collection.ts'
import { chooseIndex, conjuncts, namesIds } from '../../../core/kernel/records/index-choice.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import type { List } from '../../../core/ports/store.ts'
import { filter, type Shape, source, type Way } from '../tables/schema.ts'
import { bound, type Sql } from '../tables/sql.ts'
import { type TallyShape, tallyFor, tallyTotal } from '../tables/tally-table.ts'
import type { PagePlan } from './plan-kinds.ts'
import { isRange, serves } from './served.ts'
import { probe, tallyWalk, WALK_HERE } from './walks.ts'

/** Below this offset a page is walked to without asking which end is nearer. */
const FAR = 200

export const pagePlan = (shape: Shape, ask: List<Rec>): PagePlan => {
  const { where, when, limit, offset = 0, total = false, sort = { by: 'id', dir: 'asc' } } = ask
  const parts = conjuncts(where)
  const way: Way = parts.some(namesIds) ? 'ids' : chooseIndex(shape, { parts, when, sort: sort.by })
  const page = (isForward: boolean): Sql => {
    const dir = (sort.dir === 'asc') === isForward ? 'ASC' : 'DESC'
    const order = sort.by === 'id' ? `id ${dir}` : `${shape.columns(sort.by).value} ${dir}, id ${dir}`
    // One text of all the records is read and parsed at once: a third faster than a row of each. The sums hide the limits
    // from SQLite, which prepares a statement anew whenever a bare one is bound: that takes three times as long as the page.
    return bound((put) => {
      const found = `SELECT doc FROM ${source(shape, way)} WHERE ${filter(shape, where, when, put)}`
      const part = `${found} ORDER BY ${order} LIMIT ?+0 OFFSET ?+0`
      return `SELECT count(*) AS n, '[' || group_concat(doc) || ']' AS docs FROM (${part})`
    })
  }
  const tally = total || offset >= FAR ? tallyFor(shape, { where, when, by: [], sum: [] }) : null
  const backward = tally && offset >= FAR ? page(false) : null
  const count = (): Sql => (tally ? tallyTotal(tally, where) : countAll(shape, ask, way))
  return {
    kind: 'page',
    forward: page(true),
    backward,
    limit,
    offset,
    total: total || backward ? count() : null,
    wantsTotal: total,
    walk: pageWalk(shape, ask, parts, way, tally),
  }
}

const pageWalk = (
  shape: Shape,
  { when, sort, limit, offset = 0, total }: List<Rec>,
  parts: readonly Where[],
  way: Way,
  tally: TallyShape | null,
): Sql | null => {
  if (way === 'ids') return null
  if (offset + limit > WALK_HERE) return probe(shape, parts, when)
  const isById = sort === undefined || sort.by === 'id'
  const isStraight = way
    ? (when === undefined || (way.isPartial && way.row.when === when)) &&
      parts.every((part) => serves(shape, way, part))
    : isById && when === undefined && parts.every((part) => isRange(part, 'id'))
  if (isStraight && (!total || (tally && tallyWalk(tally, parts) === null))) return null
  return probe(shape, parts, when)
}

/** Counts through the page's own index only where that one carries the searched field; else as the planner thinks best. */
const countAll = (shape: Shape, { where, when }: List<Rec>, way: Way): Sql => {
  const carries = (field: string): boolean => way !== null && way !== 'ids' && way.row.search === field
  const searches = conjuncts(where).some((part) => 'contains' in part && carries(part.contains[0]))
  const from = source(shape, searches || way === 'ids' ? way : null)
  return bound((put) => `SELECT count(*) AS n FROM ${from} WHERE ${filter(shape, where, when, put)}`)
}
