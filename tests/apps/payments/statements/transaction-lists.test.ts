import test from 'ava'
import { beforeAll } from '../before-all.ts'
import { failure, worked, wrongFields } from '../test-api.ts'
import { idsOf, postedDays } from './posted-days.ts'

let given: Awaited<ReturnType<typeof postedDays>>

beforeAll(test, async (t) => {
  given = await postedDays(t)
})

const URL = 'https://pay.example.com/consolidation/transactionsV2'

const linked: readonly (readonly [query: string, ids: readonly number[], page: object])[] = [
  [
    '',
    [8, 7, 6, 5, 4, 3, 2, 1],
    {
      ...{ current_page: 1, total_pages: 1, per_page: 15, total: 8, next_page_url: null, prev_page_url: null },
      ...{ first_page_url: `${URL}?page=1`, last_page_url: `${URL}?page=1`, from: 1, to: 8, path: URL },
    },
  ],
  [
    'per_page=3&page=2&type=pix-in&type=3&search=cobran%C3%A7a',
    [4, 2, 1],
    {
      total_pages: 2,
      total: 6,
      from: 4,
      to: 6,
      next_page_url: null,
      prev_page_url: `${URL}?per_page=3&page=1&type=pix-in&type=3&search=cobran%C3%A7a`,
      last_page_url: `${URL}?per_page=3&page=2&type=pix-in&type=3&search=cobran%C3%A7a`,
    },
  ],
  [
    'per_page=2&unknown=1&page[$gt]=3',
    [8, 7],
    { next_page_url: `${URL}?per_page=2&page=2`, total_pages: 4, from: 1, to: 2 },
  ],
  ['page=9', [], { from: null, to: null, current_page: 9, total: 8, next_page_url: null }],
  ['fromDate=2026-11-24&toDate=2026-12-24', [6, 5, 4], { total: 3 }],
  ['fromDate=2026-11-24&payment_date_start=2026-11-20&payment_date_end=2026-12-24', [6, 5, 4], { total: 3 }],
  ['toDate=2026-11-23&status=5', [3], { total: 1 }],
]
for (const [query, ids, page] of linked)
  test(`lists ${ids.join(', ') || 'nothing'} by transactionsV2?${query}`, async (t) => {
    const body = worked(await given.get(`transactionsV2?${query}`))
    t.deepEqual(idsOf(body.data), ids)
    t.like(body, page)
    if (query === '') t.deepEqual(Object.keys(body).sort(), ['data', ...Object.keys(page)].sort())
  })

const PIX = { id: 1, slug: 'pix-in', name: 'Pix In' }
const FEE = { id: 3, slug: 'pix-in-fee', name: 'Tarifa Pix In' }
const BOLETO = { id: 6, slug: 'boleto-in', name: 'Boleto In' }
const CARD = { id: 16, slug: 'card-settlement', name: 'Liquidação Cartão' }
const amount = (type: typeof PIX, count: number, sum: number) => ({ type_id: type.id, count, amount_sum: sum, type })
const total = (type: typeof PIX, count: number, sum: number) => ({ type_id: type.id, count, total: sum, type })

const summed: readonly (readonly [query: string, ids: readonly number[], summary: readonly object[]])[] = [
  ['', [8, 7, 6, 5, 4, 2, 1], [amount(PIX, 3, 70), amount(FEE, 3, -3), amount(BOLETO, 1, 30)]],
  ['status=5', [3], [amount(CARD, 1, 150.5)]],
  [
    'status=-1&per_page=2&page=3',
    [4, 3],
    [amount(PIX, 3, 70), amount(FEE, 3, -3), amount(BOLETO, 1, 30), amount(CARD, 1, 150.5)],
  ],
  ['status=0', [], []],
  ['created_start_date=2026-11-24&datetime_end_date=2026-11-24', [5, 4], [amount(PIX, 1, 20), amount(FEE, 1, -1)]],
]
for (const [query, ids, summary] of summed)
  test(`sums the list of transactions-v2?${query} by type`, async (t) => {
    const body = worked(await given.get(`transactions-v2?${query}`))
    t.deepEqual([idsOf(body.data), body.summary], [ids, summary])
    t.deepEqual(Object.keys(body), ['data', 'summary', 'pagination'])
    const count = summary.reduce((sum, each) => sum + (each as { count: number }).count, 0)
    const [perPage, page] = query.includes('page=3') ? [2, 3] : [15, 1]
    const last = Math.max(1, Math.ceil(count / perPage))
    t.deepEqual(body.pagination, { current_page: page, per_page: perPage, total: count, last_page: last })
  })

