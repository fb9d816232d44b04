// Also runs on MongoDB, in test:long.

import test from 'ava'
import { CARDS, cardBody } from '../given/cards.ts'
import { failure, openMerchant, openTestApi, pluck, worked } from '../test-api.ts'

const pathOf = (id: number | string) => `/billing/simulate-payment/${id}/charges`

test('simulates payments in a test account: posts them with the fee, pays the charge and notifies', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { token, id } = merchant
  worked(
    await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { taxes: { pix_in: 0.5, boleto_in: 1, bolepix: 2 } } }),
  )
  const cases = [
    ['PIX', 'paid'],
    ['BOLETO', 'paid'],
    ['BOLEPIX', 'paidwithpix'],
  ] as const
  for (const [payment_method, status] of cases) {
    const webhook = `https://loja.example/${payment_method}`
    const charge = await api.charge(merchant, { payment_method, value: 150, webhook })
    const { body } = await api.ask('POST', pathOf(charge.code), { token })
    t.is(body.message, 'Pagamento simulado com sucesso!')
    t.deepEqual([body.data.status.title, body.data.amount_paid, body.data.payment_date], [status, 150, '2026-11-23'])
    t.deepEqual((await api.ask('GET', `/invoices/${charge.id}`, { token })).body.data.status, body.data.status)
    const again = await api.ask('POST', pathOf(charge.id), { token })
    t.is(again.status, 400)
    t.is(again.body.error_code, 'charge.not-pending')
    await api.drain()
    t.deepEqual(pluck(api.told(webhook), 'type'), ['charge.created', 'charge.paid'])
  }
  t.deepEqual((await api.ask('GET', '/consolidation/balance', { token })).body, { balance: 450 - 0.5 - 1 - 2 })
})

test('approves a pending card', async (t) => {
  const { api, token } = await openMerchant(t)
  const { data } = worked(await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.pending) }))
  t.is(data.status.title, 'pending')
  const { body } = await api.ask('POST', pathOf(data.id), { token })
  t.is(body.data.status.title, 'paid')
  t.is((await api.ask('POST', pathOf(data.id), { token })).status, 400)
})

test('rejects accounts other than 1, 2 and 3 before the charge is read', async (t) => {
  const api = await openTestApi(t)
  const documents = ['11222333000181', '11444777000161', '12ABC34501DE35', '52998224725']
  for (const [index, document] of documents.entries()) {
    const merchant = await api.merchant(`m${index}@example.com`, document)
    const { id } = await api.charge(merchant)
    const isTest = merchant.id <= 3
    t.is((await api.ask('POST', pathOf(id), { token: merchant.token })).status, isTest ? 200 : 403)
    t.is((await api.ask('POST', pathOf(999_999), { token: merchant.token })).status, isTest ? 404 : 403)
  }
})

test('rejects every account in production before the charge is read', async (t) => {
  const { api, merchant } = await openMerchant(t, { env: { NODE_ENV: 'production' } })
  const { id } = await api.charge(merchant)
  for (const charge of [id, 999_999]) {
    t.deepEqual(failure(await api.ask('POST', pathOf(charge), { token: merchant.token })), [
      403,
      'simulation.forbidden',
    ])
  }
  t.is((await api.ask('GET', `/invoices/${id}`, { token: merchant.token })).body.data.status.title, 'pending')
})
