import {
  type Change,
  type Collection,
  type CommitHook,
  type Field,
  type Id,
  isIn,
  type Outcome,
  type Rec,
  type Where,
} from '../kernel/records/record.ts'
import type { GroupRow } from '../kernel/records/tally.ts'

/** One record, by its id or by a unique key of its collection. */
export interface Find<R extends Rec> {
  readonly kind: 'find'
  readonly from: Collection<R>
  readonly by: { readonly id: Id } | { readonly key: string; readonly is: string }
}

/**
 * A page of records. Without `sort`, by id ascending. Ties of a sort are ordered by id, in the same direction.
 * Nulls sort lowest. `when` names a condition of the collection, whose partial indexes and tallies are then used.
 */
export interface List<R extends Rec> {
  readonly kind: 'list'
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
  readonly sort?: { readonly by: Field<R>; readonly dir: 'asc' | 'desc' }
  readonly limit: number
  readonly offset?: number
  /** Requests the count of all matches, read from a tally if one covers the query. */
  readonly total?: boolean
}

/** Counts and sums per combination of `by`. Without `by`, one row for all records, even if there are none. */
export interface Group<R extends Rec, B extends Field<R> = Field<R>, S extends Field<R> = Field<R>> {
  readonly kind: 'group'
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
  readonly by: readonly B[]
  readonly sum: readonly S[]
}

export interface Listed<R> {
  readonly records: readonly R[]
  /** Null unless requested. */
  readonly total: number | null
}

// biome-ignore lint/suspicious/noExplicitAny: queries of every record type are mixed in this type alone
export type Query = Find<any> | List<any> | Group<any>
export type QueryResult<A> =
  A extends Find<infer R>
    ? R | null
    : A extends List<infer R>
      ? Listed<R>
      : A extends Group<infer _R>
        ? readonly GroupRow[]
        : never
/** The results of queries that are read at one instant. */
export type QueryResults<A> = { readonly [K in keyof A]: QueryResult<A[K]> }

/**
 * The store of all collections. Results are read-only: a store may freeze them and return one object to several
 * callers. Methods reject with `StoreUnavailable` if the store cannot be reached or its queue is full. A rejected
 * commit was not acknowledged: it may or may not have happened.
 */
export interface Store {
  /** The names of the collections that the store was opened with, so that a missing one is reported at start. */
  readonly collections?: readonly string[]
  /** The name of the database system in traces: `sqlite`; a store may leave it out. */
  readonly system?: string
  find<R extends Rec>(query: Find<R>): Promise<R | null>
  list<R extends Rec>(query: List<R>): Promise<Listed<R>>
  group<R extends Rec>(query: Group<R>): Promise<readonly GroupRow[]>
  /** Runs several queries on one snapshot. */
  read<A extends Readonly<Record<string, Query>>>(queries: A): Promise<QueryResults<A>>
  /**
   * Iterates over all matching records by id without a long transaction. A record that exists throughout is returned
   * exactly once.
   */
  scan<R extends Rec>(from: Collection<R>, where: Where<Field<R>>): AsyncIterable<R>
  /** Applies all of the changes or none; they are durable when it resolves. */
  commit(changes: readonly Change[], hook?: CommitHook): Promise<Outcome>
  /** Reserves `count` integer ids of a collection for this caller alone and returns the first. Ids start at 1. */
  reserve(collection: string, count: number): Promise<number>
  /**
   * Returns unused reserved ids, from `next` to `end`, so that a clean stop leaves no gap. Has no effect if ids were
   * reserved since.
   */
  returnIds(collection: string, next: number, end: number): Promise<void>
  close(): Promise<void>
}

/** The store cannot be reached, or its queue is full. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/**
 * Called once, with a line for the log, when a newer release has taken over the open store. The store then accepts no
 * commits, and the process should end.
 */
export type Superseded = (line: string) => void

/** The store accepts no commits: its disk is full, failing or read-only. Reads may still work. */
export class StoreUnwritable extends StoreUnavailable {
  override readonly name = 'StoreUnwritable'
}

export const byId = <R extends Rec>(from: Collection<R>, id: Id): Find<R> => ({ kind: 'find', from, by: { id } })

export const byKey = <R extends Rec>(from: Collection<R>, key: string, is: string): Find<R> => ({
  kind: 'find',
  from,
  by: { key, is },
})

export const listOf = <R extends Rec>(from: Collection<R>, query: Omit<List<R>, 'kind' | 'from'>): List<R> => ({
  kind: 'list',
  from,
  ...query,
})

/** The order of most lists. */
export const NEWEST_FIRST = { by: 'createdAt', dir: 'desc' } as const

/** Lists a page of records, with the total of all pages. */
export const listPage = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  from: Collection<R>,
  { page, perPage }: Page,
  query: Pick<List<R>, 'where' | 'when' | 'sort'>,
): Promise<PageOf<R>> => {
  const offset = offsetOf({ page, perPage })
  const { records, total } = await store.list(listOf(from, { ...query, limit: perPage, offset, total: true }))
  return { page, perPage, records, total: total ?? 0 }
}

/** Returns all records of a list by reading it page by page. For small results that may exceed one page. */
export const listAll = async <R extends Rec>(store: Pick<Store, 'list'>, list: List<R>): Promise<readonly R[]> => {
  const found: R[] = []
  for (;;) {
    const { records } = await store.list({ ...list, offset: found.length })
    found.push(...records)
    if (records.length < list.limit) return found
  }
}

/** Reads records by their ids, which may repeat; a missing record is left out. */
export const listByIds = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  from: Collection<R>,
  ids: readonly R['id'][],
): Promise<ReadonlyMap<R['id'], R>> => {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const { records } = await store.list(listOf(from, { where: isIn('id', unique), limit: unique.length }))
  return new Map(records.map((record) => [record.id, record]))
}

export const groupOf = <R extends Rec>(from: Collection<R>, query: Omit<Group<R>, 'kind' | 'from'>): Group<R> => ({
  kind: 'group',
  from,
  ...query,
})

/** Sums a field of the matching records. */
export const sumOf = async <R extends Rec, F extends Field<R>>(
  store: Pick<Store, 'group'>,
  from: Collection<R>,
  field: F,
  where: Where<Field<R>>,
): Promise<number> => {
  const [row] = await store.group(groupOf(from, { where, by: [], sum: [field] }))
  return row?.sums[field] ?? 0
}

/** One page of a list, counted from 1. */
export interface Page {
  readonly page: number
  readonly perPage: number
}

/** The paging information of a list, with the names of the payments API. */
export interface PageMeta {
  readonly current_page: number
  readonly per_page: number
  readonly total: number
  readonly last_page: number
}

/** Returns the paging information of a page of `total` records; an empty list has one page. */
export const pageMeta = ({ page, perPage, total }: Page & { readonly total: number }): PageMeta => ({
  current_page: page,
  per_page: perPage,
  total,
  last_page: Math.max(1, Math.ceil(total / perPage)),
})

/** Returns the number of records before the page. */
export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage

/** A page if one was requested, else all records, read while they are iterated. */
export type Listing<R> = PageOf<R> | { readonly all: AsyncIterable<R> }

export interface PageOf<R> extends Page {
  readonly records: readonly R[]
  readonly total: number
}
