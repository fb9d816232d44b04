import test from 'ava'
import { addDays } from '../../../../core/kernel/values/day.ts'
import { beforeAll } from '../before-all.ts'
import { cardBody } from '../given/cards.ts'
import { type Merchant, openTestApi, type TestApi, worked } from '../test-api.ts'

/** A requested movement, in cents, from which the test sums the expected figures. */
interface Moved {
  readonly day: string
  readonly typeId: number
  readonly status: number
  readonly cents: number
  /** The method of the paid charge. */
  readonly method?: string
}

const reais = (cents: number): number => cents / 100
const sum = (moved: readonly Moved[]): number => moved.reduce((cents, each) => cents + each.cents, 0)

const NAMES: Readonly<Record<number, readonly [slug: string, name: string]>> = {
  1: ['pix-in', 'Pix In'],
  3: ['pix-in-fee', 'Tarifa Pix In'],
  6: ['boleto-in', 'Boleto In'],
  9: ['boleto-fee', 'Tarifa Boleto'],
  11: ['bolepix-in', 'Bolepix In'],
  12: ['bolepix-fee', 'Tarifa Bolepix'],
  16: ['card-settlement', 'Liquidação Cartão'],
  17: ['card-withdrawal', 'Saque Cartão'],
}
const typeOf = (id: number) => ({ id, slug: NAMES[id]?.[0], name: NAMES[id]?.[1] })

/** Sums the movements of a period one by one. */
const foldOf = (all: readonly Moved[], start: string, end: string) => {
  const confirmed = all.filter(({ status }) => status === 1)
  const within = confirmed.filter(({ day }) => day >= start && day <= end)
  const initial = sum(confirmed.filter(({ day }) => day < start))
  const [ins, outs] = [within.filter(({ cents }) => cents > 0), within.filter(({ cents }) => cents < 0)]
  const days = [...new Set(within.map(({ day }) => day))].sort()
  const types = [...new Set(within.map(({ typeId }) => typeId))].sort((a, b) => a - b)
  const statistics = {
    total_received: reais(sum(ins)),
    total_paid: reais(Math.abs(sum(outs))),
    initial_balance: reais(initial),
    final_balance: reais(initial + sum(within)),
    period: { start_date: start, end_date: end },
  }
  const byType = types.map((typeId) => ({ typeId, of: within.filter((each) => each.typeId === typeId) }))
  const methods = ['PIX', 'BOLETO', 'BOLEPIX'].map((method) => ({
    method,
    of: ins.filter((each) => each.method === method),
  }))
  return {
    list: { ...statistics, current_balance: reais(sum(confirmed)) },
    statement: {
      ...statistics,
      daily_evolution: days.map((date) => ({
        date,
        balance: reais(sum(confirmed.filter(({ day }) => day <= date))),
        change: reais(sum(within.filter(({ day }) => day === date))),
      })),
      summary: byType.map(({ typeId, of }) => ({
        type: typeOf(typeId).name,
        slug: typeOf(typeId).slug,
        quantity: of.length,
        total_value: reais(sum(of)),
      })),
    },
    byDay: days.flatMap((date) =>
      byType.flatMap(({ typeId, of }) => {
        const those = of.filter(({ day }) => day === date)
        if (those.length === 0) return []
        return [{ date, type_id: typeId, total_value: reais(sum(those)), type: typeOf(typeId) }]
      }),
    ),
    byType: byType.map(({ typeId, of }) => ({
      type_id: typeId,
      total_count: of.length,
      total_value: reais(sum(of)),
      type: typeOf(typeId),
    })),
    byMethod: methods
      .filter(({ of }) => of.length > 0)
      .sort((a, b) => b.of.length - a.of.length)
      .map(({ method, of }) => ({ payment_method: method, total_count: of.length, total_value: reais(sum(of)) })),
    count: all.filter(({ day }) => day >= start && day <= end).length,
  }
}

