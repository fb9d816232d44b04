import test, { type ExecutionContext } from 'ava'
import { all, type Collection, t as codec, eq, gte, insert, isIn, lte } from '../../../core/kernel/records/record.ts'
import { addDays } from '../../../core/kernel/values/day.ts'
import { groupOf, listOf } from '../../../core/ports/store.ts'
import { accounts, thingCollections, things } from '../../fixtures/things.ts'
import { assertUnknownRejected, byDay, live, odd, own, pages, receipts, receiptsByStatus } from '../planned-pages.ts'
import { fileFor, openUntilEnd } from './file.ts'

const open = async (t: ExecutionContext) => openUntilEnd(t, await fileFor(t), [...thingCollections, odd])

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

test('a page in order is left for another path where its first entries do not match', async (t) => {
  const store = await openUntilEnd(t, await fileFor(t), [receipts])
  const page = await receiptsByStatus(store)
  t.regex(await store.explain(page('paid')), /test\.receipts_index__paidOn_/)
  t.regex(await store.explain(page('open')), /test\.receipts_index_status_id_/)
  t.like(await store.list(page('open')), { total: 1_000, records: { length: 15 } })
})

test('an unknown key, condition or field is an error and never becomes SQL', async (t) =>
  assertUnknownRejected(t, await open(t), [`size') OR 1 --`, 'a b', '']))

const billCodec = codec.strict({
  id: codec.number,
  shop: codec.string,
  kind: codec.string,
  due: codec.string,
  made: codec.union([codec.string, codec.null]),
})
const bills: Collection<codec.TypeOf<typeof billCodec>> = {
  name: 'test.bills',
  ids: 'integer',
  codec: billCodec,
  owner: 'shop',
  indexes: [{ sort: 'made' }, { sort: 'due' }, { eq: 'kind', sort: 'made' }],
  tallies: [{ by: ['shop', 'due', 'made'], sum: [] }],
}

test('a range of another field bounds the order of a page by the days of their tally', async (t) => {
  const store = await openUntilEnd(t, await fileFor(t), [bills])
  const made = (number: number): string => addDays('2026-01-01', Math.floor(number / 4))
  const records = Array.from({ length: 400 }, (_, id) => ({
    ...{ id, shop: 'a', kind: id % 3 === 0 ? 'x' : 'y', made: made(id) },
    due: addDays(made(id), id % 7),
  }))
  await store.commit(records.map((record) => insert(bills, record)))
  const [from, to] = ['2026-02-01', '2026-02-20']
  const where = all<'shop' | 'kind' | 'due'>(eq('shop', 'a'), eq('kind', 'x'), gte('due', from), lte('due', to))
  const check = async (dir: 'asc' | 'desc', matching: readonly { readonly id: number }[]): Promise<string> => {
    const query = listOf(bills, { where, sort: { by: 'made', dir }, limit: 5, offset: 2, total: true })
    const page = await store.list(query)
    t.deepEqual(
      page.records.map(({ id }) => id),
      matching.slice(2, 7).map(({ id }) => id),
    )
    t.is(page.total, matching.length)
    return store.explain(query)
  }
  const matching = records.filter(({ kind, due }) => kind === 'x' && due >= from && due <= to)
  const bounded = 'test.bills_index_kind_made__ (f_shop=? AND f_kind=? AND f_made>? AND f_made<?)'
  for (const [dir, list] of [['asc', matching] as const, ['desc', matching.toReversed()] as const]) {
    const plan = await check(dir, list)
    t.true(plan.includes(bounded), plan)
  }
  // A record without a day sorts before all days, so that they bound nothing.
  const dayless = { id: 900, shop: 'a', kind: 'x', made: null, due: from }
  await store.commit([insert(bills, dayless)])
  t.false((await check('asc', [dayless, ...matching])).includes(bounded))
  await check('desc', [...matching.toReversed(), dayless])
})
