import test from 'ava'
import { memoryMessenger } from '../../../../adapters/memory/memory-services.ts'
import { mails, messages } from '../../../../core/payments/office.ts'
import { errorsOf, type Merchant, openMerchant, type TestApi, worked } from '../test-api.ts'

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

/** Issues charges, each with its own payer. */
const issued = (api: TestApi, merchant: Merchant, count: number): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const body = { name: `Cliente ${index}`, email: `payer-${index}@example.com`, phone: `11 9${80_000_000 + index}` }
      const { client } = worked(await api.ask('POST', '/v1/clients', { token: merchant.token, body }))
      const payer = { client_id: client.id, name: undefined, email: undefined, document: undefined }
      return (await api.charge(merchant, payer)).id
    }),
  )

/** Counts messages to payers by the reason why they are not sent. */
const reasonsOf = async (api: TestApi) => {
  const counts: Record<string, number> = {}
  const ofAccounts = (await api.every(mails)).filter(({ accountId }) => accountId !== null)
  for (const { unsentReason } of [...ofAccounts, ...(await api.every(messages))])
    counts[unsentReason ?? 'sent'] = (counts[unsentReason ?? 'sent'] ?? 0) + 1
  return counts
}

test('limits the messages of all channels by MESSAGES_PER_DAY, with an unchanged reply', async (t) => {
  const messenger = memoryMessenger()
  const { api, merchant, token } = await openMerchant(t, {
    env: { MESSAGES_PER_DAY: '5' },
    instead: () => ({ messenger }),
  })
  const ids = await issued(api, merchant, 3)
  const answer = await api.ask('POST', MANY, { token, body: { ids, channels: ['email', 'whatsapp', 'sms'] } })
  t.like(answer, { status: 200, body: { data: { count: 3 }, message: 'Notificações enfileiradas com sucesso!' } })
  t.deepEqual(await reasonsOf(api), { sent: 5, 'day-limit': 4 })
  await api.drain()
  const sent = api.mailer.sent.filter(({ to }) => to.startsWith('payer-'))
  t.is(sent.length + messenger.sent.length, 5)
  const { body } = await api.ask('GET', '/access/auth/notifications', { token })
  t.is(body.data.filter(({ type }: { readonly type: string }) => type === 'messages.unsent').length, 1)
})