/** Draws days from a first one, in order. */
const daysFrom = (first: string, count: number, draw: () => number): readonly string[] =>
  Array.from({ length: count }, () => addDays(first, Math.floor(draw() * count * 2))).sort()

let api: TestApi
let merchant: Merchant
const moved: Moved[] = []
const [FIRST, MOVEMENTS, SEED] = ['2026-12-01', 24, 20_261_123]
const TODAY = '2027-01-31'
const FEES = { pix_in: 0.99, boleto_in: 1.5, bolepix: 2 }

/** Returns numbers between 0 and 1, equal for an equal seed. */
const drawing = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const draw = drawing(SEED)

const POSTED = { PIX: [1, 3, 99], BOLETO: [6, 9, 150], BOLEPIX: [11, 12, 200] } as const

const pay = async (day: string, method: 'PIX' | 'BOLETO' | 'BOLEPIX') => {
  const value = 10 + Math.floor(draw() * 90_000) / 100
  const due = { value, payment_method: method, due_date: addDays(day, 3) }
  const charge = await api.charge(merchant, due)
  worked(await api.pay((charge.pix ?? charge.boleto).txid, method === 'BOLETO' ? { method: 'boleto' } : {}))
  const [typeId, feeType, feeCents] = POSTED[method]
  const cents = Math.round(value * 100)
  moved.push({ day, typeId, status: 1, cents, method }, { day, typeId: feeType, status: 1, cents: -feeCents })
}

const sell = async (day: string) => {
  const { token } = merchant
  worked(await api.ask('POST', '/invoices', { token, body: cardBody(undefined, { value: 80 }) }))
  worked(await api.ask('POST', '/transactions/card/withdraw', { token, body: { amount: 30.25 } }))
  moved.push({ day, typeId: 16, status: 5, cents: 8_000 })
  moved.push({ day, typeId: 17, status: 5, cents: -3_025 }, { day, typeId: 17, status: 1, cents: 3_025 })
}

beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
  await api.setStatus(merchant, 'ACTIVE')
  worked(await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: FEES } }))
  for (const day of daysFrom(FIRST, MOVEMENTS, draw)) {
    api.clock.set(`${day}T15:00:00.000Z`)
    merchant = await api.again(merchant)
    const chosen = draw()
    if (chosen < 0.2) await sell(day)
    else await pay(day, chosen < 0.55 ? 'PIX' : chosen < 0.8 ? 'BOLETO' : 'BOLEPIX')
  }
  api.clock.set(`${TODAY}T15:00:00.000Z`)
  merchant = await api.again(merchant)
})

const get = (path: string) => api.ask('GET', `/consolidation/v2/${path}`, { token: merchant.token })

const ranges: readonly (readonly [start: string, end: string])[] = [
  [FIRST, TODAY],
  ['2026-12-10', '2026-12-20'],
  ['2026-12-15', '2026-12-15'],
  ['2020-01-01', '2026-11-30'],
  ['2027-01-05', '2030-01-01'],
]
for (const [start, end] of ranges)
  test(`sums the figures of ${start} to ${end} as one by one (seed ${SEED})`, async (t) => {
    const expected = foldOf(moved, start, end)
    const created = `created_at_start=${start}&created_at_end=${end}`
    const paid = `payment_date_start=${start}&payment_date_end=${end}`
    const { body: listed } = await get(`transactions?${created}&per_page=500`)
    t.deepEqual(listed.statistics, expected.list)
    t.deepEqual([listed.data.length, listed.meta.total], [expected.count, expected.count])
    t.deepEqual((await get(`transactions/statement?${created}`)).body.statistics, expected.statement)
    t.deepEqual((await get(`extract/report/transactions?${paid}`)).body, expected.byDay)
    t.deepEqual((await get(`extract/report/summary?${paid}`)).body, expected.byType)
    t.deepEqual((await get(`extract/report/payment-methods?${paid}`)).body, expected.byMethod)
  })

