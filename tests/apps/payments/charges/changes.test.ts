// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { parsePix } from 'pix-utils'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { PIN } from '../../../core/payments/world.ts'
import { failure, openMerchant, pluck, wrongFields } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

const opened = async (t: ExecutionContext, over: Readonly<Record<string, unknown>> = {}) => {
  const { api, merchant } = await openMerchant(t)
  const charge = await api.charge(merchant, { webhook: HOOK, ...over })
  const path = `/invoices/${charge.id}`
  const put = (body: unknown) => api.ask('PUT', path, { token: merchant.token, body })
  const read = async () => (await api.ask('GET', path, { token: merchant.token })).body.data
  const remove = () => api.ask('DELETE', path, { token: merchant.token })
  const told = async () => {
    await api.drain()
    // The order of simultaneous events is not guaranteed.
    return api
      .told(HOOK)
      .map(({ type }) => type)
      .sort()
  }
  return { api, merchant, charge, put, read, remove, told }
}

test('changes fields outside the title at once, and notifies of it', async (t) => {
  const { charge, put, read, told } = await opened(t)
  const { status, body } = await put({ description: 'Outra', details: null, amount_rate: 1, due_date: '2026-12-01' })
  const { code, success, message, charge: shown } = body
  t.deepEqual([status, code, success, message], [200, 200, true, 'Cobrança atualizada com sucesso!'])
  t.deepEqual(shown, { ...charge, description: 'Outra', due_date: '2026-12-01' })
  t.like(await read(), { description: 'Outra', due_date: '2026-12-01', pix: charge.pix })
  t.deepEqual(await told(), ['charge.created', 'charge.updated'])
})

test('changes the fine within its limit for the payer and the value, and registers a boleto again with it', async (t) => {
  const { api, merchant, charge, put } = await opened(t, { payment_method: 'BOLETO', value: 100 })
  const stored = async () => {
    const found = (await api.every(charges)).find(({ id }) => id === charge.id)
    return [found?.fineHundredths, found?.typeFine]
  }
  const fined = await put({ fine: 2 })
  t.is(fined.status, 200, fined.text)
  t.not(fined.body.charge.boleto.txid, charge.boleto.txid)
  t.deepEqual(await stored(), [200, 'PERCENTAGE'])
  for (const over of [{ fine: 2.01 }, { type_fine: 'ABSOLUTE', fine: 2.01 }, { type_fine: 'ABSOLUTE', value: 99.99 }])
    t.deepEqual(Object.keys((await put(over)).body.errors), ['fine'], JSON.stringify(over))
  t.deepEqual(await stored(), [200, 'PERCENTAGE'])

  const { token } = merchant
  await api.setPin({ token })
  const declared = (is: boolean) =>
    api.ask('PUT', '/access/account', { token, body: { pin: PIN, no_consumer_relation: is } })
  t.is((await declared(true)).status, 200)
  t.is((await put({ fine: 10 })).status, 200)
  t.is((await declared(false)).status, 200)
  // Only a change of what the payer is asked for judges the fine again.
  t.is((await put({ description: 'Outra' })).status, 200)
  t.deepEqual(Object.keys((await put({ value: 50 })).body.errors), ['fine'])
  t.deepEqual(await stored(), [1_000, 'PERCENTAGE'])
  for (const claim of [{ due_date: '2026-12-15' }, { payment_method: 'BOLEPIX' }])
    t.deepEqual(Object.keys((await put(claim)).body.errors), ['fine'], JSON.stringify(claim))
  t.is((await put({ fine: null })).status, 200)
  t.deepEqual(await stored(), [null, null])
})

test('lowers the fines of the pending charges of a client who becomes a consumer, as often as the bank needs', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const company = { document: '11.222.333/0001-81', value: 100, fine: 10 }
  const boleto = await api.charge(merchant, { ...company, payment_method: 'BOLETO' })
  await api.charge(merchant, { ...company, type_fine: 'ABSOLUTE' })
  await api.charge(merchant, { ...company, type_fine: 'ABSOLUTE', fine: 1.5 })
  await api.paid(merchant, company)
  const stored = async () =>
    (await api.every(charges)).map(({ fineHundredths, typeFine }) => `${fineHundredths} ${typeFine}`)
  const became = async (document: string) => {
    const path = `/v1/clients/${boleto.client.id}`
    t.is((await api.ask('PATCH', path, { token, body: { document } })).status, 200)
    await api.drain()
  }
  const before = ['1000 PERCENTAGE', '1000 ABSOLUTE', '150 ABSOLUTE', '1000 PERCENTAGE']
  await became('11.444.777/0001-61')
  t.deepEqual(await stored(), before)
  await api.fail('create_boleto', 'refuse')
  await became('123.456.789-09')
  const rest = ['200 PERCENTAGE', '150 ABSOLUTE', '1000 PERCENTAGE']
  t.deepEqual(await stored(), ['1000 PERCENTAGE', ...rest])
  await api.drain(60)
  t.deepEqual(await stored(), ['200 PERCENTAGE', ...rest])
  const shown = async ({ id }: { readonly id: number }) =>
    (await api.ask('GET', `/invoices/${id}`, { token })).body.data
  t.not((await shown(boleto)).boleto.txid, boleto.boleto.txid)
})

