import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { type Charge, charges } from '../../../../core/payments/charges/charge.ts'
import { beforeAll } from '../before-all.ts'
import { type Merchant, openMerchant, openTestApi, pluck, type TestApi, worked, wrongFields } from '../test-api.ts'

const JOAO = { name: 'João Conceição', email: 'joao@example.com', document: '111.444.777-35' }

let api: TestApi
let merchant: Merchant
// Issued one second apart: ids 1 to 6.
let issued: { readonly id: number; readonly code: string; readonly pix: { readonly txid: string } }[]

const set = (id: number, fields: Partial<Charge>) =>
  api.host.store.commit([patch(charges, id, { set: fields, when: always })])

beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
  issued = []
  const dues = ['2026-12-05', '2026-12-01', '2026-12-03', '2026-12-02', '2026-12-06', '2026-12-04']
  for (const [index, due_date] of dues.entries()) {
    issued.push(await api.charge(merchant, { due_date, ...(index % 2 === 0 ? {} : JOAO) }))
    api.clock.advance(1)
  }
  await set(2, { status: 'paid', paymentDate: '2026-11-24', amountPaidCents: 100 })
  await set(3, { status: 'cancelled' })
  await set(4, { status: 'DELETED' })
  await set(5, { status: 'paid', paymentDate: '2026-11-23', amountPaidCents: 100 })
  await set(6, { createdAt: '2026-11-24T03:00:00.000Z', createdDay: '2026-11-24' })
})

const get = (query: string) => api.ask('GET', `/invoices?${query}`, { token: merchant.token })
const ids = async (query: string) => pluck(worked(await get(query)).data, 'id')

test('lists charges newest first in an envelope, without deleted ones', async (t) => {
  const body = worked(await get(''))
  t.like(body, { code: 200, success: true, message: 'Cobranças listadas com sucesso.' })
  t.deepEqual(body.meta, { current_page: 1, per_page: 15, total: 5, last_page: 1 })
  const { body: alias } = await api.ask('GET', '/billing/charges', { token: merchant.token })
  t.deepEqual(alias, body)
  const { tag, createdBy, refunds, ...one } = (await api.ask('GET', '/invoices/1', { token: merchant.token })).body.data
  t.deepEqual(body.data[4], one)
})

const found: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['per_page=2&page=2', [3, 2]],
  ['per_page=2&page=4', []],
  ['per_page=500&page=100000000000', []],
  ['order_by=created_at&order_dir=asc', [1, 2, 3, 5, 6]],
  ['order_by=id&order_dir=asc', [1, 2, 3, 5, 6]],
  ['order_by=due_date&order_dir=desc', [5, 1, 6, 3, 2]],
  ['order_by=payment_date&order_dir=asc', [1, 3, 6, 5, 2]],
  ['status_id=1&status_id=3', [6, 3, 1]],
  ['status_id=6,2', [5, 4, 2]],
  ['status_id=', [6, 5, 3, 2, 1]],
  ['payment_method=BOLETO,BOLEPIX', []],
  ['payment_method=PIX&payment_method=BOLETO&status_id=3', [3]],
  ['client_id=2&order_by=due_date', [6, 2]],
  ['search=JO%C3%83O%20concei%C3%A7%C3%A3o', [6, 2]],
  ['search=Joa%CC%83o', [6, 2]],
  ['search=111.444.777-35', [6, 2]],
  ['search=1444777', [6, 2]],
  ['search=', [6, 5, 3, 2, 1]],
  ['created_at_start=2026-11-24', [6]],
  ['created_at_end=2026-11-23', [5, 3, 2, 1]],
  ['due_date_start=2026-12-03&due_date_end=2026-12-05', [6, 3, 1]],
  ['payment_date_start=2026-11-23&payment_date_end=2026-11-23', [5]],
  ['payment_date_start=2026-10-10&payment_date_end=2026-11-24', [5, 2]],
  ['search=joao&status_id=2&due_date_start=2026-12-01&client_id=2', [2]],
  ['unknown=1&status[$ne]=1&$where=1', [6, 5, 3, 2, 1]],
]

test('finds the charges of each query, with their total', async (t) => {
  for (const [query, expected] of found) {
    t.deepEqual(await ids(query), expected, query)
    if (!query.includes('page')) t.is((await get(`${query}&per_page=1`)).body.meta.total, expected.length, query)
  }
})

const refused: readonly (readonly [query: string, field: string])[] = [
  ['payment_date_start=2026-11-23', 'payment_date_end'],
  ['payment_date_end=2026-11-23', 'payment_date_start'],
  ['payment_date_start=2026-10-09&payment_date_end=2026-11-24', 'payment_date_end'],
]

test('rejects days of payment without an end or of more than 45 days', async (t) => {
  for (const [query, field] of refused) t.deepEqual(wrongFields(await get(query)), [field], query)
})

test('finds a charge by its code and txid, in any case', async (t) => {
  const [first] = issued
  t.deepEqual(await ids(`search=${first?.code.toUpperCase()}`), [1])
  t.deepEqual(await ids(`search=${first?.pix.txid.slice(3, 20)}`), [1])
  t.deepEqual(await ids(`search=${first?.code}%0A${first?.pix.txid}x`), [])
})

test('shows an overdue charge as expired before the worker updates it', async (t) => {
  const { api: own, merchant: school } = await openMerchant(t)
  const today = await own.charge(school, { due_date: '2026-11-23' })
  own.clock.advance(1)
  const later = await own.charge(school, { due_date: '2026-11-24' })
  own.clock.set('2026-11-24T02:59:59.999Z')
  const { token } = await own.again(school)
  const listed = async (query: string) => {
    const { meta, data } = (await own.ask('GET', `/invoices?status_id=${query}`, { token })).body
    return [meta.total, ...data.map(({ id, status }: typeof data) => `${id} ${status.title}`)]
  }
  t.deepEqual(await listed('1'), [2, `${later.id} pending`, `${today.id} pending`])
  t.deepEqual(await listed('4'), [0])
  own.clock.set('2026-11-24T03:00:00.000Z')
  for (const moved of [false, true]) {
    if (moved) t.true((await own.drain()) > 0)
    for (const query of ['1', '1,2']) t.deepEqual(await listed(query), [1, `${later.id} pending`], `${moved}`)
    for (const query of ['4', '2,4']) t.deepEqual(await listed(query), [1, `${today.id} expired`], `${moved}`)
    t.deepEqual(await listed('4,1'), [2, `${later.id} pending`, `${today.id} expired`], `${moved}`)
    t.is((await own.every(charges)).find(({ id }) => id === today.id)?.status, moved ? 'expired' : 'pending')
  }
})
