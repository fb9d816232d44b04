import {
  type AccessPath,
  accessPaths,
  conjuncts,
  dayFieldOf,
  isEquality,
  isIdCondition,
  rangeField,
  toInstantRanges,
} from '../../core/kernel/planner/access-paths.ts'
import { type AnyCollection, gte, lte, type Rec, type Where } from '../../core/kernel/records/record.ts'
import type { Find, Group, List, Query } from '../../core/ports/store.ts'
import type { SqlValue } from './connection.ts'
import { type Access, conditionSql, type IndexShape, type Shape, tableWith } from './schema.ts'
import { type Bind, bindValues, type Sql, whereSql } from './sql.ts'
import { type TallyShape, tallyDayless, tallyDays, tallyEnds, tallyFor, tallyTotal } from './tallies.ts'

interface ReaderRouting {
  /** Returns a row if the query may read too many entries for the main thread; null if it cannot. */
  readonly longProbe: Sql | null
  /** The owner whose queue a long query joins; empty for a query across owners. */
  readonly owner: string
}

interface DocPlan extends ReaderRouting {
  readonly kind: 'doc'
  readonly sql: Sql
}

/** One of the paths to a page. The cheapest is chosen at execution. */
export interface PagePath extends Omit<AccessPath<unknown>, 'index' | 'served'> {
  /** Binds limit and offset after its values. */
  readonly forward: Sql
  /** Reads the page from the end of the list. */
  readonly backward: Sql
  /** Counts the matching records. */
  readonly total: Sql
  /** Counts the entries that the path reads, up to a limit, which it binds last. */
  readonly entries: Sql
  /** A count of these entries from a tally. It is approximate if the index is not partial. */
  readonly tally: Sql | null
  /** Counts the matches among the first entries of an ordered path: binds their number and the wanted matches last. */
  readonly matchesForward: Sql
  readonly matchesBackward: Sql
}

/** Paths to the records between two days, with the placeholders `FROM` and `TO`. */
interface DayPaths {
  readonly dayField: string
  readonly days: AnyCollection['days']
  readonly paths: readonly PagePath[]
}

/** A page found by the counts of its days, so that only the days of the page are read. */
export interface DayPlan extends DayPaths {
  /** Counts of the first days, in the order of the page and from its end. Binds the number of days last. */
  readonly forward: Sql
  readonly backward: Sql
  /** Counts of the days after a given one, which it binds before the number of days. */
  readonly forwardAfter: Sql
  readonly backwardAfter: Sql
  /** True if `forward` begins with the earliest day. */
  readonly isAscending: boolean
  /** Counts the records without a day, which sort before the earliest. */
  readonly dayless: Sql
}

/**
 * The days of the sort field that ranges of other fields allow, from tallies: charges of some due dates were created
 * within some days, and a page in the order of their creation is searched in these.
 */
export interface SpanPlan extends DayPaths {
  /** Each selects the first and the last day that one field allows. */
  readonly ends: readonly Sql[]
}

export interface PagePlan extends ReaderRouting {
  readonly kind: 'page'
  /** At least one. */
  readonly paths: readonly PagePath[]
  readonly limit: number
  readonly offset: number
  readonly wantsTotal: boolean
  /** Reads the total from a tally. */
  readonly tally: Sql | null
  /** Null if no tally counts by the day of the sort field. */
  readonly byDay: DayPlan | null
  /** Null if the sort field has a range itself, or no tally has its days. */
  readonly span: SpanPlan | null
}

interface RowsPlan extends ReaderRouting {
  readonly kind: 'rows'
  readonly sql: Sql
}

/** A query in SQL: plain data, which can be sent to a reader thread. */
export type Plan = DocPlan | PagePlan | RowsPlan

/** Placeholders for the first and the last instant of a page, until its days are known. No stored text contains NUL. */
export const [FROM, TO] = ['\u0000from', '\u0000to'] as const

export const planOf = (shape: Shape, query: Query): Plan => {
  if (query.kind === 'find') return findPlan(shape, query)
  return query.kind === 'list' ? pagePlan(shape, query) : groupPlan(shape, query)
}

