// Also runs on MongoDB.
import test from 'ava'
import { payments as bankPayments, titles } from '../../../../adapters/bank/fake/books.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { entries, journals } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { StoreUnavailable } from '../../../../core/ports/store.ts'
import { type Merchant, openMerchant, openTestApi, pluck, type TestApi } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'
const E2E = 'E01181521202611231305ABCDEFGHIJK'

const show = async (api: TestApi, { token }: Merchant, id = 1) =>
  (await api.ask('GET', `/invoices/${id}`, { token })).body.data
const balance = async (api: TestApi, { token }: Merchant) =>
  (await api.ask('GET', '/consolidation/balance', { token })).body.balance
const told = async (api: TestApi) => {
  await api.drain()
  return api.told(HOOK).map(({ type, data }) => [type, data.status.title, data.amount_paid])
}
const typesTold = async (api: TestApi) => (await told(api)).map(([type]) => type)
const setTaxes = async (api: TestApi, { id }: Merchant, taxes: object) => {
  await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { taxes } })
}

test('pays a charge, posts the payment with its fee, and notifies of it', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await setTaxes(api, merchant, { pix_in: 0.99 })
  const { pix } = await api.charge(merchant, { description: 'Mensalidade', webhook: HOOK })
  const payer = { name: 'José Ávila', document: '111.444.777-35' }
  const paid = await api.pay(pix.txid, { end_to_end_id: E2E, payer })
  t.deepEqual([paid.status, paid.body], [200, { end_to_end_id: E2E, status: 'confirmed' }])

  const charge = await show(api, merchant)
  t.like(charge, { amount_paid: 150.5, payment_date: '2026-11-23', status: { id: 2, title: 'paid' } })
  t.is(charge.pix.status, 'paid')
  t.is(await balance(api, merchant), 149.51)
  const { body } = await api.ask('GET', '/consolidation/transactions', { token: merchant.token })
  const party = { name: 'José Ávila', document: '11144477735', bank: null, branch: null, account: null }
  const about = { txid: pix.txid, endtoend: E2E, payer: party, receiver: null }
  const common = {
    datetime: '2026-11-23T10:05:09-03:00',
    description: 'Mensalidade',
    status: { id: 1, title: 'Confirmado' },
    ...about,
    metadata: about,
  }
  const fee = { id: 3, slug: 'pix-in-fee', name: 'Tarifa Pix In' }
  t.deepEqual(body.data, [
    { id: 2, value: -0.99, balance: 149.51, type: fee, ...common },
    { id: 1, value: 150.5, balance: 150.5, type: { id: 1, slug: 'pix-in', name: 'Pix In' }, ...common },
  ])
  t.deepEqual(body.sumary, { total_transactions: 2, income_value: 150.5, expenses_value: 0.99 })
  const [journal, ...more] = await api.every(journals)
  t.deepEqual(more, [])
  t.deepEqual(journal?.legs, [
    { book: '1:main', cents: 15_050 },
    { book: '1:clearing', cents: -15_050 },
    { book: '1:main', cents: -99 },
    { book: '1:fees', cents: 99 },
  ])
  t.deepEqual(await told(api), [
    ['charge.created', 'pending', null],
    ['charge.paid', 'paid', 150.5],
  ])
})

test('posts a repeated notice once, whatever its other fields', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { pix } = await api.charge(merchant, { webhook: HOOK })
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.pay(pix.txid, { end_to_end_id: E2E })))
  answers.push(await api.pay(pix.txid, { end_to_end_id: E2E, value: 1 }))
  for (const { status, body } of answers) t.deepEqual([status, body.end_to_end_id], [200, E2E])
  t.is(await balance(api, merchant), 150.5)
  t.is((await show(api, merchant)).amount_paid, 150.5)
  t.deepEqual(await typesTold(api), ['charge.created', 'charge.paid'])
  t.is((await api.every(journals)).length, 1)
})