test('lists the last thirty days in São Paulo by default', async (t) => {
  const start = addDays(TODAY, -30)
  const { period, ...figures } = (await get('transactions')).body.statistics
  const { period: _, ...expected } = foldOf(moved, start, TODAY).list
  t.deepEqual([period, figures], [{ start_date: start, end_date: TODAY }, expected])
  t.deepEqual((await get('extract/report/summary')).body, foldOf(moved, start, TODAY).byType)
  const alone = async (query: string) => (await get(`transactions?${query}`)).body.statistics.period
  t.deepEqual(await alone('created_at_start=2026-12-01'), { start_date: '2026-12-01', end_date: TODAY })
  t.deepEqual(await alone('created_at_start=2028-01-01'), { start_date: '2028-01-01', end_date: '2028-01-01' })
  t.deepEqual(await alone('created_at_end=2026-12-31'), { start_date: '2026-12-01', end_date: '2026-12-31' })
  t.deepEqual(await alone('created_at_end=2028-01-01'), { start_date: start, end_date: '2028-01-01' })
})

test('lists every status with the balance of its book, with any filter', async (t) => {
  const { data } = (await get(`transactions?created_at_start=${FIRST}&per_page=500`)).body
  const balances = new Map<boolean, number>()
  for (const { value, balance, status } of [...data].reverse()) {
    const isCard = status.id === 5
    balances.set(isCard, (balances.get(isCard) ?? 0) + Math.round(value * 100))
    t.is(Math.round(balance * 100), balances.get(isCard) ?? 0)
  }
  const whole = (await get(`transactions?created_at_start=${FIRST}`)).body.statistics
  for (const query of ['type=17', 'search=zzz', 'type_ids[]=1&type_id=3', 'page=9']) {
    const { body } = await get(`transactions?created_at_start=${FIRST}&${query}`)
    t.deepEqual(body.statistics, whole, query)
  }
  const typed = (await get(`transactions?created_at_start=${FIRST}&type=card-withdrawal&per_page=500`)).body
  t.is(typed.meta.total, moved.filter(({ typeId }) => typeId === 17).length)
})

test('lists confirmed transactions of any age in the extract', async (t) => {
  const confirmed = moved.filter(({ status }) => status === 1)
  const { body } = await get('extract?per_page=500')
  t.is(body.meta.total, confirmed.length)
  t.deepEqual(
    body.data.map(({ value }: { value: number }) => Math.round(value * 100)),
    confirmed.map(({ cents }) => cents).reverse(),
  )
  const [line] = (await get('extract?type=1&per_page=1')).body.data
  t.deepEqual(
    (await get(`extract?search=${line.endtoend}`)).body.data.map(({ type }: { type: { id: number } }) => type.id),
    [3, 1],
  )
  t.is((await get('extract?type=16')).body.meta.total, 0)
  t.is((await get('extract?page=99')).status, 200)
})

test('reports the requested status and types by day', async (t) => {
  const paid = `payment_date_start=${FIRST}&payment_date_end=${TODAY}`
  const typesOf = async (query: string) => {
    const { body } = await get(`extract/report/transactions?${paid}&${query}`)
    return [...new Set(body.map((row: { type_id: number }) => row.type_id))].sort()
  }
  t.deepEqual(await typesOf('status=5'), [16, 17])
  t.deepEqual(await typesOf('status=2'), [])
  t.deepEqual(await typesOf('type_ids[]=1&type_ids[]=6'), [1, 6])
  t.deepEqual(await typesOf('type_id=16'), [])
  t.deepEqual(await typesOf('type_id=16&status=-1'), [16])
})

test('shows a transaction as in the list, and returns 404 for an unknown one', async (t) => {
  const [line] = (await get('extract?per_page=1')).body.data
  const { body } = await get(`transactions/${line.id}`)
  t.deepEqual(body, { code: 200, success: true, data: line, message: 'Transaction details retrieved successfully.' })
  const { status, body: unknown } = await get('transactions/999999')
  t.deepEqual([status, unknown.error_code], [404, 'transaction.unknown'])
})
