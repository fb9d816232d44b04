import {
  type AnyCollection,
  all,
  compile,
  fieldsOf,
  gt,
  type Id,
  type IndexRow,
  isIn,
  type Rec,
  type Where,
} from '../records/record.ts'

/** The part of a query that decides which index serves it. */
export interface IndexQuery {
  /** The conditions that must all hold. */
  readonly parts: readonly Where[]
  /** The named condition of the collection that must hold too. */
  readonly when: string | undefined
  /** The sort field, or null if the order does not matter. */
  readonly sort: string | null
}

/** An index of a store. */
export interface StoreIndex {
  readonly row: IndexRow
  /** False if the store could not make the index partial by its condition. True by default. */
  readonly isPartial?: boolean
}

/** A plan that reads the records of a query through one index of the collection. */
export interface AccessPath<I> {
  readonly index: I
  /** The index returns the entries in the order of the query. */
  readonly isOrdered: boolean
  /** The conditions that bound the scanned range of the index. */
  readonly served: readonly Where[]
  /** The scanned range contains matching records only: there is no further condition to test. */
  readonly isExact: boolean
  /** The remaining conditions can be tested on the index alone, without reading the record. */
  readonly isCovering: boolean
  /** No remaining condition is a range, so matching entries are assumed to be spread evenly over the order. */
  readonly isSpread: boolean
}

type IndexedCollection<I> = { readonly collection: AnyCollection; readonly indexes: readonly I[] }

/** Splits a condition into the conditions that must all hold. */
export const conjuncts = (where: Where): readonly Where[] => ('all' in where ? where.all.flatMap(conjuncts) : [where])

/** Reports whether the condition is an equality on the field. */
export const isEquality = (part: Where, field: string): boolean => 'eq' in part && part.eq[0] === field

/** Reports whether the condition lists the allowed values of the field. */
const isSome = (part: Where, field: string): boolean =>
  isEquality(part, field) || ('in' in part && part.in[0] === field)

/** Reports whether the condition selects records by id. */
export const isIdCondition = (part: Where): boolean => isSome(part, 'id')

/** Returns the field that a condition bounds, or null if it is no bound. */
export const rangeField = (part: Where): string | null => {
  if ('lt' in part) return part.lt[0]
  if ('lte' in part) return part.lte[0]
  if ('gt' in part) return part.gt[0]
  return 'gte' in part ? part.gte[0] : null
}

/** Reports whether the condition is a range of the field or an equality on it. */
const isRange = (part: Where, field: string): boolean => rangeField(part) === field || isEquality(part, field)

/** Returns the field that a condition searches for one text or for any of several, or null if it is no search. */
export const searchedField = (part: Where): string | null => {
  if ('contains' in part) return part.contains[0]
  if (!('any' in part)) return null
  const fields = new Set(part.any.map(searchedField))
  const [field = null] = fields
  return fields.size === 1 ? field : null
}

// Each weight exceeds the sum of those below it.
const ALL_OWNERS = 16
const SEARCHED = 8
const EQUALITY = 4
const CONDITION = 2
const UNUSED_SEARCH = 1

/**
 * Returns the index that serves the query best in its order, or null. The choice is not left to the database:
 * without statistics, or with those of another account, it can choose a narrower index and then has to sort.
 */
export const chooseIndex = <I extends { readonly row: IndexRow }>(
  { collection, indexes }: { readonly collection: Pick<AnyCollection, 'owner'>; readonly indexes: readonly I[] },
  { parts, when, sort }: IndexQuery,
): I | null => {
  const searched = parts.map(searchedField)
  const pins = (field: string): boolean => parts.some((part) => isEquality(part, field))
  const ownerPinned = collection.owner !== null && pins(collection.owner)
  const fits = ({ row }: I): boolean =>
    (row.when === undefined || row.when === when) &&
    (collection.owner === null || row.acrossOwners === true || ownerPinned) &&
    (row.eq === undefined || pins(row.eq)) &&
    // Without a sort, an index across owners that filters nothing is no better than the collection itself.
    (sort === null ? !row.acrossOwners || row.eq !== undefined || row.when !== undefined : row.sort === sort)
  const worth = ({ row }: I): number =>
    (row.acrossOwners && ownerPinned ? -ALL_OWNERS : 0) +
    (row.search === undefined ? 0 : searched.includes(row.search) ? SEARCHED : -UNUSED_SEARCH) +
    (row.eq === undefined ? 0 : EQUALITY) +
    (row.when === undefined ? 0 : CONDITION)
  return indexes.filter(fits).sort((a, b) => worth(b) - worth(a))[0] ?? null
}

