import test from 'ava'
import { beforeAll } from '../before-all.ts'
import { worked, wrongFields } from '../test-api.ts'
import { idsOf, postedDays } from './posted-days.ts'

let given: Awaited<ReturnType<typeof postedDays>>

beforeAll(test, async (t) => {
  given = await postedDays(t)
})

interface Day {
  readonly date: string
  readonly transactions: readonly { readonly id: number }[]
}

interface Extracted extends Day {
  readonly transactions_count: number
  readonly summary: { readonly day_total: number; readonly balance_end_of_day: number }
}

interface Period {
  readonly income_count: number
  readonly expenses_count: number
  readonly transactions_count: number
  readonly transactions_in: Day['transactions']
  readonly transactions_out: Day['transactions']
}

test('balance-days shows the account and its last 30 days with their entries, also empty ones', async (t) => {
  const { api, merchant, get } = given
  const body = worked(await get('balance-days'))
  const { dailysBalances: days, ...account } = body
  t.deepEqual(account, (await api.ask('GET', '/access/account', { token: merchant.token })).body.account)
  t.is(days.length, 30)
  t.deepEqual([days[0].date, days.at(-1).date], ['2026-12-10', '2027-01-08'])
  for (const { date, balance, transactions } of days) {
    t.is(balance, date < '2026-12-24' ? 28 : date < '2027-01-08' ? 58 : 97, date)
    t.deepEqual(idsOf(transactions), date === '2026-12-24' ? [6] : date === '2027-01-08' ? [7, 8] : [], date)
  }
})

test('hides the fields of the account that the caller may not read', async (t) => {
  const { api } = given
  const other = await api.merchant('visita@example.com', '11444777000161')
  await api.setRole(other, 4)
  const { body } = await api.ask('GET', '/consolidation/balance-days', { token: other.token })
  t.deepEqual([body.id, body.token, body.webhook_secret], [other.id, null, null])
  t.true(body.dailysBalances.every((day: { balance: number }) => day.balance === 0))
})

const everything = 'created_at_start=2026-11-01&created_at_end=2027-01-31'
const detailed: readonly (readonly [
  query: string,
  days: readonly (readonly [string, number, number, readonly number[]])[],
])[] = [
  [
    '',
    [
      ['2026-12-24', 28, 58, [6]],
      ['2027-01-08', 58, 97, [7, 8]],
    ],
  ],
  [
    everything,
    [
      ['2026-11-23', 0, 9, [1, 2, 3]],
      ['2026-11-24', 9, 28, [4, 5]],
      ['2026-12-24', 28, 58, [6]],
      ['2027-01-08', 58, 97, [7, 8]],
    ],
  ],
  [`${everything}&per_page=3&page=2`, [['2027-01-08', 58, 97, [7, 8]]]],
  [`${everything}&per_page=3&page=3`, []],
  [
    'created_at_start=2026-11-24',
    [
      ['2026-11-24', 9, 28, [4, 5]],
      ['2026-12-24', 28, 58, [6]],
      ['2027-01-08', 58, 97, [7, 8]],
    ],
  ],
  ['created_at_start=2026-11-25&created_at_end=2026-12-23', []],
]
for (const [query, days] of detailed)
  test(`lists ${days.length} days with their balances by statement-detailed?${query}`, async (t) => {
    const body = worked(await given.get(`transactions/statement-detailed?${query}`))
    t.deepEqual(
      body.data.map((day: Day & { opening_balance: number; closing_balance: number }) => [
        day.date,
        day.opening_balance,
        day.closing_balance,
        idsOf(day.transactions),
      ]),
      days,
    )
    t.like(body, { code: 200, success: true, message: 'Dias listados com sucesso.' })
    t.is(body.meta.total, query.startsWith(everything) ? 4 : days.length)
    for (const { transactions } of body.data)
      for (const line of transactions)
        t.deepEqual(Object.keys(line), ['id', 'datetime', 'description', 'value', 'balance', 'type', 'metadata'])
  })