test('rejects a payment id that has paid another charge of any account, and logs it', async (t) => {
  const log = memoryLog()
  const api = await openTestApi(t, { instead: () => ({ log }) })
  const [merchant, other] = [await api.merchant(), await api.merchant()]
  const first = await api.charge(merchant, { webhook: HOOK })
  t.is((await api.pay(first.pix.txid, { end_to_end_id: E2E })).body.status, 'confirmed')
  const own = await api.charge(merchant, { webhook: HOOK })
  const foreign = await api.charge(other, { webhook: HOOK })
  await api.drain()
  const before = (await api.every(bankPayments)).length
  for (const { pix } of [own, foreign]) {
    const { status, body } = await api.pay(pix.txid, { end_to_end_id: E2E })
    t.deepEqual([status, body], [200, { end_to_end_id: E2E, status: 'refused' }])
  }
  await api.drain(3_000)
  t.deepEqual([await balance(api, merchant), await balance(api, other)], [150.5, 0])
  t.like(await show(api, merchant, own.id), { amount_paid: null, status: { title: 'pending' } })
  t.like(await show(api, other, foreign.id), { amount_paid: null, status: { title: 'pending' } })
  t.is((await api.every(journals)).length, 1)
  t.deepEqual(
    pluck(log.warnings, 'facts'),
    [own, foreign].map(({ pix }) => ({ code: 'payment.elsewhere', txid: pix.txid, endToEndId: E2E })),
  )
  const refused = (await api.every(bankPayments)).filter(({ refusal }) => refusal !== null)
  t.is(refused.length, (await api.every(bankPayments)).length - before)
  for (const each of refused) t.like(each, { refusal: 'payment.elsewhere', dueAt: null })
  t.is((await api.pay(own.pix.txid)).body.status, 'confirmed')
  // A search for the payer asks the bank, which reports it again.
  const { token } = await api.again(merchant)
  t.is((await api.ask('GET', '/invoices?search=123.456.789-09', { token })).status, 200)
  t.is(await balance(api, merchant), 301)
})

test('records the paid amount, and credits a second payment, notified as pix.received', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { pix } = await api.charge(merchant, { webhook: HOOK })
  await api.pay(pix.txid, { value: 100 })
  t.like(await show(api, merchant), { amount_paid: 100, status: { title: 'paid' }, payment_date: '2026-11-23' })
  api.clock.set('2026-11-25T12:00:00.000Z')
  const later = await api.again(merchant)
  await api.pay(pix.txid, { value: 60.25 })
  t.like(await show(api, later), { amount_paid: 160.25, status: { title: 'paid' }, payment_date: '2026-11-23' })
  t.is(await balance(api, later), 160.25)
  t.deepEqual(await told(api), [
    ['charge.created', 'pending', null],
    ['charge.paid', 'paid', 100],
    ['pix.received', 'paid', 160.25],
  ])
})

test('expires a charge at the end of its day in São Paulo, and accepts a late payment', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { pix, code } = await api.charge(merchant, { due_date: '2026-11-23', webhook: HOOK })
  const status = async () => (await api.ask('GET', `/public/charge?code=${code}`)).body.charge.status.title
  api.clock.set('2026-11-24T02:59:59.999Z')
  t.deepEqual(await told(api), [['charge.created', 'pending', null]])
  t.is(await status(), 'pending')
  api.clock.set('2026-11-24T03:00:00.000Z')
  t.is(await status(), 'expired')
  t.is((await api.ask('GET', `/public/pix/${pix.txid}`)).body.status, 'cancelled')
  api.clock.advance(60)
  t.deepEqual((await told(api)).at(-1), ['charge.expired', 'expired', null])
  await api.drain(60)
  t.is((await api.pay(pix.txid)).status, 200)
  t.like(await show(api, await api.again(merchant)), { status: { title: 'paid' }, payment_date: '2026-11-24' })
  t.deepEqual(await typesTold(api), ['charge.created', 'charge.expired', 'charge.paid'])
})

test('cancels a charge whose open title the bank cancels, and notifies once; a paid charge stays paid', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const open = await api.charge(merchant, { webhook: HOOK })
  const paid = await api.paid(merchant)
  const cancel = async (txid: string) => (await api.ask('POST', '/fake-bank/cancellations', { body: { txid } })).status
  t.deepEqual([await cancel(open.pix.txid), await cancel(open.pix.txid), await cancel(paid.pix.txid)], [204, 204, 204])
  t.is(await cancel('nobodyKnowsThis'), 404)
  t.like(await show(api, merchant, open.id), { status: { id: 3, title: 'cancelled' }, pix: { status: 'cancelled' } })
  t.like(await show(api, merchant, paid.id), { status: { id: 2 } })
  t.deepEqual(await told(api), [
    ['charge.created', 'pending', null],
    ['charge.cancelled', 'cancelled', null],
  ])
})

/** A store that can reject writes to charges, but not to the bank's books. */
const cutting = () => {
  const line = { isCut: false }
  const instead = ({ store }: Host) => ({
    store: {
      ...store,
      commit: async (...[changes, hooks]: Parameters<typeof store.commit>) => {
        if (line.isCut && changes.some(({ at }) => at[0] === charges.name)) throw new StoreUnavailable('cut')
        return store.commit(changes, hooks)
      },
    },
  })
  return { line, instead }
}

