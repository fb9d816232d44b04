import test from 'ava'
import { titles } from '../../../../adapters/bank/fake/books.ts'
import { fakeBank } from '../../../../adapters/bank/fake/fake-bank.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { httpKeys } from '../../../../apps/http/keys-collection.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import type { Bank, PixOrder } from '../../../../core/ports/bank.ts'
import { MARIA, type Merchant, openShop, type Shop } from '../shop.ts'

const HOOK = 'https://merchant.example/hook'
const LEASE_SECONDS = 121

const issue = (shop: Shop, { token }: Merchant, key: string, over: object = {}, path = '/invoices') =>
  shop.ask('POST', path, { token, body: { ...MARIA, webhook: HOOK, ...over }, headers: { 'idempotency-key': key } })

const typesTold = (shop: Shop) => shop.told(HOOK).map(({ type }) => type)

test('a repeated key replays the first answer byte for byte', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  const first = await issue(shop, merchant, 'novembro')
  t.is(first.status, 200)
  t.is(first.headers.get('idempotent-replayed'), null)
  await shop.pay(first.body.data.pix.txid)
  const reordered = Object.fromEntries(Object.entries({ ...MARIA, webhook: HOOK }).reverse())
  for (const [over, path] of [
    [{}, '/invoices'],
    [reordered, '/billing/charges'],
  ] as const) {
    const again = await issue(shop, merchant, 'novembro', over, path)
    t.is(again.status, 200)
    t.is(again.text, first.text)
    t.is(again.headers.get('idempotent-replayed'), 'true')
  }
  t.is((await shop.every(charges)).length, 1)
})

test('a key with another body, or of another account, is another matter', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  await issue(shop, merchant, 'k')
  const before = await shop.everything()
  const { status, body } = await issue(shop, merchant, 'k', { value: 150.51 })
  t.deepEqual([status, body.message], [422, 'A chave de idempotência já foi usada em outra requisição.'])
  for (const key of ['', 'x'.repeat(256)]) t.is((await issue(shop, merchant, key)).status, 422, key)
  t.deepEqual(await shop.everything(), before)
  t.is((await issue(shop, merchant, 'x'.repeat(255))).status, 200)
  const other = await issue(shop, await shop.merchant(), 'k')
  t.deepEqual([other.status, other.headers.get('idempotent-replayed')], [200, null])
  t.is((await shop.every(charges)).length, 3)
})

test('a key is forgotten after a day', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  const first = await issue(shop, merchant, 'k')
  shop.clock.advance(86_399)
  t.is((await issue(shop, await shop.again(merchant), 'k')).text, first.text)
  shop.clock.advance(1)
  t.not((await issue(shop, await shop.again(merchant), 'k')).text, first.text)
  t.is((await shop.every(charges)).length, 2)
})

test('a hundred requests at once with one key issue one charge', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  const answers = await Promise.all(Array.from({ length: 100 }, () => issue(shop, merchant, 'once')))
  const done = answers.filter(({ status }) => status === 200)
  t.true(done.length > 0)
  t.is(done.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  for (const { status, body, headers } of answers.filter((answer) => answer.status !== 200)) {
    t.is(status, 409)
    t.is(body.message, 'A primeira requisição com esta chave de idempotência ainda está em andamento.')
    t.truthy(headers.get('retry-after'))
  }
  t.deepEqual([(await shop.every(charges)).length, (await shop.every(titles)).length], [1, 1])
  t.deepEqual(new Set(done.map(({ text }) => text)), new Set([(await issue(shop, merchant, 'once')).text]))
})

