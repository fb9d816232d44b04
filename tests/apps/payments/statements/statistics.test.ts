import test from 'ava'
import { beforeAll } from '../before-all.ts'
import { type Merchant, openTestApi, type TestApi, worked } from '../test-api.ts'

let api: TestApi
let merchant: Merchant

const CARDS = [
  'PIXS_COUNT',
  'BOLETOS_COUNT',
  'CLIENTS_COUNT',
  'CHARGE_COUNT_PAID',
  'PIX_IN_SUM',
  'CHARGE_SUM_PAID',
  'PIX_OUT_SUM',
  'TOTAL_CHARGE_EXPECTED_TO_RECEIVE',
]

const issue = (method: string, value: number, due: string, more = {}) =>
  api.charge(merchant, { value, payment_method: method, due_date: due, ...more })
const pay = async (charge: Awaited<ReturnType<typeof issue>>, over = {}) =>
  worked(await api.pay((charge.pix ?? charge.boleto).txid, over))

// Five charges in November, three in December, one in January; two clients in November and one in December.
beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
  const late = await issue('PIX', 10, '2026-12-20')
  await pay(await issue('PIX', 20, '2026-11-30'), { value: 25 })
  const boleto = await issue('BOLETO', 40, '2026-12-10')
  await issue('BOLEPIX', 80, '2026-12-15', { name: 'João', email: 'joao@example.com', document: '11144477735' })
  const removed = await issue('BOLETO', 160, '2026-12-12')
  worked(await api.ask('DELETE', `/invoices/${removed.id}`, { token: merchant.token }))
  api.clock.set('2026-12-05T15:00:00.000Z')
  merchant = await api.again(merchant)
  await pay(boleto)
  await pay(late)
  await pay(await issue('BOLEPIX', 320, '2026-12-30'))
  await issue('PIX', 640, '2026-12-06', { name: 'Zé', email: 'ze@example.com', document: '52998224725' })
  await issue('BOLETO', 1_280, '2027-02-01')
  api.clock.set('2027-01-20T15:00:00.000Z')
  merchant = await api.again(merchant)
  await issue('PIX', 2_560, '2027-01-20')
})

const ask = (body: unknown, path = 'cards') =>
  api.ask('POST', `/consolidation/statistic/${path}`, { token: merchant.token, body })

const figures: readonly (readonly [start: string | null, end: string | null, figures: readonly number[]])[] = [
  // 640 expired at the end of its day and 80 thirty days after it, also before the worker updates them.
  ['2026-11-01', '2026-11-30', [2, 3, 2, 1, 25, 25, 0, 0]],
  ['2026-12-01', '2026-12-31', [1, 2, 1, 3, 10, 370, 0, 0]],
  ['2026-11-23', '2027-02-01', [4, 5, 3, 4, 35, 395, 0, 1_280 + 2_560]],
  ['2026-12-05', '2026-12-05', [1, 2, 1, 3, 10, 370, 0, 0]],
  ['2020-01-01', '2020-12-31', [0, 0, 0, 0, 0, 0, 0, 0]],
  // The last thirty days begin on 21 December.
  [null, null, [1, 0, 0, 0, 0, 0, 0, 2_560]],
  ['2026-12-01', null, [2, 2, 1, 3, 10, 370, 0, 2_560]],
]
for (const [start_date, end_date, expected] of figures)
  test(`returns the figures from ${start_date} to ${end_date} by both routes`, async (t) => {
    const body = { cards: CARDS, start_date, end_date }
    const wanted = Object.fromEntries(CARDS.map((card, index) => [card, expected[index]]))
    for (const path of ['cards', 'balance']) t.deepEqual((await ask(body, path)).body, wanted, path)
  })

test('returns only the requested figures, each once', async (t) => {
  const { body } = await ask({ cards: ['PIX_IN_SUM', 'PIXS_COUNT', 'PIX_IN_SUM'], start_date: '2026-11-01' })
  t.deepEqual(body, { PIX_IN_SUM: 35, PIXS_COUNT: 4 })
})

const STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'failed', 'deleted', 'paidwithpix']
const counts = (date_group: string, over: Readonly<Record<string, number>>) => ({
  date_group,
  ...Object.fromEntries(STATUSES.map((word) => [`qtd_${word}`, over[word] ?? 0])),
})

test('counts boletos by day of issue and status', async (t) => {
  const get = async (query: string) =>
    (await api.ask('GET', `/consolidation/statistic/boletos${query}`, { token: merchant.token })).body
  const months = [
    // 80 is due on 15 December and accepts payments until 14 January.
    counts('2026-11', { expired: 1, paid: 1, deleted: 1 }),
    counts('2026-12', { pending: 1, paidwithpix: 1 }),
  ]
  const [november, december] = months
  t.deepEqual(await get(''), months)
  t.deepEqual(await get('?group_by=month'), months)
  t.deepEqual(await get('?group_by=day'), [
    { ...november, date_group: '2026-11-23' },
    { ...december, date_group: '2026-12-05' },
  ])
  t.deepEqual(await get('?group_by=year'), [
    counts('2026', { expired: 1, paid: 1, deleted: 1, pending: 1, paidwithpix: 1 }),
  ])
})

test('returns statistics of the account only, also of a suspended organization', async (t) => {
  const other = await api.merchant('outra@example.com', '12ABC34501DE35')
  await api.setStatus(other, 'SUSPENDED')
  const body = { cards: ['PIXS_COUNT', 'PIX_IN_SUM'], start_date: '2026-11-01' }
  const { token } = other
  const figures = worked(await api.ask('POST', '/consolidation/statistic/cards', { token, body }))
  t.deepEqual(figures, { PIXS_COUNT: 0, PIX_IN_SUM: 0 })
})