/**
 * Returns the access paths of a query: first the best one in its order, if any, then those that scan less than all
 * records of the owner. Paths that are not ordered need a sort.
 */
export const accessPaths = <I extends StoreIndex>(
  of: IndexedCollection<I>,
  wanted: IndexQuery,
): readonly AccessPath<I>[] => {
  const chosen = chooseIndex(of, wanted)
  const first = chosen === null ? [] : [pathOf(of, chosen, wanted)]
  if (first[0]?.isExact) return first
  const others = of.indexes
    .filter((index) => index !== chosen && isAllowed(of, index, wanted))
    .map((index) => pathOf(of, index, wanted))
    .filter(({ index: { row }, served }) => served.some((part) => bounds(part, row)))
  return [...first, ...others]
}

const bounds = (part: Where, { eq, sort }: IndexRow): boolean =>
  (eq !== undefined && isSome(part, eq)) || isRange(part, sort)

const isAllowed = <I extends StoreIndex>(
  { collection }: IndexedCollection<I>,
  { row }: I,
  { parts, when }: IndexQuery,
): boolean =>
  (row.when === undefined || row.when === when) &&
  (collection.owner === null ||
    (row.acrossOwners !== true && parts.some((part) => isEquality(part, collection.owner ?? '')))) &&
  (row.eq === undefined || parts.some((part) => isSome(part, row.eq ?? '')))

const pathOf = <I extends StoreIndex>(
  { collection }: IndexedCollection<I>,
  index: I,
  { parts, when, sort }: IndexQuery,
): AccessPath<I> => {
  const { row, isPartial = true } = index
  const owner = row.acrossOwners ? null : collection.owner
  const pins = (part: Where, field: string | undefined): boolean => field !== undefined && isEquality(part, field)
  const pinned = row.eq === undefined || parts.some((part) => pins(part, row.eq))
  // For several values of `eq` the index is ordered within each value only.
  const isOrdered = row.sort === sort && pinned
  const serves = (part: Where): boolean =>
    pins(part, owner ?? undefined) || (pinned ? pins(part, row.eq) || isRange(part, row.sort) : bounds(part, row))
  const indexed = new Set(['id', owner, row.eq, row.sort, row.search, ...(row.include ?? [])])
  const served = parts.filter(serves)
  const isIndexed = (where: Where): boolean => fieldsOf(where).every((field) => indexed.has(field))
  const condition = when === undefined ? undefined : collection.conditions?.[when]
  const meets = !condition || (row.when === when && isPartial) || isImplied(condition, parts)
  return {
    index,
    isOrdered,
    served,
    isSpread: parts.every((part) => served.includes(part) || rangeField(part) === null),
    isExact: meets && served.length === parts.length,
    isCovering:
      (isOrdered || sort === null || indexed.has(sort)) &&
      parts.every((part) => served.includes(part) || isIndexed(part)) &&
      (meets || isIndexed(condition)),
  }
}

/** Reports whether the equalities of a query imply a condition. */
const isImplied = (condition: Where, parts: readonly Where[]): boolean => {
  const record = Object.fromEntries(parts.flatMap((part) => ('eq' in part ? [part.eq] : [])))
  return fieldsOf(condition).every((field) => field in record) && compile(condition)({ id: 0, ...record })
}

/** The count of the entries that a path scans. */
export interface EntryCount {
  readonly entries: number
  /** False if counting stopped early and there may be more. */
  readonly isComplete: boolean
}

export const UNCOUNTED: EntryCount = { entries: 0, isComplete: false }

/**
 * The next step of the planner: take a path, or count the entries of one up to a limit. Both name the path by position.
 */
export type PlanStep = { readonly take: number } | { readonly count: number; readonly upTo: number }

type Path = Pick<AccessPath<unknown>, 'isOrdered' | 'isCovering' | 'isExact'>

/** The cost of reading a record and of sorting an entry, in scanned index entries. */
const READ = 10
const SORT = 2
const FIRST_COUNT = 1_000
const COUNT_GROWTH = 10
/** Paths with more entries are not counted further. */
const MAX_COUNTED = 1_000_000

/** Returns the cost of one entry of a path. A total, unlike a page, needs no sort. */
const costOf = ({ isOrdered, isCovering }: Path, isPage: boolean): number =>
  (isCovering ? 1 : READ) + (isPage && !isOrdered ? SORT : 0)

