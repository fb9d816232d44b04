import { deepEqual, rejects } from 'node:assert/strict'
import { insert } from '../../../core/kernel/records/change.ts'
import { always, contains, eq, has, isIn, lt, lte, not, type Where } from '../../../core/kernel/records/where.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import { type Thing, thing, things } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

/** A condition means to every store what it means to `matches`. */
export const storeConditions = (check: Case): void => {
  const found = async (store: Store, where: Where<keyof Thing>): Promise<number[]> =>
    (await store.list(listOf(things, { where, limit: 100 }))).records.map(({ id }) => id)

  check('null: no order, no part, no list, equal only to null; not is the exact complement', async (store) => {
    const full = thing(2, { size: 0, name: '', active: false, labels: [] })
    await store.commit([insert(things, thing(1)), insert(things, full)])
    const only = { null: [1], value: [2], none: [], both: [1, 2] }
    const rows: [Where<keyof Thing>, keyof typeof only][] = [
      [eq('size', null), 'null'],
      [not(eq('size', null)), 'value'],
      [eq('size', 0), 'value'],
      [not(eq('size', 0)), 'null'],
      [not(eq('size', 5)), 'both'],
      [lt('size', 1), 'value'],
      [not(lt('size', 1)), 'null'],
      [not(lte('size', -1)), 'both'],
      [isIn('size', [0]), 'value'],
      [isIn('size', [0, null]), 'both'],
      [isIn('size', []), 'none'],
      [not(isIn('size', [0])), 'null'],
      [contains('name', ''), 'value'],
      [not(contains('name', '')), 'null'],
      [eq('active', false), 'value'],
      [not(eq('active', true)), 'both'],
      [isIn('active', [true, null]), 'null'],
      [has('labels', 'a'), 'none'],
      [not(has('labels', 'a')), 'both'],
      [eq('labels', null), 'null'],
      [not(eq('address', null)), 'none'],
      [{ all: [] }, 'both'],
      [{ any: [] }, 'none'],
      [not({ any: [] }), 'both'],
    ]
    for (const [where, which] of rows) deepEqual(await found(store, where), only[which], JSON.stringify(where))
  })

  check('texts compare by code point, whole and literally', async (store) => {
    const names = ['\u{FFFD}', '😀', 'a', 'A', 'á', 'a%', 'ab', 'a_', '\\', 'ﬁ']
    await store.commit(names.map((name, index) => insert(things, thing(index + 1, { name, labels: [name] }))))
    const named = async (where: Where<keyof Thing>) => (await found(store, where)).map((id) => names[id - 1]).sort()
    deepEqual(await named(eq('name', 'a')), ['a'])
    deepEqual(await named({ gt: ['name', 'ﬁ'] }), ['\u{FFFD}', '😀'].sort())
    deepEqual(await named({ gt: ['name', '\u{FFFD}'] }), ['😀'])
    deepEqual(await named(contains('name', '%')), ['a%'])
    deepEqual(await named(contains('name', '_')), ['a_'])
    deepEqual(await named(contains('name', '\\')), ['\\'])
    deepEqual(await named(contains('name', 'A')), ['A'])
    deepEqual(await named(has('labels', 'a')), ['a'])
    deepEqual(await named(has('labels', '😀')), ['😀'])
  })

  check('a named condition narrows like any other', async (store) => {
    const gone = { removedAt: '2026-01-01' }
    const made = [thing(1, { active: true }), thing(2), thing(3, { active: true, ...gone }), thing(4, gone)]
    await store.commit(made.map((one) => insert(things, one)))
    const ids = async (when?: string) => {
      const ask = listOf(things, { where: always, limit: 9, total: true, ...(when !== undefined && { when }) })
      const { records, total } = await store.list(ask)
      return [records.map(({ id }) => id), total]
    }
    deepEqual(await ids(), [[1, 2, 3, 4], 4])
    deepEqual(await ids('live'), [[1, 2], 2])
    deepEqual(await ids('listed'), [[1], 1])
    await rejects(ids('nothing'))
  })
}
