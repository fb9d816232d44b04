import type { Failure } from '../../failure.ts'
import { type Either, isLeft } from '../../fp.ts'
import { MAX_PAGE } from '../../limits.ts'
import { type List, type Listed, listOf, type Store, StoreUnavailable } from '../../ports/store.ts'
import { at, type Collection, type Field, type Id, type Rec } from '../records/collection.ts'
import { all, any, eq, gt, gte, lte, not, type Where } from '../records/where.ts'
import type { Report } from './queue.ts'

/** The records of a collection that are gone through slice by slice, in the order of an index row. */
export interface Walk<R extends Rec> {
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
  /** The field that the index row sorts by; of none of the records it is null. */
  readonly sort: Field<R>
  readonly limit: number
}

export interface Slice<R> {
  readonly records: readonly R[]
  /** Where the next slice begins; null where this one was the last. */
  readonly next: string | null
}

/**
 * The records after a place. What is still there goes by whether or not something came of it, so that what fails hides
 * nothing; it is met again by whoever begins anew.
 */
export const readSlice = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  { from, where, when, sort, limit }: Walk<R>,
  place: string | null,
): Promise<Slice<R>> => {
  const { records } = await store.list(
    listOf(from, {
      where: place === null ? where : all(where, ...afterPlace<R>(sort, place)),
      ...(when === undefined ? {} : { when }),
      sort: { by: sort, dir: 'asc' },
      limit,
    }),
  )
  const last = records.at(-1)
  return { records, next: last && records.length === limit ? JSON.stringify([last[sort], last.id]) : null }
}

// The first bound is the index's; the other lets go of what shares the last value.
const afterPlace = <R extends Rec>(sort: Field<R>, place: string): readonly Where<Field<R>>[] => {
  const [value, id]: readonly [string | number, Id] = JSON.parse(place)
  return [gte(sort, value), any(gt(sort, value), gt('id' as Field<R>, id))]
}

/** More than there ever are of one tenant. */
const MAX_RETRIES = 1_000

/** Does a slice once more where others were faster each time: what they did is then seen. */
export const retryWhileBusy = async <A, F extends Failure>(
  slice: () => Promise<Either<F, A>>,
): Promise<Either<F, A>> => {
  for (let times = 0; ; times += 1) {
    const outcome = await slice()
    if (!isLeft(outcome) || outcome.left.code !== 'store.busy' || times >= MAX_RETRIES) return outcome
  }
}

/**
 * Does something with each record. One that fails is reported by its place (`payments.charges/17`) and stops none of the
 * others; how many did. Rejects where the store cannot be reached.
 */
export const processEach = async <R extends Rec>(
  from: { readonly name: string },
  records: readonly R[],
  does: (record: R) => Promise<unknown>,
  report: Report,
): Promise<number> => {
  let failed = 0
  for (const record of records) {
    try {
      await does(record)
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

/** What is listed of a collection that has an index row of its owner and `createdAt`. */
interface NewestScan<R extends Dated> {
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
}

/** As many records as are read at once, the newest first, or those that come after one of them. */
export const newestQuery = <R extends Dated>(
  { from, where, when }: NewestScan<R>,
  after: Position | null = null,
): List<R> =>
  listOf(from, {
    where: all<string>(where, ...(after ? following(after) : [])) as Where<Field<R>>,
    ...(when === undefined ? {} : { when }),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })

// Those of the same instant come by id, the highest first.
const following = ({ id, createdAt }: Position): readonly Where[] => [
  lte('createdAt', createdAt),
  not(all(eq('createdAt', createdAt), gte('id', id))),
]

/**
 * All of them in slices: each goes on after the last one it gave, so that what comes or goes meanwhile is no gap. Of large
 * records, or where each is much to do, a slice has fewer.
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
