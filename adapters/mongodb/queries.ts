import type { Document, Sort } from 'mongodb'
import {
  type AccessPath,
  accessPaths,
  chooseIndex,
  conjuncts,
  isEquality,
  isIdCondition,
  SCAN_IDS,
  scanRecords,
  searchedField,
  toInstantRanges,
} from '../../core/kernel/planner/access-paths.ts'
import {
  DEEP_OFFSET,
  type EntryCount,
  entriesToTest,
  estimateEntries,
  nextStep,
  pageWindow,
  totalByPage,
  UNCOUNTED,
} from '../../core/kernel/planner/pages.ts'
import { type Rec, recordOrder, type Scalar, type Where } from '../../core/kernel/records/record.ts'
import { coveringTally, type GroupRow, type TallyQuery } from '../../core/kernel/records/tally.ts'
import { counts, serialByName } from '../../core/kernel/running/concurrency.ts'
import { MAX_WAITING_WALKS } from '../../core/limits.ts'
import { type Find, type Group, type List, type Listed, type Query, StoreUnavailable } from '../../core/ports/store.ts'
import type { DatabaseReader } from './database.ts'
import { bucketPath, bucketsOf } from './layout/buckets.ts'
import { type Doc, recordOf } from './layout/document.ts'
import {
  allOf,
  type Filter,
  filterOf,
  type IndexShape,
  keyPath,
  type PathOf,
  recordPath,
  type Shape,
  whenPath,
} from './layout/shape.ts'
import type { RecentDocs } from './recent-docs.ts'
import { type FindOptions, type ReadRequest, type RequestReader, readAlone } from './requests.ts'

/** A query whose requests are known before the first result, or one that chooses its requests by counts. */
export type PreparedQuery =
  | { readonly requests: readonly ReadRequest[]; readonly result: (found: readonly Document[][]) => unknown }
  | { readonly run: (reader: DatabaseReader) => Promise<unknown> }

/** `recent` receives the documents of finds. */
export const prepareQuery = (shape: Shape, query: Query, recent?: RecentDocs): PreparedQuery => {
  if (query.kind === 'find') return prepareFind(shape, query, recent)
  return query.kind === 'list' ? preparePage(shape, query) : prepareGroup(shape, query)
}

/** Reports whether one request is enough, so that the query needs no snapshot. */
export const isSingleRequest = (query: PreparedQuery): boolean => 'requests' in query && query.requests.length === 1

/** Returns the result of each query. The requests that are known before are sent together. */
export const runQueries = async (queries: readonly PreparedQuery[], reader: DatabaseReader): Promise<unknown[]> => {
  const requests = queries.flatMap((query) => ('requests' in query ? query.requests : []))
  const found = requests.length === 0 ? [] : await reader.readAll(requests)
  const results: unknown[] = []
  let next = 0
  for (const query of queries) {
    // One after the other: a session has one request at a time.
    if ('run' in query) results.push(await query.run(reader))
    else {
      results.push(query.result(found.slice(next, next + query.requests.length)))
      next += query.requests.length
    }
  }
  return results
}

const prepareFind = (shape: Shape, { by }: Find<Rec>, recent: RecentDocs | undefined): PreparedQuery => {
  const { collection } = shape
  if ('key' in by && !collection.keys?.[by.key]) throw new Error(`${collection.name} has no key ${by.key}`)
  const search =
    'id' in by ? { id: by.id } : { search: { filter: { [keyPath(shape, by.key)]: { $eq: by.is } }, limit: 1 } }
  return {
    requests: [{ from: collection.name, ...search }],
    result: ([docs = []]) => {
      const [doc] = docs as Doc[]
      if (!doc) return null
      recent?.addFound(collection.name, doc)
      return recordOf(collection, doc)
    },
  }
}

const recordsOf = ({ collection }: Shape, docs: readonly Document[]): Rec[] =>
  docs.map((doc) => recordOf(collection, doc as Doc))