test('repeats the notice of a payment until it is stored', async (t) => {
  const { line, instead } = cutting()
  const { api, merchant } = await openMerchant(t, { instead })
  const { pix } = await api.charge(merchant, { webhook: HOOK })
  line.isCut = true
  const { status, body } = await api.pay(pix.txid, { end_to_end_id: E2E })
  t.deepEqual([status, body], [200, { end_to_end_id: E2E, status: 'pending' }])
  await api.drain(5)
  t.is(await balance(api, merchant), 0)
  line.isCut = false
  await api.drain(30)
  t.is(await balance(api, merchant), 150.5)
  t.like(await show(api, merchant), { status: { title: 'paid' } })
  t.like((await api.every(bankPayments))[0], { dueAt: null })
  t.deepEqual(await typesTold(api), ['charge.created', 'charge.paid'])
})

test('repeats the notice of a cancellation until it is stored', async (t) => {
  const { line, instead } = cutting()
  const { api, merchant } = await openMerchant(t, { instead })
  const { pix } = await api.charge(merchant, { webhook: HOOK })
  line.isCut = true
  t.is((await api.ask('POST', '/fake-bank/cancellations', { body: { txid: pix.txid } })).status, 204)
  t.like(await show(api, merchant), { status: { title: 'pending' } })
  line.isCut = false
  await api.drain(5)
  t.like(await show(api, merchant), { status: { title: 'cancelled' } })
  t.like((await api.every(titles))[0], { dueAt: null, status: 'cancelled' })
  t.deepEqual(await typesTold(api), ['charge.created', 'charge.cancelled'])
})

test("stores the bank's payments before a search by document lists", async (t) => {
  const { line, instead } = cutting()
  const { api, merchant } = await openMerchant(t, { instead })
  const issued = []
  for (let count = 0; count < 10; count += 1) issued.push(await api.charge(merchant))
  const other = await api.charge(merchant, { name: 'Outro', document: '111.444.777-35' })
  line.isCut = true
  for (const { pix } of [...issued.slice(0, 9), other]) await api.pay(pix.txid)
  await api.ask('POST', '/fake-bank/cancellations', { body: { txid: issued[9].pix.txid } })
  line.isCut = false
  const search = async (text: string) => {
    const { body } = await api.ask('GET', `/invoices?search=${encodeURIComponent(text)}`, { token: merchant.token })
    return body.data.map(({ status }: { status: { title: string } }) => status.title)
  }
  t.deepEqual(await search('Maria'), Array(10).fill('pending'))
  t.deepEqual(await search('123.456.789-09'), ['cancelled', ...Array(9).fill('paid')])
  t.like(await show(api, merchant, other.id), { status: { title: 'pending' } })
  t.is(await balance(api, merchant), 1354.5)
})

test("accepts a payment before the bank's answer to its title, and notifies of the title afterwards", async (t) => {
  const { api, merchant } = await openMerchant(t)
  await api.fail('create_pix', 'timeout')
  await api.charge(merchant, { webhook: HOOK })
  await api.pay((await api.every(titles))[0]?.id ?? '')
  t.like(await show(api, merchant), { status: { title: 'paid' }, pix: null })
  api.clock.advance(5)
  t.deepEqual(await told(api), [
    ['charge.paid', 'paid', 150.5],
    ['charge.created', 'paid', 150.5],
  ])
  t.like(await show(api, merchant), { status: { title: 'paid' }, pix: { status: 'paid' } })
})

test('posts 64 simultaneous confirmations on one account once each, with exact balances and a sum of zero', async (t) => {
  const { api, merchant } = await openMerchant(t)
  await setTaxes(api, merchant, { pix_in: 0.07 })
  const issued: { value: number; pix: { txid: string } }[] = []
  for (let value = 1; value <= 64; value += 1) issued.push(await api.charge(merchant, { value }))
  const answers = await Promise.all(issued.map(({ pix }) => api.pay(pix.txid)))
  t.true(answers.every(({ status, body }) => status === 200 && body.status === 'confirmed'))

  const posted = (await api.every(entries)).filter(({ typeId }) => typeId === 1)
  t.deepEqual(
    posted.map(({ valueCents }) => valueCents).sort((a, b) => a - b),
    issued.map(({ value }) => value * 100),
  )
  t.is(await balance(api, merchant), 2_080 - 64 * 0.07)
  t.like(await verifyLedger(api.host.store), { figures: { books: 1, entries: 128, journals: 64 }, faults: [] })
  const paid = await api.ask('GET', '/invoices?status_id=2&per_page=500', { token: merchant.token })
  t.is(paid.body.meta.total, 64)
})