const failures = [
  ['refuse', 'O banco recusou a operação: Operação recusada pelo banco.'],
  ['unavailable', 'Não foi possível falar com o banco. Tente novamente em instantes.'],
] as const
for (const [mode, message] of failures)
  test(`bank ${mode}: 400 that says so, a failed charge, charge.failed, and a key that is free again`, async (t) => {
    const shop = await openShop(t)
    const merchant = await shop.merchant()
    await shop.fail('create_pix', mode)
    const refused = await issue(shop, merchant, 'k')
    t.deepEqual([refused.status, refused.body], [400, { code: 400, success: false, message }])
    const { body } = await shop.ask('GET', '/invoices', { token: merchant.token })
    t.is(body.data.length, 1)
    const [failed] = body.data
    t.like(failed, { status: { id: 5, title: 'failed', description: 'Falhou' }, pix: null, amount_paid: null })
    t.is((await shop.ask('GET', `/public/charge?code=${failed.code}`)).body.charge.pix, null)
    await shop.drain()
    t.deepEqual(
      shop.told(HOOK).map(({ type, data }) => [type, data]),
      [['charge.failed', failed]],
    )

    const again = await issue(shop, merchant, 'k')
    t.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, null])
    t.not(again.body.data.id, failed.id)
    shop.clock.advance(3_000)
    await shop.drain()
    t.deepEqual(typesTold(shop), ['charge.created', 'charge.failed'])
    t.is((await shop.every(charges)).length, 2)
    t.is((await shop.every(clients)).length, 1)
  })

test('an account without a Pix key cannot issue, and is told why', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  await shop.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { pix_key: null } })
  const { status, body } = await issue(shop, merchant, 'k')
  t.deepEqual([status, body.message], [400, 'O banco recusou a operação: A conta não tem chave Pix.'])
  t.deepEqual(await shop.every(titles), [])
})

for (const mode of ['timeout', 'timeout_lost'])
  test(`bank ${mode}: 200 with the pending charge, which the worker completes once`, async (t) => {
    const shop = await openShop(t)
    const merchant = await shop.merchant()
    await shop.fail('create_pix', mode)
    const first = await issue(shop, merchant, 'k')
    t.is(first.status, 200)
    t.like(first.body.data, { status: { id: 1, title: 'pending' }, pix: null, boleto: null })
    t.is((await issue(shop, merchant, 'k')).text, first.text)
    const [kept] = await shop.every(charges)
    t.like((await shop.ask('GET', `/public/pix/${kept?.txid}`)).body, { qrcode: null, image: null, status: 'pending' })

    const show = async () => (await shop.ask('GET', '/invoices/1', { token: merchant.token })).body.data
    shop.clock.advance(4.9)
    await shop.drain()
    t.is((await show()).pix, null)
    shop.clock.advance(0.1)
    await shop.drain()
    const { pix } = await show()
    t.is(pix.txid, kept?.txid)
    t.deepEqual(
      shop.told(HOOK).map(({ type, data }) => [type, data.pix]),
      [['charge.created', pix]],
    )
    shop.clock.advance(3_000)
    await shop.drain()
    t.deepEqual(typesTold(shop), ['charge.created'])
    t.deepEqual(
      (await shop.every(titles)).map(({ id }) => id),
      [pix.txid],
    )
    t.is((await shop.pay(pix.txid)).status, 200)
  })

test('a lost time-out that the bank then refuses fails the charge, once', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  await shop.fail('create_pix', 'timeout_lost')
  t.is((await issue(shop, merchant, 'k')).status, 200)
  await shop.fail('create_pix', 'refuse')
  shop.clock.advance(5)
  await shop.drain()
  const { body } = await shop.ask('GET', '/invoices/1', { token: merchant.token })
  t.deepEqual([body.data.status.title, body.data.pix], ['failed', null])
  t.is((await shop.ask('GET', `/public/pix/${(await shop.every(charges))[0]?.txid}`)).body.status, 'cancelled')
  t.deepEqual(typesTold(shop), ['charge.failed'])
})

test('a bank that goes on being silent or away is asked again, ever more rarely, and ends no charge', async (t) => {
  const shop = await openShop(t)
  const merchant = await shop.merchant()
  await shop.fail('create_pix', 'timeout_lost')
  await issue(shop, merchant, 'k')
  const attempts = async () => {
    await shop.drain()
    const [charge] = await shop.every(charges)
    t.like(charge, { status: 'pending', pix: null, operation: 'create' })
    return charge?.attempts
  }
  const waits = [
    ['unavailable', 5],
    ['timeout_lost', 10],
    ['unavailable', 20],
  ] as const
  for (const [index, [mode, wait]] of waits.entries()) {
    await shop.fail('create_pix', mode)
    shop.clock.advance(wait - 0.1)
    t.is(await attempts(), index, mode)
    shop.clock.advance(0.1)
    t.is(await attempts(), index + 1, mode)
  }
  shop.clock.advance(40)
  await shop.drain()
  t.deepEqual(typesTold(shop), ['charge.created'])
})

