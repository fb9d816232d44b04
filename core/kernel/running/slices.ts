import { type Either, type Failure, isLeft } from '../../failure.ts'
import { MAX_PAGE } from '../../limits.ts'
import { type List, type Listed, listOf, type Store, StoreUnavailable } from '../../ports/store.ts'
import {
  all,
  any,
  at,
  type Collection,
  eq,
  type Field,
  gt,
  gte,
  type Id,
  lte,
  not,
  type Rec,
  type Where,
} from '../records/record.ts'
import type { Report } from './queue.ts'

/** A walk over records of a collection, slice by slice in the order of an index row. */
export interface Walk<R extends Rec> {
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
  /** The sort field of the index row, which must not be null in any of the records. */
  readonly sort: Field<R>
  readonly limit: number
}

export interface Slice<R> {
  readonly records: readonly R[]
  /** The cursor of the next slice; null after the last one. */
  readonly next: string | null
}

/**
 * Reads the slice after a cursor. The walk goes on past records that could not be processed, so that they hide none; a
 * new walk meets them again.
 */
export const readSlice = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  { from, where, when, sort, limit }: Walk<R>,
  cursor: string | null,
): Promise<Slice<R>> => {
  const { records } = await store.list(
    listOf(from, {
      where: cursor === null ? where : all(where, ...afterCursor<R>(sort, cursor)),
      ...(when === undefined ? {} : { when }),
      sort: { by: sort, dir: 'asc' },
      limit,
    }),
  )
  const last = records.at(-1)
  return { records, next: last && records.length === limit ? JSON.stringify([last[sort], last.id]) : null }
}

// The first bound uses the index; the second skips records with the last value that were read before.
const afterCursor = <R extends Rec>(sort: Field<R>, cursor: string): readonly Where<Field<R>>[] => {
  const [value, id]: readonly [string | number, Id] = JSON.parse(cursor)
  return [gte(sort, value), any(gt(sort, value), gt('id' as Field<R>, id))]
}

const SLICE = 50

/** A walk in slices of the usual size. */
export type Sliced<R extends Rec> = Omit<Walk<R>, 'limit'>

/** Iterates over the records of a walk in slices. */
export async function* slicesOf<R extends Rec>(
  store: Pick<Store, 'list'>,
  walk: Sliced<R>,
): AsyncIterable<readonly R[]> {
  let cursor: string | null = null
  do {
    const slice: Slice<R> = await readSlice(store, { ...walk, limit: SLICE }, cursor)
    if (slice.records.length > 0) yield slice.records
    cursor = slice.next
  } while (cursor !== null)
}

/** Returns the records of all slices. */
export const gather = async <R>(slices: AsyncIterable<readonly R[]>): Promise<readonly R[]> => {
  const found: R[] = []
  for await (const slice of slices) found.push(...slice)
  return found
}

/** A bound that no tenant's concurrent writers reach. */
const MAX_RETRIES = 1_000

/** Repeats a step that fails with `store.busy` because other writers were faster each time. */
export const retryWhileBusy = async <A, F extends Failure>(
  slice: () => Promise<Either<F, A>>,
): Promise<Either<F, A>> => {
  for (let times = 0; ; times += 1) {
    const outcome = await slice()
    if (!isLeft(outcome) || outcome.left.code !== 'store.busy' || times >= MAX_RETRIES) return outcome
  }
}

/**
 * Processes each record and returns the number of failures. A failure is reported with the record
 * (`payments.charges/17`) and does not stop the others. Rejects if the store is unavailable.
 */
export const processEach = async <R extends { readonly id: Id }>(
  from: { readonly name: string },
  records: readonly R[],
  handle: (record: R) => Promise<unknown>,
  report: Report,
): Promise<number> => {
  let failed = 0
  for (const record of records) {
    try {
      await handle(record)
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      failed += 1
      report(error, at(from, record.id).join('/'))
    }
  }
  return failed
}

type Dated = Rec & { readonly createdAt: string }
type Position = Pick<Dated, 'id' | 'createdAt'>

/** A selection of records in a collection with an index row of owner and `createdAt`. */
interface NewestScan<R extends Dated> {
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
}

/** Returns the query of one page, newest first, that begins after a record. */
export const newestQuery = <R extends Dated>(
  { from, where, when }: NewestScan<R>,
  after: Position | null = null,
): List<R> =>
  listOf(from, {
    where: all(where, ...(after ? following(after) : [])) as Where<Field<R>>,
    ...(when === undefined ? {} : { when }),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })

// Records of one instant are ordered by id, descending.
const following = ({ id, createdAt }: Position): readonly Where[] => [
  lte('createdAt', createdAt),
  not(all(eq('createdAt', createdAt), gte('id', id))),
]

/**
 * Iterates over all records in slices, newest first. Each slice begins after the last record of the one before, so that
 * concurrent inserts and removals leave no gap. Choose a smaller `limit` for large records or slow processing.
 */
export async function* scanNewestFirst<R extends Dated>(
  store: Store,
  of: NewestScan<R>,
  limit = MAX_PAGE,
): AsyncIterable<readonly R[]> {
  let last: R | null = null
  for (;;) {
    const { records }: Listed<R> = await store.list({ ...newestQuery(of, last), limit })
    yield records
    last = records.at(-1) ?? null
    if (!last || records.length < limit) return
  }
}

/** Iterates over all records, newest first, as `scanNewestFirst` reads them. */
export async function* newestFirst<R extends Dated>(store: Store, of: NewestScan<R>): AsyncIterable<R> {
  for await (const slice of scanNewestFirst(store, of)) yield* slice
}
