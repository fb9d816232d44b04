import { MAX_PAGE } from '../../limits.ts'
import { type List, type Listed, listOf, type Store } from '../../ports/store.ts'
import type { Collection, Field, Rec } from '../records/collection.ts'
import { all, eq, gte, lte, not, type Where } from '../records/where.ts'

type Dated = Rec & { readonly createdAt: string }
type Place = Pick<Dated, 'id' | 'createdAt'>

/** What is listed of a collection that has an index row of its owner and `createdAt`. */
interface Of<R extends Dated> {
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
}

/** As many records as are read at once, the newest first, or those that come after one of them. */
export const newestOf = <R extends Dated>({ from, where, when }: Of<R>, after: Place | null = null): List<R> =>
  listOf(from, {
    where: all<string>(where, ...(after ? following(after) : [])) as Where<Field<R>>,
    ...(when === undefined ? {} : { when }),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })

// Those of the same instant come by id, the highest first.
const following = ({ id, createdAt }: Place): readonly Where[] => [
  lte('createdAt', createdAt),
  not(all(eq('createdAt', createdAt), gte('id', id))),
]

/**
 * All of them in slices: each goes on after the last one it gave, so that what comes or goes meanwhile is no gap. Of large
 * records, or where each is much to do, a slice has fewer.
 */
export async function* newestFirst<R extends Dated>(
  store: Store,
  of: Of<R>,
  limit = MAX_PAGE,
): AsyncIterable<readonly R[]> {
  let last: R | null = null
  for (;;) {
    const { records }: Listed<R> = await store.list({ ...newestOf(of, last), limit })
    yield records
    last = records.at(-1) ?? null
    if (!last || records.length < limit) return
  }
}
