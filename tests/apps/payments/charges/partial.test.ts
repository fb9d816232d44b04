// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { refunds as returned, titles } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { refunds } from '../../../../core/payments/charges/refund-records.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { verifyCharges } from '../../../../core/payments/reserves/verify-charges.ts'
import { textOf } from '../../../adapters/documents/printed-page.ts'
import { justBefore } from '../../../core/kernel/running/tasks.ts'
import { openMerchant, PIN, pluck, pluckAll, type TestApi } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

/** The open value that the statistics and the sums of the charges show, in reais. */
const openValue = async ({ api }: { readonly api: TestApi }, token: string) => {
  const body = { cards: [EXPECTED], start_date: '2026-11-01', end_date: '2026-12-31' }
  const { body: figures } = await api.ask('POST', '/consolidation/statistic/cards', { token, body })
  const { summary } = (await api.ask('GET', '/v1/charges/summary?status_id=1', { token })).body
  return [figures[EXPECTED], summary.value - (summary.value_paid ?? 0)]
}

const EXPECTED = 'TOTAL_CHARGE_EXPECTED_TO_RECEIVE'

/** A merchant who receives partial payments, with a tolerance in reais. */
const opened = async (t: ExecutionContext, partial_tolerance = 0, options: Parameters<typeof openMerchant>[1] = {}) => {
  const { api, merchant, token } = await openMerchant(t, options)
  await api.fund(merchant)
  const set = (body: object) => api.ask('PUT', '/access/account', { token, body: { pin: PIN, ...body } })
  const settings = { accept_partial: true, partial_tolerance }
  t.like((await set(settings)).body.account, settings)
  const show = async (id = 1) => (await api.ask('GET', `/invoices/${id}`, { token })).body.data
  const told = async () => {
    await api.drain()
    return api.told(HOOK).map(({ type, data }) => [type, data.amount_paid, data.amount_left ?? data.amount_over])
  }
  const types = async () => (await told()).map(([type]) => type)
  const refund = (body: object, id = 1) => api.ask('POST', `/invoices/${id}/refund`, { token, body })
  const faults = async () =>
    (await Promise.all([verifyLedger, verifyCharges].map((verify) => verify(api.host.store)))).flatMap(
      (found) => found.faults,
    )
  return { api, merchant, token, set, show, told, types, refund, faults }
}

test('keeps a charge open after a partial payment, issues a new code for the rest, and is paid by it', async (t) => {
  const { api, merchant, show, told, faults } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100, webhook: HOOK })
  await api.pay(pix.txid, { value: 40 })
  t.like(await show(), { status: { title: 'pending' }, amount_paid: 40, amount_left: 60, payment_date: null })
  await api.drain()
  const rest = await show()
  t.not(rest.pix.txid, pix.txid)
  t.deepEqual(pluckAll(await api.every(titles), 'valueCents', 'status').toSorted(), [
    [10_000, 'cancelled'],
    [6_000, 'open'],
  ])
  await api.pay(rest.pix.txid)
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 100, amount_left: 0, payment_date: '2026-11-23' })
  t.deepEqual(await told(), [
    ['charge.created', null, undefined],
    ['charge.partially_paid', 40, 60],
    ['charge.updated', 40, 60],
    ['charge.paid', 100, 0],
  ])
  t.deepEqual(await faults(), [])
})

test('notifies the team if the bank refuses the code of the rest, which a change requests again', async (t) => {
  const { api, merchant, token, show, types } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100, webhook: HOOK })
  await api.fail('create_pix', 'refuse')
  await api.pay(pix.txid, { value: 40 })
  await api.drain()
  t.like(await show(), { rest_refused: true, pix: { txid: pix.txid } })
  // An empty change requests it; the bank that cannot be reached now leaves it refused.
  const change = () => api.ask('PUT', '/invoices/1', { token, body: {} })
  await api.fail('create_pix', 'unavailable')
  t.is((await change()).status, 400)
  t.true((await show()).rest_refused)
  t.is((await change()).status, 200)
  const { pix: rest, rest_refused } = await show()
  t.not(rest.txid, pix.txid)
  t.is(rest_refused, undefined)
  // A refused close of a title that is not paid keeps it: a code of the former rest would ask for too much.
  await api.fail('cancel_title', 'refuse')
  await api.pay(pix.txid, { value: 20 })
  await api.drain()
  t.like(await show(), { amount_left: 40, pix: { txid: rest.txid } })
  t.deepEqual(await types(), [
    ...['charge.created', 'charge.partially_paid', 'charge.rest_refused', 'charge.updated'],
    ...['charge.partially_paid', 'charge.rest_refused'],
  ])
  t.is(pluck(await api.every(notifications), 'type').filter((type) => type === 'charge.rest_refused').length, 2)
})

