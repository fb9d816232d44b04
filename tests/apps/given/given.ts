import { linkSent } from '../../../apps/payments/links.ts'
import type { TestApi } from '../payments/test-api.ts'
import { anyDocument, basics, bodyOf, type Fixture, issued, organization, PIN, pinned } from './basics.ts'
import { cardFixtures } from './cards.ts'

/** A boleto, known to who has its txid, its code, or whom it asks. */
const boletoCharge: Fixture = (api) => issued(api, { payment_method: 'BOLETO' })

export const boletoFixtures: Readonly<Record<string, Fixture>> = { boletoCharge }

/** A charge, by the code that its payer has. */
const payableCharge: Fixture = async (api) => {
  const { query } = await issued(api)
  return { params: { code: query.code } }
}

export const checkoutFixtures: Readonly<Record<string, Fixture>> = { payableCharge }

/** A link of an account, as its owner sees it. */
export const linked = async (api: TestApi, more: Readonly<Record<string, unknown>> = {}) => {
  const { token } = await organization(api)
  const { data } = bodyOf(await api.ask('POST', '/billing/payment-links', { token, body: { ...linkSent, ...more } }))
  const query = { token: new URL(data.public_url).searchParams.get('token') ?? '' }
  return { token, params: { id: data.id as string }, query }
}

/** A link by which somebody began to pay. */
const linkInUse = async (api: TestApi) => {
  const { query, ...link } = await linked(api)
  const body = { payment_method: 'PIX', name: 'Maria da Silva', email: 'maria@example.com', document: anyDocument() }
  const path = `/public/paymentLink/${link.params.id}/pay?token=${query.token}`
  const { data } = bodyOf(await api.ask('POST', path, { body }))
  return { ...link, payment: data as { readonly charge_id: string; readonly pix: { readonly txid: string } } }
}

/** The payer: the path names the charge by its code. */
const payingPayer: Fixture = async (api) => {
  const { token, payment } = await linkInUse(api)
  return { token, params: { chargeId: payment.charge_id } }
}

/** A link by which somebody has paid. */
const paidLink: Fixture = async (api) => {
  const { token, params, payment } = await linkInUse(api)
  bodyOf(await api.ask('POST', '/fake-bank/payments', { body: { txid: payment.pix.txid } }))
  return { token, params }
}

export const linkFixtures: Readonly<Record<string, Fixture>> = {
  link: (api) => linked(api),
  publicLink: (api) => linked(api),
  // A fixed amount is the link's, whatever is sent: of a free one it can be seen what was kept.
  freeAmountLink: (api) => linked(api, { is_variable_amount: true, min_amount: 0.01 }),
  payingPayer,
  linkInUse,
  paidLink,
}

/** A charge, named as a call that tells of several names it. */
const chargeToNotify: Fixture = async (api) => {
  const { token, params } = await issued(api)
  return { token, params, body: { ids: [Number(params.id)] } }
}

/** A plan, and somebody who is to pay by it. */
const planToCharge: Fixture = async (api) => {
  const { token } = await organization(api)
  const plan = { description: 'Em três vezes', interval: 1, interval_type: 'months', installments_count: 3 }
  const { data } = bodyOf(await api.ask('POST', '/payment-plans', { token, body: plan }))
  return { token, body: { payment_plan_id: data.id, document: anyDocument() } }
}

/** Somebody who owes, by their document. */
const debtor: Fixture = async (api) => {
  const document = anyDocument()
  await issued(api, { document })
  return { query: { client: document } }
}

export const payerFixtures: Readonly<Record<string, Fixture>> = { chargeToNotify, planToCharge, debtor }

/** Somebody with one line on their statement: that of a charge that was paid. */
const transaction: Fixture = async (api: TestApi) => {
  const { token = '' } = (await basics.paidCharge?.(api)) ?? {}
  const { data } = bodyOf(await api.ask('GET', '/consolidation/transactions', { token }))
  const id = `${data[0].id}`
  return { token, params: { id }, query: { id } }
}

export const statementFixtures: Readonly<Record<string, Fixture>> = { transaction }

const KEY = 'maria@example.com'

/** An account with a PIN, and 1,000 reais that somebody has paid. */
export const withdrawer = async (api: TestApi) => {
  const { token, params } = await pinned(api)
  const { id } = params
  bodyOf(await api.ask('PUT', `/v1/organizations/${id}`, { token, body: { status: 'ACTIVE' } }))
  const payer = { name: 'Maria da Silva', email: KEY, document: anyDocument() }
  const what = { value: 1_000, payment_method: 'PIX', due_date: '2030-11-30' }
  const { data } = bodyOf(await api.ask('POST', '/invoices', { token, body: { ...what, ...payer } }))
  bodyOf(await api.ask('POST', '/fake-bank/payments', { body: { txid: data.pix.txid } }))
  return { token, params, body: { pin: PIN } }
}

/** The same, who has looked a key up without saying how much. */
const lookedUp: Fixture = async (api) => {
  const { token, body } = await withdrawer(api)
  const { data } = bodyOf(await api.ask('POST', '/legacypay/withdraws', { token, body: { keypix: KEY } }))
  return { token, body: { ...body, internal_id: data.internal_id as number } }
}

/** The same, once it was paid. */
const withdrawn: Fixture = async (api) => {
  const { token, body } = await withdrawer(api)
  bodyOf(await api.ask('POST', '/legacypay/saida-sicred', { token, body: { ...body, mount: 10, keyPix: KEY } }))
  const { data } = bodyOf(await api.ask('GET', '/recipients', { token }))
  return { token, params: { id: `${data[0].id}` }, query: { txid: data[0].txid as string } }
}

/** Somebody who has been paid. */
const recipient: Fixture = async (api) => {
  const { token } = await withdrawn(api)
  const { data } = bodyOf(await api.ask('GET', '/recipients/frequent', { ...(token ? { token } : {}) }))
  return { ...(token ? { token } : {}), params: { id: `${data[0].id}` } }
}

export const withdrawalFixtures: Readonly<Record<string, Fixture>> = { withdrawer, lookedUp, withdrawn, recipient }

/** An active account that somebody has paid so much. */
const paidAccount = async (api: TestApi, value: number) => {
  const { token, params } = await organization(api)
  bodyOf(await api.ask('PUT', `/v1/organizations/${params.id}`, { token, body: { status: 'ACTIVE' } }))
  const payer = { name: 'Maria da Silva', email: 'maria@example.com', document: anyDocument() }
  const what = { value, payment_method: 'PIX', due_date: '2030-11-30' }
  const { data } = bodyOf(await api.ask('POST', '/invoices', { token, body: { ...what, ...payer } }))
  bodyOf(await api.ask('POST', '/fake-bank/payments', { body: { txid: data.pix.txid } }))
  return { token, params }
}

/** Somebody with money who knows the API key of another account. */
const transferrer: Fixture = async (api) => {
  const { token } = await paidAccount(api, 1_000)
  const other = await organization(api)
  const { account } = bodyOf(await api.ask('GET', '/access/account', { token: other.token }))
  return { token, body: { token: account.token as string } }
}

export const transferFixtures: Readonly<Record<string, Fixture>> = { transferrer }

/** What the examples of rows name by `given`, area by area. */
export const given: Readonly<Record<string, Fixture>> = {
  ...basics,
  ...cardFixtures,
  ...boletoFixtures,
  ...checkoutFixtures,
  ...linkFixtures,
  ...payerFixtures,
  ...statementFixtures,
  ...withdrawalFixtures,
  ...transferFixtures,
}
