// Also runs on MongoDB, in test:long.
import test from 'ava'
import { clients } from '../../../../core/payments/customers/client.ts'
import { failure, MARIA, openMerchant, openTestApi, pluckAll, worked } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

test('issues a charge with a code and a txid, and notifies of it', async (t) => {
  const { api, token } = await openMerchant(t)
  const body = { ...MARIA, description: ' Mensalidade ', installments: 12, webhook: HOOK }
  const { data } = (await api.ask('POST', '/invoices', { token, body })).body
  t.is(data.description, 'Mensalidade')
  t.regex(data.code, /^[A-Za-z][A-Za-z0-9]{21}$/)
  t.regex(data.pix.txid, /^[A-Za-z][A-Za-z0-9]{24}$/)
  await api.drain()
  const [created, ...more] = api.told(HOOK)
  t.deepEqual([created.type, created.data, more], ['charge.created', data, []])
})

test('shows a charge by id and by code, on both paths', async (t) => {
  const { api, token } = await openMerchant(t)
  const body = { ...MARIA, payment_method: 'PIX' }
  const issued = (await api.ask('POST', '/billing/charges', { token, body })).body.data
  const answers = await Promise.all(
    ['/invoices', '/billing/charges'].flatMap((path) =>
      [issued.id, issued.code].map((each) => api.ask('GET', `${path}/${each}`, { token })),
    ),
  )
  for (const answer of answers) {
    t.deepEqual(answer.body, {
      code: 200,
      success: true,
      message: 'Detalhes da Cobrança',
      data: { ...issued, tag: null, refunds: [], createdBy: { id: 1, name: 'Ana Souza' } },
    })
  }
})

test('creates one client for sixteen simultaneous charges of one document', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const issued = await Promise.all(Array.from({ length: 16 }, () => api.charge(merchant)))
  t.is(new Set(issued.map(({ id }) => id)).size, 16)
  t.is(new Set(issued.map(({ pix }) => pix.txid)).size, 16)
  t.is((await api.every(clients)).length, 1)
})

test('shows the events of a charge and the messages to its payer, only to its account', async (t) => {
  const api = await openTestApi(t)
  const [anna, other] = [await api.merchant(), await api.merchant()]
  await api.setStatus(anna, 'ACTIVE')
  const { id, pix, client } = await api.charge(anna, { value: 100 })
  worked(await api.ask('POST', `/billing/charges/${id}/notify`, { token: anna.token, body: { channels: ['email'] } }))
  const history = async () => worked(await api.ask('GET', `/v1/charges/${id}/history`, { token: anna.token })).history
  const message = { channel: 'email', to: client.email, subject: 'Sua cobrança de Escola Aurora' }
  t.like((await history()).messages[0], { ...message, status: 'waiting' })
  await api.drain()
  t.is((await history()).messages[0].status, 'sent')
  await api.pay(pix.txid)
  api.clock.advance(60)
  worked(await api.ask('POST', `/invoices/${id}/refund`, { token: anna.token, body: { value: 40 } }))
  const { events } = await history()
  t.deepEqual(pluckAll(events, 'type', 'received', 'refunded'), [
    ['charge.refunded', null, 40],
    ['charge.paid', 100, null],
    ['charge.created', null, null],
  ])
  t.like(events[0], { title: 'Devolvida', at: '2026-11-23T10:06:09-03:00' })
  t.deepEqual(failure(await api.ask('GET', `/v1/charges/${id}/history`, { token: other.token })), [
    404,
    'charge.unknown',
  ])
})
