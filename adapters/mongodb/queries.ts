import type { Document, Sort } from 'mongodb'
import {
  type AccessPath,
  accessPaths,
  chooseIndex,
  conjuncts,
  type EntryCount,
  estimateEntries,
  isEquality,
  isIdCondition,
  nextStep,
  searchedField,
  UNCOUNTED,
} from '../../core/kernel/planner/access-paths.ts'
import { toInstantRanges } from '../../core/kernel/planner/day-fields.ts'
import type { Rec, Scalar } from '../../core/kernel/records/record.ts'
import { usedFields } from '../../core/kernel/records/stored-shape.ts'
import { coveringTally, type GroupRow, type TallyQuery } from '../../core/kernel/records/tally.ts'
import type { Where } from '../../core/kernel/records/where.ts'
import { counts, serialByName } from '../../core/kernel/running/concurrency.ts'
import { MAX_WAITING_WALKS } from '../../core/limits.ts'
import { type Find, type Group, type List, type Listed, type Query, StoreUnavailable } from '../../core/ports/store.ts'
import type { DatabaseReader, FindOptions } from './database.ts'
import { bucketPath, bucketsOf } from './layout/buckets.ts'
import { recordOf } from './layout/document.ts'
import { allOf, type Filter, filterOf, type PathOf, recordPath } from './layout/filter.ts'
import { type IndexShape, keyPath, type Shape, whenPath } from './layout/shape.ts'

/** The answer to any ask. */
export const runQuery = async (shape: Shape, ask: Query, reader: DatabaseReader): Promise<unknown> => {
  assertFilled(shape, ask)
  if (ask.kind === 'find') return find(shape, ask, reader)
  return ask.kind === 'list' ? page(shape, ask, reader) : group(shape, ask, reader)
}

/** Whether one question answers it: that is of one instant by itself. */
export const isSingleRequest = (shape: Shape, ask: Query): boolean =>
  ask.kind !== 'list' || !needsSeveralRequests(shape, ask)

const find = async (shape: Shape, { by }: Find<Rec>, reader: DatabaseReader): Promise<Rec | null> => {
  const { collection } = shape
  if ('key' in by && !collection.keys?.[by.key]) throw new Error(`${collection.name} has no key ${by.key}`)
  const filter = 'id' in by ? { _id: { $eq: by.id } } : { [keyPath(shape, by.key)]: { $eq: by.is } }
  const [doc] = await reader.find(collection.name, { filter, limit: 1 })
  return doc ? recordOf(collection, doc) : null
}

type Asked = Parameters<typeof usedFields>[1]

/** Rejects what would be answered wrongly and not merely slowly: there are records that lack yet what it finds them by. */
export const assertFilled = ({ collection, unfilled }: Shape, asked: Asked): void => {
  if (!unfilled) return
  const { by } = asked
  if (typeof by === 'object' && 'key' in by && unfilled.keys.has(by.key))
    throw new StoreUnavailable(`${collection.name}: its key ${by.key} is being filled`)
  const lacking = usedFields(collection, asked).find((field) => unfilled.fields.has(field))
  if (lacking !== undefined) throw new StoreUnavailable(`${collection.name}: its field ${lacking} is being filled`)
}

/** Below this offset a page is walked to without asking which end is nearer. */
const DEEP_OFFSET = 200

/** Whether the page needs a second question. */
export const needsSeveralRequests = (shape: Shape, ask: List<Rec>): boolean => {
  const { total = false, offset = 0 } = ask
  return total || offset >= DEEP_OFFSET || pathsTo(shape, ask).length > 1
}

/** A page by the cheapest way, from the nearer end where a tally tells how far the other is. */
export const page = async (shape: Shape, ask: List<Rec>, reader: DatabaseReader): Promise<Listed<Rec>> => {
  const { where, when, limit, offset = 0, total: wantsTotal = false } = ask
  const paths = pathsTo(shape, ask)
  const isOpen = offset >= DEEP_OFFSET || paths.length > 1
  const total = isOpen ? await tallyTotal(shape, where, when, reader) : null
  const told = wantsTotal ? total : null
  if (total !== null && offset >= total) return { records: [], total: told }
  const size = total === null ? limit : Math.min(limit, total - offset)
  const isForward = total === null || offset < DEEP_OFFSET || offset <= total / 2
  const skip = isForward ? offset : total - offset - size
  const way = await cheapestPath(shape, { paths, when, page: { matches: total, upTo: skip + size } }, reader)
  const found = await part(shape, ask, reader, { isForward, skip, limit: size, hint: way?.index.name })
  const records = isForward ? found : found.reverse()
  if (!wantsTotal || told !== null) return { records, total: told }
  // A page that ends early tells the total by itself.
  const isLast = records.length < limit && (records.length > 0 || offset === 0)
  return { records, total: isLast ? offset + records.length : await totalOf(shape, ask, reader) }
}

