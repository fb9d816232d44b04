import { deepEqual, equal } from 'node:assert/strict'
import {
  always,
  compareValues,
  eq,
  gte,
  insert,
  isIn,
  not,
  patch,
  remove,
  type Where,
} from '../../../core/kernel/records/record.ts'
import type { GroupRow } from '../../../core/kernel/records/tally.ts'
import { groupOf, listOf, type Store } from '../../../core/ports/store.ts'
import { type Thing, thing, things } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

/** Sorts rows, because groups have no order. */
export const sortedRows = (rows: readonly GroupRow[]): GroupRow[] =>
  [...rows].sort(
    (a, b) =>
      Object.keys(a.by)
        .map((field) => compareValues(a.by[field], b.by[field]))
        .find((order) => order !== 0) ?? 0,
  )

const DAY = '2026-01-01'

/** Rules of groups and tallies, whose counts and sums agree with the records. */
export const storeTallies = (check: Case): void => {
  groups(check)
  buckets(check)
}

const groups = (check: Case): void => {
  check('without records, one row without `by` and none with it; null sums as 0', async (store) => {
    const over = (by: (keyof Thing)[], where: Where<keyof Thing> = always) =>
      store.group(groupOf(things, { where, by, sum: ['size', 'valueCents'] }))
    deepEqual(await over([]), [{ by: {}, count: 0, sums: { size: 0, valueCents: 0 } }])
    deepEqual(await over(['status']), [])
    await store.commit([insert(things, thing(1)), insert(things, thing(2, { size: 5, status: 'paid' }))])
    deepEqual(await over([]), [{ by: {}, count: 2, sums: { size: 5, valueCents: 0 } }])
    deepEqual(sortedRows(await over(['status'])), [
      { by: { status: null }, count: 1, sums: { size: 0, valueCents: 0 } },
      { by: { status: 'paid' }, count: 1, sums: { size: 5, valueCents: 0 } },
    ])
    deepEqual(await over(['status'], eq('size', 9)), [])
    deepEqual(await over([], eq('size', 9)), [{ by: {}, count: 0, sums: { size: 0, valueCents: 0 } }])
  })

  check('groups by booleans, numbers, texts and null, with exact sums', async (store) => {
    const most = Number.MAX_SAFE_INTEGER
    await store.commit([
      insert(things, thing(1, { active: true, size: 1, name: '😀', valueCents: most })),
      insert(things, thing(2, { active: false, size: 1, name: 'a', valueCents: -1 })),
      insert(things, thing(3, { active: true, size: -1, name: 'A', valueCents: -2 })),
      insert(things, thing(4, { active: true, size: 1, name: '😀', valueCents: -most })),
    ])
    const by = async (...fields: (keyof Thing)[]) =>
      sortedRows(await store.group(groupOf(things, { where: always, by: fields, sum: ['valueCents'] })))
    deepEqual(await by('active'), [
      { by: { active: false }, count: 1, sums: { valueCents: -1 } },
      { by: { active: true }, count: 3, sums: { valueCents: -2 } },
    ])
    deepEqual(await by('size', 'name'), [
      { by: { size: -1, name: 'A' }, count: 1, sums: { valueCents: -2 } },
      { by: { size: 1, name: 'a' }, count: 1, sums: { valueCents: -1 } },
      { by: { size: 1, name: '😀' }, count: 2, sums: { valueCents: 0 } },
    ])
  })
}

const buckets = (check: Case): void => {
  const live = (store: Store, by: (keyof Thing)[], where: Where<keyof Thing>) =>
    store.group(groupOf(things, { where, when: 'live', by, sum: ['valueCents'] })).then(sortedRows)
  const total = async (store: Store, where: Where<keyof Thing>) =>
    (await store.list(listOf(things, { where, when: 'live', limit: 1, total: true }))).total

  check('a bucket follows every change: insert, patch, soft delete, remove', async (store) => {
    const loja = eq<keyof Thing>('shopId', 'loja')
    await store.commit([
      insert(things, thing(1, { status: 'open', createdDay: DAY, valueCents: 10 })),
      insert(things, thing(2, { status: 'open', createdDay: DAY, valueCents: 5 })),
      ...[3, 4].map((id) => insert(things, thing(id, { status: null, createdDay: null, valueCents: null }))),
    ])
    deepEqual(await live(store, ['status'], loja), [
      { by: { status: null }, count: 2, sums: { valueCents: 0 } },
      { by: { status: 'open' }, count: 2, sums: { valueCents: 15 } },
    ])
    await store.commit([patch(things, 1, { set: { status: 'paid' }, add: { valueCents: 1 }, when: always })])
    deepEqual(await live(store, ['status', 'createdDay'], loja), [
      { by: { status: null, createdDay: null }, count: 2, sums: { valueCents: 0 } },
      { by: { status: 'open', createdDay: DAY }, count: 1, sums: { valueCents: 5 } },
      { by: { status: 'paid', createdDay: DAY }, count: 1, sums: { valueCents: 11 } },
    ])
    equal(await total(store, loja), 4)
    await store.commit([
      patch(things, 1, { set: { removedAt: DAY }, when: always }),
      ...[2, 4].map((id) => remove(things, id, always)),
    ])
    deepEqual(await live(store, ['status'], loja), [{ by: { status: null }, count: 1, sums: { valueCents: 0 } }])
    equal(await total(store, loja), 1)
    equal(await total(store, eq('status', 'paid')), 0)
    await store.commit([patch(things, 1, { set: { removedAt: null }, when: always })])
    deepEqual(await live(store, [], eq('status', 'paid')), [{ by: {}, count: 1, sums: { valueCents: 11 } }])
  })

  check('a condition on the fields of a tally picks its buckets', async (store) => {
    const statuses = ['open', 'paid', null, 'open', 'late', 'paid']
    await store.commit(
      statuses.map((status, index) =>
        insert(things, thing(index + 1, { status, createdDay: `2026-01-0${index + 1}`, valueCents: 1 })),
      ),
    )
    equal(await total(store, isIn('status', ['open', null])), 3)
    equal(await total(store, not(eq('status', 'open'))), 4)
    equal(await total(store, gte('createdDay', '2026-01-04')), 3)
    equal(await total(store, { any: [eq('status', 'late'), { lt: ['createdDay', '2026-01-02'] }] }), 2)
    equal(await total(store, eq('valueCents', 1)), 6)
    deepEqual(await live(store, ['status'], gte('createdDay', '2026-01-05')), [
      { by: { status: 'late' }, count: 1, sums: { valueCents: 1 } },
      { by: { status: 'paid' }, count: 1, sums: { valueCents: 1 } },
    ])
  })

  check('simultaneous commits on one bucket are all counted', async (store) => {
    const made = Array.from({ length: 50 }, (_, index) => thing(index + 1, { status: 'open', valueCents: index }))
    await Promise.all(made.map((one) => store.commit([insert(things, one)])))
    await Promise.all(
      made.slice(0, 20).map(({ id }) => store.commit([patch(things, id, { set: { status: 'paid' }, when: always })])),
    )
    deepEqual(await live(store, ['status'], always), [
      { by: { status: 'open' }, count: 30, sums: { valueCents: 1035 } },
      { by: { status: 'paid' }, count: 20, sums: { valueCents: 190 } },
    ])
  })
}
