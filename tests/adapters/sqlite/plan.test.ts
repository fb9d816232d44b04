import test, { type ExecutionContext } from 'ava'
import { type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import { all, always, any, eq, isIn, lt, not } from '../../../core/kernel/records/record.ts'
import { groupOf, listOf } from '../../../core/ports/store.ts'
import { accounts, thingCollections, things } from '../../fixtures/things.ts'
import { byDay, live, odd, own, pages } from '../planned-pages.ts'
import { fileFor } from './file.ts'

const open = async (t: ExecutionContext): Promise<SqliteStore> => {
  const store = await sqliteStore(await fileFor(t), [...thingCollections, odd])
  t.teardown(store.close)
  return store
}

const ofNoStatus: (typeof pages)[number] = [
  'of no status',
  { where: all(own, eq('status', null)), sort: byDay, ...live },
  ['status', 'createdDay', '', 'live'],
]

for (const [title, page, [equal, sort, search, when]] of [...pages, ofNoStatus]) {
  test(`a page ${title} goes through its index and sorts nothing`, async (t) => {
    const plan = await (await open(t)).explain(listOf(things, page))
    const index = ['index', equal, sort, search, when].join('_')
    t.true(plan.includes(`USING INDEX test.things_${index} (f_shopId=?`), plan)
    t.false(plan.includes('TEMP B-TREE'), plan)
  })
}

test('a page by ids reads by id, whatever its other conditions', async (t) => {
  const store = await open(t)
  for (const ids of [[1, 2], Array.from({ length: 40 }, (_, index) => index)]) {
    const plan = await store.explain(listOf(things, { where: all(own, isIn('id', ids)), limit: 15 }))
    t.true(plan.includes('USING INTEGER PRIMARY KEY (rowid=?)'), plan)
    t.false(plan.includes('TEMP B-TREE'), plan)
  }
  const plan = await store.explain(listOf(accounts, { where: all(own, isIn('id', ['a', 'b'])), limit: 15 }))
  t.true(plan.includes('sqlite_autoindex_test.accounts_1 (id=?)'), plan)
})

test('a total and a group that a tally covers read the tally', async (t) => {
  const store = await open(t)
  const covered = all(own, eq('status', 'open'))
  const total = await store.explain(listOf(things, { where: covered, sort: byDay, total: true, ...live }))
  t.regex(total, /SEARCH test\.things_tally_0 USING PRIMARY KEY \(b_shopId=\? AND b_status=\?\)$/)
  const group = await store.explain(groupOf(things, { where: own, when: 'live', by: ['status'], sum: ['valueCents'] }))
  t.true(group.startsWith('SEARCH test.things_tally_0 USING PRIMARY KEY (b_shopId=?)'), group)
  const counted = await store.explain(groupOf(things, { where: eq('size', 1), by: [], sum: [] }))
  t.true(counted.includes('SCAN test.things'), counted)
})

test('an index serves a condition of any form; one on lists is not partial', async (t) => {
  const store = await open(t)
  for (const when of Object.keys(odd.conditions ?? {})) {
    const page = { where: eq('shop', 'x'), when, sort: { by: 'n', dir: 'asc' }, limit: 5 } as const
    const plan = await store.explain(listOf(odd, page))
    if (when !== 'never') {
      t.true(plan.includes(`test.odd_index__n__${when} (f_shop=?`), plan)
      t.false(plan.includes('TEMP B-TREE'), plan)
    }
    t.deepEqual(await store.list(listOf(odd, { ...page, total: true })), { records: [], total: 0 })
  }
})

test('an impossible condition has an empty result, though no index serves it', async (t) => {
  const store = await open(t)
  for (const never of [isIn('status', []), any<never>(), lt('id', 'x'), not(always)]) {
    for (const where of [never, all(own, never), all(own, any(never, never))]) {
      const page = await store.list(listOf(things, { where, sort: byDay, total: true, ...live }))
      t.deepEqual(page, { records: [], total: 0 })
    }
  }
})

test('an unknown key, condition or field is an error and never becomes SQL', async (t) => {
  const store = await open(t)
  await t.throwsAsync(store.find({ kind: 'find', from: things, by: { key: 'nothing', is: 'x' } }), {
    message: /no key nothing/,
  })
  await t.throwsAsync(store.list(listOf(things, { where: always, when: 'nothing', limit: 1 })), {
    message: /no condition/,
  })
  const field = `size') OR 1 --` as 'size'
  await t.throwsAsync(store.list(listOf(things, { where: eq(field, 1), limit: 1 })), { message: /invalid field name/ })
})
