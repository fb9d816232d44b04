import { deepEqual, equal, ok } from 'node:assert/strict'
import { type Change, insert } from '../../../core/kernel/records/change.ts'
import { type AnyCollection, type Collection, conditionTest } from '../../../core/kernel/records/collection.ts'
import { type Field, type Rec, recordOrder } from '../../../core/kernel/records/record.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { always, compile, eq, not, type Where } from '../../../core/kernel/records/where.ts'
import { groupOf, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { type Part, part, parts } from '../../fixtures/parts.ts'
import type { OpenedStore } from './store-contract.ts'
import { sortedRows } from './tallies.ts'

/** What the release before wrote. */
export const MADE: readonly Part[] = [
  part(1, { name: 'b' }),
  part(2, { name: 'a', status: 'paid', code: 'x' }),
  part(3, { name: 'a' }),
  part(4, { name: 'c', status: 'new' }),
  part(5, { name: 'á', shopId: 'outra', status: 'paid' }),
]

/** A store of this release over what the one before it wrote. */
export const after = async ({ store, as }: OpenedStore, collection: AnyCollection, made: readonly Part[] = MADE) => {
  ok((await store.commit(made.map((one) => insert(parts, one)))).ok)
  return as([collection])
}

export const settled = async ({ settled: wait }: OpenedStore): Promise<void> => wait?.()

/** Commits, also to a collection whose key is being filled. */
export const committed = async (store: Store, changes: readonly Change[]): Promise<void> => {
  for (;;) {
    try {
      ok((await store.commit(changes)).ok)
      return
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }
}

/** Every list, total and group of these records is what the records say. */
export const answersAs = async <R extends Rec>(
  store: Store,
  from: Collection<R>,
  known: readonly R[],
  { by, sorts }: { readonly by: readonly Field<R>[]; readonly sorts: readonly Field<R>[] },
): Promise<void> => {
  const conditions: readonly (string | undefined)[] = [undefined, ...Object.keys(from.conditions ?? {})]
  const wheres: readonly Where<Field<R>>[] = [always, eq('shopId', 'loja'), not(eq('id', -1))]
  for (const when of conditions)
    for (const where of wheres) {
      const [test, also] = [compile(where), when === undefined ? () => true : conditionTest(from, when)]
      const asked = { where, ...(when !== undefined && { when }) }
      const right = known.filter((record) => test(record) && also(record))
      const name = `${when} ${JSON.stringify(where)}`
      for (const field of sorts) {
        const sort = { by: field, dir: 'desc' } as const
        const { records, total } = await store.list(listOf(from, { ...asked, sort, limit: 9, total: true }))
        deepEqual(records, right.toSorted(recordOrder(sort)), `${name} by ${field}`)
        equal(total, right.length, name)
      }
      for (const field of by) {
        const sum = ['cents' as Field<R>]
        const found = await store.group(groupOf(from, { ...asked, by: [field], sum }))
        deepEqual(sortedRows(found), sortedRows(groupRecords(right, [field], sum)), `${name} by ${field}`)
        const one = await store.group(groupOf(from, { ...asked, by: [], sum }))
        deepEqual(one, groupRecords(right, [], sum), name)
      }
    }
}