const totalOf = async (shape: Shape, ask: List<Rec>, reader: DatabaseReader): Promise<number> => {
  const { where, when } = ask
  const tallied = await tallyTotal(shape, where, when, reader)
  if (tallied !== null) return tallied
  const way = await cheapestPath(shape, { paths: pathsTo(shape, ask), when, page: null }, reader)
  return countedTotal(shape, where, when, way?.index.name, reader)
}

interface Part {
  readonly isForward: boolean
  readonly skip: number
  readonly limit: number
  readonly hint: string | undefined
}

const part = async (
  shape: Shape,
  ask: List<Rec>,
  reader: DatabaseReader,
  { isForward, skip, limit, hint }: Part,
): Promise<Rec[]> => {
  // No limit is what MongoDB takes 0 for.
  if (limit === 0) return []
  const filter = conditionOf(shape, ask.where, ask.when)
  const search: FindOptions = { filter, hint, sort: order(ask, isForward), skip, limit }
  const { collection } = shape
  return (await reader.find(collection.name, search)).map((doc) => recordOf(collection, doc))
}

const order = ({ sort }: List<Rec>, isForward: boolean): Sort => {
  const direction = (sort?.dir !== 'desc') === isForward ? 1 : -1
  return { ...(sort && { [recordPath(sort.by)]: direction }), _id: direction }
}

type Path = AccessPath<IndexShape>

/** The ways to a page; none where its ids are named, or where no index serves it. */
export const pathsTo = (shape: Shape, { where, when, sort }: List<Rec>): readonly Path[] => {
  const parts = toInstantRanges(shape.collection, conjuncts(where))
  return parts.some(isIdCondition) ? [] : accessPaths(shape, { parts, when, sort: sort?.by ?? 'id' })
}

interface Wanted {
  readonly paths: readonly Path[]
  readonly when: string | undefined
  /** How many match, where a tally tells, and how many of them come up to its end; null where only the total is asked for. */
  readonly page: { readonly matches: number | null; readonly upTo: number } | null
}

/** The cheapest of them, for a page or for its total: where there is a choice, the entries that they lead to are counted. */
export const cheapestPath = async (
  shape: Shape,
  { paths, when, page }: Wanted,
  reader: DatabaseReader,
): Promise<Path | null> => {
  const figures: EntryCount[] = []
  for (const path of paths) figures.push(paths.length > 1 ? await likely(path) : UNCOUNTED)
  for (;;) {
    const step = nextStep(paths, figures, page !== null)
    if ('take' in step) return paths[step.take] ?? null
    const path = paths[step.count]
    if (!path) return null
    const entries = await entriesOf(shape, path, step.upTo, reader)
    figures[step.count] = { entries, isComplete: entries < step.upTo }
  }

  /** What tallies tell of a path without counting. */
  async function likely({ isOrdered, isSpread, served }: Path): Promise<EntryCount> {
    if (page === null || page.matches === null || !isOrdered || !isSpread) return UNCOUNTED
    const entries = await tallyTotal(shape, { all: served }, when, reader)
    return entries === null ? UNCOUNTED : estimateEntries(page.upTo, page.matches, entries)
  }
}

const entriesOf = async (shape: Shape, { index, served }: Path, upTo: number, reader: DatabaseReader) => {
  const filter = conditionOf(shape, { all: served }, index.row.when)
  const [counted] = await reader.aggregate(
    shape.collection.name,
    [{ $match: filter }, { $limit: upTo }, { $count: 'n' }],
    index.name,
  )
  return Number(counted?.n ?? 0)
}

/** Where to count, and what. */
interface Counting {
  readonly from: string
  readonly filter: Filter
  readonly hint: string | undefined
  readonly path: PathOf
  readonly count: Document
  readonly sum: (field: string) => string
}

/** A group, from the tally that covers it or else from the records. */
export const group = async (
  shape: Shape,
  { where, when, by, sum }: Group<Rec>,
  reader: DatabaseReader,
): Promise<GroupRow[]> =>
  grouped(tallied(shape, { where, when, by, sum }) ?? records(shape, where, when), by, sum, reader)

/** The count of all that match, null where no tally tells it. */
export const tallyTotal = async (shape: Shape, where: Where, when: string | undefined, reader: DatabaseReader) => {
  const counting = tallied(shape, { where, when, by: [], sum: [] })
  return counting ? ((await grouped(counting, [], [], reader))[0]?.count ?? 0) : null
}

