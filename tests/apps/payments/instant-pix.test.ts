// Also runs on MongoDB, in test:long.

import test from 'ava'
import { isRight } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { readPixCode } from '../../../core/payments/pix/br-code.ts'
import { openPixApiServer } from '../../adapters/bank/pix-api/pix-api-server.ts'
import { scanned } from './scanned.ts'
import {
  failure,
  type Merchant,
  NOW,
  openMerchant,
  openTestApi,
  pluck,
  pluckAll,
  type TestApi,
  worked,
  wrongFields,
} from './test-api.ts'

const PATHS = ['/legacypay/pix/create', '/legacypay/pix/qrcode', '/legacypay/pix/qrcode-fixo']
const MARIA = { name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' }

test('issues a Pix as a charge due today, with or without a payer', async (t) => {
  const { api, token } = await openMerchant(t)
  for (const path of PATHS) {
    const { status, body } = await api.ask('POST', path, { token, body: { amount: 10.5 } })
    t.is(status, 201)
    t.deepEqual(Object.keys(body).sort(), ['pix', 'success'])
    t.true(body.pix.image.startsWith('data:image/png;base64,'))
    const shown = worked(await api.ask('GET', `/legacypay/pix/${body.pix.txid}`, { token }))
    t.like(shown, { name: null, email: null, document: null, status: 'pending', value: 10.5 })
    const { data } = worked(await api.ask('GET', `/invoices/${body.pix.id}`, { token }))
    t.deepEqual([data.due_date, data.payment_method], ['2026-11-23', 'PIX'])
  }
  t.is((await api.every(clients)).length, 1)
})

test('stores a complete payer, drops an incomplete one, and notifies the webhook of the payment', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const webhook = 'https://loja.example/pix'
  const { pix } = worked(await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 1, webhook, ...MARIA } }))
  const { name, email, document } = worked(await api.ask('GET', `/legacypay/pix/${pix.txid}`, { token }))
  t.deepEqual({ name, email, document }, MARIA)
  const { email: __, ...part } = MARIA
  const dropped = worked(await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 1, ...part } })).pix
  t.is(worked(await api.ask('GET', `/legacypay/pix/${dropped.txid}`, { token })).name, null)
  worked(await api.pay(pix.txid))
  t.is(worked(await api.ask('GET', `/legacypay/pix/${pix.txid}`, { token })).status, 'paid')
  await api.drain()
  const told = api.told(webhook)
  const typesOf = (all: typeof told) => all.map(({ type }) => type)
  t.deepEqual(typesOf(told), ['charge.created', 'charge.paid', 'pix.received'])
  t.like(told[2]?.data, { id: pix.id, amount_paid: 1, status: { title: 'paid' } })
  // A second payment is another event, as of any charge. A charge of another route notifies only of its payment.
  api.clock.advance(1)
  worked(await api.pay(pix.txid))
  await api.paid(merchant, { webhook: `${webhook}/outro` })
  await api.drain()
  t.deepEqual(typesOf(api.told(webhook)).slice(3), ['pix.received'])
  t.deepEqual(typesOf(api.told(`${webhook}/outro`)), ['charge.created', 'charge.paid'])
})

test('names wrong fields, returns null for an unknown Pix, and 500 if the bank fails', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const stranger = await api.merchant('rui@example.com')
  const { token, id } = merchant
  worked(await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { limits: { charge_min: 5 } } }))
  t.deepEqual(wrongFields(await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 4.99 } })), ['amount'])
  t.is((await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 5 } })).status, 201)
  for (const mode of ['refuse', 'unavailable']) {
    await api.fail('create_pix', mode)
    t.is((await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 5 } })).status, 500)
  }
  const { pix } = worked(await api.ask('POST', PATHS[0] ?? '', { token: stranger.token, body: { amount: 5 } }))
  for (const txid of [pix.txid, 'nenhum']) {
    const { status, body } = await api.ask('GET', `/legacypay/pix/${txid}`, { token })
    t.is(status, 404)
    const { error_code: _, ...rest } = body
    t.deepEqual(rest, { success: false, message: 'Pix não encontrado para esta conta.', data: null })
  }
})

