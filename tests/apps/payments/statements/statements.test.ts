// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { transactionTypes } from '../../../../core/payments/ledger/ledger.ts'
import { beforeAll } from '../before-all.ts'
import { cardBody } from '../given/cards.ts'
import { failure, openMerchant, pluck, pluckAll, worked, wrongFields } from '../test-api.ts'

// The sums, days and pages are tested against a model (`tests/core/payments/statements`): here, the names of queries
// and replies.

/** The day of the requests. */
const TODAY = '2027-01-08'

/**
 * A merchant with eight entries on four days, the first two of which are in no range of the last 30 days:
 *
 * | id | day        | type       | value  | balance |
 * |----|------------|------------|--------|---------|
 * | 1  | 2026-11-23 | Pix        |  10.00 |   10.00 |
 * | 2  | 2026-11-23 | Pix fee    |  -1.00 |    9.00 |
 * | 3  | 2026-11-23 | card       | 150.50 |  150.50 | (of the card, status 5)
 * | 4  | 2026-11-24 | Pix        |  20.00 |   29.00 |
 * | 5  | 2026-11-24 | Pix fee    |  -1.00 |   28.00 |
 * | 6  | 2026-12-24 | boleto     |  30.00 |   58.00 |
 * | 7  | 2027-01-08 | Pix        |  40.00 |   98.00 |
 * | 8  | 2027-01-08 | Pix fee    |  -1.00 |   97.00 |
 */
const postedDays = async (t: Pick<ExecutionContext, 'teardown'>) => {
  const { api, merchant } = await openMerchant(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1 } } })
  const charge = (over: object) => api.charge(merchant, { due_date: '2027-01-30', ...over })
  const pix = []
  for (const value of [10, 20, 40]) pix.push((await charge({ value, description: `Cobrança de ${value}` })).pix.txid)
  const boleto = (await charge({ value: 30, payment_method: 'BOLETO', description: 'Boleto' })).boleto.txid
  worked(await api.pay(pix[0]))
  worked(await api.ask('POST', '/invoices', { token: merchant.token, body: cardBody() }))
  // Just after midnight in São Paulo.
  api.clock.set('2026-11-24T03:00:00.000Z')
  worked(await api.pay(pix[1], { payer: { name: 'João Conceição', document: '111.444.777-35' } }))
  api.clock.set('2026-12-25T02:59:59.999Z')
  worked(await api.pay(boleto))
  api.clock.set(`${TODAY}T12:00:00.000Z`)
  worked(await api.pay(pix[2]))
  const again = await api.again(merchant)
  return {
    api,
    merchant: again,
    get: (path: string) => api.ask('GET', `/consolidation/${path}`, { token: again.token }),
  }
}

let given: Awaited<ReturnType<typeof postedDays>>

beforeAll(test, async (t) => {
  given = await postedDays(t)
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isEntry = (value: unknown) => isObject(value) && 'id' in value && 'datetime' in value

/** Returns a reply with the ids of entries in place of them. */
const withIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.every(isEntry) ? pluck(value, 'id') : value.map(withIds)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each)]))
}

const typeOf = (id: number) => transactionTypes.find((type) => type.id === id)
const shownType = (id: number) => ({ id, slug: typeOf(id)?.slug, name: typeOf(id)?.name })
const grouped = (id: number, total_value: number, total_transactions: number) => {
  const { name, slug } = shownType(id)
  return { type: shownType(id), type_id: id, type_name: name, type_slug: slug, total_value, total_transactions }
}
const byType = (id: number, count: number, total: number) => ({
  type_id: id,
  type_name: typeOf(id)?.name,
  count,
  total,
})
const amount = (id: number, count: number, amount_sum: number) => ({
  type_id: id,
  count,
  amount_sum,
  type: shownType(id),
})
const total = (id: number, count: number, sum: number) => ({ type_id: id, count, total: sum, type: shownType(id) })
const detailed = (date: string, opening_balance: number, closing_balance: number, transactions: readonly number[]) => ({
  ...{ date, opening_balance, closing_balance, transactions },
})
const extracted = (date: string, transactions: readonly number[], day_total: number, balance_end_of_day: number) => ({
  ...{ date, transactions, transactions_count: transactions.length, summary: { day_total, balance_end_of_day } },
})
const sold = (date: string, balance: number, balance_in: number, balance_out: number, balance_boleto: number) => ({
  ...{ date, balance, balance_in, balance_out, balance_boleto },
})
const period = (name: string, running_balance: number, transactions_in: number[], transactions_out: number[]) => ({
  ...{ period: name, running_balance, transactions_in, transactions_out },
  ...{ income_count: transactions_in.length, expenses_count: transactions_out.length },
  transactions_count: transactions_in.length + transactions_out.length,
})

