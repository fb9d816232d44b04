// Also runs on MongoDB, in test:long.
import test from 'ava'
import { beforeAll } from '../before-all.ts'
import { errorsOf, type Merchant, openTestApi, pluck, pluckAll, type TestApi } from '../test-api.ts'

let api: TestApi
let merchant: Merchant

const JOAO = { name: 'João Conceição', document: '111.444.777-35' }

// Five payments on three days, each with a fee of 1: entries 1 to 10, of which the even ones are fees.
beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1 } } })
  const issued = []
  for (let count = 1; count <= 5; count += 1) {
    const more = { value: count * 10, due_date: '2027-01-30', description: `Cobrança ${count}ª` }
    issued.push(await api.charge(merchant, more))
  }
  const at = [
    '2026-11-23T13:05:10.000Z',
    '2026-11-24T02:59:59.999Z',
    '2026-11-24T03:00:00.000Z',
    '2027-01-07T12:00:00.000Z',
    '2027-01-08T12:00:00.000Z',
  ]
  for (const [index, instant] of at.entries()) {
    api.clock.set(instant)
    await api.pay(issued[index].pix.txid, index === 2 ? { payer: JOAO } : {})
  }
  merchant = await api.again(merchant)
})

const get = (query: string) => api.ask('GET', `/consolidation/transactions?${query}`, { token: merchant.token })
const ids = async (query: string) => pluck((await get(query)).body.data, 'id')

test('returns the balance of the payments less fees, and zero for a new account', async (t) => {
  t.deepEqual((await api.ask('GET', '/consolidation/balance', { token: merchant.token })).body, { balance: 145 })
  const { token } = await api.merchant()
  t.deepEqual((await api.ask('GET', '/consolidation/balance', { token })).body, { balance: 0 })
  const { body } = await api.ask('GET', '/consolidation/transactions', { token })
  t.like(body, { data: [], sumary: { total_transactions: 0, income_value: 0, expenses_value: 0 } })
})

test('lists entries newest first, with running balances and the sums of all matching ones', async (t) => {
  const { body } = await get('per_page=4')
  t.deepEqual(body.meta, { current_page: 1, per_page: 4, total: 10, last_page: 3 })
  t.deepEqual(body.sumary, { total_transactions: 10, income_value: 150, expenses_value: 5 })
  t.deepEqual(pluckAll(body.data, 'id', 'value', 'balance', 'datetime'), [
    [10, -1, 145, '2027-01-08T09:00:00-03:00'],
    [9, 50, 146, '2027-01-08T09:00:00-03:00'],
    [8, -1, 96, '2027-01-07T09:00:00-03:00'],
    [7, 40, 97, '2027-01-07T09:00:00-03:00'],
  ])
  t.deepEqual(await ids('per_page=4&page=3'), [2, 1])
  t.deepEqual(await ids('per_page=4&page=4'), [])
})

const found: readonly (readonly [query: string, ids: readonly number[], sums: readonly [number, number]])[] = [
  ['type=pix-in', [9, 7, 5, 3, 1], [150, 0]],
  ['type_id=1', [9, 7, 5, 3, 1], [150, 0]],
  ['type_ids[]=1&type_ids[]=3&per_page=2', [10, 9], [150, 5]],
  ['type_ids=1,3&per_page=2', [10, 9], [150, 5]],
  ['type=pix-out&type_id=3', [10, 8, 6, 4, 2], [0, 5]],
  ['type_id=4711', [], [0, 0]],
  ['status=-1&per_page=1', [10], [150, 5]],
  ['status=1&per_page=1', [10], [150, 5]],
  ...[0, 2, 3, 99].map((status) => [`status=${status}`, [], [0, 0]] as const),
  ['search=cobranca%203', [6, 5], [30, 1]],
  ['search=CONCEICAO', [6, 5], [30, 1]],
  ['search=%25', [], [0, 0]],
  ['created_at_start=2026-11-24&created_at_end=2026-11-24', [6, 5], [30, 1]],
  ['payment_date_start=2026-11-23&payment_date_end=2027-01-07&type=1', [7, 5, 3, 1], [100, 0]],
  ['payment_date_start=2026-11-23&payment_date_end=2026-12-01&created_at_start=2026-11-24', [6, 5], [30, 1]],
  ['unknown=1&status[$ne]=1&type_id=3', [10, 8, 6, 4, 2], [0, 5]],
]
for (const [query, expected, [income, expenses]] of found)
  test(`finds ${expected.join(', ') || 'nothing'} by ?${query}`, async (t) => {
    t.deepEqual(await ids(query), expected)
    const { body } = await get(query)
    t.like(body.sumary, { income_value: income, expenses_value: expenses })
    if (!query.includes('per_page'))
      t.deepEqual([body.meta.total, body.sumary.total_transactions], [expected.length, expected.length])
  })

test('rejects a range that ends before it starts, and days of payment without an end or of more than 45 days', async (t) => {
  const errorsAt = async (query: string) => errorsOf(await get(query))
  const refused = [
    ['created_at_start=2026-11-24&created_at_end=2026-11-23', 'created_at_end'],
    ['payment_date_start=2026-11-23', 'payment_date_end'],
    ['payment_date_end=2026-11-23', 'payment_date_start'],
    ['payment_date_start=2026-11-24&payment_date_end=2026-11-23', 'payment_date_end'],
  ] as const
  for (const [query, field] of refused) t.deepEqual(Object.keys(await errorsAt(query)), [field], query)
  t.deepEqual(await errorsAt('payment_date_start=2026-11-23&payment_date_end=2027-01-08'), {
    payment_date_end: ['O período pode ter no máximo 45 dias.'],
  })
})

test('finds an entry by its txid and its end-to-end id', async (t) => {
  const [line] = (await get('type=1')).body.data
  t.deepEqual(await ids(`search=${line.txid.toLowerCase()}`), [10, 9])
  t.deepEqual(await ids(`search=${line.endtoend.slice(4)}`), [10, 9])
})
