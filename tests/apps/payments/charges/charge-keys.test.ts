// Also runs on MongoDB, in test:long.
import test from 'ava'
import { titles } from '../../../../adapters/bank/fake/books.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { MARIA, type Merchant, openMerchant, pluck, pluckAll, statusAndMessage, type TestApi } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'
const issue = (api: TestApi, { token }: Merchant, key: string, over: object = {}, path = '/invoices') =>
  api.ask('POST', path, { token, body: { ...MARIA, webhook: HOOK, ...over }, headers: { 'idempotency-key': key } })

const typesTold = (api: TestApi) => api.told(HOOK).map(({ type }) => type)

const failures = [
  ['refuse', 'bank.refused', 'O banco recusou a operação: Operação recusada pelo banco.'],
  ['unavailable', 'bank.unavailable', 'Não foi possível falar com o banco. Tente novamente em instantes.'],
] as const
for (const [mode, code, message] of failures)
  test(`bank ${mode}: returns 400, stores a failed charge, notifies charge.failed and frees the key`, async (t) => {
    const { api, merchant } = await openMerchant(t)
    await api.fail('create_pix', mode)
    const refused = await issue(api, merchant, 'k')
    t.deepEqual([refused.status, refused.body], [400, { code: 400, success: false, message, error_code: code }])
    const { body } = await api.ask('GET', '/invoices', { token: merchant.token })
    t.is(body.data.length, 1)
    const [failed] = body.data
    t.like(failed, { status: { id: 5, title: 'failed', description: 'Falhou' }, pix: null, amount_paid: null })
    t.is((await api.ask('GET', `/public/charge?code=${failed.code}`)).body.charge.pix, null)
    await api.drain()
    t.deepEqual(pluckAll(api.told(HOOK), 'type', 'data'), [['charge.failed', failed]])

    const again = await issue(api, merchant, 'k')
    t.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, null])
    t.not(again.body.data.id, failed.id)
    await api.drain(3_000)
    t.deepEqual(typesTold(api), ['charge.created', 'charge.failed'])
    t.is((await api.every(charges)).length, 2)
    t.is((await api.every(clients)).length, 1)
  })

test('rejects a charge of an account without a Pix key', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { pix_key: null } })
  t.deepEqual(statusAndMessage(await issue(api, merchant, 'k')), [
    400,
    'O banco recusou a operação: A conta não tem chave Pix.',
  ])
  t.deepEqual(await api.every(titles), [])
})

for (const mode of ['timeout', 'timeout_lost'])
  test(`bank ${mode}: returns 200 with the pending charge, which the worker completes once`, async (t) => {
    const { api, merchant } = await openMerchant(t)
    await api.fail('create_pix', mode)
    const first = await issue(api, merchant, 'k')
    t.is(first.status, 200)
    t.like(first.body.data, { status: { id: 1, title: 'pending' }, pix: null, boleto: null })
    t.is((await issue(api, merchant, 'k')).text, first.text)
    const [kept] = await api.every(charges)
    t.like((await api.ask('GET', `/public/pix/${kept?.txid}`)).body, { qrcode: null, image: null, status: 'pending' })

    const show = async () => (await api.ask('GET', '/invoices/1', { token: merchant.token })).body.data
    await api.drain(4.9)
    t.is((await show()).pix, null)
    await api.drain(0.1)
    const { pix } = await show()
    t.is(pix.txid, kept?.txid)
    t.like(api.told(HOOK), [{ type: 'charge.created', data: { pix } }])
    await api.drain(3_000)
    t.deepEqual(typesTold(api), ['charge.created'])
    t.deepEqual(pluck(await api.every(titles), 'id'), [pix.txid])
    t.is((await api.pay(pix.txid)).status, 200)
  })
