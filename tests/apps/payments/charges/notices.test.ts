import test from 'ava'
import { mails, messages } from '../../../../core/payments/office.ts'
import { setAccount } from '../given/merchants.ts'
import { errorsOf, openMerchant, worked } from '../test-api.ts'

const MANY = '/billing/charges/notify'
const PHONED = { phone: '+55 11 99999-0000' }

test('mails a charge to its client by id or code, at each request', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
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

test('rejects a mail to a client without an e-mail or a removed one', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
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

test('notifies of several charges once per channel, and skips unknown ones', async (t) => {
  const { api, merchant } = await openMerchant(t)
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

test('validates channels before charges, and sends nothing on a rejection', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const { id } = await api.charge(merchant)
  const ids = (count: number) => Array.from({ length: count }, (_, index) => 100_000 + index)
  const cases: readonly (readonly [body: object, status: number, field?: string])[] = [
    [{ ids: [999_999], channels: ['fax'] }, 422, 'channels.0'],
    [{ ids: [id, {}], channels: ['email'] }, 422, 'ids.1'],
    [{ ids: ids(301), channels: ['email'] }, 422, 'ids'],
    [{ ids: [id], id, channels: ['email'] }, 422, 'id'],
    [{ channels: ['email'] }, 400],
    [{ ids: [], channels: ['email'] }, 400],
    [{ ids: ids(300), channels: ['email'] }, 404],
  ]
  for (const [body, status, field] of cases) {
    const answer = await api.ask('POST', MANY, { token, body })
    t.deepEqual([answer.status, Object.keys(errorsOf(answer))], [status, field ? [field] : []], answer.text)
  }
  for (const [channels, status] of [
    [[], 422],
    [['sms'], 404],
  ] as const)
    t.is((await api.ask('POST', '/billing/charges/999999/notify', { token, body: { channels } })).status, status)
  t.deepEqual(await api.mailsTo('maria@example.com'), [])
})

test('limits the messages of all channels by MESSAGES_PER_DAY, with an unchanged reply', async (t) => {
  const { api, merchant, token } = await openMerchant(t, { env: { MESSAGES_PER_DAY: '1' } })
  const { id } = await api.charge(merchant, PHONED)
  const answer = await api.ask('POST', MANY, { token, body: { ids: [id], channels: ['email', 'whatsapp'] } })
  t.like(answer, { status: 200, body: { data: { count: 1 }, message: 'Notificações enfileiradas com sucesso!' } })
  const ofAccounts = (await api.every(mails)).filter(({ accountId }) => accountId !== null)
  const reasons = [...ofAccounts, ...(await api.every(messages))].map(({ unsentReason }) => unsentReason)
  t.deepEqual(reasons, [null, 'day-limit'])
})

test('reminds a payer at the hour of ALERTS_AT', async (t) => {
  const { api, merchant } = await openMerchant(t, { env: { ALERTS_AT: '09:30' } })
  await api.setPin(merchant)
  await setAccount(api, merchant, {
    notification_rules: { before_due: { enabled: true, channels: ['email'], days: 2 } },
  })
  const { pix } = await api.charge(merchant, { due_date: '2026-11-26' })
  await api.drain('2026-11-24T12:29:59.999Z')
  const isReminder = ({ text }: { readonly text: string }) => text.split('\n').at(-1) === pix.qrcode
  t.deepEqual(api.mailer.sent.filter(isReminder), [])
  await api.drain('2026-11-24T12:30:00.000Z')
  await api.drain()
  const subject = 'Sua cobrança de Escola Aurora vence em 26/11/2026'
  t.like(api.mailer.sent.filter(isReminder), [{ subject }])
})