test('keeps the value if a partial payment arrives during its change and leaves nothing to pay', async (t) => {
  const { api, merchant, token, show, faults } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100 })
  await api.fail('cancel_title', 'timeout')
  t.is((await api.ask('PUT', '/invoices/1', { token, body: { value: 40 } })).status, 202)
  await api.pay(pix.txid, { value: 50 })
  await api.drain(120)
  // The title of the rest may have waited for the end of the change.
  await api.drain(2)
  const rest = await show()
  t.like(rest, { status: { title: 'pending' }, value: 100, amount_left: 50 })
  await api.pay(rest.pix.txid)
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 100, amount_left: 0 })
  t.deepEqual(await faults(), [])
})

for (const mode of ['unavailable', 'timeout', 'timeout_lost'])
  test(`requests the code of the rest again by the worker after ${mode}, and never calls it refused`, async (t) => {
    const { api, merchant, show, types } = await opened(t)
    const { pix } = await api.charge(merchant, { value: 100, webhook: HOOK })
    await api.fail('create_pix', mode)
    await api.pay(pix.txid, { value: 40 })
    await api.drain()
    t.is((await show()).pix.txid, pix.txid)
    await api.drain(60)
    const { pix: rest, rest_refused } = await show()
    t.deepEqual([rest.txid === pix.txid, rest_refused], [false, undefined])
    t.false((await types()).includes('charge.rest_refused'))
  })

test('counts any payment as full while the account does not accept parts, and shows no new field', async (t) => {
  const { api, merchant, set, show, types } = await opened(t)
  await set({ accept_partial: false })
  const { pix } = await api.charge(merchant, { value: 100, webhook: HOOK })
  await api.pay(pix.txid, { value: 40 })
  await api.pay(pix.txid, { value: 80 })
  const charge = await show()
  t.like(charge, { status: { title: 'paid' }, amount_paid: 120 })
  t.false('amount_left' in charge || 'amount_over' in charge)
  t.deepEqual(await types(), ['charge.created', 'charge.paid', 'pix.received'])
})

test('shows the payer the unpaid rest if the account stops accepting parts', async (t) => {
  const { api, merchant, set } = await opened(t)
  const { code, pix } = await api.charge(merchant, { value: 100 })
  await api.pay(pix.txid, { value: 40 })
  await set({ accept_partial: false })
  await api.pay(pix.txid, { value: 30 })
  const { text } = await api.ask('GET', `/pay/charge/${code}`)
  t.regex(text, /recebeu R\$\u00a070,00.*Foi menos que o valor pedido, R\$\u00a0100,00/s)
})

test('counts a payment of the former code, and closes a charge of which the tolerance is left', async (t) => {
  const { api, merchant, show } = await opened(t, 0.5)
  const { pix } = await api.charge(merchant, { value: 100 })
  await api.pay(pix.txid, { value: 40 })
  await api.drain()
  await api.pay(pix.txid, { value: 59.49 })
  t.like(await show(), { status: { title: 'pending' }, amount_paid: 99.49, amount_left: 0.51 })
  await api.drain()
  await api.pay(pix.txid, { value: 0.01 })
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 99.5, amount_left: 0 })
  await api.drain()
  // The code of the rest is closed, so that it is not paid too.
  t.deepEqual([...new Set(pluck(await api.every(titles), 'status'))], ['cancelled'])
})

