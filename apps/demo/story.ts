import { digest } from '../../adapters/crypto/digest.ts'
import { terminalQr } from '../../adapters/printer/terminal-qr.ts'
import { addDays, dayOf, fromEpochSeconds } from '../../core/kernel/day.ts'
import { formatReais } from '../../core/kernel/money.ts'
import { signedHeaders } from '../../core/payments/events/signature.ts'
import { asker } from './asker.ts'
import type { receiver, Webhook } from './receiver.ts'

export const say = (line = '') => process.stdout.write(`${line}\n`)
const reais = (value: number) => formatReais(Math.round(value * 100))

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

/** A merchant's first day, told step by step. Throws where it does not go as it must. */
export const story = async (url: string, merchant: Awaited<ReturnType<typeof receiver>>) => {
  const ask = asker(url)
  const password = 'segredo-123'
  const ana = { name: 'Ana Souza', email: 'ana@aurora.example', password, password_confirmation: password }
  const { data: signedIn } = await ask<{ data: { access_token: string } }>('/v1/auth/register', { body: ana })
  const token = signedIn.access_token
  say(`1. ${ana.name} registers with ${ana.email}. A 6-digit code is on its way to her mailbox.`)

  const school = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11.222.333/0001-81' }
  const { organization } = await ask<{ organization: { name: string } }>('/v1/organizations', { body: school, token })
  const { account } = await ask<{ account: OwnAccount }>('/access/account', { token })
  say(`2. She founds ${organization.name} (${school.document}). The bank opens its account:`)
  say(`   bank ${account.bank}, agency ${account.agency}, account ${account.account}.`)

  const headers = { 'idempotency-key': 'november-maria' }
  const body = {
    value: 150.5,
    payment_method: 'PIX',
    due_date: addDays(dayOf(new Date().toISOString()), 5),
    name: 'Maria da Silva',
    email: 'maria@example.com',
    document: '123.456.789-09',
    description: 'Mensalidade de novembro',
    webhook: merchant.url,
  }
  const { data: charge } = await ask<{ data: Charge }>('/invoices', { body, token, headers })
  const { data: again } = await ask<{ data: Charge }>('/invoices', { body, token, headers })
  say(`3. ${organization.name} charges ${charge.client.name} ${reais(charge.value)}: ${charge.description}.`)
  say(`   It is charge ${charge.id}, due on ${charge.due_date}, ${charge.status.title}. The same request sent`)
  say(`   twice by mistake gave the same charge: ${again.id === charge.id ? 'yes' : 'NO'}.`)
  say()
  say(await terminalQr(charge.pix.qrcode))
  say(charge.pix.qrcode)
  say()

  const shown = await ask<{ value: number; status: string; account: { name: string } }>(
    `/public/pix/${charge.pix.txid}`,
  )
  say(
    `4. ${charge.client.name} opens the link and sees: ${reais(shown.value)} to ${shown.account.name}, ${shown.status}.`,
  )
  const payer = { name: body.name, document: body.document }
  const before = await ask<{ balance: number }>('/consolidation/balance', { token })
  const paid = await ask<{ end_to_end_id: string }>('/fake-bank/payments', { body: { txid: charge.pix.txid, payer } })
  say(`5. Her bank pays the Pix (${paid.end_to_end_id}).`)
  const after = await ask<{ balance: number }>('/consolidation/balance', { token })
  const { data: settled } = await ask<{ data: Charge }>(`/invoices/${charge.id}`, { token })
  say(
    `   The charge is ${settled.status.title}; the balance rose from ${reais(before.balance)} to ${reais(after.balance)}.`,
  )
  const { data: lines } = await ask<{ data: readonly Line[] }>('/consolidation/transactions', { token })
  for (const line of lines) {
    say(
      `   statement: ${line.type.name}, ${reais(line.value)}, from ${line.payer.name}, balance ${reais(line.balance)}`,
    )
  }

  const webhook = await merchant.heard('charge.paid')
  const signed = isSigned(webhook, account.webhook_secret)
  say(
    `6. ${organization.name}'s server is told: ${JSON.parse(webhook.body).type}, charge ${JSON.parse(webhook.body).data.id}.`,
  )
  say(`   The webhook's signature is ${signed ? 'right' : 'WRONG'} (${webhook.signature.slice(0, 20)}…).`)
  if (!signed || again.id !== charge.id || after.balance !== 150.5) throw new Error('the demo did not go as it must')
}
