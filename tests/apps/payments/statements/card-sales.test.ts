// Also runs on MongoDB, in test:long.

import test from 'ava'
import { addDays } from '../../../../core/kernel/values/day.ts'
import { journals } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { CARDS, cardBody } from '../given/cards.ts'
import {
  type Merchant,
  openMerchant,
  type openTestApi,
  pluckAll,
  type TestApi,
  worked,
  wrongFields,
} from '../test-api.ts'

const open = async (t: Parameters<typeof openTestApi>[0]) => {
  const { api, merchant } = await openMerchant(t)
  await api.setStatus(merchant, 'ACTIVE')
  return { api, merchant }
}

const sell = async (api: TestApi, { token }: Merchant, value: number, over = {}) =>
  worked(await api.ask('POST', '/invoices', { token, body: cardBody(undefined, { value, ...over }) })).data

const withdraw = (api: TestApi, { token }: Merchant, amount: unknown) =>
  api.ask('POST', '/transactions/card/withdraw', { token, body: { amount } })

const get = async (api: TestApi, { token }: Merchant, path: string) => worked(await api.ask('GET', path, { token }))

interface Sale {
  readonly day: string
  readonly gross: number
  readonly fee: number
  readonly net: number
}

/** Marks sales as withdrawn, oldest first, as far as the withdrawals cover them. */
const marked = (sales: readonly Sale[], withdrawn: number) => {
  let covered = 0
  return sales.map((sale) => {
    covered += sale.net
    return { ...sale, status: covered <= withdrawn ? 'WITHDRAWN' : 'PENDING' }
  })
}

const reais = (cents: number) => cents / 100
const amounts = ({ gross, fee, net }: Sale) => [gross, fee, net].map(reais)
const total = (sales: readonly Sale[] = [], of: 'gross' | 'fee' | 'net') =>
  reais(sales.reduce((sum, each) => sum + each[of], 0))

test('shows sales as withdrawn oldest first, as far as the withdrawals cover their net amounts, with any filter', async (t) => {
  const { api, merchant: first } = await open(t)
  let merchant = first
  worked(await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { fee: 2.5 } } }))
  const sales: Sale[] = []
  let withdrawn = 0
  const START = '2026-11-24'
  const days = [0, 0, 1, 3, 3, 4].map((after) => addDays(START, after))
  const check = async () => {
    const all = marked(sales, withdrawn)
    for (const status of ['', 'PENDING', 'WITHDRAWN'])
      for (const [from, to] of [
        ['', ''],
        [START, START],
        [days[2], days[4]],
        ['', days[2]],
        [days[3], ''],
        ['2020-01-01', '2020-01-02'],
      ]) {
        const inDays = all.filter(({ day }) => (!from || day >= from) && (!to || day <= to))
        const wanted = inDays.filter((each) => !status || each.status === status).reverse()
        const range = `${from ? `&payment_date_start=${from}` : ''}${to ? `&payment_date_end=${to}` : ''}`
        const query = `status=${status}${range}`
        const { data, meta } = await get(api, merchant, `/consolidation/card-transactions?per_page=2&page=1&${query}`)
        const { data: more } = await get(api, merchant, `/consolidation/card-transactions?per_page=2&page=2&${query}`)
        t.is(meta.total, wanted.length, query)
        const fields = ['gross_amount', 'fee_amount', 'net_amount', 'status', 'payment_date'] as const
        t.deepEqual(
          pluckAll([...data, ...more], ...fields),
          wanted.slice(0, 4).map((sale) => [...amounts(sale), sale.status, sale.day]),
          query,
        )
        if (status) continue
        const { data: summary } = await get(api, merchant, `/consolidation/card-transactions/summary?${range}`)
        const [pending, done] = ['PENDING', 'WITHDRAWN'].map((is) => inDays.filter((each) => each.status === is))
        const sums = { gross: total(inDays, 'gross'), fee: total(inDays, 'fee'), net: total(inDays, 'net') }
        const wantedSums = {
          total: { count: inDays.length, ...sums },
          pending: { count: pending?.length, net: total(pending, 'net') },
          withdrawn: { count: done?.length, net: total(done, 'net') },
        }
        t.deepEqual(summary, wantedSums, query)
      }
  }
  await check()
  for (const [index, day] of days.entries()) {
    api.clock.set(`${day}T15:00:00.000Z`)
    merchant = await api.again(merchant)
    const gross = 10_000 + index * 1_111
    await sell(api, merchant, reais(gross))
    const net = Math.round(gross * 0.975)
    sales.push({ day, gross, fee: gross - net, net })
    // One cent less than a sale, then that cent, then several sales.
    const amount = [sales[0]?.net ?? 0, 0, 1, 0, 15_000, 0][index] ?? 0
    const taken = index === 0 ? amount - 1 : amount
    if (taken > 0) worked(await withdraw(api, merchant, reais(taken)))
    withdrawn += taken
    await check()
  }
  const card = await get(api, merchant, '/transactions/card/balance')
  t.is(card.balance, reais(sales.reduce((sum, { net }) => sum + net, 0) - withdrawn))
  const { data } = await get(api, merchant, '/consolidation/card-transactions?per_page=1')
  t.like(data[0], {
    charge: {
      payment_method: 'CREDIT_CARD',
      client: { name: 'Maria da Silva' },
      value: reais(sales.at(-1)?.gross ?? 0),
    },
  })
})