const DETAILED = 'transactions/statement-detailed'
const EXTRACT = 'transactions/extract?payment_date_start=2026-11-01&payment_date_end=2027-01-31'
const SUMMARY = 'v2/transactions/balance-summary?group_by'
const FIGURES = 'v2/transactions?created_at'
const REPORT = 'v2/extract/report'
const TWO_DAYS = 'payment_date_start=2026-11-23&payment_date_end=2026-11-24'
const figures = (start_date: string, end_date: string, ...amounts: readonly [number, number, number, number]) => {
  const [total_received, total_paid, initial_balance, final_balance] = amounts
  return { total_received, total_paid, initial_balance, final_balance, period: { start_date, end_date } }
}
const ofDay = (date: string, id: number, total_value: number) => ({
  ...{ date, type_id: id, total_value, type: shownType(id) },
})
const ofType = (id: number, total_count: number, total_value: number) => ({
  ...{ type_id: id, total_count, total_value, type: shownType(id) },
})
const ofMethod = (payment_method: string, total_count: number, total_value: number) => ({
  ...{ payment_method, total_count, total_value },
})
const LINKED = 'https://pay.example.com/consolidation/transactionsV2'

const replies: readonly (readonly [path: string, reply: object])[] = [
  ['balance', { balance: 97 }],
  ['transactions/totals', { pix_in: 40, boleto_in: 30, bolepix_in: 0, pix_out: 0, balance: 97 }],
  ['transactions/totals?start_date=2026-11-01&end_date=2026-11-23', { pix_in: 10, boleto_in: 0, balance: 97 }],
  [
    'transactions/grouped-by-method',
    { success: true, data: [grouped(1, 70, 3), grouped(3, -3, 3), grouped(6, 30, 1)] },
  ],
  ['transactions/grouped-by-method?type_id=1,16', { data: [grouped(1, 70, 3)] }],
  ['transactions/grouped-by-method?start_date=2026-11-25&end_date=2026-12-24', { data: [grouped(6, 30, 1)] }],
  ['get-settlement-statement', { total_received: 40, start_date: '2026-12-31' }],
  ['get-settlement-statement?start_date=2026-11-24', { total_received: 60, start_date: '2026-11-24' }],
  ['transactions/sales-per-month', [sold('2026-12-24', 58, 30, 0, 30), sold('2027-01-08', 97, 40, 1, 0)]],
  ['transactions/sales-per-month?start_date=2026-11-23&end_date=2026-11-23', [sold('2026-11-23', 9, 10, 1, 0)]],
  [DETAILED, { data: [detailed('2026-12-24', 28, 58, [6]), detailed('2027-01-08', 58, 97, [7, 8])] }],
  [`${DETAILED}?created_at_start=2026-11-24&per_page=2&page=2`, { data: [detailed('2027-01-08', 58, 97, [7, 8])] }],
  [`${DETAILED}?created_at_start=2026-11-01&created_at_end=2026-11-23`, { meta: { total: 1 } }],
  [
    EXTRACT,
    {
      data: [
        extracted('2026-11-23', [1, 2, 3], 9, 9),
        extracted('2026-11-24', [4, 5], 19, 28),
        extracted('2026-12-24', [6], 30, 58),
        extracted('2027-01-08', [7, 8], 39, 97),
      ],
      summary: { balance: 97, total_transactions: 8, by_type: [byType(1, 3, 70), byType(3, 3, -3), byType(6, 1, 30)] },
    },
  ],
  [`${EXTRACT}&type=boleto-in`, { data: [extracted('2026-12-24', [6], 30, 58)] }],
  [`${EXTRACT}&search=conceicao`, { data: [extracted('2026-11-24', [4, 5], 19, 28)] }],
  [`${EXTRACT}&status=5`, { data: [extracted('2026-11-23', [3], 0, 9)], summary: { by_type: [] } }],
  [`${EXTRACT}&created_at_end=2026-11-23&type_id=3`, { data: [extracted('2026-11-23', [2], -1, 9)] }],
  [
    `${SUMMARY}=days&date_start=2026-11-23&date_end=2026-11-24`,
    { data: [period('2026-11-23', 9, [1], [2]), period('2026-11-24', 28, [4], [5])], resume: { sum: 28, income: 30 } },
  ],
  [
    `${SUMMARY}=months&date_start=2026-12-01&date_end=2027-12-31`,
    {
      data: [period('2026-12', 58, [6], []), period('2027-01', 97, [7], [8])],
      resume: { ...period('total', 97, [6, 7], [8]), sum: 69, income: 70, expenses: 1 },
    },
  ],
  [
    'transactionsV2',
    {
      data: [8, 7, 6, 5, 4, 3, 2, 1],
      ...{ current_page: 1, total_pages: 1, per_page: 15, total: 8, next_page_url: null, prev_page_url: null },
      ...{ first_page_url: `${LINKED}?page=1`, last_page_url: `${LINKED}?page=1`, from: 1, to: 8, path: LINKED },
    },
  ],
  [
    'transactionsV2?per_page=2&page=2&type=pix-in&type=3&search=cobran%C3%A7a',
    {
      ...{ data: [5, 4], total_pages: 3, total: 6, from: 3, to: 4 },
      next_page_url: `${LINKED}?per_page=2&page=3&type=pix-in&type=3&search=cobran%C3%A7a`,
      prev_page_url: `${LINKED}?per_page=2&page=1&type=pix-in&type=3&search=cobran%C3%A7a`,
    },
  ],
  ['transactionsV2?per_page=2&unknown=1&page[$gt]=3', { data: [8, 7], next_page_url: `${LINKED}?per_page=2&page=2` }],
  ['transactionsV2?page=9', { data: [], from: null, to: null, current_page: 9, total: 8, next_page_url: null }],
  ['transactionsV2?fromDate=2026-11-24&toDate=2026-12-24', { data: [6, 5, 4] }],
  ['transactionsV2?toDate=2026-11-23&status=5', { data: [3], total: 1 }],
  [
    'transactions-v2',
    {
      data: [8, 7, 6, 5, 4, 2, 1],
      summary: [amount(1, 3, 70), amount(3, 3, -3), amount(6, 1, 30)],
      pagination: { current_page: 1, per_page: 15, total: 7, last_page: 1 },
    },
  ],
  ['transactions-v2?status=-1&per_page=2&page=3', { data: [4, 3], pagination: { total: 8, last_page: 4 } }],
  ['transactions-v2?created_start_date=2026-11-24&datetime_end_date=2026-11-24', { data: [5, 4] }],
  [
    'extract',
    {
      summary_by_type: [total(1, 1, 40), total(3, 1, -1)],
      transactions: { data: [8, 7], current_page: 1, last_page: 1, per_page: 1000, total: 2 },
      totals: { total_positives: 40, total_negatives: 1, total_count: 2, balance: 97 },
      period: { start_date: '2027-01-08', end_date: '2027-01-08' },
    },
  ],
  ['extract?start_date=2026-11-23&per_page=3&page=2', { transactions: { data: [5, 4, 3], last_page: 3, total: 8 } }],
  ['extract?fromDate=2026-11-24&toDate=2026-11-24', { transactions: { data: [5, 4] }, totals: { balance: 28 } }],
  ['extract?start_date=2026-11-23&type=card-settlement', { transactions: { data: [3] }, summary_by_type: [] }],
  [
    'v2/transactions',
    { data: [8, 7, 6], statistics: { ...figures('2026-12-09', TODAY, 70, 1, 28, 97), current_balance: 97 } },
  ],
  [
    `${FIGURES}_start=2026-11-23&created_at_end=2026-11-24&search=conceicao`,
    { data: [5, 4], meta: { total: 2 }, statistics: figures('2026-11-23', '2026-11-24', 30, 2, 0, 28) },
  ],
  [`${FIGURES}_start=2026-11-01&type=card-settlement`, { data: [3], statistics: { total_received: 100 } }],
  [`${FIGURES}_start=2026-12-24`, { statistics: figures('2026-12-24', TODAY, 70, 1, 28, 97) }],
  [`${FIGURES}_end=2026-12-24`, { statistics: figures('2026-11-24', '2026-12-24', 50, 1, 9, 58) }],
  [`${FIGURES}_start=2028-01-01`, { data: [], statistics: figures('2028-01-01', '2028-01-01', 0, 0, 97, 97) }],
  [`${FIGURES}_end=2028-01-01`, { statistics: { period: { start_date: '2026-12-09', end_date: '2028-01-01' } } }],
  [
    'v2/transactions/statement?created_at_start=2026-11-24&created_at_end=2026-12-24',
    {
      statistics: {
        ...figures('2026-11-24', '2026-12-24', 50, 1, 9, 58),
        daily_evolution: [
          { date: '2026-11-24', balance: 28, change: 19 },
          { date: '2026-12-24', balance: 58, change: 30 },
        ],
        summary: [
          { type: 'Pix In', slug: 'pix-in', quantity: 1, total_value: 20 },
          { type: 'Tarifa Pix In', slug: 'pix-in-fee', quantity: 1, total_value: -1 },
          { type: 'Boleto In', slug: 'boleto-in', quantity: 1, total_value: 30 },
        ],
      },
    },
  ],
  [
    `${REPORT}/transactions?${TWO_DAYS}`,
    [ofDay('2026-11-23', 1, 10), ofDay('2026-11-23', 3, -1), ofDay('2026-11-24', 1, 20), ofDay('2026-11-24', 3, -1)],
  ],
  [`${REPORT}/transactions?${TWO_DAYS}&status=5`, [ofDay('2026-11-23', 16, 150.5)]],
  [`${REPORT}/transactions?${TWO_DAYS}&type_id=16&status=-1`, [ofDay('2026-11-23', 16, 150.5)]],
  [`${REPORT}/transactions?type_ids[]=3&type_ids[]=6`, [ofDay('2026-12-24', 6, 30), ofDay(TODAY, 3, -1)]],
  [`${REPORT}/summary`, [ofType(1, 1, 40), ofType(3, 1, -1), ofType(6, 1, 30)]],
  [`${REPORT}/summary?${TWO_DAYS}`, [ofType(1, 2, 30), ofType(3, 2, -2)]],
  [`${REPORT}/payment-methods`, [ofMethod('PIX', 1, 40), ofMethod('BOLETO', 1, 30)]],
  [`${REPORT}/payment-methods?${TWO_DAYS}`, [ofMethod('PIX', 2, 30)]],
  ['v2/extract', { data: [8, 7, 6, 5, 4, 2, 1], meta: { total: 7 } }],
  ['v2/extract?type=1&search=cobran%C3%A7a', { data: [7, 4, 1] }],
  ['v2/extract?type=16', { data: [] }],
  ['v2/extract?page=9', { data: [], meta: { total: 7 } }],
]