const findPlan = ({ table, byId, keys, collection }: Shape, { by }: Find<Rec>): DocPlan => {
  const doc = (text: string, ...values: readonly SqlValue[]): DocPlan => ({
    kind: 'doc',
    sql: { text, values },
    longProbe: null,
    owner: '',
  })
  if ('id' in by) {
    // SQLite would convert a numeric text to an integer.
    const isOne = collection.ids === 'text' || typeof by.id === 'number'
    return isOne ? doc(byId, by.id) : doc(`SELECT doc FROM ${table} WHERE 0`)
  }
  const key = keys.get(by.key)
  if (!key) throw new Error(`${collection.name} has no key ${by.key}`)
  return doc(`SELECT doc FROM ${table} WHERE id = (SELECT id FROM ${key} WHERE text = ?)`, by.is)
}

/** The query of a page with its conjuncts. Conditions on days are ranges of instants. */
interface PageQuery {
  readonly shape: Shape
  readonly query: List<Rec>
  readonly parts: readonly Where[]
}

/**
 * Plans a page: the SQL of every path to it, and that of the tallies by which `locatePage` chooses among them at the
 * instant of the read.
 */
export const pagePlan = (shape: Shape, query: List<Rec>): PagePlan => {
  const { where, when, limit, offset = 0, total = false } = query
  const pageQuery = { shape, query, parts: toInstantRanges(shape.collection, conjuncts(where)) }
  const paths = pathsOf(pageQuery)
  const isChoice = paths.length > 1
  // The first page by the only path needs no count.
  const tally = total || offset > 0 || isChoice ? tallyFor(shape, { where, when, by: [], sum: [] }) : null
  const byDay = tally && (isChoice || offset > 0) ? dayPlan(pageQuery) : null
  return {
    kind: 'page',
    paths,
    limit,
    offset,
    wantsTotal: total,
    tally: tally && tallyTotal(tally),
    byDay,
    span: isChoice && byDay === null ? spanPlan(pageQuery) : null,
    longProbe: null,
    owner: ownerIn(shape, conjuncts(where)),
  }
}

const dayPlan = (pageQuery: PageQuery): DayPlan | null => {
  const { shape, query, parts } = pageQuery
  const { where, when, sort } = query
  if (sort === undefined || parts.some(isIdCondition)) return null
  const dayField = dayFieldOf(shape.collection, sort.by)
  const tally = tallyFor(shape, { where, when, by: [dayField], sum: [] })
  if (!tally) return null
  const [forward, backward] = sort.dir === 'asc' ? (['ASC', 'DESC'] as const) : (['DESC', 'ASC'] as const)
  return {
    forward: tallyDays(tally, dayField, forward, false),
    backward: tallyDays(tally, dayField, backward, false),
    forwardAfter: tallyDays(tally, dayField, forward, true),
    backwardAfter: tallyDays(tally, dayField, backward, true),
    isAscending: sort.dir === 'asc',
    dayless: tallyDayless(tally, dayField),
    ...dayPaths(pageQuery, sort.by),
  }
}

const dayPaths = (pageQuery: PageQuery, sort: string): DayPaths => {
  const { shape, parts } = pageQuery
  const dayField = dayFieldOf(shape.collection, sort)
  return {
    dayField,
    // A sort by the day itself is bounded by days, not by instants.
    days: dayField === sort ? undefined : shape.collection.days,
    paths: pathsOf({ ...pageQuery, parts: [...parts, gte(sort, FROM), lte(sort, TO)] }),
  }
}

const spanPlan = (pageQuery: PageQuery): SpanPlan | null => {
  const { shape, query, parts } = pageQuery
  const { where, when, sort } = query
  const { collection } = shape
  if (sort === undefined || parts.some((part) => isIdCondition(part) || rangeField(part) === sort.by)) return null
  const dayField = dayFieldOf(collection, sort.by)
  const wanted = conjuncts(where)
  const owned = wanted.filter((part) => collection.owner !== null && isEquality(part, collection.owner))
  const fields = [...new Set(wanted.map(rangeField))].filter((field) => field !== null)
  const ends = fields.flatMap((field) => {
    const ranges = wanted.filter((part) => rangeField(part) === field)
    const tally = tallyFor(shape, { where: { all: [...owned, ...ranges] }, when, by: [dayField], sum: [] })
    return tally ? [tallyEnds(tally, dayField)] : []
  })
  if (ends.length === 0) return null
  const { paths, ...days } = dayPaths(pageQuery, sort.by)
  // Within the days of the only range, its matches are spread as the others are.
  return { ends, ...days, paths: fields.length > 1 ? paths : paths.map((path) => ({ ...path, isSpread: true })) }
}

