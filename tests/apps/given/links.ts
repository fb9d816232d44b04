import { linkSent } from '../../../apps/payments/links.ts'
import type { TestApi } from '../payments/test-api.ts'
import { anyDocument, type Fixture, made, organization } from './basics.ts'

/** A link of an account, as its owner sees it. */
export const linked = async (api: TestApi, more: Readonly<Record<string, unknown>> = {}) => {
  const { token } = await organization(api)
  const { data } = made(await api.ask('POST', '/billing/payment-links', { token, body: { ...linkSent, ...more } }))
  const query = { token: new URL(data.public_url).searchParams.get('token') ?? '' }
  return { token, params: { id: data.id as string }, query }
}

/** A link by which somebody began to pay. */
const linkInUse = async (api: TestApi) => {
  const { query, ...link } = await linked(api)
  const body = { payment_method: 'PIX', name: 'Maria da Silva', email: 'maria@example.com', document: anyDocument() }
  const path = `/public/paymentLink/${link.params.id}/pay?token=${query.token}`
  const { data } = made(await api.ask('POST', path, { body }))
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
  made(await api.ask('POST', '/fake-bank/payments', { body: { txid: payment.pix.txid } }))
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
