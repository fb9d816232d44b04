import type { TestApi } from '../payments/test-api.ts'
import { anyDocument, type Fixture, made, PIN, pinned } from './basics.ts'

const KEY = 'maria@example.com'

/** An account with a PIN, and 1,000 reais that somebody has paid. */
export const withdrawer = async (api: TestApi) => {
  const { token, params } = await pinned(api)
  const { id } = params
  made(await api.ask('PUT', `/v1/organizations/${id}`, { token, body: { status: 'ACTIVE' } }))
  const payer = { name: 'Maria da Silva', email: KEY, document: anyDocument() }
  const what = { value: 1_000, payment_method: 'PIX', due_date: '2030-11-30' }
  const { data } = made(await api.ask('POST', '/invoices', { token, body: { ...what, ...payer } }))
  made(await api.ask('POST', '/fake-bank/payments', { body: { txid: data.pix.txid } }))
  return { token, params, body: { pin: PIN } }
}

/** The same, who has looked a key up without saying how much. */
const lookedUp: Fixture = async (api) => {
  const { token, body } = await withdrawer(api)
  const { data } = made(await api.ask('POST', '/legacypay/withdraws', { token, body: { keypix: KEY } }))
  return { token, body: { ...body, internal_id: data.internal_id as number } }
}

/** The same, once it was paid. */
const withdrawn: Fixture = async (api) => {
  const { token, body } = await withdrawer(api)
  made(await api.ask('POST', '/legacypay/saida-sicred', { token, body: { ...body, mount: 10, keyPix: KEY } }))
  const { data } = made(await api.ask('GET', '/recipients', { token }))
  return { token, params: { id: `${data[0].id}` }, query: { txid: data[0].txid as string } }
}

/** Somebody who has been paid. */
const recipient: Fixture = async (api) => {
  const { token } = await withdrawn(api)
  const { data } = made(await api.ask('GET', '/recipients/frequent', { ...(token ? { token } : {}) }))
  return { ...(token ? { token } : {}), params: { id: `${data[0].id}` } }
}

export const withdrawalFixtures: Readonly<Record<string, Fixture>> = { withdrawer, lookedUp, withdrawn, recipient }
