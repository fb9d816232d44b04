import {
  type AccessPath,
  accessPaths,
  conjuncts,
  isEquality,
  isIdCondition,
} from '../../core/kernel/planner/access-paths.ts'
import { dayFieldOf, toInstantRanges } from '../../core/kernel/planner/day-fields.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { Rec } from '../../core/kernel/records/record.ts'
import { gte, lte, type Where } from '../../core/kernel/records/where.ts'
import { type Find, type Group, type List, type Query, StoreUnavailable } from '../../core/ports/store.ts'
import type { SqlValue } from './connection.ts'
import { type Access, assertFilled, conditionSql, type IndexShape, type Shape, tableWith } from './schema.ts'
import { bindValues, type Sql, whereSql } from './sql.ts'
import { type TallyShape, tallyDayless, tallyDays, tallyFor, tallyTotal } from './tallies.ts'

interface ReaderRouting {
  /** Gives a row where the answer may walk too much for this thread; null where it cannot. */
  readonly longProbe: Sql | null
  /** In whose line it waits where it walks: an owner's, or that of what is asked for nobody. */
  readonly owner: string
}

export interface DocPlan extends ReaderRouting {
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

export interface PagePlan extends ReaderRouting {
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

export interface RowsPlan extends ReaderRouting {
  readonly kind: 'rows'
  readonly sql: Sql
}

/** An ask in SQL: plain data, so that a reader thread can answer it. */
export type Plan = DocPlan | PagePlan | RowsPlan

/** Placeholders for the first and the last instant of a page, until its days are known. No text of a record contains NUL. */
export const [FROM, TO] = ['\u0000from', '\u0000to'] as const

export const planOf = (shape: Shape, ask: Query): Plan => {
  if (ask.kind === 'find') return findPlan(shape, ask)
  assertFilled(shape, ask)
  return ask.kind === 'list' ? pagePlan(shape, ask) : groupPlan(shape, ask)
}

const findPlan = ({ table, byId, keys, collection, missing }: Shape, { by }: Find<Rec>): DocPlan => {
  const doc = (text: string, ...values: readonly SqlValue[]): DocPlan => ({
    kind: 'doc',
    sql: { text, values },
    longProbe: null,
    owner: '',
  })
  if ('id' in by) {
    // An integer column would turn a text that looks like a number into one.
    const isOne = collection.ids === 'text' || typeof by.id === 'number'
    return isOne ? doc(byId, by.id) : doc(`SELECT doc FROM ${table} WHERE 0`)
  }
  const key = keys.get(by.key)
  if (!key) throw new Error(`${collection.name} has no key ${by.key}`)
  if (missing.keys.includes(by.key)) throw new StoreUnavailable(`${collection.name} has not its key ${by.key} yet`)
  return doc(`SELECT doc FROM ${table} WHERE id = (SELECT id FROM ${key} WHERE text = ?)`, by.is)
}

const groupPlan = (shape: Shape, { where, when, by, sum }: Group<Rec>): RowsPlan => {
  const tally = tallyFor(shape, { where, when, by, sum })
  const columns = tally ? tally.columns : shape.columns
  const [counted, table] = tally ? ['coalesce(sum(count), 0)', tally.table] : ['count(*)', shape.table]
  const amount = (field: string): string => (tally ? `s_${field}` : columns(field).value)
  const fields = [
    ...by.map((field, index) => `${columns(field).value} AS b${index}`),
    `${counted} AS n`,
    ...sum.map((field, index) => `coalesce(sum(${amount(field)}), 0) AS s${index}`),
  ]
  const grouped = by.length === 0 ? '' : ` GROUP BY ${by.map((_, index) => index + 1).join(', ')}`
  const parts = toInstantRanges(shape.collection, conjuncts(where))
  return {
    kind: 'rows',
    sql: bindValues((put) => {
      const condition = tally ? whereSql(where, columns, put) : conditionSql(shape, { all: parts }, when, put)
      return `SELECT ${fields.join(', ')} FROM ${table} WHERE ${condition}${grouped}`
    }),
    longProbe: tally ? tallyProbe(tally, conjuncts(where)) : indexProbe(shape, parts, when),
    owner: ownerIn(shape, parts),
  }
}

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
    longProbe: null,
    owner: ownerIn(shape, conjuncts(where)),
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

const pathOf = (asked: Asked, way: Access, { isOrdered, isCovering, isExact, isSpread, served }: Known): PagePath => {
  const { shape, ask, parts } = asked
  const { when } = ask
  const tally = isOrdered && isSpread ? tallyFor(shape, { where: { all: served }, when, by: [], sum: [] }) : null
  return {
    isOrdered,
    isCovering,
    isExact,
    forward: page(asked, way, isOrdered, true),
    backward: page(asked, way, isOrdered, false),
    total: bindValues(
      (put) =>
        `SELECT count(*) AS n FROM ${tableWith(shape, way)} WHERE ${conditionSql(shape, { all: parts }, when, put)}`,
    ),
    entries: entries(asked, way, served),
    tally: tally && tallyTotal(tally, { all: served }),
  }
}

const page = ({ shape, ask, parts }: Asked, way: Access, isOrdered: boolean, isForward: boolean): Sql => {
  const { when, sort = { by: 'id', dir: 'asc' } } = ask
  const dir = (sort.dir === 'asc') === isForward ? 'ASC' : 'DESC'
  const by = sort.by === 'id' ? null : shape.columns(sort.by).value
  const order = `ORDER BY ${by === null ? '' : `${by} ${dir}, `}id ${dir}`
  // One text of all the records is read and parsed at once: a third faster than a row of each. The sums hide the limits
  // from SQLite, which prepares a statement anew whenever a bare one is bound: that takes three times as long as the page.
  return bindValues((put) => {
    const found = `FROM ${tableWith(shape, way)} WHERE ${conditionSql(shape, { all: parts }, when, put)} ${order} LIMIT ?+0 OFFSET ?+0`
    const part = isOrdered ? `SELECT doc ${found}` : sorted(shape, `SELECT id ${found}`)
    return `SELECT count(*) AS n, '[' || group_concat(doc) || ']' AS docs FROM (${part})`
  })
}

/** What has to be sorted is sorted without its records, which only those of the page are read for. */
const sorted = ({ table }: Shape, ids: string): string =>
  `SELECT doc FROM (${ids}) AS found CROSS JOIN ${table} AS whole ON whole.id = found.id`

const entries = ({ shape, ask: { when }, parts }: Asked, way: Access, served: readonly Where[]): Sql => {
  // Whoever names ids has counted them.
  if (way === 'ids') return { text: 'SELECT min(0, ?+0) AS n', values: [] }
  const [any] = way === null ? accessPaths(shape, { parts, when, sort: null }) : []
  const { text, values } = entriesIn(shape, way ?? any?.index ?? null, any?.served ?? served)('LIMIT ?+0')
  return { text: `SELECT count(*) AS n FROM (${text})`, values }
}

/** What may walk more entries than this is not for the thread that everybody waits for. */
export const MAX_ENTRIES_HERE = 1_000

/** The owner that the parts name; empty where they name none. */
export const ownerIn = ({ collection: { owner } }: Shape, parts: readonly Where[]): string => {
  const named = parts.find((part) => owner !== null && isEquality(part, owner))
  return named && 'eq' in named ? String(named.eq[1]) : ''
}

/** The walk of what is long in any case. */
export const ALWAYS_LONG: Sql = { text: 'SELECT 1', values: [] }

/** The entries that an index leads to, whatever else is asked of them; without one, all that there is. */
export const entriesIn = (
  shape: Shape,
  index: IndexShape | null,
  served: readonly Where[],
): ((rest: string) => Sql) => {
  const when = index?.isPartial ? index.row.when : undefined
  return (rest) =>
    bindValues(
      (put) =>
        `SELECT 1 FROM ${tableWith(shape, index)} WHERE ${conditionSql(shape, { all: served }, when, put)} ${rest}`,
    )
}

/** Looks whether the entries that an index leads to are too many. */
export const indexProbe = (shape: Shape, parts: readonly Where[], when: string | undefined): Sql => {
  const [path] = accessPaths(shape, { parts, when, sort: null })
  return entriesIn(shape, path?.index ?? null, path?.served ?? [])(`LIMIT 1 OFFSET ${MAX_ENTRIES_HERE}`)
}

/** The same for the buckets of a tally. */
export const tallyProbe = ({ row, table }: TallyShape, parts: readonly Where[]): Sql | null => {
  const [first] = row.by
  if (first === undefined || parts.some((part) => isEquality(part, first))) return null
  return { text: `SELECT 1 FROM ${table} LIMIT 1 OFFSET ${MAX_ENTRIES_HERE}`, values: [] }
}