test('closes a charge of which a change leaves at most the tolerance, also one that a payment meets', async (t) => {
  const { api, merchant, token, show, types, faults } = await opened(t, 0.5)
  const { pix } = await api.charge(merchant, { value: 100, webhook: HOOK })
  await api.pay(pix.txid, { value: 40 })
  await api.drain()
  const change = (value: number, id = 1) => api.ask('PUT', `/invoices/${id}`, { token, body: { value } })
  t.deepEqual((await change(39.99)).body.error_codes, { value: ['charge.nothing-left'] })
  t.is((await change(40.51)).body.charge.status.title, 'pending')
  const closed = { status: { title: 'paid' }, amount_paid: 40, amount_left: 0, payment_date: '2026-11-23' }
  t.like((await change(40.5)).body.charge, closed)
  t.like(await show(), { ...closed, value: 40.5 })
  t.deepEqual((await types()).slice(-3), ['charge.updated', 'charge.updated', 'charge.paid'])
  const { pix: met } = await api.charge(merchant, { value: 100 })
  await api.pay(met.txid, { value: 40 })
  await api.drain()
  await api.fail('cancel_title', 'timeout')
  t.is((await change(70, 2)).status, 202)
  await api.pay(met.txid, { value: 29.6 })
  await api.drain(120)
  // The title of the rest may have waited for the end of the change.
  await api.drain(2)
  t.like(await show(2), { status: { title: 'paid' }, value: 70, amount_paid: 69.6, amount_left: 0 })
  t.deepEqual([...new Set(pluck(await api.every(titles), 'status'))], ['cancelled'])
  t.deepEqual(await faults(), [])
})

test('records an over-payment, and refunds it in one call from several Pix, once', async (t) => {
  const { api, merchant, show, told, refund, faults } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100, webhook: HOOK })
  await api.pay(pix.txid, { value: 130 })
  await api.pay(pix.txid, { value: 20 })
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 150, amount_over: 50 })
  t.deepEqual(await told(), [
    ['charge.created', null, undefined],
    ['charge.paid', 130, 30],
    ['charge.overpaid', 130, 30],
    ['pix.received', 150, 50],
    ['charge.overpaid', 150, 50],
  ])
  const over = { status: 422, body: { error_codes: { value: ['refund.left'] } } }
  t.like(await refund({ overpaid: true, value: 50.01 }), over)
  const answers = await Promise.all([refund({ overpaid: true }), refund({ overpaid: true })])
  t.deepEqual(pluck(answers, 'status').toSorted(), [200, 422])
  await api.drain()
  t.deepEqual(pluck(await api.every(returned), 'valueCents').toSorted(), [2_000, 3_000])
  t.like(await show(), { refunded_value: 50, amount_over: 0 })
  t.is((await refund({ overpaid: true })).status, 422)
  // One Pix with more than twice the over-payment.
  const other = await api.charge(merchant, { value: 100 })
  await api.pay(other.pix.txid, { value: 130 })
  const twice = await Promise.all([refund({ overpaid: true }, other.id), refund({ overpaid: true }, other.id)])
  t.deepEqual(pluck(twice, 'status').toSorted(), [200, 422])
  t.like(await show(other.id), { refunded_value: 30, amount_over: 0 })
  t.deepEqual(await faults(), [])
})

test('gives back the over-payment of a refund that the bank refuses', async (t) => {
  const { api, merchant, show, refund, faults } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100 })
  await api.pay(pix.txid, { value: 130 })
  await api.fail('refund', 'refuse')
  t.is((await refund({ overpaid: true })).status, 422)
  t.like(await show(), { refunded_value: null, amount_over: 30 })
  t.is((await refund({ overpaid: true })).status, 200)
  t.like(await show(), { refunded_value: 30, amount_over: 0 })
  t.deepEqual(await faults(), [])
})

test('counts a refund against an over-payment that arrived while the bank made it, so that it is not refunded twice', async (t) => {
  const { api, merchant, show, refund, faults } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100 })
  await api.pay(pix.txid, { value: 60 })
  await api.fail('refund', 'timeout')
  t.is((await refund({ value: 60 })).status, 202)
  await api.pay(pix.txid, { value: 100 })
  t.like(await show(), { status: { title: 'paid' }, amount_over: 60 })
  await api.drain(120)
  t.like(await show(), { amount_paid: 160, refunded_value: 60, amount_over: 0 })
  t.is((await refund({ overpaid: true })).status, 422)
  t.deepEqual(pluck(await api.every(refunds), 'overCents'), [6_000])
  t.deepEqual(await faults(), [])
})