const preparePage = (shape: Shape, query: List<Rec>): PreparedQuery => {
  const { where, when, limit, offset = 0, total: wantsTotal = false } = query
  const [path, ...others] = pathsTo(shape, query)
  const tally = wantsTotal ? fromTally(shape, { where, when, by: [], sum: [] }) : null
  if (limit === 0 || offset >= DEEP_OFFSET || others.length > 0 || (wantsTotal && tally === null))
    return { run: (reader) => page(shape, query, reader) }
  const search = searchOf(shape, query, { isForward: true, skip: offset, limit, hint: path?.index.name })
  return {
    requests: [{ from: shape.collection.name, search }, ...(tally ? [groupRequest(tally, [], [])] : [])],
    result: ([docs = [], counted = []]) => {
      // MongoDB keeps no order of the documents of a union.
      const records = recordsOf(shape, docs).sort(recordOrder(query.sort))
      const total = tally && (totalByPage(offset, limit, records.length) ?? rowsOf(counted, [], [])[0]?.count ?? 0)
      return { records, total }
    },
  }
}

const prepareGroup = (shape: Shape, { where, when, by, sum }: Group<Rec>): PreparedQuery => {
  const source = fromTally(shape, { where, when, by, sum }) ?? records(shape, where, when)
  return { requests: [groupRequest(source, by, sum)], result: ([rows = []]) => rowsOf(rows, by, sum) }
}

/** Reads a page by the cheapest path, from the nearer end if a tally has the total. */
const page = async (shape: Shape, query: List<Rec>, reader: DatabaseReader): Promise<Listed<Rec>> => {
  const { where, when, limit, offset = 0, total: wantsTotal = false } = query
  const paths = pathsTo(shape, query)
  const isOpen = offset >= DEEP_OFFSET || paths.length > 1
  const total = isOpen ? await tallyTotal(shape, where, when, reader) : null
  const knownTotal = wantsTotal ? total : null
  if (total !== null && offset >= total) return { records: [], total: knownTotal }
  const { size, isForward, skip } = pageWindow(offset, limit, total)
  const wanted = { matches: total, upTo: skip + size, sort: order(query, isForward) }
  const path = await cheapestPath(shape, { paths, where, when, page: wanted }, reader)
  const found = await readPart(shape, query, reader, { isForward, skip, limit: size, hint: path?.index.name })
  const records = isForward ? found : found.reverse()
  if (!wantsTotal || knownTotal !== null) return { records, total: knownTotal }
  return { records, total: totalByPage(offset, limit, records.length) ?? (await totalOf(shape, query, reader)) }
}

const totalOf = async (shape: Shape, query: List<Rec>, reader: DatabaseReader): Promise<number> => {
  const { where, when } = query
  const total = await tallyTotal(shape, where, when, reader)
  if (total !== null) return total
  const path = await cheapestPath(shape, { paths: pathsTo(shape, query), where, when, page: null }, reader)
  return countedTotal(shape, where, when, path?.index.name, reader)
}

interface Part {
  readonly isForward: boolean
  readonly skip: number
  readonly limit: number
  readonly hint: string | undefined
}

// For MongoDB, 0 means no limit.
const readPart = async (shape: Shape, query: List<Rec>, reader: DatabaseReader, part: Part): Promise<Rec[]> =>
  part.limit === 0 ? [] : recordsOf(shape, await reader.find(shape.collection.name, searchOf(shape, query, part)))

const searchOf = (shape: Shape, query: List<Rec>, { isForward, ...part }: Part): FindOptions => ({
  filter: conditionOf(shape, query.where, query.when),
  sort: order(query, isForward),
  ...part,
})

const order = ({ sort }: List<Rec>, isForward: boolean): Sort => {
  const direction = (sort?.dir !== 'desc') === isForward ? 1 : -1
  return { ...(sort && { [recordPath(sort.by)]: direction }), _id: direction }
}

type Path = AccessPath<IndexShape>

/** Returns the index paths to a page; none for a query by ids. */
const pathsTo = (shape: Shape, { where, when, sort }: List<Rec>): readonly Path[] => {
  const parts = toInstantRanges(shape.collection, conjuncts(where))
  return parts.some(isIdCondition) ? [] : accessPaths(shape, { parts, when, sort: sort?.by ?? 'id' })
}

interface Wanted {
  readonly paths: readonly Path[]
  readonly where: Where
  readonly when: string | undefined
  /**
   * The number of matching records, if a tally has it, and of those up to the end of the page; null if only the total
   * is needed.
   */
  readonly page: { readonly matches: number | null; readonly upTo: number; readonly sort: Sort } | null
}