// biome-ignore lint/suspicious/noExplicitAny: replies have many shapes
type Shape = any

/** Returns a value without the fields that the shape of its objects lacks; its lists stay whole. */
const shapedAs = (shape: Shape, value: Shape): unknown => {
  if (Array.isArray(shape)) return value.map((each: Shape, index: number) => shapedAs(shape[index], each))
  if (typeof shape !== 'object' || shape === null) return value
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, shapedAs(inner, value?.[name])]))
}

for (const [path, reply] of replies)
  test(`${path} answers`, async (t) => {
    t.deepEqual(shapedAs(reply, withIds(worked(await given.get(path)))), reply)
  })

const found: readonly (readonly [query: string, ids: readonly number[], sums?: readonly [number, number, number]])[] = [
  ['', [8, 7, 6, 5, 4, 3, 2, 1], [8, 250.5, 3]],
  ['per_page=3&page=3', [2, 1], [8, 250.5, 3]],
  ['page=2', []],
  ['type=pix-in', [7, 4, 1], [3, 70, 0]],
  ['type_ids[]=1&type_ids[]=3&per_page=2', [8, 7]],
  ['type_ids=1,3&per_page=2', [8, 7]],
  ['type=pix-out&type_id=3', [8, 5, 2], [3, 0, 3]],
  ['status=5', [3]],
  ['status=99', []],
  ['search=CONCEICAO', [5, 4]],
  ['search=%25', []],
  ['created_at_start=2026-11-24&created_at_end=2026-11-24', [5, 4]],
  ['payment_date_start=2026-11-23&payment_date_end=2026-12-24&type=1', [4, 1]],
  ['unknown=1&status[$ne]=1&type_id=3', [8, 5, 2]],
]

