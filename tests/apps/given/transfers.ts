import type { TestApi } from '../payments/test-api.ts'
import { anyDocument, type Fixture, made, organization } from './basics.ts'

/** An active account that somebody has paid so much. */
const paidAccount = async (api: TestApi, value: number) => {
  const { token, params } = await organization(api)
  made(await api.ask('PUT', `/v1/organizations/${params.id}`, { token, body: { status: 'ACTIVE' } }))
  const payer = { name: 'Maria da Silva', email: 'maria@example.com', document: anyDocument() }
  const what = { value, payment_method: 'PIX', due_date: '2030-11-30' }
  const { data } = made(await api.ask('POST', '/invoices', { token, body: { ...what, ...payer } }))
  made(await api.ask('POST', '/fake-bank/payments', { body: { txid: data.pix.txid } }))
  return { token, params }
}

/** Somebody with money who knows the API key of another account. */
const transferrer: Fixture = async (api) => {
  const { token } = await paidAccount(api, 1_000)
  const other = await organization(api)
  const { account } = made(await api.ask('GET', '/access/account', { token: other.token }))
  return { token, body: { token: account.token as string } }
}

export const transferFixtures: Readonly<Record<string, Fixture>> = { transferrer }
