// Also runs on MongoDB, in test:long.
import test from 'ava'
import { isRight } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { readPixCode } from '../../../core/payments/pix/br-code.ts'
import { openPixApiServer } from '../../adapters/bank/pix-api/pix-api-server.ts'
import {
  failure,
  type Merchant,
  NOW,
  openMerchant,
  openTestApi,
  pluckAll,
  type TestApi,
  worked,
  wrongFields,
} from './test-api.ts'

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