/** Returns the cheapest path to a page or its total. Counts the entries of several paths. */
const cheapestPath = async (
  shape: Shape,
  { paths, where, when, page }: Wanted,
  reader: DatabaseReader,
): Promise<Path | null> => {
  const figures: EntryCount[] = []
  const estimated = new Set<Path>()
  for (const path of paths) figures.push(paths.length > 1 ? await estimate(path) : UNCOUNTED)
  for (;;) {
    const step = nextStep(paths, figures, page !== null)
    if ('take' in step) {
      const path = paths[step.take] ?? null
      if (path === null || !estimated.has(path) || (await hasMatches(path, step.take))) return path
      // With an estimate that does not hold, all entries of the path count.
      estimated.delete(path)
      figures[step.take] = UNCOUNTED
      continue
    }
    const path = paths[step.count]
    if (!path) return null
    const entries = await entriesOf(shape, path, step.upTo, reader)
    figures[step.count] = { entries, isComplete: entries < step.upTo }
  }

  async function estimate(path: Path): Promise<EntryCount> {
    const { isOrdered, isSpread, served } = path
    if (page === null || page.matches === null || !isOrdered || !isSpread) return UNCOUNTED
    const entries = await tallyTotal(shape, { all: served }, when, reader)
    if (entries === null) return UNCOUNTED
    if (!path.isExact) estimated.add(path)
    return estimateEntries(page.upTo, page.matches, entries)
  }

  /** Reports whether the first entries of a path contain the page, as was estimated. */
  async function hasMatches({ index, served }: Path, at: number): Promise<boolean> {
    if (page === null) return true
    const [counted] = await reader.aggregate(
      shape.collection.name,
      [
        { $match: conditionOf(shape, { all: served }, index.row.when) },
        { $sort: page.sort },
        { $limit: entriesToTest(paths, figures, at) },
        { $match: conditionOf(shape, where, when) },
        { $limit: page.upTo },
        { $count: 'n' },
      ],
      index.name,
    )
    return Number(counted?.n ?? 0) >= page.upTo
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

/** The collection and the fields for a group: a tally or the records. */
interface GroupSource {
  readonly from: string
  readonly filter: Filter
  readonly hint: string | undefined
  readonly path: PathOf
  readonly count: Document
  readonly sum: (field: string) => string
}

/** Returns the number of matching records, if a tally has it, else null. */
const tallyTotal = async (shape: Shape, where: Where, when: string | undefined, reader: DatabaseReader) => {
  const counting = fromTally(shape, { where, when, by: [], sum: [] })
  return counting ? ((await grouped(counting, [], [], reader))[0]?.count ?? 0) : null
}

const countedTotal = async (
  shape: Shape,
  where: Where,
  when: string | undefined,
  hint: string | undefined,
  reader: DatabaseReader,
) => (await grouped({ ...records(shape, where, when), hint }, [], [], reader))[0]?.count ?? 0

const conditionOf = ({ collection }: Shape, where: Where, when: string | undefined): Filter => {
  const parts = toInstantRanges(collection, conjuncts(where)).map((part) => filterOf(part))
  if (when === undefined) return allOf(parts)
  if (!collection.conditions?.[when]) throw new Error(`${collection.name} has no condition ${when}`)
  return allOf([...parts, { [whenPath(when)]: { $eq: true } }])
}

const records = (shape: Shape, where: Where, when: string | undefined): GroupSource => ({
  from: shape.collection.name,
  filter: conditionOf(shape, where, when),
  hint: chooseIndex(shape, { parts: toInstantRanges(shape.collection, conjuncts(where)), when, sort: null })?.name,
  path: recordPath,
  count: { $sum: 1 },
  sum: (field) => `$${recordPath(field)}`,
})

const fromTally = ({ collection, tallies, numbers }: Shape, query: TallyQuery): GroupSource | null => {
  const covering = coveringTally(collection, query)
  const [row, number] = covering ? [collection.tallies?.[covering.position], numbers[covering.position]] : []
  if (!covering || !row || number === undefined || tallies === null) return null
  const parts = conjuncts(covering.where)
  return {
    from: tallies,
    filter: allOf([bucketsOf({ row, number }, parts), ...parts.map((part) => filterOf(part, bucketPath))]),
    // Their only index is that of their ids.
    hint: undefined,
    path: bucketPath,
    count: { $sum: '$count' },
    sum: (field) => `$sums.${recordPath(field)}`,
  }
}

const grouped = async (
  source: GroupSource,
  by: readonly string[],
  sum: readonly string[],
  reader: DatabaseReader,
): Promise<GroupRow[]> => rowsOf(await readAlone(groupRequest(source, by, sum), reader), by, sum)

const groupRequest = (
  { from, filter, hint, path, count, sum: amount }: GroupSource,
  by: readonly string[],
  sum: readonly string[],
): ReadRequest => {
  // Without `$ifNull`, a missing field would be another group than null.
  const value = (field: string): Document => ({ $ifNull: [`$${path(field)}`, null] })
  const _id = by.length === 0 ? null : Object.fromEntries(by.map((field, index) => [`b${index}`, value(field)]))
  const sums = sum.map((field, index) => [`s${index}`, { $sum: amount(field) }] as const)
  const pipeline = [{ $match: filter }, { $group: { _id, n: count, ...Object.fromEntries(sums) } }]
  return { from, pipeline, hint }
}

const rowsOf = (rows: readonly Document[], by: readonly string[], sum: readonly string[]): GroupRow[] => {
  // Without `by`, there is always one row.
  const found = by.length === 0 && rows.length === 0 ? [{ _id: null, n: 0 }] : rows
  return found.map((row) => rowOf(row, by, sum)).filter((row) => by.length === 0 || row.count > 0)
}

const rowOf = ({ _id, n, ...sums }: Document, by: readonly string[], sum: readonly string[]): GroupRow => ({
  by: Object.fromEntries(by.map((field, index) => [field, scalar(_id?.[`b${index}`])])),
  count: numberOf(n),
  sums: Object.fromEntries(sum.map((field, index) => [field, numberOf(sums[`s${index}`] ?? 0)])),
})

const scalar = (value: unknown): Scalar => {
  if (typeof value === 'object' && value !== null)
    throw new Error('a group cannot be by a field that is a list or an object')
  return (value ?? null) as Scalar
}

/** The driver returns sums beyond the exact range of numbers as objects. */
const numberOf = (value: unknown): number => Number(String(value))

/** Yields all matching records by id, without an open cursor between the pages. */
export const scan = (
  shape: Shape,
  where: Where,
  now: RequestReader,
  atOneInstant: <T>(work: (reader: RequestReader) => Promise<T>) => Promise<T>,
): AsyncIterable<Rec> => {
  const { collection } = shape
  const sort = { _id: 1 } as const
  return scanRecords(shape, where, {
    async records(some, limit, index) {
      const hint = index === 'ids' ? '_id_' : index?.name
      const docs = await now.find(collection.name, { filter: filterOf(some), sort, limit, hint })
      return docs.map((doc) => recordOf(collection, doc))
    },
    ids: (some, { name: hint }) =>
      atOneInstant(async (reader) => {
        const search = { filter: filterOf(some), projection: { _id: 1 }, sort, limit: SCAN_IDS, hint }
        return (await reader.find(collection.name, search)).map(({ _id }) => _id)
      }),
  })
}

/**
 * Runs the text searches of an owner one after the other, because each reads many records and occupies a connection: an
 * owner with many searches delays only itself. Rejects searches beyond the limit. Runs all other queries at once.
 */
export const searchQueue = () => {
  const inTurn = serialByName()
  const searches = counts()
  return async <A>(query: Query, run: () => Promise<A>): Promise<A> => {
    const parts = 'where' in query ? conjuncts(query.where) : []
    if (parts.every((part) => searchedField(part) === null)) return run()
    const { name, owner } = query.from
    const pin = parts.find((part) => owner !== null && isEquality(part, owner))
    const ownerKey = pin && 'eq' in pin ? `${pin.eq[1]}` : name
    // The first of them is in progress.
    if (searches.of(ownerKey) > MAX_WAITING_WALKS) throw new StoreUnavailable('too many long queries are waiting')
    searches.add(ownerKey, 1)
    try {
      return await inTurn(ownerKey, run)
    } finally {
      searches.add(ownerKey, -1)
    }
  }
}
