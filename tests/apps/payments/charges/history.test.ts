import test from 'ava'
import { failure, openTestApi, worked } from '../test-api.ts'

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
  t.deepEqual(
    events.map(({ type, received, refunded }: Readonly<Record<string, unknown>>) => [type, received, refunded]),
    [
      ['charge.refunded', null, 40],
      ['charge.paid', 100, null],
      ['charge.created', null, null],
    ],
  )
  t.like(events[0], { title: 'Devolvida', at: '2026-11-23T10:06:09-03:00' })
  t.deepEqual(failure(await api.ask('GET', `/v1/charges/${id}/history`, { token: other.token })), [
    404,
    'charge.unknown',
  ])
})