test('keeps the fines of a client who becomes a person if the account declared that it has no consumers', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  await api.setPin({ token })
  await api.ask('PUT', '/access/account', { token, body: { pin: PIN, no_consumer_relation: true } })
  const { client } = await api.charge(merchant, { document: '11.222.333/0001-81', value: 100, fine: 10 })
  const changed = await api.ask('PATCH', `/v1/clients/${client.id}`, { token, body: { document: '123.456.789-09' } })
  t.is(changed.status, 200)
  await api.drain(60)
  t.is((await api.every(charges))[0]?.fineHundredths, 1_000)
})

test('issues another code for another value, and credits payments of the old code to the charge', async (t) => {
  const { api, charge, put, read, told } = await opened(t)
  const { body } = await put({ value: 200 })
  const { pix } = body.charge
  t.not(pix.txid, charge.pix.txid)
  t.like(parsePix(pix.qrcode), { transactionAmount: 200, txid: pix.txid })
  t.like(await read(), { value: 200, pix: { txid: pix.txid, status: 'pending' } })
  const paid = await api.pay(charge.pix.txid, { value: 150.5 })
  t.like(paid.body, { status: 'confirmed' })
  t.like(await read(), { status: { title: 'paid' }, value: 200, amount_paid: 150.5 })
  t.deepEqual(await told(), ['charge.created', 'charge.paid', 'charge.updated'])
  const operations = (await api.every(bankOperations)).filter(({ accountId }) => accountId !== null)
  // The old title was closed.
  t.deepEqual(operations.map(({ kind, state }) => `${kind} ${state}`).sort(), [
    'cancel-title done',
    'create-title done',
    'replace-title done',
  ])
})

test('posts a payment by an earlier code with the type of that code', async (t) => {
  const { api, merchant, charge, put } = await opened(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1, boleto_in: 2 } } })
  const { boleto } = (await put({ payment_method: 'BOLETO' })).body.charge
  await api.pay(charge.pix.txid)
  await api.pay(boleto.txid)
  const posted = (await api.every(entries)).map(({ typeId, valueCents }) => [typeId, valueCents])
  t.deepEqual(posted, [
    [1, 15_050],
    [3, -100],
    [6, 15_050],
    [9, -200],
  ])
})

test('registers a boleto again for another value or due day, and changes the method by PUT', async (t) => {
  const { charge, put } = await opened(t, { payment_method: 'BOLETO' })
  const due = (await put({ due_date: '2026-12-10' })).body.charge
  t.not(due.boleto.nosso_numero, charge.boleto.nosso_numero)
  t.is(due.boleto.barcode.slice(5, 9), '1656')
  const pix = (await put({ payment_method: 'PIX' })).body.charge
  t.is(pix.boleto, null)
  t.is(pix.pix.status, 'pending')
  const both = (await put({ payment_method: 'BOLEPIX', description: 'Com boleto' })).body.charge
  t.like(both, { description: 'Com boleto', boleto: { status: 'issued' }, pix: { status: 'pending' } })
})

for (const [operation, fault] of [
  ['create_pix', 'unavailable'],
  ['cancel_title', 'refuse'],
] as const) {
  test(`returns 400 and changes nothing after ${fault} of ${operation}`, async (t) => {
    const { api, charge, put, read, told } = await opened(t)
    await api.fail(operation, fault)
    const { status, body } = await put({ value: 200, description: 'Outra' })
    t.is(status, 400)
    t.is(body.error_code, fault === 'refuse' ? 'bank.refused' : 'bank.unavailable')
    t.deepEqual(await told(), ['charge.created'])
    const { tag: _, createdBy: __, refunds: ___, ...shown } = await read()
    t.deepEqual(shown, charge)
    t.is((await put({ value: 200 })).status, 200)
  })
}

for (const [operation, fault] of [
  ['create_pix', 'timeout'],
  ['cancel_title', 'timeout_lost'],
] as const) {
  test(`returns 202 after a ${fault} of ${operation}, and changes the charge once the bank has answered`, async (t) => {
    const { api, charge, put, read, remove, told } = await opened(t)
    await api.fail(operation, fault)
    const { status, body } = await put({ value: 200 })
    t.deepEqual([status, body.charge.value], [202, 150.5])
    t.like(await read(), { value: 150.5, pix: charge.pix })
    t.is((await put({ value: 300 })).status, 409)
    t.is((await remove()).status, 409)
    api.clock.advance(120)
    t.deepEqual(await told(), ['charge.created', 'charge.updated'])
    t.like(await read(), { value: 200, pix: { status: 'pending' } })
  })
}