test('lists the entries of each query newest first, with the sums of all matching ones', async (t) => {
  for (const [query, ids, sums] of found) {
    const { data, meta, sumary } = worked(await given.get(`transactions?${query}`))
    t.deepEqual(pluck(data, 'id'), ids, query)
    if (sums) t.deepEqual([meta.total, sumary.income_value, sumary.expenses_value], sums, query)
  }
  const { data, meta } = worked(await given.get('transactions?per_page=2'))
  t.deepEqual(meta, { current_page: 1, per_page: 2, total: 8, last_page: 4 })
  t.deepEqual(pluckAll(data, 'value', 'balance', 'datetime'), [
    [-1, 97, '2027-01-08T09:00:00-03:00'],
    [40, 98, '2027-01-08T09:00:00-03:00'],
  ])
  for (const text of [data[1].txid.toLowerCase(), data[1].endtoend.slice(4)])
    t.deepEqual(pluck(worked(await given.get(`transactions?search=${text}`)).data, 'id'), [8, 7])
})

test('shows a transaction as in the list, and returns 404 for an unknown one', async (t) => {
  const { data } = worked(await given.get('transactions?type=6'))
  t.deepEqual(worked(await given.get('transaction?id=6')), data[0])
  const shown = { code: 200, success: true, data: data[0], message: 'Transaction details retrieved successfully.' }
  t.deepEqual(worked(await given.get('v2/transactions/6')), shown)
  for (const path of ['transaction?id=4711', 'v2/transactions/4711'])
    t.deepEqual(failure(await given.get(path)), [404, 'transaction.unknown'])
})