/**
 * Returns the next step towards the cheapest path. Each path is counted further only while it can still be cheaper than
 * the best known one, so counting costs no more than the path that it finds. The choice depends on these counts alone.
 */
export const nextStep = (paths: readonly Path[], counts: readonly EntryCount[], isPage: boolean): PlanStep => {
  if (paths.length <= 1 || (isPage && paths[0]?.isOrdered && paths[0].isExact)) return { take: 0 }
  const known = paths.map((path, at) => {
    const { entries, isComplete } = counts[at] ?? UNCOUNTED
    const each = costOf(path, isPage)
    return { at, entries, isComplete, each, cost: entries * each }
  })
  const best = Math.min(...known.filter(({ isComplete }) => isComplete).map(({ cost }) => cost))
  const open = known.filter(({ isComplete, cost, entries }) => !isComplete && cost < best && entries < MAX_COUNTED)
  const [least] = open.sort((a, b) => a.entries - b.entries)
  if (!least) {
    const [cheapest] = known.sort((a, b) => a.cost - b.cost)
    return { take: cheapest?.at ?? 0 }
  }
  const further = Math.max(FIRST_COUNT, least.entries * COUNT_GROWTH)
  return { count: least.at, upTo: Math.min(further, Math.ceil(best / least.each) + 1, MAX_COUNTED) }
}

/** Around a page, matching entries may be this many times rarer than on average. */
const RARER = 8

/** Estimates the entries that a page of `upTo` records scans in order, given the matches among all entries. */
export const estimateEntries = (upTo: number, matches: number, entries: number): EntryCount => ({
  entries: Math.min(entries, Math.ceil((upTo * entries * RARER) / Math.max(1, matches))),
  isComplete: true,
})

/** At this offset and beyond, a page is read from the nearer end of its list. */
export const DEEP_OFFSET = 200

/** Returns the records to read for a page: from the nearer end of the list, if its total is known. */
export const pageWindow = (offset: number, limit: number, total: number | null) => {
  const size = total === null ? limit : Math.min(limit, total - offset)
  const isForward = total === null || offset < DEEP_OFFSET || offset <= total / 2
  return { size, isForward, skip: isForward ? offset : total - offset - size }
}

/** Returns the total of a list whose page has `length` records; null unless it is the last page, which is incomplete. */
export const totalByPage = (offset: number, limit: number, length: number): number | null =>
  length < limit && (length > 0 || offset === 0) ? offset + length : null

/** Records that a scan reads at once. The first page is smaller, because many callers stop early. */
export const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index keeps in memory. */
export const SCAN_IDS = 100_000

/** The reads of a store for a scan. */
interface ScanReads<I> {
  /** Returns the first matching records by id: through an index, by the ids in `where`, or as the store chooses (null). */
  records(where: Where, limit: number, index: I | 'ids' | null): Promise<readonly Rec[]>
  /** Returns the first `SCAN_IDS` ids of matching records, which an index finds in another order, as of one instant. */
  ids(where: Where, index: I): Promise<readonly Id[]>
}

/**
 * Yields all matching records by id, in pages. If an index finds the records but not in the order of their ids, it reads the
 * ids first, because a scan by id would read all records of the collection.
 */
export async function* scanRecords<I extends StoreIndex>(
  of: Parameters<typeof chooseIndex<I>>[0],
  where: Where,
  reads: ScanReads<I>,
): AsyncGenerator<Rec, void> {
  const parts = conjuncts(where)
  const isByIds = parts.some(isIdCondition)
  const inOrder = isByIds ? null : chooseIndex(of, { parts, when: undefined, sort: 'id' })
  const index = isByIds || inOrder ? null : chooseIndex(of, { parts, when: undefined, sort: null })
  let last: Id | null = null
  for (let size = FIRST_PAGE, isMore = true; isMore; ) {
    const rest: Where = last === null ? where : all(where, gt('id', last))
    if (index) {
      const ids = await reads.ids(rest, index)
      for (let start = 0; start < ids.length; start += size, size = NEXT_PAGE)
        yield* await reads.records(all(where, isIn('id', ids.slice(start, start + size))), size, 'ids')
      last = ids.at(-1) ?? null
      isMore = ids.length === SCAN_IDS
    } else {
      const records = await reads.records(rest, size, inOrder)
      yield* records
      last = records.at(-1)?.id ?? null
      isMore = records.length === size
      size = NEXT_PAGE
    }
  }
}
