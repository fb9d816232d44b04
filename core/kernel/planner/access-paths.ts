import {
  type AnyCollection,
  all,
  compile,
  fieldsOf,
  gt,
  gte,
  type Id,
  type IndexRow,
  isIn,
  lt,
  lte,
  type Rec,
  type Where,
} from '../records/record.ts'
import { endOfDay, isDay, startOfDay } from '../values/day.ts'

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

interface IndexedCollection<I> {
  readonly collection: AnyCollection
  readonly indexes: readonly I[]
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

/**
 * Returns the access paths of a query: first the best one in its order, if any, then those that scan less than all
 * records of the owner. Paths that are not ordered need a sort. `nextStep` chooses among them by counts.
 */
export const accessPaths = <I extends StoreIndex>(
  of: IndexedCollection<I>,
  query: IndexQuery,
): readonly AccessPath<I>[] => {
  const chosen = chooseIndex(of, query)
  const first = chosen === null ? [] : [pathOf(of, chosen, query)]
  if (first[0]?.isExact) return first
  const others = of.indexes
    .filter((index) => index !== chosen && isAllowed(of, index, query))
    .map((index) => pathOf(of, index, query))
    .filter(({ index: { row }, served }) => served.some((part) => bounds(part, row)))
  return [...first, ...others]
}

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
  const rank = ({ row }: I): number =>
    (row.acrossOwners && ownerPinned ? -ALL_OWNERS : 0) +
    (row.search === undefined ? 0 : searched.includes(row.search) ? SEARCHED : -UNUSED_SEARCH) +
    (row.eq === undefined ? 0 : EQUALITY) +
    (row.when === undefined ? 0 : CONDITION)
  return indexes.filter(fits).sort((a, b) => rank(b) - rank(a))[0] ?? null
}

// An order of importance, not a measure: each exceeds the sum of those below it.
/** An index across owners scans the entries of other owners too. */
const ALL_OWNERS = 16
/** An index with the searched text is searched without reading the records. */
const SEARCHED = 8
/** An index by a field of the query scans the entries of one value only. */
const EQUALITY = 4
/** A partial index contains only records that meet the condition. */
const CONDITION = 2
/** A text that the query does not search makes the entries longer. */
const UNUSED_SEARCH = 1

/** Reports whether an index that is not in the order of the query can find its records. */
const isAllowed = <I extends StoreIndex>(
  { collection: { owner } }: IndexedCollection<I>,
  { row }: I,
  { parts, when }: IndexQuery,
): boolean =>
  (row.when === undefined || row.when === when) &&
  (owner === null || (row.acrossOwners !== true && parts.some((part) => isEquality(part, owner)))) &&
  (row.eq === undefined || parts.some((part) => isSome(part, row.eq ?? '')))

const pathOf = <I extends StoreIndex>(
  { collection }: IndexedCollection<I>,
  index: I,
  { parts, when, sort }: IndexQuery,
): AccessPath<I> => {
  const { row, isPartial = true } = index
  const owner = row.acrossOwners ? null : collection.owner
  const pins = (part: Where, field: string | null | undefined): boolean =>
    typeof field === 'string' && isEquality(part, field)
  const pinned = row.eq === undefined || parts.some((part) => pins(part, row.eq))
  // For several values of `eq` the index is ordered within each value only.
  const isOrdered = row.sort === sort && pinned
  const serves = (part: Where): boolean =>
    pins(part, owner) || (pinned ? pins(part, row.eq) || isRange(part, row.sort) : bounds(part, row))
  const served = parts.filter(serves)
  const indexed = new Set(['id', owner, row.eq, row.sort, row.search, ...(row.include ?? [])])
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

/** Reports whether a condition limits the entries of an index beyond those of the owner. */
const bounds = (part: Where, { eq, sort }: IndexRow): boolean =>
  (eq !== undefined && isSome(part, eq)) || isRange(part, sort)

/** Reports whether the equalities of a query imply a condition. */
const isImplied = (condition: Where, parts: readonly Where[]): boolean => {
  const record = Object.fromEntries(parts.flatMap((part) => ('eq' in part ? [part.eq] : [])))
  return fieldsOf(condition).every((field) => field in record) && compile(condition)({ id: 0, ...record })
}

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

type Dated = Pick<AnyCollection, 'days'>

/** Returns the day field that derives from a sort field, or the sort field itself if there is none. */
export const dayFieldOf = ({ days = {} }: Dated, sort: string): string =>
  Object.keys(days).find((day) => days[day] === sort) ?? sort

/**
 * Replaces conditions on day fields by ranges of the instant fields that they derive from, so that an index on the
 * instant is bounded. Matches the same records.
 */
export const toInstantRanges = (collection: Dated, parts: readonly Where[]): readonly Where[] =>
  collection.days === undefined ? parts : parts.flatMap((part) => instantRangesOf(collection, part))

const instantRangesOf = ({ days = {} }: Dated, part: Where): readonly Where[] => {
  const onDay = (
    [field, day]: readonly [field: string, value: unknown],
    rangesOf: (instant: string, day: string) => readonly Where[],
  ): readonly Where[] => {
    const instant = days[field]
    return instant && typeof day === 'string' && isDay(day) ? rangesOf(instant, day) : [part]
  }
  if ('eq' in part) return onDay(part.eq, (at, day) => [gte(at, startOfDay(day)), lte(at, endOfDay(day))])
  if ('lt' in part) return onDay(part.lt, (at, day) => [lt(at, startOfDay(day))])
  if ('lte' in part) return onDay(part.lte, (at, day) => [lte(at, endOfDay(day))])
  if ('gt' in part) return onDay(part.gt, (at, day) => [gt(at, endOfDay(day))])
  return 'gte' in part ? onDay(part.gte, (at, day) => [gte(at, startOfDay(day))]) : [part]
}

/** Records that a scan reads at once. The first page is smaller, because many callers stop early. */
export const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index keeps in memory. */
export const SCAN_IDS = 100_000

/** The reads of a store for a scan. */
interface ScanReads<I> {
  /**
   * Returns the first matching records by id: through an index, by the ids in `where`, or as the store chooses (null).
   */
  records(where: Where, limit: number, index: I | 'ids' | null): Promise<readonly Rec[]>
  /** Returns the first `SCAN_IDS` ids of matching records, which an index finds in another order, as of one instant. */
  ids(where: Where, index: I): Promise<readonly Id[]>
}

/**
 * Yields all matching records by id, in pages. If an index finds the records but not in the order of their ids, it
 * reads the ids first, because a scan by id would read all records of the collection.
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
