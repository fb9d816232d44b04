// Also runs on MongoDB, in test:long.
import test, { type ExecutionContext } from 'ava'
import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import { refunds as givenBack, payments } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { refundablePix, refunds } from '../../../../core/payments/charges/refund-records.ts'
import { entries, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import type { BankRefund } from '../../../../core/ports/bank.ts'
import { textOf } from '../../../adapters/documents/printed-page.ts'
import { failure, MARIA, type Merchant, openMerchant, openTestApi, pluckAll, worked } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

const opened = async (t: ExecutionContext, over: object = {}, options: Parameters<typeof openTestApi>[1] = {}) => {
  const api = await openTestApi(t, options)
  let merchant = await api.merchant()
  await api.setStatus(merchant, 'ACTIVE')
  const charge = await api.charge(merchant, { webhook: HOOK, ...over })
  await api.pay(charge.pix?.txid ?? charge.boleto.txid)
  const path = `/invoices/${charge.id}`
  return {
    api,
    charge,
    path,
    merchant: () => merchant,
    again: async () => {
      merchant = await api.again(merchant)
    },
    refund: (body?: unknown, headers: Record<string, string> = {}, to = `${path}/refund`) =>
      api.ask('POST', to, { token: merchant.token, ...(body === undefined ? {} : { body }), headers }),
    read: async () => (await api.ask('GET', path, { token: merchant.token })).body.data,
    balance: async () => (await api.ask('GET', '/consolidation/balance', { token: merchant.token })).body,
    book: async () => {
      const [book] = (await api.every(ledgerAccounts)).filter(({ id }) => id === `${merchant.id}:main`)
      return [book?.balanceCents, book?.availableCents]
    },
    posted: async () => (await api.every(entries)).map(({ typeId, valueCents }) => [typeId, valueCents]),
    told: async () => {
      await api.drain()
      return api
        .told(HOOK)
        .filter(({ type }) => type === 'charge.refunded' || type === 'charge.updated')
        .map(({ data }) => data.charge.refunded_value)
    },
  }
}

test('shows the refund of a Pix that arrived after the charge was cancelled', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await api.setStatus(merchant, 'ACTIVE')
  const charge = await api.charge(merchant)
  await api.host.store.commit([patch(charges, charge.id, { set: { status: 'cancelled' }, when: always })])
  await api.pay(charge.pix.txid)
  const path = `/invoices/${charge.id}`
  const { token } = await api.again(merchant)
  const body = worked(await api.ask('POST', `${path}/refund`, { token, body: { value: 50 } }))
  t.like(body.data, {
    status: { title: 'cancelled' },
    amount_paid: 150.5,
    refunds: [{ value: 50, status: 'completed' }],
  })
  t.deepEqual((await api.ask('GET', path, { token })).body.data.refunds, body.data.refunds)
})

test('shows a completed refund and the remaining amount on the page and both receipts', async (t) => {
  const { api, charge, refund, merchant } = await opened(t)
  const [received] = await api.every(entries)
  const paper = async (path: string) => {
    const { token } = merchant()
    const reply = await fetch(api.url + path, { headers: { authorization: `Bearer ${token}` } })
    return textOf(new Uint8Array(await reply.arrayBuffer()))
  }
  const seen = async () => [
    (await api.ask('GET', `/pay/charge/${charge.code}`)).text.replaceAll('\u00a0', ' '),
    await paper(`/billing/charges/${charge.id}/download-pdf`),
    await paper(`/consolidation/transaction/${received?.id}/generate-pdf`),
  ]
  await api.fail('refund', 'timeout')
  await refund({ value: 50 })
  for (const text of await seen()) t.notRegex(text, /devolv/i)
  await api.drain(10)
  const [page = '', ...papers] = await seen()
  for (const text of [page, ...papers]) t.true(text.includes('Devolvido R$ 50,00; restam R$ 100,50.'))
  t.regex(page, /Valor pago, menos o devolvido<\/p>\n<p class="amount">R\$ 100,50/)
  t.regex(page, /Pagamento devolvido em parte/)
  t.notRegex(page, /recebeu R\$/)
  await refund()
  const [all = '', ...whole] = await seen()
  for (const text of [all, ...whole]) t.true(text.includes('Devolvido R$ 150,50; restam R$ 0,00.'))
  t.regex(all, /<p class="state " tabindex="-1">Pagamento devolvido</)
})