test('balance-days shows the account and its last 30 days with their entries, also empty ones', async (t) => {
  const { api, merchant, get } = given
  const { dailysBalances: days, ...account } = worked(await get('balance-days'))
  t.deepEqual(account, worked(await api.ask('GET', '/access/account', { token: merchant.token })).account)
  t.deepEqual([days.length, days[0].date, days.at(-1).date], [30, '2026-12-10', '2027-01-08'])
  t.like(withIds([days[0], ...days.slice(-2)]), [
    { balance: 28, transactions: [] },
    { balance: 58, transactions: [] },
    { balance: 97, transactions: [7, 8] },
  ])
})

test('hides the fields of the account that the caller may not read', async (t) => {
  const { api } = given
  const other = await api.merchant('visita@example.com', '11444777000161')
  await api.setRole(other, 4)
  const body = worked(await api.ask('GET', '/consolidation/balance-days', { token: other.token }))
  t.deepEqual([body.id, body.token, body.webhook_secret], [other.id, null, null])
})

test('shows the last twelve months in the chart, also those without sales', async (t) => {
  const { labels, datasets } = worked(await given.get('transactions/sales-per-month-group-month'))
  t.deepEqual([labels.length, labels[0], labels.at(-1)], [12, '2026-02', '2027-01'])
  const none = Array.from({ length: 12 }, () => 0)
  t.deepEqual(pluckAll(datasets, 'label', 'data'), [
    ['Pix In', none.with(9, 30).with(11, 40)],
    ['Boleto In', none.with(10, 30)],
    ['Bolepix In', none],
  ])
  const colours = pluck(datasets, 'backgroundColor')
  t.is(new Set(colours).size, 3)
  for (const colour of colours) t.regex(`${colour}`, /^#[0-9a-f]{6}$/)
})

/**
 * Wrong ranges: they end before their default start or start after their default end, or days of payment lack an end.
 */
const refused: readonly (readonly [path: string, field: string])[] = [
  ['transactions?payment_date_start=2026-11-23', 'payment_date_end'],
  ['transactions?payment_date_end=2026-11-23', 'payment_date_start'],
  ['transactions?payment_date_start=2026-11-23&payment_date_end=2027-01-08', 'payment_date_end'],
  ['transactionsV2?payment_date_start=2026-11-23&payment_date_end=2027-01-08', 'payment_date_end'],
  ['extract?fromDate=2027-01-02&toDate=2027-01-01', 'end_date'],
  ['extract?start_date=2027-01-09', 'end_date'],
  ['extract?end_date=2027-01-07', 'end_date'],
  [`${DETAILED}?created_at_start=2027-01-09`, 'created_at_end'],
  [`${DETAILED}?created_at_end=2026-12-09`, 'created_at_end'],
  ['transactions/extract?payment_date_start=2027-01-01', 'payment_date_end'],
  ['transactions/totals?end_date=2026-12-08', 'end_date'],
  ['transactions/sales-per-month?start_date=2027-01-09', 'end_date'],
]

test('names the end of a range that is wrong, and accepts the longest ones', async (t) => {
  for (const [path, field] of refused) t.deepEqual(wrongFields(await given.get(path)), [field], path)
  for (const path of [`${DETAILED}?created_at_end=2026-12-10`, 'transactions/totals?end_date=2026-12-09'])
    t.is((await given.get(path)).status, 200, path)
  const years = await given.get('transactions/extract?payment_date_start=1900-01-01&payment_date_end=9999-12-31')
  t.is(worked(years).summary.total_transactions, 8)
})