/** A bank whose process dies in the middle of one `createPix`, after or before it did what it was asked. */
const dyingBank =
  (when: 'before' | 'after', orders: PixOrder[] = []) =>
  ({ store, ids, clock, random }: Host): { readonly bank: Bank } => {
    const bank = fakeBank({ store, ids, clock, random })
    return {
      bank: {
        ...bank,
        createPix: async (order) => {
          orders.push(order)
          if (orders.length > 1) return bank.createPix(order)
          if (when === 'after') await bank.createPix(order)
          throw new Error('the process died')
        },
      },
    }
  }

for (const when of ['before', 'after'] as const) {
  test(`a crash ${when} the bank did it is completed by a repeat, with one charge and one title`, async (t) => {
    const orders: PixOrder[] = []
    const shop = await openShop(t, { instead: dyingBank(when, orders) })
    const merchant = await shop.merchant()
    t.is((await issue(shop, merchant, 'k')).status, 500)
    const { body } = await shop.ask('GET', '/invoices', { token: merchant.token })
    t.deepEqual(
      body.data.map(({ status, pix }: { status: { title: string }; pix: null }) => [status.title, pix]),
      [['pending', null]],
    )
    t.is((await issue(shop, merchant, 'k')).status, 409)
    t.is((await issue(shop, merchant, 'k', { value: 1 })).status, 422)

    shop.clock.advance(LEASE_SECONDS)
    const repeats = await Promise.all(Array.from({ length: 8 }, () => issue(shop, merchant, 'k')))
    const done = repeats.filter(({ status }) => status === 200)
    t.true(done.length > 0)
    t.true(repeats.every(({ status }) => status === 200 || status === 409))
    t.is(done[0]?.body.data.id, 1)
    t.truthy(done[0]?.body.data.pix.qrcode)
    t.deepEqual(new Set(done.map(({ text }) => text)), new Set([(await issue(shop, merchant, 'k')).text]))
    await shop.drain()
    t.deepEqual(typesTold(shop), ['charge.created'])
    t.deepEqual([(await shop.every(charges)).length, (await shop.every(titles)).length], [1, 1])
    // What the bank knows is not sent again.
    t.is(orders.length, when === 'after' ? 1 : 2)
    t.is(new Set(orders.map(({ txid }) => txid)).size, 1)
  })

  test(`a crash ${when} the bank did it is completed by the worker, and the key by its repeat`, async (t) => {
    const shop = await openShop(t, { instead: dyingBank(when) })
    const merchant = await shop.merchant()
    t.is((await issue(shop, merchant, 'k')).status, 500)
    shop.clock.advance(59)
    await shop.drain()
    t.is((await shop.every(charges))[0]?.operation, 'create')
    shop.clock.advance(1)
    await shop.drain()
    t.deepEqual(typesTold(shop), ['charge.created'])
    t.is((await shop.every(httpKeys))[0]?.status, 'running')
    shop.clock.advance(LEASE_SECONDS)
    const repeat = await issue(shop, merchant, 'k')
    t.is(repeat.status, 200)
    t.is(repeat.body.data.pix.txid, (await shop.every(titles))[0]?.id)
    t.is((await issue(shop, merchant, 'k')).text, repeat.text)
    await shop.drain()
    t.deepEqual(typesTold(shop), ['charge.created'])
    t.is((await shop.every(charges)).length, 1)
  })
}

test('a crash whose charge the worker then failed is 400 for the repeat, and the key is free again', async (t) => {
  const shop = await openShop(t, { instead: dyingBank('before') })
  const merchant = await shop.merchant()
  await issue(shop, merchant, 'k')
  await shop.fail('create_pix', 'refuse')
  shop.clock.advance(LEASE_SECONDS)
  await shop.drain()
  const repeat = await issue(shop, merchant, 'k')
  t.deepEqual([repeat.status, repeat.body.message], [400, failures[0][1]])
  const again = await issue(shop, merchant, 'k')
  t.deepEqual([again.status, again.body.data.id], [200, 2])
  await shop.drain()
  t.deepEqual(typesTold(shop), ['charge.created', 'charge.failed'])
})