test('counts a payment that arrives just before a refund is committed as completed', async (t) => {
  const meanwhile = justBefore((changes) =>
    changes.some(
      ({ at: [name], ...each }) => name === refunds.name && 'set' in each && each.set?.status === 'completed',
    ),
  )
  const instead = ({ store }: Host) => ({ store: meanwhile.on(store) })
  const { api, merchant, show, refund, faults } = await opened(t, 0, { instead })
  const open = await api.charge(merchant, { value: 100 })
  await api.pay(open.pix.txid, { value: 40 })
  meanwhile.act = () => api.pay(open.pix.txid, { value: 30 })
  t.is((await refund({ value: 10 }, open.id)).status, 200)
  t.like(await show(open.id), { amount_paid: 70, refunded_value: 10, amount_left: 40 })
  const paid = await api.paid(merchant, { value: 100 })
  meanwhile.act = () => api.pay(paid.pix.txid, { value: 40 })
  t.is((await refund({ value: 40 }, paid.id)).status, 200)
  t.like(await show(paid.id), { amount_paid: 140, refunded_value: 40, amount_over: 0 })
  t.is((await refund({ overpaid: true }, paid.id)).status, 422)
  t.deepEqual(await faults(), [])
})

test('makes a refunded part due again, and never refunds more than was received', async (t) => {
  const { api, merchant, show, refund, faults } = await opened(t)
  const { pix } = await api.charge(merchant, { value: 100 })
  await api.pay(pix.txid, { value: 40 })
  t.is((await refund({ value: 40.01 })).status, 422)
  t.is((await refund({ value: 15 })).status, 200)
  t.like(await show(), { status: { title: 'pending' }, amount_paid: 40, refunded_value: 15, amount_left: 75 })
  await api.drain()
  const { pix: rest } = await show()
  await api.pay(rest.txid)
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 115, refunded_value: 15, amount_left: 0 })
  const balanceCents = (await api.every(entries)).reduce((sum, { valueCents }) => sum + valueCents, 0)
  t.is(balanceCents, 10_000)
  t.deepEqual(await faults(), [])
  await api.host.store.commit([patch(charges, 1, { add: { amountPaidCents: 1 }, when: always })])
  t.deepEqual(await faults(), ['charge 1 has 11501 paid, and 11500 posted'])
})

test('expires a charge that was paid in part, and accepts its rest and a refund after that', async (t) => {
  const { api, merchant, faults } = await opened(t)
  const more = { value: 100, payment_method: 'BOLEPIX', due_date: '2026-11-24', webhook: HOOK }
  const { pix, code } = await api.charge(merchant, more)
  await api.pay(pix.txid, { value: 40 })
  await api.drain()
  await api.drain('2026-12-26T13:00:00.000Z')
  const { token } = await api.again(merchant)
  const show = async () => (await api.ask('GET', '/invoices/1', { token })).body.data
  const expired = await show()
  t.like(expired, { status: { title: 'expired' }, amount_paid: 40, amount_left: 60, payment_date: null })
  t.deepEqual([expired.pix.status, expired.boleto.status], ['cancelled', 'cancelled'])
  t.regex((await api.ask('GET', `/pay/charge/${code}`)).text, /Cobrança expirada.*R\$\u00a040,00/s)
  await api.pay(expired.boleto.txid, { method: 'boleto' })
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 100, amount_left: 0, payment_date: '2026-12-26' })
  t.is((await api.ask('POST', '/invoices/1/refund', { token, body: { value: 40 } })).status, 200)
  t.like(await show(), { status: { title: 'paid' }, amount_paid: 100, refunded_value: 40, amount_left: 0 })
  await api.drain()
  t.deepEqual(pluck(api.told(HOOK), 'type'), [
    'charge.created',
    'charge.partially_paid',
    'charge.updated',
    'charge.expired',
    'charge.paid',
    'charge.refunded',
  ])
  t.deepEqual(await faults(), [])
})

