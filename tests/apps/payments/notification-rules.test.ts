import test from 'ava'
import { memoryMessenger } from '../../../adapters/memory/memory-services.ts'
import { PIN } from '../../core/payments/world.ts'
import { openTestApi, pluckAll, type TestApi } from './test-api.ts'

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
