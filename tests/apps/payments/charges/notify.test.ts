import test from 'ava'
import { messages } from '../../../../core/payments/office.ts'
import { errorsOf, openTestApi, worked } from '../test-api.ts'

const MANY = '/billing/charges/notify'
const PHONED = { phone: '+55 11 99999-0000' }

test('a charge is mailed to its client, by id or code, each time that somebody asks', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  const charge = await api.charge(merchant)
  for (const name of [charge.id, charge.code]) {
    const { body } = await api.ask('POST', `/invoices/${name}/notify`, { token })
    t.deepEqual(body.data, { charge_id: charge.id, email: 'maria@example.com' })
    t.is(body.message, 'Notificação enviada com sucesso!')
  }
  const sent = await api.mailsTo('maria@example.com')
  t.is(sent.length, 2)
  for (const text of sent) {
    t.true(text.includes('vence em 30/11/2026 e aguarda o pagamento'))
    t.true(text.includes(charge.pix.qrcode))
  }
})

test('who has no e-mail, or was removed, is mailed nothing', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  const { client } = worked(await api.ask('POST', '/v1/clients', { token, body: { name: 'Sem E-mail' } }))
  const charge = await api.charge(merchant, { client_id: client.id, name: undefined })
  const refused = await api.ask('POST', `/invoices/${charge.id}/notify`, { token })
  t.is(refused.status, 400)
  t.is(refused.body.error_code, 'client.no-email')

  const other = await api.charge(merchant, PHONED)
  worked(await api.ask('DELETE', `/v1/clients/${other.client.id}`, { token }))
  t.is((await api.ask('POST', `/invoices/${other.id}/notify`, { token })).status, 400)
  const channels = ['email', 'whatsapp', 'sms']
  const notified = await api.ask('POST', MANY, { token, body: { ids: [other.id], channels } })
  t.deepEqual(notified.body.data, { count: 1 })
  t.deepEqual(await api.mailsTo('maria@example.com'), [])
  t.deepEqual(await api.every(messages), [])
})

test('several are told of by each channel once; what is unknown is skipped', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const stranger = await api.merchant('rui@example.com')
  const { token } = merchant
  const one = await api.charge(merchant, PHONED)
  const two = await api.charge(merchant)
  const foreign = await api.charge(stranger)
  const deleted = await api.charge(merchant)
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token }))
  const ids = [one.id, `${one.id}`, one.code, two.code, foreign.id, foreign.code, deleted.id, 999_999, 'ninguem']
  const body = { ids, channels: ['email', 'sms', 'sms'], message: 'Oi! 🙏' }
  const answer = await api.ask('POST', MANY, { token, body })
  t.deepEqual(answer.body.data, { count: 2 })
  t.is(answer.body.message, 'Notificações enfileiradas com sucesso!')
  const mailed = await api.mailsTo('maria@example.com')
  t.is(mailed.length, 2)
  t.true(mailed.every((text) => text.includes('Oi! 🙏')))
  t.is((await api.every(messages)).length, 2)
  const alone = await api.ask('POST', `/billing/charges/${two.id}/notify`, { token, body: { channels: ['whatsapp'] } })
  t.deepEqual(alone.body.data, { count: 1 })
  t.is((await api.every(messages)).length, 3)
})

test('a key tells once', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const charge = await api.charge(merchant)
  const sent = {
    token: merchant.token,
    body: { id: charge.id, channels: ['email'] },
    headers: { 'idempotency-key': 'aviso-1' },
  }
  const first = await api.ask('POST', MANY, sent)
  const again = await api.ask('POST', MANY, sent)
  t.deepEqual(again.body, first.body)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.is((await api.mailsTo('maria@example.com')).length, 1)
})

test('channels come before charges, and each refusal sends nothing', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  const { id } = await api.charge(merchant)
  const ids = (count: number) => Array.from({ length: count }, (_, index) => 100_000 + index)
  const cases: readonly (readonly [body: object, status: number, field: string | null])[] = [
    [{ ids: [id] }, 422, 'channels'],
    [{}, 422, 'channels'],
    [{ channels: [] }, 422, 'channels'],
    [{ ids: [999_999], channels: ['fax'] }, 422, 'channels.0'],
    [{ id, channels: ['email'], message: 'x'.repeat(1_001) }, 422, 'message'],
    [{ ids: [id, {}], channels: ['email'] }, 422, 'ids.1'],
    [{ ids: [1.5], channels: ['email'] }, 422, 'ids.0'],
    [{ ids: ids(301), channels: ['email'] }, 422, 'ids'],
    [{ ids: ids(10_000), channels: ['email'] }, 422, 'ids'],
    [{ ids: [id], id, channels: ['email'] }, 422, 'id'],
    [{ channels: ['email'] }, 400, null],
    [{ ids: [], channels: ['email'] }, 400, null],
    [{ ids: ids(300), channels: ['email'] }, 404, null],
  ]
  for (const [body, status, field] of cases) {
    const answer = await api.ask('POST', MANY, { token, body })
    t.is(answer.status, status, JSON.stringify(body).slice(0, 80))
    if (field !== null) t.true(field in errorsOf(answer), answer.text)
  }
  t.is((await api.ask('POST', '/billing/charges/999999/notify', { token, body: { channels: [] } })).status, 422)
  t.is((await api.ask('POST', '/billing/charges/999999/notify', { token, body: { channels: ['sms'] } })).status, 404)
  t.is((await api.ask('POST', '/invoices/999999/notify', { token })).status, 404)
  t.deepEqual(await api.mailsTo('maria@example.com'), [])
})

test('three hundred charges by three channels are one commit', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const made = await Promise.all(Array.from({ length: 300 }, () => api.charge(merchant, { ...PHONED, value: 1 })))
  const body = { ids: made.map(({ id }) => id), channels: ['email', 'whatsapp', 'sms'], message: 'x'.repeat(1_000) }
  const answer = await api.ask('POST', MANY, { token: merchant.token, body, headers: { 'idempotency-key': 'todas' } })
  t.deepEqual(answer.body.data, { count: 300 })
  t.is((await api.every(messages)).length, 600)
})
