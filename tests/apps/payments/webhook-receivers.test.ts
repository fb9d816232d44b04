import test, { type ExecutionContext } from 'ava'
import { Webhook } from 'standardwebhooks'
import { httpSender } from '../../../adapters/webhooks/http-sender.ts'
import { guidesOf } from '../../../apps/payments/catalogue.ts'
import type { WebhookSender } from '../../../core/ports/messaging.ts'
import { freePort, hasProgram, type Receiver, startReceiver } from '../guides.ts'
import { openMerchant } from './test-api.ts'

type WebhookRequest = Parameters<WebhookSender['post']>[0]

/** Delivers a webhook to a port, and returns the sent request and the delivery. */
const delivered = async (t: ExecutionContext, port: number, start: (secret: string) => Promise<unknown>) => {
  const sender = httpSender({ allowPrivate: true })
  t.teardown(() => sender.close())
  const sent: WebhookRequest[] = []
  const webhooks = {
    post: (request: WebhookRequest) => {
      sent.push(request)
      return sender.post(request)
    },
  }
  const { api, merchant, token } = await openMerchant(t, {
    now: new Date().toISOString(),
    instead: () => ({ webhooks }),
  })
  const secret = (await api.ask('GET', '/access/account', { token })).body.account.webhook_secret as string
  await start(secret)
  // Letters beyond ASCII, because the signature covers bytes, not characters.
  await api.charge(merchant, { name: 'João Araújo', webhook: `http://127.0.0.1:${port}/webhooks` })
  await api.drain()
  const { body } = await api.ask('GET', '/access/webhook-notifications', { token })
  const [request] = sent
  if (!request) throw new Error('no webhook was sent')
  return { secret, request, delivery: body.data[0] }
}

const SECONDS = 1_000

/** Returns requests that a receiver must reject, by name. */
const forgeries = (secret: string, { headers, body }: WebhookRequest): Readonly<Record<string, [object, string]>> => {
  const signed = (by: string, seconds: number, id = 'msg_1'): object => {
    const at = new Date(Date.now() + seconds * SECONDS)
    const timestamp = `${Math.floor(at.getTime() / SECONDS)}`
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': new Webhook(by).sign(id, at, body) }
  }
  const signature = `${headers['webhook-signature']}`
  const without = (name: string): [object, string] => {
    const { [name]: _, ...rest } = headers
    return [rest, body]
  }
  return {
    'a changed body': [headers, body.replace('150.5', '1.5')],
    'another secret': [signed(`whsec_${btoa('another secret, 24 bytes long')}`, 0), body],
    'an old timestamp': [signed(secret, -310), body],
    'an early timestamp': [signed(secret, 310), body],
    'a changed timestamp': [{ ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) + 1}` }, body],
    'a timestamp that is no number': [{ ...headers, 'webhook-timestamp': 'NaN' }, body],
    'another id': [{ ...headers, 'webhook-id': 'msg_other' }, body],
    'another version': [{ ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') }, body],
    'part of a signature': [{ ...headers, 'webhook-signature': signature.slice(0, -4) }, body],
    'no id': without('webhook-id'),
    'no timestamp': without('webhook-timestamp'),
    'no signature': without('webhook-signature'),
  }
}

const verifies = async (t: ExecutionContext, language: string, program: string): Promise<void> => {
  if (!(await hasProgram(t, program))) return
  const port = await freePort()
  const guides = guidesOf('')
  let receiver: Receiver | undefined
  const { secret, request, delivery } = await delivered(t, port, async (known) => {
    receiver = await startReceiver(t, { guides, language, port, secret: known })
  })
  t.like(delivery, { status: 'delivered', attempts: 1, response: { status: 204 } })
  const post = async (headers: object, body: string): Promise<number> =>
    (await fetch(request.url, { method: 'POST', headers: { ...headers }, body })).status
  for (const [name, [headers, body]] of Object.entries(forgeries(secret, request)))
    t.is(await post(headers, body), 401, name)
  // A webhook has several signatures after a rotation of secrets.
  const several = { ...request.headers, 'webhook-signature': `v1,AAAA ${request.headers['webhook-signature']}` }
  t.is(await post(several, request.body), 204)
  await receiver?.printed(`${request.headers['webhook-id']} charge.created`, 2)
}

for (const [language, program] of [
  ['js', 'node'],
  ['python', 'python3'],
  ['php', 'php'],
] as const)
  test(`the receiver of the guides in ${language} accepts a delivery, and rejects forged and old ones`, (t) =>
    verifies(t, language, program))