const pathsOf = (pageQuery: PageQuery): readonly PagePath[] => {
  const { shape, query, parts } = pageQuery
  const { when, sort } = query
  if (parts.some(isIdCondition)) return [pathOf(pageQuery, 'ids', BY_ID)]
  const paths = accessPaths(shape, { parts, when, sort: sort?.by ?? 'id' })
  const made = paths.map((path) => pathOf(pageQuery, path.index, path))
  return made.length > 0 ? made : [pathOf(pageQuery, null, { ...ANY, isExact: isWhole(pageQuery) })]
}

type PathTraits = Omit<AccessPath<IndexShape>, 'index'>

const BY_ID: PathTraits = { isOrdered: true, isCovering: false, isExact: true, isSpread: true, served: [] }
/** The path that SQLite chooses if no index serves the query. */
const ANY: PathTraits = { ...BY_ID, isExact: false }

/** Reports whether the page is of all records by id. */
const isWhole = ({ query: { sort, when }, parts }: PageQuery): boolean =>
  (sort === undefined || sort.by === 'id') && when === undefined && parts.length === 0

const pathOf = (
  pageQuery: PageQuery,
  access: Access,
  { isOrdered, isCovering, isExact, isSpread, served }: PathTraits,
): PagePath => {
  const { shape, query, parts } = pageQuery
  const { when } = query
  const tally = tallyFor(shape, { where: { all: served }, when, by: [], sum: [] })
  return {
    isOrdered,
    isCovering,
    isExact,
    isSpread,
    forward: page(pageQuery, access, isOrdered, true),
    backward: page(pageQuery, access, isOrdered, false),
    total: bindValues(
      (bind) =>
        `SELECT count(*) AS n FROM ${tableWith(shape, access)} WHERE ${conditionSql(shape, { all: parts }, when, bind)}`,
    ),
    entries: entries(pageQuery, access, served),
    tally: tally && tallyTotal(tally),
    matchesForward: matches(pageQuery, access, served, true),
    matchesBackward: matches(pageQuery, access, served, false),
  }
}

const orderSql = ({ shape, query: { sort = { by: 'id', dir: 'asc' } } }: PageQuery, isForward: boolean): string => {
  const dir = (sort.dir === 'asc') === isForward ? 'ASC' : 'DESC'
  const by = sort.by === 'id' ? null : shape.columns(sort.by).value
  return `ORDER BY ${by === null ? '' : `${by} ${dir}, `}id ${dir}`
}

const page = (pageQuery: PageQuery, access: Access, isOrdered: boolean, isForward: boolean): Sql => {
  const { shape, query, parts } = pageQuery
  const { when } = query
  const order = orderSql(pageQuery, isForward)
  // One JSON array of all records is read and parsed a third faster than rows. `+0`, because SQLite prepares a
  // statement again whenever a bare limit is bound, which takes three times as long as the page.
  return bindValues((bind) => {
    const found = `FROM ${tableWith(shape, access)} WHERE ${conditionSql(shape, { all: parts }, when, bind)} ${order} LIMIT ?+0 OFFSET ?+0`
    const part = isOrdered ? `SELECT doc ${found}` : sorted(shape, `SELECT id ${found}`)
    return `SELECT count(*) AS n, '[' || group_concat(doc) || ']' AS docs FROM (${part})`
  })
}

/** Sorts ids only, and then reads the records of the page. */
const sorted = ({ table }: Shape, ids: string): string =>
  `SELECT doc FROM (${ids}) AS found CROSS JOIN ${table} AS whole ON whole.id = found.id`

