import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import {
  all,
  always,
  any,
  contains,
  eq,
  gt,
  has,
  insert,
  isIn,
  lt,
  lte,
  not,
  recordOrder,
  type Where,
} from '../../../core/kernel/records/record.ts'
import { byId, groupOf, type List, listOf, type Store } from '../../../core/ports/store.ts'
import { claim, claims, type Thing, thing, things } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

const found = async (store: Store, where: Where<keyof Thing>): Promise<number[]> =>
  (await store.list(listOf(things, { where, limit: 100 }))).records.map(({ id }) => id)

/**
 * Asserts that null equals only null in conditions on record 1, whose fields are null, and on a record 2 with values.
 */
export const assertNulls = async (store: Store): Promise<void> => {
  const values = { size: 0, status: 'open', search: '', active: false, labels: [] }
  ok((await store.commit([insert(things, thing(2, values))])).ok)
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
    [not(gt('size', -9)), 'null'],
    [isIn('size', [0]), 'value'],
    [isIn('size', [0, null]), 'both'],
    [isIn('size', []), 'none'],
    [not(isIn('status', ['open'])), 'null'],
    [contains('search', ''), 'value'],
    [not(contains('search', '')), 'null'],
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
}

/** Rules of conditions, which have the meaning of `matches`. */
export const storeConditions = (check: Case): void => {
  check('null has no order, part or element, and equals only null; `not` is the exact complement', async (store) => {
    await store.commit([insert(things, thing(1))])
    await assertNulls(store)
  })

  check('texts compare by code point, in full and literally', async (store) => {
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

  check('a named condition applies like any other', async (store) => {
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

/** Rules of pages, which have a total order. */
export const storePages = (check: Case): void => {
  orders(check)
  depths(check)
  reads(check)
}

const orders = (check: Case): void => {
  check('orders integer ids as numbers and text ids by code point', async (store) => {
    const numbers = [10, 9, 100, 2, 1, 4_294_967_296, 11]
    const texts = ['b', '😀', 'B', 'á', 'a', '10', '9', '\u{FFFD}', '']
    await store.commit(numbers.map((id) => insert(things, thing(id))))
    await store.commit(texts.map((id) => insert(claims, claim(id))))
    const ids = async <R extends { id: string | number }>(page: Promise<{ readonly records: readonly R[] }>) =>
      (await page).records.map(({ id }) => id)
    deepEqual(
      await ids(store.list(listOf(things, { where: always, limit: 20 }))),
      [1, 2, 9, 10, 11, 100, 4_294_967_296],
    )
    const sorted = ['', '10', '9', 'B', 'a', 'b', 'á', '\u{FFFD}', '😀']
    deepEqual(await ids(store.list(listOf(claims, { where: always, limit: 20 }))), sorted)
    const down = listOf(claims, { where: always, sort: { by: 'holder', dir: 'desc' }, limit: 20 })
    deepEqual(await ids(store.list(down)), [...sorted].reverse())
  })
}

const depths = (check: Case): void => {
  const COUNT = 360
  const PAGE = 50

  check('pages before and after the middle have the right records', async (store) => {
    const made = Array.from({ length: COUNT }, (_, index) =>
      thing(index + 1, {
        createdDay: `2026-0${1 + (index % 5)}-01`,
        status: index % 3 === 0 ? 'paid' : 'open',
        name: index % 4 === 0 ? null : `n${(index * 7919) % 100}`,
        active: index % 2 === 0,
        valueCents: (index * 31) % 50,
      }),
    )
    await store.commit(made.map((one) => insert(things, one)))
    const asks: Omit<List<Thing>, 'kind' | 'from' | 'limit'>[] = [
      { where: eq('shopId', 'loja'), when: 'live' },
      { where: eq('shopId', 'loja'), when: 'live', sort: { by: 'createdDay', dir: 'desc' } },
      {
        where: { all: [eq('shopId', 'loja'), eq('status', 'open')] },
        when: 'live',
        sort: { by: 'createdDay', dir: 'asc' },
      },
      { where: eq('shopId', 'loja'), sort: { by: 'name', dir: 'asc' } },
      { where: { all: [eq('shopId', 'loja'), eq('active', true)] }, sort: { by: 'valueCents', dir: 'desc' } },
    ]
    for (const ask of asks) {
      const open = 'all' in ask.where ? (one: Thing) => one.status === 'open' : () => true
      const narrowed = ask.sort?.by === 'valueCents' ? (one: Thing) => one.active === true : open
      const expected = made.filter(narrowed).sort(recordOrder(ask.sort))
      for (let offset = 0; offset <= expected.length; offset += PAGE) {
        const { records, total } = await store.list(listOf(things, { ...ask, offset, limit: PAGE, total: true }))
        deepEqual(
          records.map(({ id }) => id),
          expected.slice(offset, offset + PAGE).map(({ id }) => id),
          `${JSON.stringify(ask)} from ${offset}`,
        )
        equal(total, expected.length)
      }
    }
  })

  check('searches with a page and a total, also without a match', async (store) => {
    const made = Array.from({ length: 40 }, (_, index) =>
      thing(index + 1, { name: `n${index}`, search: index % 4 === 0 ? 'joao da silva' : `maria ${index}` }),
    )
    await store.commit(made.map((one) => insert(things, one)))
    const search = (text: string, offset: number) =>
      store.list(
        listOf(things, {
          where: { all: [eq('shopId', 'loja'), contains('search', text)] },
          when: 'live',
          sort: { by: 'name', dir: 'asc' },
          limit: 4,
          offset,
          total: true,
        }),
      )
    const joaos = made.filter(({ search }) => search?.includes('joao')).sort(recordOrder({ by: 'name', dir: 'asc' }))
    deepEqual(await search('joao da', 0), { records: joaos.slice(0, 4), total: 10 })
    deepEqual(await search('joao da', 8), { records: joaos.slice(8), total: 10 })
    deepEqual(await search('ninguem', 0), { records: [], total: 0 })
  })
}

const reads = (check: Case): void => {
  check('an empty page, and a total only on request', async (store) => {
    await store.commit([insert(things, thing(1)), insert(things, thing(2))])
    deepEqual(await store.list(listOf(things, { where: always, limit: 0, total: true })), { records: [], total: 2 })
    deepEqual(await store.list(listOf(things, { where: always, limit: 1 })), { records: [thing(1)], total: null })
    deepEqual(await store.list(listOf(things, { where: eq('shopId', 'x'), limit: 1, total: true })), {
      records: [],
      total: 0,
    })
    const page = { sort: { by: 'createdDay', dir: 'desc' }, when: 'live', limit: 9, total: true } as const
    const loja = eq<keyof Thing>('shopId', 'loja')
    const impossible: readonly Where<keyof Thing>[] = [isIn('status', []), any(), lt('id', 'x'), not(always)]
    for (const never of impossible)
      for (const where of [never, all(loja, never), all(loja, any(never, never))])
        deepEqual(await store.list(listOf(things, { where, ...page })), { records: [], total: 0 })
  })

  check('runs queries of every kind together', async (store) => {
    await store.commit([insert(things, thing(1, { size: 4 })), insert(claims, claim('c'))])
    const answers = await store.read({
      one: byId(things, 1),
      none: byId(things, 2),
      page: listOf(claims, { where: always, limit: 5, total: true }),
      sum: groupOf(things, { where: always, by: [], sum: ['size'] }),
    })
    deepEqual(answers, {
      one: thing(1, { size: 4 }),
      none: null,
      page: { records: [claim('c')], total: 1 },
      sum: [{ by: {}, count: 1, sums: { size: 4 } }],
    })
    deepEqual(await store.read({}), {})
  })
}