const ALL = 'start_date=2026-01-01&end_date=2027-01-08'
const extracts: readonly (readonly [query: string, ids: readonly number[], rest: object])[] = [
  [
    '',
    [8, 7],
    {
      summary_by_type: [total(PIX, 1, 40), total(FEE, 1, -1)],
      transactions: { current_page: 1, last_page: 1, per_page: 1000, total: 2 },
      totals: { total_positives: 40, total_negatives: 1, total_count: 2, balance: 97 },
      period: { start_date: '2027-01-08', end_date: '2027-01-08' },
    },
  ],
  [
    `${ALL}&per_page=3&page=2`,
    [5, 4, 3],
    {
      transactions: { current_page: 2, last_page: 3, per_page: 3, total: 8 },
      totals: { total_positives: 100, total_negatives: 3, total_count: 7, balance: 97 },
    },
  ],
  [
    'fromDate=2026-11-23&toDate=2026-11-24',
    [5, 4, 3, 2, 1],
    {
      summary_by_type: [total(PIX, 2, 30), total(FEE, 2, -2)],
      totals: { total_positives: 30, total_negatives: 2, total_count: 4, balance: 28 },
      period: { start_date: '2026-11-23', end_date: '2026-11-24' },
    },
  ],
  [`${ALL}&type=card-settlement`, [3], { summary_by_type: [], totals: { total_count: 0, balance: 97 } }],
  ['start_date=2026-12-01&end_date=2026-12-23', [], { totals: { total_count: 0, balance: 28 }, summary_by_type: [] }],
  ['start_date=2027-01-09&end_date=9999-12-31', [], { totals: { balance: 97 } }],
]
for (const [query, ids, rest] of extracts)
  test(`limits extract?${query} to its days`, async (t) => {
    const body = worked(await given.get(`extract?${query}`))
    t.deepEqual(idsOf(body.transactions.data), ids)
    t.like(body, rest)
    t.deepEqual(Object.keys(body), ['summary_by_type', 'transactions', 'totals', 'period'])
  })

test('shows a transaction as in the list, and returns 404 for an unknown one', async (t) => {
  const { get } = given
  const { body } = await get('transactions?type=6')
  const one = await get('transaction?id=6')
  t.deepEqual([one.status, one.body], [200, body.data[0]])
  t.deepEqual(failure(await get('transaction?id=4711')), [404, 'transaction.unknown'])
})

const refused: readonly (readonly [path: string, field: string])[] = [
  ['transactionsV2?fromDate=2026-11-24&toDate=2026-11-23', 'toDate'],
  ['transactionsV2?payment_date_start=2026-11-23&payment_date_end=2027-01-08', 'payment_date_end'],
  ['transactionsV2?payment_date_start=2026-11-23', 'payment_date_end'],
  ['transactions-v2?datetime_start_date=2026-11-24&datetime_end_date=2026-11-23', 'datetime_end_date'],
  ['transactions-v2?created_start_date=2026-11-24&created_end_date=2026-11-23', 'created_end_date'],
  ['extract?start_date=2027-01-02&end_date=2027-01-01', 'end_date'],
  ['extract?fromDate=2027-01-02&toDate=2027-01-01', 'end_date'],
  ['extract?start_date=2027-01-09', 'end_date'],
  ['extract?end_date=2027-01-07', 'end_date'],
]

test('rejects a range that ends before it starts, or of days of payment without an end or of more than 45', async (t) => {
  for (const [path, field] of refused) t.deepEqual(wrongFields(await given.get(path)), [field], path)
})
