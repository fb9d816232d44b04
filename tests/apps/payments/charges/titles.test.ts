// Also runs on MongoDB, in test:long.
import { isValidBoleto } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import { parsePix } from 'pix-utils'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { openMerchant, pluck, pluckAll } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

test('issues a boleto with valid digits of its charge', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const charge = await api.charge(merchant, { payment_method: 'BOLETO', webhook: HOOK, value: 1234.56 })
  const { boleto } = charge
  t.is(charge.pix, null)
  t.like(charge, { payment_method: 'BOLETO', value: 1234.56, status: { title: 'pending' } })
  t.true(isValidBoleto(boleto.digitableLine))
  t.regex(boleto.barcode, /^7489\d16460000123456112620000/)
  t.regex(boleto.nosso_numero, /^262\d{6}$/)
  t.is(boleto.status, 'issued')
  t.is(boleto.pathPDF, `https://pay.example.com/storage/boletos/boleto_${boleto.txid}.pdf`)
  await api.drain()
  t.deepEqual(
    api.told(HOOK).map(({ type, data }) => [type, data.boleto.digitableLine]),
    [['charge.created', boleto.digitableLine]],
  )
  const { body } = await api.ask('GET', `/invoices?search=${boleto.nosso_numero}`, { token: merchant.token })
  t.deepEqual(pluck(body.data, 'id'), [charge.id])
})

test('credits a boleto once with its fee, however often the bank notifies', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { boleto_in: 2.5, pix_in: 1 } } })
  const { id, boleto } = await api.charge(merchant, { payment_method: 'BOLETO', webhook: HOOK })
  for (const method of ['boleto', 'pix', undefined]) {
    const { status, body } = await api.pay(boleto.txid, { method })
    t.deepEqual([status, body], [200, { end_to_end_id: boleto.nosso_numero, status: 'confirmed' }])
  }
  const lines = await api.every(entries)
  t.deepEqual(pluckAll(lines, 'typeId', 'valueCents', 'endToEnd', 'txid'), [
    [6, 15_050, boleto.nosso_numero, boleto.txid],
    [9, -250, boleto.nosso_numero, boleto.txid],
  ])
  const shown = await api.ask('GET', `/invoices/${id}`, { token: merchant.token })
  t.like(shown.body.data, { status: { title: 'paid' }, amount_paid: 150.5, boleto: { status: 'paid' } })
  await api.drain()
  t.deepEqual(pluck(api.told(HOOK), 'type'), ['charge.created', 'charge.paid'])
})

test('marks a bolepix paid by its Pix as paidwithpix, and credits and notifies a second payment', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { bolepix: 3, boleto: 9, pix_in: 1 } } })
  const { id, boleto, pix } = await api.charge(merchant, { payment_method: 'BOLEPIX', webhook: HOOK })
  t.is(pix.txid, boleto.txid)
  t.like(parsePix(pix.qrcode), { type: 'STATIC', transactionAmount: 150.5, txid: pix.txid })
  t.true(isValidBoleto(boleto.digitableLine))
  await api.pay(pix.txid)
  const read = async () => (await api.ask('GET', `/invoices/${id}`, { token: merchant.token })).body.data
  t.like(await read(), { status: { id: 7, title: 'paidwithpix' }, amount_paid: 150.5, boleto: { status: 'paid' } })
  await api.pay(pix.txid, { method: 'boleto' })
  t.like(await read(), { status: { title: 'paidwithpix' }, amount_paid: 301 })
  t.deepEqual(pluckAll(await api.every(entries), 'typeId', 'valueCents'), [
    [11, 15_050],
    [12, -300],
    [11, 15_050],
    [12, -300],
  ])
  await api.drain()
  t.deepEqual(pluck(api.told(HOOK), 'type'), ['charge.created', 'charge.paid', 'pix.received'])
})

test('accepts a boleto or bolepix thirty days after its due day, with interest from a business day', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const terms = { value: 100, amount_rate: 1, type_rate: 'ABSOLUTE', due_date: '2026-12-05' }
  const { id, code } = await api.charge(merchant, { payment_method: 'BOLEPIX', ...terms })
  const days = [
    ['2026-12-05T12:00:00.000Z', 100],
    ['2026-12-07T12:00:00.000Z', 100],
    ['2026-12-08T12:00:00.000Z', 101],
    ['2027-01-05T02:59:59.999Z', 128],
  ] as const
  for (const [instant, due] of days) {
    api.clock.set(instant)
    const { body } = await api.ask('GET', `/public/charge?code=${code}`)
    t.is(body.charge.status.title, 'pending', instant)
    t.like(parsePix(body.charge.pix.qrcode), { transactionAmount: due }, instant)
  }
  api.clock.set('2027-01-05T03:00:00.000Z')
  const { token } = await api.again(merchant)
  t.is((await api.ask('GET', `/invoices/${id}`, { token })).body.data.status.title, 'expired')
})
