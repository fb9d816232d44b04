// Also runs on MongoDB, in test:long.
import test from 'ava'
import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import { titles } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { idempotencyKeys } from '../../../../core/office/idempotency-keys.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import type { Bank, TitleOrder } from '../../../../core/ports/bank.ts'
import { FULL } from '../../../size.ts'
import { MARIA, type Merchant, openMerchant, pluck, pluckAll, statusAndMessage, type TestApi } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'
const LEASE_SECONDS = 121
/** Case M6: the number of keys, each with a hundred simultaneous requests. */
const KEYS = FULL ? 100 : 1

const issue = (api: TestApi, { token }: Merchant, key: string, over: object = {}, path = '/invoices') =>
  api.ask('POST', path, { token, body: { ...MARIA, webhook: HOOK, ...over }, headers: { 'idempotency-key': key } })

const typesTold = (api: TestApi) => api.told(HOOK).map(({ type }) => type)

test('replays the first reply to a repeated key byte for byte', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const first = await issue(api, merchant, 'novembro')
  t.is(first.status, 200)
  t.is(first.headers.get('idempotent-replayed'), null)
  await api.pay(first.body.data.pix.txid)
  const reordered = Object.fromEntries(Object.entries({ ...MARIA, webhook: HOOK }).reverse())
  for (const [over, path] of [
    [{}, '/invoices'],
    [reordered, '/billing/charges'],
  ] as const) {
    const again = await issue(api, merchant, 'novembro', over, path)
    t.is(again.status, 200)
    t.is(again.text, first.text)
    t.is(again.headers.get('idempotent-replayed'), 'true')
  }
  t.is((await api.every(charges)).length, 1)
})

test('rejects a key with another body, and separates the keys of accounts', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await issue(api, merchant, 'k')
  const before = await api.everything()
  t.deepEqual(statusAndMessage(await issue(api, merchant, 'k', { value: 150.51 })), [
    422,
    'A chave de idempotência já foi usada em outra requisição.',
  ])
  for (const key of ['', 'x'.repeat(256)]) t.is((await issue(api, merchant, key)).status, 422, key)
  t.deepEqual(await api.everything(), before)
  t.is((await issue(api, merchant, 'x'.repeat(255))).status, 200)
  const other = await issue(api, await api.merchant(), 'k')
  t.deepEqual([other.status, other.headers.get('idempotent-replayed')], [200, null])
  t.is((await api.every(charges)).length, 3)
})

test('M6: issues one charge for a hundred simultaneous requests with one key', async (t) => {
  t.timeout(600_000)
  const { api, merchant } = await openMerchant(t)
  for (let key = 1; key <= KEYS; key += 1) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => issue(api, merchant, `once ${key}`)))
    const done = answers.filter(({ status }) => status === 200)
    t.true(done.length > 0)
    t.is(done.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    for (const { status, body, headers } of answers.filter((answer) => answer.status !== 200)) {
      t.is(status, 409)
      t.is(body.message, 'A primeira requisição com esta chave de idempotência ainda está em andamento.')
      t.truthy(headers.get('retry-after'))
    }
    t.deepEqual(new Set(done.map(({ text }) => text)), new Set([(await issue(api, merchant, `once ${key}`)).text]))
  }
  t.deepEqual([(await api.every(charges)).length, (await api.every(titles)).length], [KEYS, KEYS])
})

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
    t.deepEqual(
      api.told(HOOK).map(({ type, data }) => [type, data.pix]),
      [['charge.created', pix]],
    )
    await api.drain(3_000)
    t.deepEqual(typesTold(api), ['charge.created'])
    t.deepEqual(pluck(await api.every(titles), 'id'), [pix.txid])
    t.is((await api.pay(pix.txid)).status, 200)
  })

/** A bank whose caller crashes in one `createTitle`, before or after the title is created. */
const dyingBank =
  (when: 'before' | 'after', orders: TitleOrder[] = []) =>
  ({ store, ids, clock, random }: Host): { readonly bank: Bank } => {
    const bank = fakeBank({ store, ids, clock, random })
    return {
      bank: {
        ...bank,
        createTitle: async (order) => {
          orders.push(order)
          if (orders.length > 1) return bank.createTitle(order)
          if (when === 'after') await bank.createTitle(order)
          throw new Error('the process died')
        },
      },
    }
  }

for (const when of ['before', 'after'] as const) {
  test(`completes a crash ${when} the title was created by a repeat, with one charge and one title`, async (t) => {
    const orders: TitleOrder[] = []
    const { api, merchant } = await openMerchant(t, { instead: dyingBank(when, orders) })
    t.is((await issue(api, merchant, 'k')).status, 500)
    const { body } = await api.ask('GET', '/invoices', { token: merchant.token })
    t.deepEqual(
      body.data.map(({ status, pix }: { status: { title: string }; pix: null }) => [status.title, pix]),
      [['pending', null]],
    )
    t.is((await issue(api, merchant, 'k')).status, 409)
    t.is((await issue(api, merchant, 'k', { value: 1 })).status, 422)

    api.clock.advance(LEASE_SECONDS)
    const repeats = await Promise.all(Array.from({ length: 8 }, () => issue(api, merchant, 'k')))
    const done = repeats.filter(({ status }) => status === 200)
    t.true(done.length > 0)
    t.true(repeats.every(({ status }) => status === 200 || status === 409))
    t.is(done[0]?.body.data.id, 1)
    t.truthy(done[0]?.body.data.pix.qrcode)
    t.deepEqual(new Set(done.map(({ text }) => text)), new Set([(await issue(api, merchant, 'k')).text]))
    await api.drain()
    t.deepEqual(typesTold(api), ['charge.created'])
    t.deepEqual([(await api.every(charges)).length, (await api.every(titles)).length], [1, 1])
    // A title that the bank has is not sent again.
    t.is(orders.length, when === 'after' ? 1 : 2)
    t.is(new Set(orders.map(({ txid }) => txid)).size, 1)
  })

  test(`completes a crash ${when} the title was created by the worker, and the key by its repeat`, async (t) => {
    const { api, merchant } = await openMerchant(t, { instead: dyingBank(when) })
    t.is((await issue(api, merchant, 'k')).status, 500)
    await api.drain(59)
    t.is((await api.every(charges))[0]?.status, 'pending')
    t.is((await api.every(bankOperations)).find(({ kind }) => kind === 'create-title')?.state, 'asking')
    await api.drain(1)
    t.deepEqual(typesTold(api), ['charge.created'])
    t.is((await api.every(idempotencyKeys))[0]?.status, 'running')
    api.clock.advance(LEASE_SECONDS)
    const repeat = await issue(api, merchant, 'k')
    t.is(repeat.status, 200)
    t.is(repeat.body.data.pix.txid, (await api.every(titles))[0]?.id)
    t.is((await issue(api, merchant, 'k')).text, repeat.text)
    await api.drain()
    t.deepEqual(typesTold(api), ['charge.created'])
    t.is((await api.every(charges)).length, 1)
  })
}

test('returns 400 to the repeat after a crash if the worker failed the charge, and frees the key', async (t) => {
  const { api, merchant } = await openMerchant(t, { instead: dyingBank('before') })
  await issue(api, merchant, 'k')
  await api.fail('create_pix', 'refuse')
  await api.drain(LEASE_SECONDS)
  t.deepEqual(statusAndMessage(await issue(api, merchant, 'k')), [400, failures[0][2]])
  const again = await issue(api, merchant, 'k')
  t.deepEqual([again.status, again.body.data.id], [200, 2])
  await api.drain()
  t.deepEqual(typesTold(api), ['charge.created', 'charge.failed'])
})
