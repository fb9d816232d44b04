import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { digest } from '../../adapters/crypto/cipher.ts'
import { terminalQr } from '../../adapters/documents/codes.ts'
import type { Environment } from '../../adapters/node/settings.ts'
import { addDays, dayOf, fromEpochSeconds } from '../../core/kernel/values/day.ts'
import { signedHeaders } from '../../core/payments/webhooks/deliver.ts'
import { apiClient, expect, reais, say } from './demo.ts'

interface OwnAccount {
  readonly bank: string
  readonly agency: string
  readonly account: string
  readonly webhook_secret: string
}

interface Charge {
  readonly id: number
  readonly value: number
  readonly description: string
  readonly due_date: string
  readonly status: { readonly title: string }
  readonly client: { readonly name: string }
  readonly pix: { readonly txid: string; readonly qrcode: string }
}

interface Line {
  readonly type: { readonly name: string }
  readonly value: number
  readonly balance: number
  readonly payer: { readonly name: string }
}

/** Reports whether a webhook is signed with the account's secret. */
const isSigned = ({ id, timestamp, signature, body }: Webhook, secret: string): boolean => {
  const now = fromEpochSeconds(timestamp)
  const expected = signedHeaders(digest, { secret, webhookId: id, now, payload: body })
  return Object.values(expected).includes(signature)
}

type Send = ReturnType<typeof apiClient>
type Merchant = Awaited<ReturnType<typeof receiver>>

/** Runs and prints the first day of a merchant. Throws if a step fails. */
export const story = async (url: string, merchant: Merchant, look: { readonly colors: boolean }) => {
  const send = apiClient(url)
  const { token, school, account } = await register(send)
  const charge = await createCharge(send, token, school, merchant.url)
  say()
  say(await terminalQr(charge.pix.qrcode, look))
  say(charge.pix.qrcode)
  say()
  await payCharge(send, token, charge)
  await receiveWebhook(merchant, school, account.webhook_secret)
}

const register = async (send: Send) => {
  const password = 'segredo-123'
  const ana = { name: 'Ana Souza', email: 'ana@aurora.example', password, password_confirmation: password }
  const { data: signedIn } = await send<{ data: { access_token: string } }>('/v1/auth/register', { body: ana })
  const token = signedIn.access_token
  say(`1. ${ana.name} registers with ${ana.email}. A 6-digit code is sent to her mailbox.`)

  const body = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11.222.333/0001-81' }
  const { organization } = await send<{ organization: { name: string } }>('/v1/organizations', { body, token })
  const { account } = await send<{ account: OwnAccount }>('/access/account', { token })
  say(`2. She founds ${organization.name} (${body.document}). The bank opens its account:`)
  say(`   bank ${account.bank}, agency ${account.agency}, account ${account.account}.`)
  return { token, school: organization.name, account }
}

const MARIA = { name: 'Maria da Silva', document: '123.456.789-09' }
const VALUE = 150.5

const createCharge = async (send: Send, token: string, school: string, webhook: string): Promise<Charge> => {
  const body = {
    value: VALUE,
    payment_method: 'PIX',
    due_date: addDays(dayOf(new Date().toISOString()), 5),
    email: 'maria@example.com',
    description: 'Mensalidade de novembro',
    webhook,
    ...MARIA,
  }
  const headers = { 'idempotency-key': 'november-maria' }
  const { data: charge } = await send<{ data: Charge }>('/invoices', { body, token, headers })
  const { data: again } = await send<{ data: Charge }>('/invoices', { body, token, headers })
  expect(again.id === charge.id, 'the same request created two charges')
  say(`3. ${school} charges ${charge.client.name} ${reais(charge.value)}: ${charge.description}.`)
  say(`   It is charge ${charge.id}, due on ${charge.due_date}, ${charge.status.title}. The same request, sent`)
  say('   twice by mistake, returns the same charge.')
  return charge
}

const payCharge = async (send: Send, token: string, charge: Charge): Promise<void> => {
  const { txid } = charge.pix
  const view = await send<{ value: number; status: string; account: { name: string } }>(`/public/pix/${txid}`)
  const payer = charge.client.name
  say(`4. ${payer} opens the link and sees: ${reais(view.value)} to ${view.account.name}, ${view.status}.`)
  const balanceOf = async () => (await send<{ balance: number }>('/consolidation/balance', { token })).balance
  const before = await balanceOf()
  const paid = await send<{ end_to_end_id: string }>('/fake-bank/payments', { body: { txid, payer: MARIA } })
  say(`5. Her bank pays the Pix (${paid.end_to_end_id}).`)
  const after = await balanceOf()
  expect(after === VALUE, `the balance is ${after}`)
  const { data: finished } = await send<{ data: Charge }>(`/invoices/${charge.id}`, { token })
  say(`   The charge is ${finished.status.title}; the balance rose from ${reais(before)} to ${reais(after)}.`)
  const { data: lines } = await send<{ data: readonly Line[] }>('/consolidation/transactions', { token })
  for (const { type, value, payer, balance } of lines) {
    say(`   statement: ${type.name}, ${reais(value)}, from ${payer.name}, balance ${reais(balance)}`)
  }
}

const receiveWebhook = async (merchant: Merchant, school: string, secret: string): Promise<void> => {
  const webhook = await merchant.webhook('charge.paid')
  const { type, data } = JSON.parse(webhook.body)
  expect(isSigned(webhook, secret), 'the signature of the webhook is wrong')
  say(`6. ${school}'s server receives a webhook: ${type}, charge ${data.id}.`)
  say(`   Its signature is valid (${webhook.signature.slice(0, 20)}…).`)
}

export interface Webhook {
  readonly id: string
  readonly timestamp: number
  readonly signature: string
  readonly body: string
}

/** Starts the merchant's server, which receives webhooks. */
export const receiver = async () => {
  const received: Webhook[] = []
  let wake = () => {}
  const server = createServer(async (request: IncomingMessage, response) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
    received.push({
      id: String(id),
      timestamp: Number(timestamp),
      signature: String(signature),
      body: await textOf(request),
    })
    response.writeHead(204).end()
    wake()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ofType = (type: string) => received.find(({ body }) => JSON.parse(body).type === type)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async webhook(type: string): Promise<Webhook> {
      for (;;) {
        const found = ofType(type)
        if (found) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/**
 * Reports whether output may contain escape codes: on a terminal, unless `NO_COLOR` or `FORCE_COLOR` decides it
 * (no-color.org, force-color.org).
 */
export const hasColors = ({ FORCE_COLOR, NO_COLOR }: Environment, isTerminal: boolean): boolean => {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTerminal
}
