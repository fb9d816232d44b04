import { digest } from '../../../../adapters/crypto/cipher.ts'
import { keySent } from '../../../../apps/payments/access/api-keys.ts'
import { linkSent } from '../../../../apps/payments/links.ts'
import { fromBase32, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'
import { anyDocument, anyEmail, PASSWORD, PIN } from '../../../core/payments/world.ts'
import { worked } from '../../rows/wire.ts'
import type { TestApi } from '../test-api.ts'
import { basics, confirmedOrganization, type Fixture, issued, organization, user } from './basics.ts'
import { cardFixtures } from './cards.ts'
import { apiKeyOf, fund, MARIA, pay, personBody } from './merchants.ts'
import { passkeyFixtures } from './passkeys.ts'

const boletoCharge: Fixture = (api) => issued(api, { payment_method: 'BOLETO' })

/** A charge, by the code that its payer has. */
const payableCharge: Fixture = async (api) => {
  const { query } = await issued(api)
  return { params: { code: query.code } }
}

/** A charge, by its id in a list of ids. */
const chargeToNotify: Fixture = async (api) => {
  const { token, params } = await issued(api)
  return { token, params, body: { ids: [Number(params.id)] } }
}

/** A payment plan, and the document of a payer. */
const planToCharge: Fixture = async (api) => {
  const { token } = await organization(api)
  const plan = { description: 'Em três vezes', interval: 1, interval_type: 'months', installments_count: 3 }
  const { data } = worked(await api.ask('POST', '/payment-plans', { token, body: plan }))
  return { token, body: { payment_plan_id: data.id, document: anyDocument() } }
}

/** The payer of a pending charge, by document. */
const debtor: Fixture = async (api) => {
  const document = anyDocument()
  await issued(api, { document })
  return { query: { client: document } }
}

/** A payment link, with the token of its public address. */
const linked = async (api: TestApi, more: Readonly<Record<string, unknown>> = {}) => {
  const { token } = await organization(api)
  const { data } = worked(await api.ask('POST', '/billing/payment-links', { token, body: { ...linkSent, ...more } }))
  const query = { token: new URL(data.public_url).searchParams.get('token') ?? '' }
  return { token, params: { id: data.id as string }, query }
}

/** A named API key of an account. */
const namedKey: Fixture = async (api) => {
  const { token } = await confirmedOrganization(api)
  const { api_key } = worked(await api.ask('POST', '/v1/api-keys', { token, body: keySent }))
  return { token, params: { id: `${api_key.id}` } }
}

/** A key by which an account receives shares. */
const splitReceiver: Fixture = async (api) => {
  const { token } = await organization(api)
  const body = { name: 'Marketplace' }
  const { split_receiver } = worked(await api.ask('POST', '/v1/split-receivers', { token, body }))
  return { token, params: { id: `${split_receiver.id}` } }
}

/** A link that its account paused. */
const pausedLink: Fixture = async (api) => {
  const { token, params } = await linked(api)
  worked(await api.ask('POST', `/v1/payment-links/${params.id}/pause`, { token }))
  return { token, params }
}

/** A link with a pending charge. */
const linkInUse = async (api: TestApi) => {
  const { query, ...link } = await linked(api)
  const body = { payment_method: 'PIX', name: MARIA.name, email: MARIA.email, document: anyDocument() }
  const path = `/public/paymentLink/${link.params.id}/pay?token=${query.token}`
  const { data } = worked(await api.ask('POST', path, { body }))
  return { ...link, payment: data as { readonly charge_id: string; readonly pix: { readonly txid: string } } }
}

/** The payer: the path contains the code of the charge. */
const payingPayer: Fixture = async (api) => {
  const { token, payment } = await linkInUse(api)
  return { token, params: { chargeId: payment.charge_id } }
}

/** A link with a paid charge. */
const paidLink: Fixture = async (api) => {
  const { token, params, payment } = await linkInUse(api)
  worked(await pay(api, payment.pix.txid))
  return { token, params }
}

/** A paid charge on the statement. */
const transaction: Fixture = async (api) => {
  const { token = '' } = (await basics.paidCharge?.(api)) ?? {}
  const { data } = worked(await api.ask('GET', '/consolidation/transactions', { token }))
  const id = `${data[0].id}`
  return { token, params: { id }, query: { id } }
}

/** A funded account with a PIN. */
const withdrawer = async (api: TestApi) => {
  const { token, params } = await organization(api)
  await fund(api, { token, id: Number(params.id) }, 1_000)
  return { token, params, body: { pin: PIN } }
}

/** A funded account with a key lookup, without an amount. */
export const lookedUp: Fixture = async (api) => {
  const { token, body } = await withdrawer(api)
  const { data } = worked(await api.ask('POST', '/legacypay/withdraws', { token, body: { keypix: MARIA.email } }))
  return { token, body: { ...body, internal_id: data.internal_id as number } }
}

/** A paid withdrawal. */
const withdrawn = async (api: TestApi) => {
  const { token } = await withdrawer(api)
  const body = { pin: PIN, mount: 10, keyPix: MARIA.email }
  worked(await api.ask('POST', '/legacypay/saida-sicred', { token, body }))
  const { data } = worked(await api.ask('GET', '/recipients', { token }))
  return { token, params: { id: `${data[0].id}` }, query: { txid: data[0].txid as string } }
}

/** The recipient of a paid withdrawal. */
const recipient: Fixture = async (api) => {
  const { token } = await withdrawn(api)
  const { data } = worked(await api.ask('GET', '/recipients/frequent', { token }))
  return { token, params: { id: `${data[0].id}` } }
}

/** A funded account, and the API key of another account. */
export const transferrer: Fixture = async (api) => {
  const { token } = await withdrawer(api)
  return { token, body: { token: await apiKeyOf(api, await organization(api)) } }
}

/** Returns the code of the step `later` steps after the present one, by a secret in base32. */
export const codeAt = (api: TestApi, secret: string, later = 0): string =>
  totpAt(digest, fromBase32(secret), totpStep(api.host.clock.now()) + later)

/** A user who began to set up an authenticator app, with the first code. */
export const settingUp = async (api: TestApi, { token, body } = { token: '', body: { password: PASSWORD } }) => {
  const known = token === '' ? await user(api) : { token, body }
  const { data } = worked(await api.ask('POST', '/v1/second-factor', { ...known, body: { password: PASSWORD } }))
  return { ...known, secret: data.secret as string, body: { ...known.body, code: codeAt(api, data.secret) } }
}

/** A user with a second factor, with a code that is not used. */
export const secured = async (api: TestApi, of?: Parameters<typeof settingUp>[1]) => {
  const { token, secret, body } = await settingUp(api, of)
  const { data } = worked(await api.ask('POST', '/v1/second-factor/confirm', { token, body: { code: body.code } }))
  const { email } = body as { readonly email?: string }
  const recoveryCodes = data.recovery_codes as readonly string[]
  return { token, secret, recoveryCodes, body: { email, password: PASSWORD, code: codeAt(api, secret, 1) } }
}

/** An ADMIN who proved the factor, and a member of the organization who has one. */
export const securedMember = async (api: TestApi) => {
  const { token } = await confirmedOrganization(api)
  const email = anyEmail()
  const body = { ...personBody(email), name: 'João Lima' }
  const { user: added } = worked(await api.ask('POST', '/v1/users', { token, body }))
  const { data } = worked(await api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }))
  const member = await secured(api, { token: data.access_token, body: { password: PASSWORD } })
  const { secret } = await secured(api, { token, body: { password: PASSWORD } })
  const confirmation = await confirmedBy(api, token, codeAt(api, secret, 1))
  return { token, email, member, params: { id: `${added.id}` }, headers: { 'x-second-factor': confirmation } }
}

