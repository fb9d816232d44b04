import { MAX_PAGE } from '../../limits.ts'
import type { List, Listed, Store } from '../../ports/store.ts'
import type { Collection, Field, Id, Rec } from '../records/collection.ts'
import { recordOrder } from '../records/order.ts'
import { all, eq, isIn } from '../records/where.ts'

/** Values of one field that a query may name. */
const VALUES_AT_ONCE = 500

const slicesOf = <A>(values: readonly A[]): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(values.length / VALUES_AT_ONCE) }, (_, index) =>
    values.slice(index * VALUES_AT_ONCE, (index + 1) * VALUES_AT_ONCE),
  )

/** The first records of a list, however many. */
const firstOf = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  list: List<R>,
  count: number,
): Promise<{ readonly records: readonly R[]; readonly total: number }> => {
  const found: R[] = []
  let total = 0
  do {
    const limit = Math.min(MAX_PAGE, count - found.length)
    const page = await store.list({ ...list, offset: found.length, limit })
    found.push(...page.records)
    total = page.total ?? total
    if (page.records.length < limit) break
  } while (found.length < count)
  return { records: found, total }
}

/**
 * A page of the records of a list whose field is one of these values, however many those are: they are asked for 500 at a
 * time, and what comes is put in the list's order.
 */
export const listWithin = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  list: List<R>,
  field: Field<R>,
  values: readonly Id[],
): Promise<Listed<R>> => {
  const slices = slicesOf([...new Set(values)])
  const [only = [], ...more] = slices
  const within = (some: readonly Id[]): List<R> => ({ ...list, where: all(list.where, isIn(field, some)) })
  if (more.length === 0) return store.list(within(only))
  const { offset = 0, limit, sort } = list
  const parts = await Promise.all(slices.map((some) => firstOf(store, within(some), offset + limit)))
  const records = parts
    .flatMap((part) => part.records)
    .sort(recordOrder(sort))
    .slice(offset, offset + limit)
  return { records, total: list.total ? parts.reduce((sum, { total }) => sum + total, 0) : null }
}

/** The tenant's records of these ids, by id, removed ones too: what others still refer to keeps its name. */
export const recordsById = async <R extends Rec & { readonly id: string }>(
  store: Pick<Store, 'list'>,
  from: Collection<R>,
  tenant: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, R>> => {
  const wanted = [...new Set(ids.flatMap((id) => (id === null ? [] : [id])))]
  const found = new Map<string, R>()
  for (const some of slicesOf(wanted)) {
    const where = all<string>(...(from.owner ? [eq(from.owner, tenant)] : []), isIn('id', some))
    const { records } = await store.list({ kind: 'list', from, where: where as List<R>['where'], limit: some.length })
    for (const record of records) found.set(record.id, record)
  }
  return found
}