const LIST = '/legacypay/pix/list'
const ABSENT = { success: false, message: 'Pix não encontrado para esta conta.', data: null }

const listed = async (api: TestApi, { token }: Merchant, query = '') =>
  worked(await api.ask('GET', `${LIST}${query}`, { token }))

const idsOf = ({ data }: { readonly data: readonly { readonly id: number }[] }) => data.map(({ id }) => id)

test('lists the Pix of the account newest first, each with its image, and no other charges', async (t) => {
  const api = await openTestApi(t)
  const [merchant, stranger] = [await api.merchant(), await api.merchant('rui@example.com')]
  const { token } = merchant
  const oldest = await api.charge(merchant)
  api.clock.advance(1)
  const { pix } = worked(await api.ask('POST', '/legacypay/pix/create', { token, body: { amount: 10.5 } }))
  await api.charge(merchant, { payment_method: 'BOLEPIX' })
  await api.charge(stranger)
  const deleted = await api.charge(merchant)
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token }))
  const body = await listed(api, merchant)
  const [newest] = body.data
  const meta = { current_page: 1, last_page: 1, per_page: 15, total: 2 }
  t.deepEqual(body, { data: [{ ...pix, status: 'pending' }, body.data[1]], ...meta })
  t.is(scanned(newest.image), pix.qrcode)
  t.is(scanned(body.data[1].image), oldest.pix.qrcode)
  t.deepEqual(idsOf(body), [pix.id, oldest.id])
  const second = await listed(api, merchant, '?per_page=1&page=2')
  t.deepEqual([idsOf(second), second.last_page, second.per_page, second.total], [[oldest.id], 2, 1, 2])
  t.deepEqual((await listed(api, merchant, '?page=9')).data, [])
})

test('returns a Pix by its txid or id, by either name, with its payments', async (t) => {
  const { api, merchant } = await openMerchant(t)
  worked(await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1 } } }))
  const { id, pix } = await api.charge(merchant)
  const open = await listed(api, merchant, `?txid=${pix.txid}`)
  t.is(Object.keys(open).sort().join(' '), 'created_at id image qrcode status transactions txid value')
  t.deepEqual([open.id, open.txid, open.status, open.transactions], [id, pix.txid, 'pending', []])
  worked(await api.pay(pix.txid))
  worked(await api.pay(pix.txid, { value: 3 }))
  const { data: lines } = worked(await api.ask('GET', '/consolidation/transactions', { token: merchant.token }))
  const paid = lines
    .filter(({ value }: typeof lines) => value > 0)
    .map(({ id, value, datetime }: typeof lines) => ({ id, value, datetime }))
    .reverse()
  t.deepEqual(pluck(paid, 'value'), [150.5, 3])
  for (const query of [`?txid=${pix.txid}`, `?id=${id}`, `?txid=${id}`, `?id=${pix.txid}`]) {
    const one = await listed(api, merchant, query)
    t.deepEqual([one.id, one.status, one.transactions], [id, 'paid', paid], query)
  }
})

test('returns 404 for a Pix of another account, a deleted one and a charge without Pix', async (t) => {
  const api = await openTestApi(t)
  const [merchant, stranger] = [await api.merchant(), await api.merchant('rui@example.com')]
  const { token } = merchant
  const theirs = await api.charge(stranger)
  const boleto = await api.charge(merchant, { payment_method: 'BOLETO' })
  const deleted = await api.charge(merchant)
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token }))
  for (const named of [theirs.pix.txid, theirs.id, boleto.id, deleted.pix.txid, deleted.id, 'nenhum', '%24ne']) {
    for (const key of ['txid', 'id']) {
      const { status, body } = await api.ask('GET', `${LIST}?${key}=${named}`, { token })
      t.is(status, 404, `${key}=${named}`)
      const { error_code: _, ...rest } = body
      t.deepEqual(rest, ABSENT)
    }
  }
})

const IMAGE = '/legacypay/pix/image'
const HOOK = 'https://loja.example/avisos'
const E2E = 'E01181521202611231305ABCDEFGHIJK'
const JOSE = { name: 'José Dias', document: '52998224725' }