test('refunds the whole Pix by default, posts it once, notifies, and keeps the charge paid', async (t) => {
  const { api, charge, refund, read, posted, book, told } = await opened(t)
  const body = worked(await refund())
  t.like(body, { code: 200, success: true, message: 'Devolução realizada com sucesso!' })
  const [payment] = await api.every(payments)
  t.like(body.data, { status: { title: 'paid' }, amount_paid: 150.5, refunded_value: 150.5 })
  const [shown] = body.data.refunds
  t.like(shown, {
    end_to_end_id: payment?.id,
    value: 150.5,
    reason: null,
    status: 'completed',
    created_at: '2026-11-23T10:05:09-03:00',
    completed_at: '2026-11-23T10:05:09-03:00',
  })
  t.deepEqual(await read(), body.data)
  t.deepEqual(await posted(), [
    [1, 15_050],
    [5, -15_050],
  ])
  const [, entry] = await api.every(entries)
  t.like(entry, { status: 1, endToEnd: payment?.id, txid: payment?.txid, direction: 'out', balanceCents: 0 })
  t.like(entry?.receiver, { name: 'Fulano de Tal', document: '12345678909' })
  t.deepEqual(await book(), [0, 0])
  const [given] = await api.every(givenBack)
  t.like(given, { id: shown.id, endToEndId: payment?.id, valueCents: 15_050, returnId: shown.return_id })
  t.deepEqual(await told(), [150.5])
  const { status: state, amount_paid, refunded_value, payment_date, pix } = body.data
  const paid = { status: state, amount_paid, refunded_value, payment_date, pix }
  const { data } = api.told(HOOK).find(({ type }) => type === 'charge.refunded')
  t.deepEqual(data, { charge: { ...charge, ...paid }, refund: shown })
  t.deepEqual((await verifyLedger(api.host.store)).faults, [])
  t.like(await refund(), { status: 422, body: { errors: { value: ['Restam R$ 0,00 do Pix para devolver.'] } } })
})

test('refunds in parts until nothing is left, by either path, id or code', async (t) => {
  const { api, charge, refund, read, posted, told } = await opened(t)
  t.is((await refund({ value: 50.25, reason: 'Desistência' })).status, 200)
  t.is((await refund({ value: 0.01 }, {}, `/billing/charges/${charge.code}/refund`)).status, 200)
  const over = await refund({ value: 100.25 })
  t.deepEqual(over.body.error_codes, { value: ['refund.left'] })
  t.deepEqual(over.body.errors, { value: ['Restam R$ 100,24 do Pix para devolver.'] })
  t.is((await refund({})).status, 200)
  const { refunded_value, refunds: shown } = await read()
  t.is(refunded_value, 150.5)
  t.deepEqual(pluckAll(shown, 'value', 'reason').toSorted(), [
    [0.01, null],
    [100.24, null],
    [50.25, 'Desistência'],
  ])
  t.deepEqual((await posted()).slice(1), [
    [5, -5_025],
    [5, -1],
    [5, -10_024],
  ])
  t.deepEqual([...(await told())].sort(), [150.5, 50.25, 50.26])
  const [payment] = await api.every(payments)
  t.is(payment?.refundedCents, 15_050)
  const { body } = await api.ask('GET', '/invoices', { token: (await api.again({ ...DUMMY })).token })
  t.is(body.data[0].refunded_value, 150.5)
  t.false('refunds' in body.data[0])
})

const DUMMY: Merchant = { email: 'ana@aurora.example', token: '', id: 1, uuid: '' }

test('requires the end-to-end id if several Pix have a refundable amount', async (t) => {
  const { api, charge, refund, read } = await opened(t, { value: 100 })
  const whole = (await api.every(payments))[0]?.id
  const second = (await api.pay(charge.pix.txid, { value: 30 })).body.end_to_end_id
  const of = async (body: object) => (await refund(body)).body.data.refunds[0].end_to_end_id
  for (const body of [{}, { value: 10 }, { value: 30.01 }, { value: 500 }]) {
    const several = await refund(body)
    t.deepEqual([several.status, several.body.error_codes], [422, { end_to_end_id: ['refund.several'] }])
  }
  t.is(await of({ value: 100, end_to_end_id: whole }), whole)
  api.clock.advance(1)
  t.is(await of({ value: 9.99 }), second)
  const over = await refund({ value: 20.02 })
  t.deepEqual(over.body.errors, { value: ['Restam R$ 20,01 do Pix para devolver.'] })
  const unknown = await refund({ end_to_end_id: 'E00000000202611231305ABCDEFGHIJK' })
  t.deepEqual([unknown.status, unknown.body.error_codes], [422, { end_to_end_id: ['unknown'] }])
  api.clock.advance(1)
  t.is((await refund()).body.data.refunds[0].value, 20.01)
  t.is((await read()).refunded_value, 130)
})

test('rejects a refund of a payment other than Pix, and refunds a bolepix that was paid by Pix', async (t) => {
  const { api, refund } = await opened(t, { payment_method: 'BOLETO' })
  const { status, body } = await refund()
  t.deepEqual([status, body.error_code], [400, 'refund.not-pix'])
  t.is(body.message, 'A cobrança não foi paga por Pix: não há o que devolver.')
  const [merchant] = [await api.again(DUMMY)]
  const ask = (id: number) => api.ask('POST', `/invoices/${id}/refund`, { token: merchant.token, body: {} })
  const pending = await api.charge(merchant)
  t.is((await ask(pending.id)).body.error_code, 'refund.not-pix')
  const [byPix, byBoleto] = [
    await api.charge(merchant, { payment_method: 'BOLEPIX' }),
    await api.charge(merchant, { payment_method: 'BOLEPIX' }),
  ]
  await api.pay(byPix.boleto.txid, { method: 'pix' })
  await api.pay(byBoleto.boleto.txid, { method: 'boleto' })
  t.like(await ask(byPix.id), { status: 200, body: { data: { status: { title: 'paidwithpix' } } } })
  t.is((await ask(byBoleto.id)).body.error_code, 'refund.not-pix')
})