const entries = ({ shape, query: { when }, parts }: PageQuery, access: Access, served: readonly Where[]): Sql => {
  // A query by ids reads only these.
  if (access === 'ids') return { text: 'SELECT min(0, ?+0) AS n', values: [] }
  const limit = 'LIMIT ?+0'
  const { text, values } =
    access === null ? entriesInAnyOrder(shape, parts, when, limit) : entriesIn(shape, access, served, limit)
  return { text: `SELECT count(*) AS n FROM (${text})`, values }
}

const matches = (pageQuery: PageQuery, access: Access, served: readonly Where[], isForward: boolean): Sql => {
  const { shape, query, parts } = pageQuery
  const { when } = query
  const index = access === 'ids' ? null : access
  return bindValues((bind) => {
    const isMatch = conditionSql(shape, { all: parts }, when, bind)
    const isServed = servedSql(shape, index, served, bind)
    const first = `SELECT * FROM ${tableWith(shape, access)} WHERE ${isServed} ${orderSql(pageQuery, isForward)} LIMIT ?+0`
    return `SELECT count(*) AS n FROM (SELECT 1 FROM (SELECT (${isMatch}) AS is_match FROM (${first})) WHERE is_match LIMIT ?+0)`
  })
}

/** Selects the entries of an index for the conditions that it serves; without an index, all records. */
const entriesIn = (shape: Shape, index: IndexShape | null, served: readonly Where[], limit: string): Sql => {
  return bindValues(
    (bind) => `SELECT 1 FROM ${tableWith(shape, index)} WHERE ${servedSql(shape, index, served, bind)} ${limit}`,
  )
}

/** The conditions that an index serves. SQLite uses a partial index only for a query with its condition. */
const servedSql = (shape: Shape, index: IndexShape | null, served: readonly Where[], bind: Bind): string =>
  conditionSql(shape, { all: served }, index?.isPartial ? index.row.when : undefined, bind)

/** Selects the entries of the index that finds the records best in any order; without one, all records. */
const entriesInAnyOrder = (shape: Shape, parts: readonly Where[], when: string | undefined, limit: string): Sql => {
  const [path] = accessPaths(shape, { parts, when, sort: null })
  return entriesIn(shape, path?.index ?? null, path?.served ?? [], limit)
}

/** Returns the owner in the conjuncts; empty without one. */
export const ownerIn = ({ collection: { owner } }: Shape, parts: readonly Where[]): string => {
  const named = parts.find((part) => owner !== null && isEquality(part, owner))
  return named && 'eq' in named ? String(named.eq[1]) : ''
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
    sql: bindValues((bind) => {
      const condition = tally ? whereSql(tally.where, columns, bind) : conditionSql(shape, { all: parts }, when, bind)
      return `SELECT ${fields.join(', ')} FROM ${table} WHERE ${condition}${grouped}`
    }),
    longProbe: tally ? tallyProbe(tally, conjuncts(where)) : indexProbe(shape, parts, when),
    owner: ownerIn(shape, parts),
  }
}

/** A query that may read more entries than this is long, and runs in a reader thread. */
export const MAX_SHORT_ENTRIES = 1_000

/** The probe of a query that is always long. */
export const ALWAYS_LONG: Sql = { text: 'SELECT 1', values: [] }

/** Returns a row if the query reads more than `MAX_SHORT_ENTRIES` entries of its index. */
const indexProbe = (shape: Shape, parts: readonly Where[], when: string | undefined): Sql =>
  entriesInAnyOrder(shape, parts, when, `LIMIT 1 OFFSET ${MAX_SHORT_ENTRIES}`)

/** Returns a row if the query reads more than `MAX_SHORT_ENTRIES` buckets of a tally. */
const tallyProbe = ({ row, table }: TallyShape, parts: readonly Where[]): Sql | null => {
  const [first] = row.by
  if (first === undefined || parts.some((part) => isEquality(part, first))) return null
  return { text: `SELECT 1 FROM ${table} LIMIT 1 OFFSET ${MAX_SHORT_ENTRIES}`, values: [] }
}
