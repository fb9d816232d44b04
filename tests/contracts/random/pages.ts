import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { insert } from '../../../core/kernel/records/change.ts'
import { recordOrder } from '../../../core/kernel/records/record.ts'
import { eq } from '../../../core/kernel/records/where.ts'
import { type List, listOf, type Store } from '../../../core/ports/store.ts'
import { type Thing, things } from '../../fixtures/things.ts'
import { randomThings, sortable } from './things.ts'

type Sort = NonNullable<List<Thing>['sort']>

/** Pages of any things come in the order of any field. */
export const anySort = async (store: Store): Promise<void> => {
  const property = fc.asyncProperty(randomThings(1, 30, 'loja'), async (made) => {
    await store.commit(made.map((one) => insert(things, one)))
    await pagesAlike(store, made, undefined)
    for (const by of sortable) for (const dir of ['asc', 'desc'] as const) await pagesAlike(store, made, { by, dir })
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
}

/** Every page of these things comes in the order of the sort. */
export const pagesAlike = async (store: Store, made: readonly Thing[], sort: Sort | undefined) => {
  const expected = [...made].sort(recordOrder(sort))
  const limit = 7
  for (const offset of [0, 7, 14, expected.length - 8, expected.length - 3, expected.length, expected.length + 50]) {
    const ask = listOf(things, { where: eq('shopId', 'loja'), limit, offset, total: true, ...(sort && { sort }) })
    const { records, total } = await store.list(ask)
    deepEqual(records, expected.slice(offset, offset + limit), `${JSON.stringify(sort)} from ${offset}`)
    equal(total, expected.length)
  }
}