/** Reads the account's open code, as a payer's bank does. */
const openCode = async (api: TestApi, { token }: Merchant) => {
  const body = worked(await api.ask('GET', IMAGE, { token }))
  const read = readPixCode(body.data.payload)
  if (!isRight(read)) throw new Error(read.left)
  return { body, code: read.right, txid: read.right.txid ?? '' }
}

const statement = async (api: TestApi, { token }: Merchant) =>
  worked(await api.ask('GET', '/consolidation/transactions', { token })).data

test('returns one open code per account, without an amount', async (t) => {
  const api = await openTestApi(t)
  const [merchant, stranger] = [await api.merchant(), await api.merchant('rui@example.com')]
  const { body, code } = await openCode(api, merchant)
  t.deepEqual(body, { success: true, data: { payload: body.data.payload } })
  t.like(code, { kind: 'static', amountCents: null, merchantName: 'Escola Aurora' })
  t.regex(code.txid ?? '', /^[0-9A-Z]{25}$/)
  api.clock.advance(60)
  t.deepEqual((await openCode(api, merchant)).body, body)
  t.not((await openCode(api, stranger)).txid, code.txid)
})

test('credits a payment by the open code once, with its fee, and notifies of it without a charge', async (t) => {
  const api = await openTestApi(t)
  const [merchant, stranger] = [await api.merchant(), await api.merchant('rui@example.com')]
  const { token, id } = merchant
  worked(await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { taxes: { pix_in: 0.99 } } }))
  await api.host.store.commit([patch(accounts, id, { set: { webhookUrl: HOOK }, when: always })])
  const { txid } = await openCode(api, merchant)
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await api.pay(txid, { value: 12.34, end_to_end_id: E2E, payer: JOSE })
    t.deepEqual([status, body], [200, { end_to_end_id: E2E, status: 'confirmed' }])
  }
  const lines = await statement(api, merchant)
  t.deepEqual(pluckAll(lines, 'value', 'txid', 'endtoend'), [
    [-0.99, txid, E2E],
    [12.34, txid, E2E],
  ])
  t.deepEqual(await statement(api, stranger), [])
  t.is(worked(await api.ask('GET', '/invoices', { token })).meta.total, 0)
  await api.drain()
  t.deepEqual(pluckAll(api.told(HOOK), 'type', 'data'), [
    ['pix.received', { end_to_end_id: E2E, txid, value: 12.34, payer: JOSE }],
  ])
  // An equal id with another amount is an error of the bank.
  t.is((await api.pay(txid, { value: 1 })).body.status, 'confirmed')
  t.is((await api.pay(txid, { value: 2, end_to_end_id: E2E })).body.status, 'refused')
  t.is(worked(await api.ask('GET', '/consolidation/balance', { token })).balance, 12.34 - 0.99 + 1 - 0.99)
})

test('requires an amount with an open code, and rejects a code of no account', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { txid } = await openCode(api, merchant)
  t.deepEqual(wrongFields(await api.pay(txid)), ['value'])
  for (const unknown of [txid.toLowerCase(), '0'.repeat(25), 'Z'.repeat(25)])
    for (const over of [{}, { value: 1 }]) t.is((await api.pay(unknown, over)).status, 404, unknown)
  t.deepEqual(await statement(api, merchant), [])
})

test('accepts payments by the codes of the old and the new key, and returns no code without a key', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { txid } = await openCode(api, merchant)
  const setKey = async (pix_key: string | null) =>
    worked(await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { pix_key } }))
  await setKey('loja@example.com')
  const changed = await openCode(api, merchant)
  t.deepEqual([changed.txid, changed.code.key], [txid, 'loja@example.com'])
  t.is((await api.pay(txid, { value: 7 })).body.status, 'confirmed')
  await setKey(null)
  t.deepEqual(failure(await api.ask('GET', IMAGE, { token: merchant.token })), [422, 'bank.unsupported'])
  t.is((await statement(api, merchant)).length, 1)
})

test('returns 422 at a bank that issues all codes itself', async (t) => {
  const server = await openPixApiServer(() => new Date(NOW))
  t.teardown(server.close)
  const { api, token } = await openMerchant(t, { env: server.env })
  t.deepEqual(failure(await api.ask('GET', IMAGE, { token })), [422, 'bank.unsupported'])
})
