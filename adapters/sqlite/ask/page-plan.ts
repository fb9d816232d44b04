import { type AccessPath, accessPaths, conjuncts, isIdCondition } from '../../../core/kernel/planner/access-paths.ts'
import { dayFieldOf, toInstantRanges } from '../../../core/kernel/planner/day-fields.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { gte, lte, type Where } from '../../../core/kernel/records/where.ts'
import type { List } from '../../../core/ports/store.ts'
import { filter, type IndexShape, type Shape, source, type Way } from '../tables/schema.ts'
import { bound, type Sql } from '../tables/sql.ts'
import { tallyDayless, tallyDays, tallyFor, tallyTotal } from '../tables/tally-table.ts'
import { FROM, TO } from './day-walk.ts'
import type { DayPlan, PagePath, PagePlan } from './plan-kinds.ts'
import { entriesIn, whoseOf } from './walks.ts'

/** A page asked for: its condition in parts, days among them as the moments that they are of. */
interface Asked {
  readonly shape: Shape
  readonly ask: List<Rec>
  readonly parts: readonly Where[]
}

export const pagePlan = (shape: Shape, ask: List<Rec>): PagePlan => {
  const { where, when, limit, offset = 0, total = false } = ask
  const asked = { shape, ask, parts: toInstantRanges(shape.collection, conjuncts(where)) }
  const paths = pathsOf(asked)
  const isChoice = paths.length > 1
  const tally = total || offset > 0 || isChoice ? tallyFor(shape, { where, when, by: [], sum: [] }) : null
  return {
    kind: 'page',
    paths,
    limit,
    offset,
    wantsTotal: total,
    tally: tally && tallyTotal(tally, where),
    byDay: tally && (isChoice || offset > 0) ? byDay(asked) : null,
    walk: null,
    whose: whoseOf(shape, conjuncts(where)),
  }
}

const byDay = (asked: Asked): DayPlan | null => {
  const { shape, ask, parts } = asked
  const { where, when, sort } = ask
  if (sort === undefined || parts.some(isIdCondition)) return null
  const dayField = dayFieldOf(shape.collection, sort.by)
  const tally = tallyFor(shape, { where, when, by: [dayField], sum: [] })
  if (!tally) return null
  const [forward, backward] = sort.dir === 'asc' ? (['ASC', 'DESC'] as const) : (['DESC', 'ASC'] as const)
  return {
    forward: tallyDays(tally, where, dayField, forward, false),
    backward: tallyDays(tally, where, dayField, backward, false),
    forwardAfter: tallyDays(tally, where, dayField, forward, true),
    backwardAfter: tallyDays(tally, where, dayField, backward, true),
    isAscending: sort.dir === 'asc',
    dayless: tallyDayless(tally, where, dayField),
    dayField,
    // An order by the days themselves is bounded by them, and by no moments.
    days: dayField === sort.by ? undefined : shape.collection.days,
    paths: pathsOf({ ...asked, parts: [...parts, gte(sort.by, FROM), lte(sort.by, TO)] }),
  }
}

const pathsOf = (asked: Asked): readonly PagePath[] => {
  const { shape, ask, parts } = asked
  const { when, sort } = ask
  if (parts.some(isIdCondition)) return [pathOf(asked, 'ids', BY_ID)]
  const paths = accessPaths(shape, { parts, when, sort: sort?.by ?? 'id' })
  const made = paths.map((path) => pathOf(asked, path.index, path))
  return made.length > 0 ? made : [pathOf(asked, null, { ...ANY, isExact: isWhole(asked) })]
}

type Known = Omit<AccessPath<IndexShape>, 'index'>

const BY_ID: Known = { isOrdered: true, isCovering: false, isExact: true, isSpread: true, served: [] }
/** As the database thinks best. */
const ANY: Known = { ...BY_ID, isExact: false }

/** Whether the table itself, which goes by id, is all that is asked for. */
const isWhole = ({ ask: { sort, when }, parts }: Asked): boolean =>
  (sort === undefined || sort.by === 'id') && when === undefined && parts.length === 0

const pathOf = (asked: Asked, way: Way, { isOrdered, isCovering, isExact, isSpread, served }: Known): PagePath => {
  const { shape, ask, parts } = asked
  const { when } = ask
  const tally = isOrdered && isSpread ? tallyFor(shape, { where: { all: served }, when, by: [], sum: [] }) : null
  return {
    isOrdered,
    isCovering,
    isExact,
    forward: page(asked, way, isOrdered, true),
    backward: page(asked, way, isOrdered, false),
    total: bound(
      (put) => `SELECT count(*) AS n FROM ${source(shape, way)} WHERE ${filter(shape, { all: parts }, when, put)}`,
    ),
    entries: entries(asked, way, served),
    tally: tally && tallyTotal(tally, { all: served }),
  }
}

const page = ({ shape, ask, parts }: Asked, way: Way, isOrdered: boolean, isForward: boolean): Sql => {
  const { when, sort = { by: 'id', dir: 'asc' } } = ask
  const dir = (sort.dir === 'asc') === isForward ? 'ASC' : 'DESC'
  const by = sort.by === 'id' ? null : shape.columns(sort.by).value
  const order = `ORDER BY ${by === null ? '' : `${by} ${dir}, `}id ${dir}`
  // One text of all the records is read and parsed at once: a third faster than a row of each. The sums hide the limits
  // from SQLite, which prepares a statement anew whenever a bare one is bound: that takes three times as long as the page.
  return bound((put) => {
    const found = `FROM ${source(shape, way)} WHERE ${filter(shape, { all: parts }, when, put)} ${order} LIMIT ?+0 OFFSET ?+0`
    const part = isOrdered ? `SELECT doc ${found}` : sorted(shape, `SELECT id ${found}`)
    return `SELECT count(*) AS n, '[' || group_concat(doc) || ']' AS docs FROM (${part})`
  })
}

/** What has to be sorted is sorted without its records, which only those of the page are read for. */
const sorted = ({ table }: Shape, ids: string): string =>
  `SELECT doc FROM (${ids}) AS found CROSS JOIN ${table} AS whole ON whole.id = found.id`

const entries = ({ shape, ask: { when }, parts }: Asked, way: Way, served: readonly Where[]): Sql => {
  // Whoever names ids has counted them.
  if (way === 'ids') return { text: 'SELECT min(0, ?+0) AS n', values: [] }
  const [any] = way === null ? accessPaths(shape, { parts, when, sort: null }) : []
  const { text, values } = entriesIn(shape, way ?? any?.index ?? null, any?.served ?? served)('LIMIT ?+0')
  return { text: `SELECT count(*) AS n FROM (${text})`, values }
}
