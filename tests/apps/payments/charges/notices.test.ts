import test from 'ava'
import { memoryMessenger } from '../../../../adapters/memory/memory-services.ts'
import { mails, messages } from '../../../../core/payments/office.ts'
import { PIN } from '../../../core/payments/world.ts'
import { errorsOf, openMerchant, openTestApi, pluckAll, type TestApi, worked } from '../test-api.ts'

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

const PHONE = '+55 51 99999-0000'

/** Sets the notification rules of a merchant. */
const setRules = async ({ ask }: TestApi, { token }: { readonly token: string }, rules: object) => {
  await ask('POST', '/access/account/pin', { token, body: { pin: PIN, confirm_pin: PIN } })
  const answer = await ask('PUT', '/access/account', { token, body: { pin: PIN, notification_rules: rules } })
  if (answer.status !== 200) throw new Error(answer.text)
}

const aRule = (more: object = {}) => ({ enabled: true, channels: ['email'], ...more })

test('notifies a payer of a new charge and of its payment once on each channel, with the Pix code', async (t) => {
  const messenger = memoryMessenger()
  const api = await openTestApi(t, { instead: () => ({ messenger }) })
  const { mailer } = api
  const [aurora, other] = [await api.merchant(), await api.merchant()]
  await setRules(api, aurora, {
    on_creation: aRule({ channels: ['email', 'whatsapp'] }),
    on_payment: aRule({ message: 'Obrigada, Maria! 🎉', channels: ['email', 'sms'] }),
  })
  await api.drain()
  mailer.sent.length = 0

  const order = { email: 'maria@example.com', description: 'Mensalidade <novembro>', phone: PHONE }
  const charge = await api.charge(aurora, order)
  await api.charge(other, { email: 'joao@example.com' })
  await api.drain()
  t.deepEqual(pluckAll(mailer.sent, 'to', 'subject'), [['maria@example.com', 'Nova cobrança de Escola Aurora']])
  const [{ text = '', html = '' } = {}] = mailer.sent
  t.true(text.split('\n').includes(charge.pix.qrcode), 'the code is alone on its line')
  t.true(text.includes('Valor: R$ 150,50\nVencimento: 30/11/2026\nDescrição: Mensalidade <novembro>'))
  t.true(html.includes('Mensalidade &lt;novembro&gt;') && html.includes(`>${charge.pix.qrcode}<`))
  t.true(html.includes('Enviado por Escola Aurora'))
  t.deepEqual(pluckAll(messenger.sent, 'channel', 'to'), [['whatsapp', PHONE]])
  t.true(messenger.sent[0]?.text.endsWith(`\n${charge.pix.qrcode}`))

  await api.pay(charge.pix.txid)
  await api.pay(charge.pix.txid)
  await api.drain()
  t.is(await api.drain(), 0)
  t.deepEqual(pluckAll(mailer.sent.slice(1), 'to', 'subject'), [
    ['maria@example.com', 'Pagamento recebido por Escola Aurora'],
  ])
  t.true(mailer.sent[1]?.text.includes('Obrigada, Maria! 🎉\n\nValor pago: R$ 150,50\nData do pagamento: 23/11/2026'))
  t.deepEqual(
    messenger.sent.slice(1).map(({ channel, text: said }) => [channel, said]),
    [['sms', 'Obrigada, Maria! 🎉']],
  )
})

test('reminds a payer at the hour of ALERTS_AT', async (t) => {
  const api = await openTestApi(t, { env: { ALERTS_AT: '09:30' } })
  const aurora = await api.merchant()
  await setRules(api, aurora, { before_due: aRule({ days: 2 }) })
  const { pix } = await api.charge(aurora, { due_date: '2026-11-26' })
  await api.drain('2026-11-24T12:29:59.999Z')
  const isReminder = ({ text }: { readonly text: string }) => text.split('\n').at(-1) === pix.qrcode
  t.deepEqual(api.mailer.sent.filter(isReminder), [])
  await api.drain('2026-11-24T12:30:00.000Z')
  await api.drain()
  const subject = 'Sua cobrança de Escola Aurora vence em 26/11/2026'
  t.like(api.mailer.sent.filter(isReminder), [{ subject }])
})