test('changes only a pending charge, within the limits of a new one', async (t) => {
  const { api, merchant, charge, put, remove } = await opened(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { limits: { charge_min: 5, charge_max: 500 } } })
  const wrong = [
    [{ value: 4.99 }, 'value'],
    [{ value: 500.01 }, 'value'],
    [{ due_date: '2026-11-22' }, 'due_date'],
    [{ payment_method: 'BOLETO', due_date: '2041-12-15' }, 'due_date'],
    [{ payment_method: 'CREDIT_CARD' }, 'payment_method'],
    [{ payment_method: 'CREDIT_CARD', value: 44.44 }, 'payment_method'],
    [{ discount: 100 }, 'discount'],
  ] as const
  for (const [body, field] of wrong) t.deepEqual(wrongFields(await put(body)), [field], JSON.stringify(body))
  for (const body of [{ value: 5 }, { value: 500 }, {}]) t.is((await put(body)).status, 200)
  const [{ txid = '' } = {}] = await api.every(charges)
  await api.pay(`${txid}`)
  t.deepEqual(failure(await put({ description: 'Outra' })), [400, 'charge.not-pending'])
  t.is((await remove()).status, 200)
  t.is((await api.ask('PATCH', `/billing/charges/${charge.code}`, { token: merchant.token, body: {} })).status, 400)
})

test('closes the title of a deleted charge, notifies once, and changes nothing when repeated', async (t) => {
  const { api, merchant, charge, read, remove, told } = await opened(t)
  const { status, body } = await remove()
  t.deepEqual([status, body.message, body.data.status.title], [200, 'Cobrança apagado com sucesso!', 'DELETED'])
  t.is((await remove()).status, 200)
  t.deepEqual(await told(), ['charge.created', 'charge.deleted'])
  t.like(await read(), { status: { id: 6, title: 'DELETED' }, pix: { status: 'cancelled' } })
  const { body: listed } = await api.ask('GET', '/invoices', { token: merchant.token })
  t.deepEqual(listed.data, [])
  t.is((await api.ask('GET', `/public/charge?code=${charge.code}`)).status, 404)
  // A late payment is credited and counted, and the charge stays deleted.
  await api.pay(charge.pix.txid)
  t.like(await read(), { status: { title: 'DELETED' }, amount_paid: 150.5, payment_date: null })
  t.deepEqual(pluck(await api.every(entries), 'valueCents'), [15_050])
  t.deepEqual(await told(), ['charge.created', 'charge.deleted', 'pix.received'])
})

test('counts each payment of a deleted charge, paid before and after, in every dialect and event', async (t) => {
  const { api, merchant, charge, remove } = await opened(t)
  const ask = async (path: string) => (await api.ask('GET', path, { token: merchant.token })).body
  const txid = `${charge.pix.txid}`
  await api.pay(txid)
  t.is((await remove()).status, 200)
  await api.pay(txid, { value: 100 })
  await api.pay(txid, { value: 50.25 })
  for (const path of [`/invoices/${charge.id}`, `/invoices/${charge.code}`, `/billing/charges/${charge.code}`])
    t.like((await ask(path)).data, { status: { title: 'DELETED' }, amount_paid: 300.75 }, path)
  t.is((await ask(`/v1/charges/${charge.id}/payments`)).payments.amount_paid, 300.75)
  const { due_date: due } = charge
  const report = await ask(`/reports/invoices?group_by=days&date_start=${due}&date_end=${due}`)
  t.deepEqual(pluck(report.data, 'total_amount_paid'), [300.75])
  t.is((await ask('/v1/charges/summary?status_id=6')).summary.amount_paid, 300.75)
  await api.drain()
  type Notice = { readonly type: string; readonly data: { readonly amount_paid: number } }
  const amountsOf = (all: readonly Notice[]) =>
    all.flatMap(({ type, data }) => (type === 'pix.received' ? [data.amount_paid] : [])).toSorted()
  t.deepEqual(amountsOf(api.told(HOOK) as never), [250.5, 300.75])
  t.deepEqual(amountsOf((await ask('/access/auth/notifications')).data), [250.5, 300.75])
})

test('keeps a charge whose title the bank does not close, and deletes it later if the bank has not answered', async (t) => {
  const { api, read, remove, told } = await opened(t)
  await api.fail('cancel_title', 'refuse')
  t.is((await remove()).status, 400)
  await api.fail('cancel_title', 'unavailable')
  t.is((await remove()).status, 400)
  t.like(await read(), { status: { title: 'pending' } })
  await api.fail('cancel_title', 'timeout_lost')
  const { status, body } = await remove()
  t.deepEqual([status, body.data.status.title], [202, 'pending'])
  api.clock.advance(120)
  t.deepEqual(await told(), ['charge.created', 'charge.deleted'])
  t.like(await read(), { status: { title: 'DELETED' } })
})