test('rejects a refund of an organization that is not active', async (t) => {
  const { api, merchant, refund } = await opened(t)
  for (const status of ['INACTIVE', 'SUSPENDED'] as const) {
    await api.setStatus(merchant(), status)
    t.like(await refund(), { status: 403, body: { message: 'Organização não está ativa.' } })
  }
  await api.setStatus(merchant(), 'ACTIVE')
  t.is((await refund()).status, 200)
})

for (const [fault, status, code, message] of [
  ['refuse', 422, 'bank.refused', 'O banco recusou a operação: Operação recusada pelo banco.'],
  ['unavailable', 500, 'bank.unavailable', 'Não foi possível falar com o banco. Tente novamente em instantes.'],
] as const)
  test(`returns ${status} after ${fault} of the refund, releases its reserve and the Pix, and frees the key`, async (t) => {
    const { api, refund, read, book, told } = await opened(t)
    await api.fail('refund', fault)
    const refused = await refund({ value: 150.5 }, { 'idempotency-key': 'k' })
    t.deepEqual([...failure(refused), refused.body.message], [status, code, message])
    t.is(refused.headers.get('retry-after') !== null, fault === 'unavailable')
    t.deepEqual(await book(), [15_050, 15_050])
    t.like(await read(), { refunded_value: null, refunds: [{ value: 150.5, status: 'failed', completed_at: null }] })
    t.deepEqual(await told(), [])
    t.is((await refund({ value: 150.5 }, { 'idempotency-key': 'k' })).status, 200)
    t.deepEqual(await book(), [0, 0])
  })

for (const mode of ['timeout', 'timeout_lost'] as const)
  test(`returns 202 after a ${mode} and keeps the reserve; the worker completes the refund once`, async (t) => {
    const { api, refund, read, book, posted, told } = await opened(t)
    await api.fail('refund', mode)
    const { status, body } = await refund({ value: 100 })
    t.is(status, 202)
    t.like(body.data, { refunded_value: null, refunds: [{ value: 100, status: 'pending' }] })
    t.deepEqual(await book(), [15_050, 5_050])
    t.is((await posted()).length, 1)
    // A pending refund reserves its amount.
    t.deepEqual((await refund({ value: 50.51 })).body.error_codes, { value: ['refund.left'] })
    api.clock.advance(120)
    t.deepEqual(await told(), [100])
    t.like(await read(), { refunded_value: 100, refunds: [{ value: 100, status: 'completed' }] })
    t.deepEqual(await book(), [5_050, 5_050])
    t.deepEqual(pluckAll(await api.every(givenBack), 'id', 'valueCents'), [[body.data.refunds[0].id, 10_000]])
  })

test('looks up a refund that the bank is processing until it is completed or failed', async (t) => {
  const words: BankRefund['status'][] = ['processing', 'processing', 'returned', 'processing', 'failed']
  const instead = (host: Host) => {
    const bank = fakeBank(host)
    const next = async () => {
      const value = { status: words.shift() ?? 'failed', reason: 'Conta encerrada.', returnId: null }
      return { outcome: 'done', value } as const
    }
    return { bank: { ...bank, refunds: { refund: next, findRefund: next } } }
  }
  const { api, refund, read, book } = await opened(t, {}, { instead })
  t.is((await refund({ value: 10 })).status, 202)
  await api.drain(120)
  t.like(await read(), { refunds: [{ status: 'pending' }] })
  await api.drain(600)
  t.like(await read(), { refunded_value: 10, refunds: [{ status: 'completed' }] })
  t.is((await refund({ value: 20 })).status, 202)
  await api.drain(120)
  t.is((await read()).refunded_value, 10)
  t.deepEqual(await book(), [14_050, 14_050])
  const failed = (await api.every(refunds)).find(({ valueCents }) => valueCents === 2_000)
  t.like(failed, { status: 'failed', failure: 'Conta encerrada.' })
})

test('returns 422 at a bank without refunds before anything is stored', async (t) => {
  const instead = (host: Host) => {
    const { refunds: _, ...bank } = fakeBank(host)
    return { bank }
  }
  const { api, refund } = await opened(t, {}, { instead })
  const before = await api.everything()
  t.like(await refund(), { status: 422, body: { error_code: 'bank.unsupported' } })
  t.deepEqual(await api.everything(), before)
})

test('refunds a Pix of an earlier release that is known only by its entry', async (t) => {
  const { api, refund } = await opened(t, MARIA)
  t.deepEqual(await api.every(refundablePix), [])
  t.is((await refund({ value: 1 })).status, 200)
  const [entry] = await api.every(entries)
  t.like((await api.every(refundablePix))[0], { id: `${entry?.id}`, refundableCents: 14_950 })
})