test('counts the unpaid value as expected after interest, a refund and a change, until the charge lapses', async (t) => {
  const { api, merchant, faults } = await opened(t)
  const more = { amount_rate: 3, type_rate: 'PERCENTAGE', due_date: '2026-11-24', payment_method: 'BOLEPIX' }
  await api.charge(merchant, { ...more, value: 7, payment_method: 'BOLETO' })
  const { pix } = await api.charge(merchant, { ...more, value: 100 })
  t.deepEqual(await openValue({ api }, merchant.token), [107, 107])
  // Ten days late: R$ 1,00 of interest is paid first.
  await api.drain('2026-12-04T13:00:00.000Z')
  const { token } = await api.again(merchant)
  await api.pay(pix.txid, { value: 41 })
  const { summary } = (await api.ask('GET', '/v1/charges/summary', { token })).body
  t.like(summary, { value: 107, amount_paid: 41, value_paid: 40 })
  t.like(summary.groups, [
    { value: 7, value_paid: undefined },
    { value: 100, value_paid: 40 },
  ])
  t.deepEqual(await openValue({ api }, token), [67, 67])
  t.is((await api.ask('POST', '/invoices/2/refund', { token, body: { value: 10 } })).status, 200)
  t.deepEqual(await openValue({ api }, token), [77, 77])
  await api.drain()
  // Without interest the payment of R$ 31,00 counts against the value alone.
  const change = { amount_rate: null, type_rate: null, value: 90 }
  t.is((await api.ask('PUT', '/invoices/2', { token, body: change })).status, 200)
  t.deepEqual(await openValue({ api }, token), [66, 66])
  t.deepEqual(await faults(), [])
  await api.host.store.commit([patch(charges, 2, { add: { valuePaidCents: 1 }, when: always })])
  t.deepEqual(await faults(), ['charge 2 has 3101 of its value paid'])
  api.clock.set('2027-01-20T13:00:00.000Z')
  t.deepEqual(await openValue({ api }, (await api.again(merchant)).token), [0, 0])
})

test('lists the payments and the open parts, and shows the rest on the page, in the boleto and by mail', async (t) => {
  const { api, merchant, set } = await opened(t)
  await set({ notification_rules: { on_payment: { enabled: true, channels: ['email'] } } })
  const more = { value: 100, amount_rate: 3, type_rate: 'PERCENTAGE', due_date: '2026-11-24' }
  const { boleto, code } = await api.charge(merchant, { ...more, payment_method: 'BOLETO' })
  // Ten days late: R$ 1,00 of interest is paid first.
  await api.drain('2026-12-04T13:00:00.000Z')
  const { token: later } = await api.again(merchant)
  await api.pay(boleto.txid, { value: 41 })
  const page = async () => (await api.ask('GET', `/pay/charge/${code}`)).text
  t.regex(await page(), /Pago em parte.*O banco está preparando.*Falta pagar.*R\$\u00a060,00.*Já pago/s)
  await api.drain()
  t.regex(await page(), /Pague aqui o que falta.*Pague o boleto/s)
  const { boleto: rest } = (await api.ask('GET', '/invoices/1', { token: later })).body.data
  t.true(rest.barcode.slice(9, 19).endsWith('6000'))
  const pdf = await (await fetch(rest.pathPDF.replace('https://pay.example.com', api.url))).arrayBuffer()
  t.regex(textOf(new Uint8Array(pdf)), /JÁ PAGO: R\$ 41,00 DE R\$ 100,00.*JUROS DE R\$ 0,06 POR DIA/s)
  t.regex((await api.mailsTo('maria@example.com')).join(), /Recebemos uma parte.*Falta pagar.*R\$ 60,00/s)
  await api.drain('2026-12-14T13:00:00.000Z')
  const { token: last } = await api.again(merchant)
  const { payments } = (await api.ask('GET', '/v1/charges/1/payments', { token: last })).body
  t.like(payments, { amount_paid: 41, amount_left: 60.6, value_left: 60, interest: 0.6 })
  t.like(payments.payments, [{ transaction_id: 1, type: 'Boleto In', value: 41, refunded_value: 0 }])
  const terms = async () => (await api.ask('GET', '/v1/charges/1/terms', { token: last })).body.terms
  const agreed = { amount_rate: 3, type_rate: 'PERCENTAGE', fine: null, discount: null, accept_partial: true }
  const today = { day: '2026-12-14', interest: 0.6, amount_due: 60.6, discount_until: null, is_payable: true }
  t.like(await terms(), { ...agreed, today })
  await api.pay(rest.txid)
  t.like(await terms(), { ...agreed, today: null })
  t.is((await api.ask('GET', '/invoices/1', { token: last })).body.data.amount_paid, 101.6)
  // The receipt shows the whole charge, and not the boleto of its rest.
  const headers = { authorization: `Bearer ${last}` }
  const receipt = await fetch(`${api.url}/billing/charges/1/download-pdf`, { headers })
  t.regex(textOf(new Uint8Array(await receipt.arrayBuffer())), /Valor\s+R\$ 100,00.*R\$ 101,60/s)
})