/** The same by counting the records, through an index. */
export const countedTotal = async (
  shape: Shape,
  where: Where,
  when: string | undefined,
  hint: string | undefined,
  reader: DatabaseReader,
) => (await grouped({ ...records(shape, where, when), hint }, [], [], reader))[0]?.count ?? 0

/** The condition of a query together with the named one that it is under. */
export const conditionOf = ({ collection, unfilled }: Shape, where: Where, when: string | undefined): Filter => {
  const parts = toInstantRanges(collection, conjuncts(where)).map((part) => filterOf(part))
  if (when === undefined) return allOf(parts)
  const condition = collection.conditions?.[when]
  if (!condition) throw new Error(`${collection.name} has no condition ${when}`)
  return allOf([...parts, unfilled?.conditions.has(when) ? filterOf(condition) : { [whenPath(when)]: { $eq: true } }])
}

const records = (shape: Shape, where: Where, when: string | undefined): Counting => ({
  from: shape.collection.name,
  filter: conditionOf(shape, where, when),
  hint: chooseIndex(shape, { parts: toInstantRanges(shape.collection, conjuncts(where)), when, sort: null })?.name,
  path: recordPath,
  count: { $sum: 1 },
  sum: (field) => `$${recordPath(field)}`,
})

const tallied = ({ collection, tallies, numbers, unfilled }: Shape, asked: TallyQuery): Counting | null => {
  const index = coveringTally(collection, asked, (place) => !unfilled?.tallies.has(place))
  const [row, number] = index === null ? [] : [collection.tallies?.[index], numbers[index]]
  if (!row || number === undefined || tallies === null) return null
  const parts = conjuncts(asked.where)
  return {
    from: tallies,
    filter: allOf([bucketsOf({ row, number }, parts), ...parts.map((part) => filterOf(part, bucketPath))]),
    hint: '_id_',
    path: bucketPath,
    count: { $sum: '$count' },
    sum: (field) => `$sums.${recordPath(field)}`,
  }
}

const grouped = async (
  { from, filter, hint, path, count, sum: amount }: Counting,
  by: readonly string[],
  sum: readonly string[],
  reader: DatabaseReader,
): Promise<GroupRow[]> => {
  // A field that is missing would make a group of its own beside that of null.
  const value = (field: string): Document => ({ $ifNull: [`$${path(field)}`, null] })
  const _id = by.length === 0 ? null : Object.fromEntries(by.map((field, index) => [`b${index}`, value(field)]))
  const sums = sum.map((field, index) => [`s${index}`, { $sum: amount(field) }] as const)
  const pipeline = [{ $match: filter }, { $group: { _id, n: count, ...Object.fromEntries(sums) } }]
  const rows = await reader.aggregate(from, pipeline, hint)
  // Without `by` there is one row, also over nothing.
  const found = by.length === 0 && rows.length === 0 ? [{ _id: null, n: 0 }] : rows
  return found.map((row) => rowOf(row, by, sum)).filter((row) => by.length === 0 || row.count > 0)
}

const rowOf = ({ _id, n, ...sums }: Document, by: readonly string[], sum: readonly string[]): GroupRow => ({
  by: Object.fromEntries(by.map((field, index) => [field, scalar(field, _id?.[`b${index}`])])),
  count: numberOf(n),
  sums: Object.fromEntries(sum.map((field, index) => [field, numberOf(sums[`s${index}`] ?? 0)])),
})

const scalar = (field: string, value: unknown): Scalar => {
  if (typeof value === 'object' && value !== null)
    throw new Error(`${field} is a list or an object: it cannot be counted by`)
  return (value ?? null) as Scalar
}

/** Sums that no number holds exactly come as an object of the driver. */
const numberOf = (value: unknown): number => Number(String(value))

/**
 * Searches walk, and hold a connection for as long: those of one owner go one after the other, so that whoever searches much
 * waits for themselves, and whoever searches more than may wait is told so. All else is answered at once.
 */
export const searchQueue = () => {
  const line = serialByName()
  const asked = counts()
  return async <A>(ask: Query, answer: () => Promise<A>): Promise<A> => {
    const parts = 'where' in ask ? conjuncts(ask.where) : []
    if (parts.every((part) => searchedField(part) === null)) return answer()
    const { name, owner } = ask.from
    const pin = parts.find((part) => owner !== null && isEquality(part, owner))
    const whose = pin && 'eq' in pin ? `${pin.eq[1]}` : name
    // The first of them is being answered.
    if (asked.of(whose) > MAX_WAITING_WALKS) throw new StoreUnavailable('too many long questions are waiting')
    asked.add(whose, 1)
    try {
      return await line(whose, answer)
    } finally {
      asked.add(whose, -1)
    }
  }
}
