// Also runs on MongoDB.
import test from 'ava'
import { payments as bankPayments, titles } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { journals } from '../../../../core/payments/ledger/ledger.ts'
import { StoreUnavailable } from '../../../../core/ports/store.ts'
import { type Merchant, openMerchant, type TestApi } from '../test-api.ts'

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

test('repeats the notices of a payment and of a cancellation until they are stored', async (t) => {
  const { line, instead } = cutting()
  const { api, merchant } = await openMerchant(t, { instead })
  const [paid, cancelled] = [await api.charge(merchant, { webhook: HOOK }), await api.charge(merchant)]
  line.isCut = true
  const { status, body } = await api.pay(paid.pix.txid, { end_to_end_id: E2E })
  t.deepEqual([status, body], [200, { end_to_end_id: E2E, status: 'pending' }])
  const cancellation = { body: { txid: cancelled.pix.txid } }
  t.is((await api.ask('POST', '/fake-bank/cancellations', cancellation)).status, 204)
  await api.drain(5)
  t.is(await balance(api, merchant), 0)
  t.like(await show(api, merchant, cancelled.id), { status: { title: 'pending' } })
  line.isCut = false
  await api.drain(30)
  t.is(await balance(api, merchant), 150.5)
  t.like(await show(api, merchant, paid.id), { status: { title: 'paid' } })
  t.like(await show(api, merchant, cancelled.id), { status: { title: 'cancelled' } })
  t.like((await api.every(bankPayments))[0], { dueAt: null })
  t.like(
    (await api.every(titles)).find(({ id }) => id === cancelled.pix.txid),
    { status: 'cancelled', dueAt: null },
  )
  t.deepEqual(await typesTold(api), ['charge.created', 'charge.paid'])
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
