import test from 'ava'
import { transactionTypes } from '../../../../core/payments/ledger/ledger.ts'
import { beforeAll } from '../before-all.ts'
import { pluckAll, worked, wrongFields } from '../test-api.ts'
import { postedDays } from './posted-days.ts'

let given: Awaited<ReturnType<typeof postedDays>>

beforeAll(test, async (t) => {
  given = await postedDays(t)
})

const group = (id: number, total_value: number, total_transactions: number) => {
  const { name = '', slug = '' } = transactionTypes.find((each) => each.id === id) ?? {}
  const named = { type_id: id, type_name: name, type_slug: slug }
  return { type: { id, slug, name }, ...named, total_value, total_transactions }
}
const day = (date: string, balance: number, come: number, out: number, boleto: number) => ({
  date,
  balance,
  balance_in: come,
  balance_out: out,
  balance_boleto: boleto,
})

const answered: readonly (readonly [path: string, body: unknown])[] = [
  ['transactions/totals', { pix_in: 40, boleto_in: 30, bolepix_in: 0, pix_out: 0, balance: 97 }],
  ['transactions/totals?start_date=2026-11-23', { pix_in: 70, boleto_in: 30, bolepix_in: 0, pix_out: 0, balance: 97 }],
  [
    'transactions/totals?start_date=2026-11-01&end_date=2026-11-23',
    { pix_in: 10, boleto_in: 0, bolepix_in: 0, pix_out: 0, balance: 97 },
  ],
  ['transactions/grouped-by-method', { success: true, data: [group(1, 70, 3), group(3, -3, 3), group(6, 30, 1)] }],
  ['transactions/grouped-by-method?type_id=1,16', { success: true, data: [group(1, 70, 3)] }],
  [
    'transactions/grouped-by-method?start_date=2026-11-24&end_date=2026-12-24',
    { success: true, data: [group(1, 20, 1), group(3, -1, 1), group(6, 30, 1)] },
  ],
  ['transactions/grouped-by-method?start_date=2027-01-09', { success: true, data: [] }],
  ['get-settlement-statement', { total_received: 40, start_date: '2026-12-31' }],
  ['get-settlement-statement?start_date=2026-11-24', { total_received: 60, start_date: '2026-11-24' }],
  ['get-settlement-statement?start_date=2027-01-09', { total_received: 0, start_date: '2027-01-09' }],
  ['transactions/sales-per-month', [day('2026-12-24', 58, 30, 0, 30), day('2027-01-08', 97, 40, 1, 0)]],
  [
    'transactions/sales-per-month?start_date=2026-11-23&end_date=2026-12-01',
    [day('2026-11-23', 9, 10, 1, 0), day('2026-11-24', 28, 20, 1, 0)],
  ],
  ['transactions/sales-per-month?start_date=2026-11-25&end_date=2026-12-01', []],
]
for (const [path, body] of answered)
  test(`${path} answers`, async (t) => {
    t.deepEqual(worked(await given.get(path)), body)
  })

test('shows the last twelve months in the chart, also those without sales', async (t) => {
  const { body } = await given.get('transactions/sales-per-month-group-month')
  t.deepEqual(body.labels, [
    ...['2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07'],
    ...['2026-08', '2026-09', '2026-10', '2026-11', '2026-12', '2027-01'],
  ])
  const none = Array.from({ length: 12 }, () => 0)
  t.deepEqual(pluckAll(body.datasets, 'label', 'data'), [
    ['Pix In', none.with(9, 30).with(11, 40)],
    ['Boleto In', none.with(10, 30)],
    ['Bolepix In', none],
  ])
  const colours = body.datasets.map((of: { backgroundColor: string }) => of.backgroundColor)
  t.is(new Set(colours).size, 3)
  for (const colour of colours) t.regex(colour, /^#[0-9a-f]{6}$/)
})

test('rejects a range that ends before it starts', async (t) => {
  for (const path of [
    'transactions/totals?start_date=2027-01-02&end_date=2027-01-01',
    'transactions/totals?end_date=2026-12-08',
    'transactions/grouped-by-method?start_date=2027-01-02&end_date=2027-01-01',
    'transactions/sales-per-month?start_date=2027-01-09',
  ])
    t.deepEqual(wrongFields(await given.get(path)), ['end_date'], path)
})

test('starts the days 30 days ago', async (t) => {
  t.is((await given.get('transactions/totals?end_date=2026-12-09')).status, 200)
})
