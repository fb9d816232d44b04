import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { digest } from '../../adapters/crypto/cipher.ts'
import { terminalQr } from '../../adapters/documents/codes.ts'
import type { Environment } from '../../adapters/node/settings.ts'
import { addDays, dayOf, fromEpochSeconds } from '../../core/kernel/values/day.ts'
import { signedHeaders } from '../../core/payments/webhooks/deliver.ts'
import { apiClient, must, reais, say } from './demo.ts'

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

/** Whether the signature is the one that the account's secret makes. */
const isSigned = ({ id, timestamp, signature, body }: Webhook, secret: string): boolean => {
  const now = fromEpochSeconds(timestamp)
  const expected = signedHeaders(digest, { secret, webhookId: id, now, payload: body })
  return Object.values(expected).includes(signature)
}

type Ask = ReturnType<typeof apiClient>
type Merchant = Awaited<ReturnType<typeof receiver>>

/** How what is told may look. */
interface Look {
  readonly colors: boolean
}

/** A merchant's first day, told step by step. Throws where it does not go as it must. */
export const story = async (url: string, merchant: Merchant, look: Look) => {
  const ask = apiClient(url)
  const { token, school, account } = await founding(ask)
  const charge = await charging(ask, token, school, merchant.url)
  say()
  say(await terminalQr(charge.pix.qrcode, look))
  say(charge.pix.qrcode)
  say()
  await paying(ask, token, charge)
  await telling(merchant, school, account.webhook_secret)
}

const founding = async (ask: Ask) => {
  const password = 'segredo-123'
  const ana = { name: 'Ana Souza', email: 'ana@aurora.example', password, password_confirmation: password }
  const { data: signedIn } = await ask<{ data: { access_token: string } }>('/v1/auth/register', { body: ana })
  const token = signedIn.access_token
  say(`1. ${ana.name} registers with ${ana.email}. A 6-digit code is on its way to her mailbox.`)

  const body = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11.222.333/0001-81' }
  const { organization } = await ask<{ organization: { name: string } }>('/v1/organizations', { body, token })
  const { account } = await ask<{ account: OwnAccount }>('/access/account', { token })
  say(`2. She founds ${organization.name} (${body.document}). The bank opens its account:`)
  say(`   bank ${account.bank}, agency ${account.agency}, account ${account.account}.`)
  return { token, school: organization.name, account }
}

const MARIA = { name: 'Maria da Silva', document: '123.456.789-09' }
const VALUE = 150.5

const charging = async (ask: Ask, token: string, school: string, webhook: string): Promise<Charge> => {
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
  const { data: charge } = await ask<{ data: Charge }>('/invoices', { body, token, headers })
  const { data: again } = await ask<{ data: Charge }>('/invoices', { body, token, headers })
  must(again.id === charge.id, 'the same request made two charges')
  say(`3. ${school} charges ${charge.client.name} ${reais(charge.value)}: ${charge.description}.`)
  say(`   It is charge ${charge.id}, due on ${charge.due_date}, ${charge.status.title}. The same request, sent`)
  say('   twice by mistake, gave the same charge.')
  return charge
}

const paying = async (ask: Ask, token: string, charge: Charge): Promise<void> => {
  const { txid } = charge.pix
  const shown = await ask<{ value: number; status: string; account: { name: string } }>(`/public/pix/${txid}`)
  const who = charge.client.name
  say(`4. ${who} opens the link and sees: ${reais(shown.value)} to ${shown.account.name}, ${shown.status}.`)
  const balanceOf = async () => (await ask<{ balance: number }>('/consolidation/balance', { token })).balance
  const before = await balanceOf()
  const paid = await ask<{ end_to_end_id: string }>('/fake-bank/payments', { body: { txid, payer: MARIA } })
  say(`5. Her bank pays the Pix (${paid.end_to_end_id}).`)
  const after = await balanceOf()
  must(after === VALUE, `the balance is ${after}`)
  const { data: finished } = await ask<{ data: Charge }>(`/invoices/${charge.id}`, { token })
  say(`   The charge is ${finished.status.title}; the balance rose from ${reais(before)} to ${reais(after)}.`)
  const { data: lines } = await ask<{ data: readonly Line[] }>('/consolidation/transactions', { token })
  for (const { type, value, payer, balance } of lines) {
    say(`   statement: ${type.name}, ${reais(value)}, from ${payer.name}, balance ${reais(balance)}`)
  }
}

const telling = async (merchant: Merchant, school: string, secret: string): Promise<void> => {
  const webhook = await merchant.heard('charge.paid')
  const { type, data } = JSON.parse(webhook.body)
  must(isSigned(webhook, secret), 'the signature of the webhook is wrong')
  say(`6. ${school}'s server is told: ${type}, charge ${data.id}.`)
  say(`   The webhook's signature is right (${webhook.signature.slice(0, 20)}…).`)
}

export interface Webhook {
  readonly id: string
  readonly timestamp: number
  readonly signature: string
  readonly body: string
}

/** The merchant's own server, which the platform tells of what happens. */
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
    async heard(type: string): Promise<Webhook> {
      for (;;) {
        const webhook = ofType(type)
        if (webhook) return webhook
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Whether output may carry escape codes: a terminal's may, and the environment has the last word. Source: no-color.org, force-color.org */
export const hasColors = ({ FORCE_COLOR, NO_COLOR }: Environment, isTerminal: boolean): boolean => {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTerminal
}