const whole = 'payment_date_start=2026-11-01&payment_date_end=2027-01-31'
const type = (id: number, name: string, count: number, total: number) => ({
  type_id: id,
  type_name: name,
  count,
  total,
})
const extracts: readonly (readonly [
  query: string,
  days: readonly (readonly [date: string, ids: readonly number[], total: number, balance: number])[],
  summary: object,
])[] = [
  [
    whole,
    [
      ['2026-11-23', [1, 2, 3], 9, 9],
      ['2026-11-24', [4, 5], 19, 28],
      ['2026-12-24', [6], 30, 58],
      ['2027-01-08', [7, 8], 39, 97],
    ],
    {
      balance: 97,
      total_transactions: 8,
      by_type: [type(1, 'Pix In', 3, 70), type(3, 'Tarifa Pix In', 3, -3), type(6, 'Boleto In', 1, 30)],
    },
  ],
  [
    'payment_date_start=2026-11-24&payment_date_end=2026-12-31&type=pix-in&type=6',
    [
      ['2026-11-24', [4], 20, 28],
      ['2026-12-24', [6], 30, 58],
    ],
    { balance: 58, total_transactions: 2, by_type: [type(1, 'Pix In', 1, 20), type(6, 'Boleto In', 1, 30)] },
  ],
  [`${whole}&search=conceicao`, [['2026-11-24', [4, 5], 19, 28]], { balance: 97, total_transactions: 2 }],
  [`${whole}&status=5`, [['2026-11-23', [3], 0, 9]], { balance: 97, total_transactions: 1, by_type: [] }],
  [
    `${whole}&created_at_end=2026-11-24&type_id=3`,
    [
      ['2026-11-23', [2], -1, 9],
      ['2026-11-24', [5], -1, 28],
    ],
    { balance: 97 },
  ],
  [
    'payment_date_start=2026-11-25&payment_date_end=2026-11-26',
    [],
    { balance: 28, total_transactions: 0, by_type: [] },
  ],
]
for (const [query, days, summary] of extracts)
  test(`sums the days of transactions/extract?${query}`, async (t) => {
    const body = worked(await given.get(`transactions/extract?${query}`))
    t.deepEqual(
      body.data.map(({ date, transactions, summary: of, transactions_count: count }: Extracted) => {
        t.is(count, transactions.length)
        return [date, idsOf(transactions), of.day_total, of.balance_end_of_day]
      }),
      days,
    )
    t.like(body.summary, summary)
    t.deepEqual(Object.keys(body), ['data', 'summary'])
  })

const NOTHING = { sum: 0, income: 0, expenses: 0, income_count: 0, expenses_count: 0, transactions_count: 0 }
const summaries: readonly (readonly [query: string, periods: readonly object[], resume: object])[] = [
  [
    'group_by=days&date_start=2026-11-23&date_end=2026-11-24',
    [
      { ...{ period: '2026-11-23', sum: 9, running_balance: 9, income: 10, expenses: 1 }, ins: [1], outs: [2] },
      { ...{ period: '2026-11-24', sum: 19, running_balance: 28, income: 20, expenses: 1 }, ins: [4], outs: [5] },
    ],
    { ...{ period: 'total', sum: 28, running_balance: 28, income: 30, expenses: 2 }, ins: [1, 4], outs: [2, 5] },
  ],
  [
    'group_by=months&date_start=2026-11-24&date_end=2027-12-31',
    [
      { ...{ period: '2026-11', sum: 19, running_balance: 28, income: 20, expenses: 1 }, ins: [4], outs: [5] },
      { ...{ period: '2026-12', sum: 30, running_balance: 58, income: 30, expenses: 0 }, ins: [6], outs: [] },
      { ...{ period: '2027-01', sum: 39, running_balance: 97, income: 40, expenses: 1 }, ins: [7], outs: [8] },
    ],
    { ...{ period: 'total', sum: 88, running_balance: 97, income: 90, expenses: 2 }, ins: [4, 6, 7], outs: [5, 8] },
  ],
  [
    'group_by=months&date_start=2026-11-25&date_end=2026-12-23',
    [],
    { ...{ period: 'total', running_balance: 28 }, ...NOTHING, ins: [], outs: [] },
  ],
]
for (const [query, periods, resume] of summaries)
  test(`sums the periods of balance-summary?${query}`, async (t) => {
    const body = worked(await given.get(`v2/transactions/balance-summary?${query}`))
    const plain = ({ transactions_in: ins, transactions_out: outs, ...sums }: Period) => {
      t.deepEqual([sums.income_count, sums.expenses_count], [ins.length, outs.length])
      t.is(sums.transactions_count, ins.length + outs.length)
      return { ...sums, ins: idsOf(ins), outs: idsOf(outs) }
    }
    t.is(body.data.length, periods.length)
    for (const [at, period] of periods.entries()) t.like(plain(body.data[at]), period)
    t.like(plain(body.resume), resume)
    t.deepEqual(Object.keys(body), ['data', 'resume'])
  })

const refused: readonly (readonly [path: string, field: string])[] = [
  ['transactions/statement-detailed?created_at_start=2027-01-02&created_at_end=2027-01-01', 'created_at_end'],
  ['transactions/statement-detailed?created_at_start=2027-01-09', 'created_at_end'],
  ['transactions/statement-detailed?created_at_end=2026-12-09', 'created_at_end'],
  ['transactions/extract?payment_date_start=2027-01-01', 'payment_date_end'],
  ['transactions/extract?payment_date_start=2027-01-02&payment_date_end=2027-01-01', 'payment_date_end'],
  ['v2/transactions/balance-summary?group_by=days&date_start=2027-01-02&date_end=2027-01-01', 'date_end'],
]

test('rejects a range that ends before it starts', async (t) => {
  for (const [path, field] of refused) t.deepEqual(wrongFields(await given.get(path)), [field], path)
})

test('starts the last 30 days 29 days ago, and accepts a range of years', async (t) => {
  t.is((await given.get('transactions/statement-detailed?created_at_end=2026-12-10')).status, 200)
  const years = await given.get('transactions/extract?payment_date_start=1900-01-01&payment_date_end=9999-12-31')
  t.deepEqual([years.status, years.body.summary.total_transactions], [200, 8])
})