/** Proves the factor of a signed-in person, and returns the challenge, which confirms one request. */
export const confirmedBy = async (api: TestApi, token: string, code: string): Promise<string> => {
  const { data } = worked(await api.ask('POST', '/v1/second-factor/challenges', { token }))
  worked(await api.ask('POST', '/v1/second-factor/proofs', { token, body: { challenge: data.challenge, code } }))
  return data.challenge
}

/** The challenge of a log-in, with a code. */
export const challenged = async (api: TestApi) => {
  const { body, secret } = await secured(api)
  const { email, password, code } = body
  const { data } = worked(await api.ask('POST', '/v1/auth/login', { body: { email, password } }))
  return { secret, body: { challenge: data.challenge as string, code } }
}

/** The challenge of a signed-in person, with a code. */
const confirming: Fixture = async (api) => {
  const { token, body } = await secured(api)
  const { data } = worked(await api.ask('POST', '/v1/second-factor/challenges', { token }))
  return { token, body: { challenge: data.challenge, code: body.code } }
}

/** A user with a trusted device. */
const trusting: Fixture = async (api) => {
  const { body } = await challenged(api)
  const { data } = worked(await api.ask('POST', '/v1/auth/second-step', { body: { ...body, trust_device: true } }))
  const token: string = data.access_token
  const { trusted_devices: devices } = worked(await api.ask('GET', '/v1/trusted-devices', { token }))
  return { token, params: { id: devices[0].id as string } }
}

/** The fixtures that the examples of the payments rows name by `given`. */
export const given: Readonly<Record<string, Fixture>> = {
  ...basics,
  ...cardFixtures,
  ...passkeyFixtures,
  confirmedOrganization,
  boletoCharge,
  payableCharge,
  chargeToNotify,
  planToCharge,
  debtor,
  link: (api) => linked(api),
  publicLink: (api) => linked(api),
  // With a fixed amount the sent one is ignored; a variable one is stored.
  freeAmountLink: (api) => linked(api, { is_variable_amount: true, min_amount: 0.01 }),
  pausedLink,
  namedKey,
  splitReceiver,
  payingPayer,
  linkInUse,
  paidLink,
  transaction,
  settingUp: (api) => settingUp(api),
  secured: (api) => secured(api),
  securedMember,
  challenged,
  confirming,
  trusting,
  withdrawer,
  lookedUp,
  withdrawn,
  recipient,
  transferrer,
}