test('posts a withdrawal as one journal of two entries, and returns them', async (t) => {
  const { api, merchant } = await open(t)
  await sell(api, merchant, 100)
  const refused = await withdraw(api, merchant, 100.01)
  t.like(refused, { status: 400, body: { error: 'Saldo insuficiente.', error_code: 'card-balance.insufficient' } })
  const body = worked(await withdraw(api, merchant, 30.25))
  const entry = (value: number, balance: number, statusId: number, title: string) => ({
    value,
    balance,
    description: 'Saque do saldo de cartão',
    type: { id: 17, slug: 'card-withdrawal', name: 'Saque Cartão' },
    status: { id: statusId, title },
    txid: body.txid,
  })
  t.like(body, { message: 'Saque realizado com sucesso.', amount: 30.25, balance: 69.75 })
  t.like(body.transactions, [entry(-30.25, 69.75, 5, 'Cartão'), entry(30.25, 30.25, 1, 'Confirmado')])
  t.deepEqual(Object.keys(body).sort(), ['amount', 'balance', 'message', 'transactions', 'txid'])
  const legs = (await api.every(journals)).find(({ cause }) => cause === `card-withdrawal:${body.txid}`)?.legs
  t.deepEqual(legs, [
    { book: `${merchant.id}:card`, cents: -3_025 },
    { book: `${merchant.id}:main`, cents: 3_025 },
  ])
  t.deepEqual(await get(api, merchant, '/consolidation/balance'), { balance: 30.25 })
  const { data, meta } = await get(api, merchant, '/transactions/card?perPage=2')
  t.deepEqual([data[0], data[1].type.id, data[1].balance, meta.total], [body.transactions[0], 16, 100, 2])
  t.deepEqual((await verifyLedger(api.host.store)).faults, [])
})

test('returns 422 for a wrong amount before 403 for an INACTIVE organization', async (t) => {
  const { api, merchant } = await open(t)
  await sell(api, merchant, 100)
  await api.setStatus(merchant, 'INACTIVE')
  t.deepEqual(wrongFields(await withdraw(api, merchant, 0)), ['amount'])
  const { status, body } = await withdraw(api, merchant, 10)
  t.deepEqual([status, body.message], [403, 'Organização não está ativa.'])
})

test('sums the card balance of a range of days, and lists only those days', async (t) => {
  const { api, merchant: first } = await open(t)
  await sell(api, first, 100)
  api.clock.set('2026-11-25T12:00:00.000Z')
  const merchant = await api.again(first)
  await withdraw(api, merchant, 40)
  await sell(api, merchant, 5)
  const rows: readonly (readonly [query: string, balance: number, count: number])[] = [
    ['', 65, 3],
    ['?start_date=2026-11-25', -35, 2],
    ['?end_date=2026-11-24', 100, 1],
    ['?start_date=2026-11-23&end_date=2026-11-23', 100, 1],
    ['?start_date=2027-01-01', 0, 0],
  ]
  for (const [query, balance, count] of rows) {
    t.deepEqual(await get(api, merchant, `/transactions/card/balance${query}`), { balance }, query)
    t.is((await get(api, merchant, `/transactions/card${query}`)).meta.total, count, query)
  }
})

test('does not list pending or declined cards, nor sales with a net amount of zero', async (t) => {
  const { api, merchant } = await open(t)
  const { token } = merchant
  await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.pending) })
  await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.declined) })
  worked(await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { fee: 100 } } }))
  await sell(api, merchant, 10)
  t.is((await get(api, merchant, '/consolidation/card-transactions')).meta.total, 0)
  t.deepEqual(await get(api, merchant, '/transactions/card/balance'), { balance: 0 })
})

test("exports the account's balance on its own entries, and none on card entries", async (t) => {
  const { api, merchant: first } = await open(t)
  await api.paid(first)
  await sell(api, first, 200)
  const merchant = await api.again(first)
  worked(await withdraw(api, merchant, 80))
  const body = { format: 'csv', download: true }
  const { text } = await api.ask('POST', '/consolidation/transactions/export-document', { token: merchant.token, body })
  const rows = text.split('\r\n').slice(1, -1)
  t.deepEqual(rows.map((row) => row.split(';').slice(3, 7).join(';')).sort(), [
    'Liquidação Cartão;Cartão;200,00;',
    'Pix In;Confirmado;150,50;150,50',
    'Saque Cartão;Cartão;-80,00;',
    'Saque Cartão;Confirmado;80,00;230,50',
  ])
})
