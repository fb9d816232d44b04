import { PNG } from 'pngjs'
import { anyDocument, anyEmail, PASSWORD, PIN } from '../../../core/payments/world.ts'
import type { Fixture as FixtureOf } from '../../rows/api-under-test.ts'
import { worked } from '../../rows/wire.ts'
import type { TestApi } from '../test-api.ts'
import { activate, apiKeyOf, charge, pay, person, personBody, setAccount, setPin } from './merchants.ts'

export type Fixture = FixtureOf<TestApi>

const newcomer: Fixture = async () => ({ body: { email: anyEmail(), document: anyDocument() } })

export const user = async (api: TestApi) => {
  const email = anyEmail()
  const token = await person(api, email, { name: 'Maria da Silva', phone: '+55 11 99999-0000' })
  return { token, body: { email, password: PASSWORD, document: anyDocument() } }
}

/** Sends the password again, as issuing a key requires. */
export const confirmPassword = async (api: TestApi, token: string, password = PASSWORD): Promise<void> => {
  worked(await api.ask('POST', '/v1/auth/confirm-password', { token, body: { password } }))
}

/** A user with an organization, and the credentials. */
export const member = async (api: TestApi) => {
  const { token, body: credentials } = await user(api)
  const body = { name: 'Padaria Central', email: 'contato@padaria.com.br', document: anyDocument() }
  const opened = worked(await api.ask('POST', '/v1/organizations', { token, body }))
  return { token, params: { id: `${opened.organization.id}` }, body: credentials }
}

/** A member, with an unused e-mail and document for a new record. */
export const organization = async (api: TestApi) => ({
  ...(await member(api)),
  body: { email: anyEmail(), document: anyDocument() },
})

/** A member of an organization who sent the password a moment ago. */
export const confirmedOrganization = async (api: TestApi) => {
  const { token, params } = await organization(api)
  await confirmPassword(api, token)
  return { token, params }
}

/** A member with a session of the dashboard. */
const dashboard: Fixture = async (api) => {
  const { body } = await member(api)
  const { email } = body
  const { token } = worked(await api.ask('POST', '/access/auth/login', { body: { email, password: PASSWORD } }))
  return { token }
}

/** A member whose account has a PIN. */
export const pinned = async (api: TestApi) => {
  const { token, params } = await member(api)
  await setPin(api, { token })
  return { token, params, body: { pin: PIN } }
}

/** The logo of an account, by the last part of its address. */
const logo: Fixture = async (api) => {
  const { token } = await pinned(api)
  const image = new PNG({ width: 2, height: 2 })
  const uri = `data:image/png;base64,${PNG.sync.write(image).toString('base64')}`
  const { path_logo } = await setAccount(api, { token }, { logo: uri })
  return { params: { id: path_logo.split('/').at(-1) } }
}

/** A member with the API key of the account. */
const keyHolder: Fixture = async (api) => {
  const { token, body } = await member(api)
  return { token, body: { email: body.email, token: await apiKeyOf(api, { token }) } }
}

/** A user with a code that was sent by e-mail. */
const withCode =
  (path: string): Fixture =>
  async (api) => {
    const { token, body } = await user(api)
    // Send earlier mails first: the order of mails that are queued together is undefined.
    await api.drain()
    worked(await api.ask('POST', path, path.endsWith('password') ? { body } : { token, body: {} }))
    await api.drain()
    const code = /^\d{6}$/m.exec(api.mailer.sent.findLast(({ to }) => to === body.email)?.text ?? '')?.[0] ?? ''
    return { token, body: { email: body.email, code, verification_code: code } }
  }

/** A user with a document. */
const documented = async (api: TestApi) => {
  const { token, body } = await user(api)
  const change = { current_password: PASSWORD, document: body.document }
  worked(await api.ask('PUT', '/access/auth/edit', { token, body: change }))
  return { token, body }
}

/** A user with the token of a link that was sent by e-mail. */
const linked: Fixture = async (api) => {
  const { token, body } = await documented(api)
  const forgotten = { document: body.document, email: body.email, url: 'http://localhost/nova-senha' }
  worked(await api.ask('POST', '/access/auth/forgot', { body: forgotten }))
  await api.drain()
  const mail = api.mailer.sent.findLast(({ to, text }) => to === body.email && text.includes('token='))
  return { token, body: { token: /token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? '' } }
}

/** A user with two sessions: the one that is not used for the request. */
const session: Fixture = async (api) => {
  const { token, body } = await user(api)
  const { email } = body
  worked(await api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }))
  const { data } = worked(await api.ask('GET', '/access/auth/sessions', { token }))
  return { token, params: { id: data.find(({ current }: { current: boolean }) => !current).id } }
}

/** An applicant for an account, with the code that was sent by e-mail. */
const applicant = async (api: TestApi) => {
  const person = { name: 'Maria da Silva', email: anyEmail(), document: anyDocument() }
  const body = { ...person, address: 'Rua das Flores, 100, São Paulo, SP' }
  const { data } = worked(await api.ask('POST', '/access/register', { body }))
  await api.drain()
  const mail = api.mailer.sent.findLast(({ to }) => to === person.email)
  const code = /^[A-Z]{4}$/m.exec(mail?.text ?? '')?.[0] ?? ''
  const { document } = person
  return { query: { document }, body: { ...person, register_id: data.id as number, code } }
}

/** An applicant, two minutes later. */
const patientApplicant: Fixture = async (api) => {
  const given = await applicant(api)
  api.clock.advance(120)
  return given
}

/** An applicant with a confirmed e-mail. */
const confirmedApplicant: Fixture = async (api) => {
  const { query, body } = await applicant(api)
  worked(await api.ask('POST', '/access/register/verify', { body }))
  return { query, body }
}

const teamMember: Fixture = async (api) => {
  const { token } = await organization(api)
  const body = { ...personBody(anyEmail()), name: 'João Lima', phone: '11 97777-0000' }
  const added = worked(await api.ask('POST', '/v1/users', { token, body }))
  return { token, params: { id: `${added.user.id}` }, body: { email: anyEmail() } }
}

/** A user who has left the team. */
const formerMember: Fixture = async (api) => {
  const { token = '', ...member } = await teamMember(api)
  worked(await api.ask('DELETE', `/v1/users/${member.params?.id}`, { token }))
  return { token, ...member }
}

/** A further member, created by a legacy route: the path contains the membership's id. */
const membershipBy =
  (path: string, more: Readonly<Record<string, unknown>>): Fixture =>
  async (api) => {
    const { token } = await organization(api)
    const person = { name: 'Maria da Silva', email: anyEmail(), document: anyDocument(), phone: '11 97777-0000' }
    const { data } = worked(await api.ask('POST', path, { token, body: { ...person, ...more } }))
    return { token, params: { id: `${data.id}` }, body: { email: anyEmail(), document: anyDocument() } }
  }

export const issued = async (api: TestApi, more: Readonly<Record<string, unknown>> = {}) => {
  const { token } = await organization(api)
  const document = anyDocument()
  const what = { due_date: '2030-11-30', description: 'Mensalidade de novembro', document }
  const data = await charge(api, { token }, { ...what, ...more })
  const { txid }: { txid: string } = data.pix ?? data.boleto
  return {
    token,
    params: { id: `${data.id}`, txid },
    query: { code: data.code as string },
    body: { txid, document },
  }
}

const pendingCharge: Fixture = (api) => issued(api)

const paidCharge: Fixture = async (api) => {
  const charge = await issued(api)
  worked(await pay(api, charge.body.txid))
  return charge
}

/** A paid charge of an active organization. */
const refundableCharge: Fixture = async (api) => {
  const { token = '', ...charge } = await paidCharge(api)
  const { organizations } = worked(await api.ask('GET', '/v1/organizations', { token }))
  await activate(api, { token, id: organizations[0].id })
  return { token, ...charge }
}

/** A user with an in-app notification of a paid charge. */
const notified: Fixture = async (api) => {
  const { token = '' } = await paidCharge(api)
  await api.drain()
  const { data } = worked(await api.ask('GET', '/access/auth/notifications', { token }))
  return { token, params: { id: `${data[0].id}` } }
}

/** A completed export. */
const readyExport: Fixture = async (api) => {
  const { token = '' } = await paidCharge(api)
  const path = '/consolidation/transactions/export-document'
  const { id } = worked(await api.ask('POST', path, { token, body: { format: 'csv' } }))
  await api.drain()
  return { params: { id } }
}

const delivery: Fixture = async (api) => {
  const { token } = await issued(api, { webhook: 'https://loja.example/webhooks' })
  await api.drain()
  const { data } = worked(await api.ask('GET', '/access/webhook-notifications', { token }))
  return { token, params: { id: `${data[0].id}` } }
}

export const basics: Readonly<Record<string, Fixture>> = {
  newcomer,
  user,
  organization,
  member,
  dashboard,
  keyHolder,
  pinned,
  logo,
  account: organization,
  recovering: withCode('/v1/auth/forgot-password'),
  verifying: withCode('/v1/auth/send-verification-code'),
  documented,
  linked,
  session,
  applicant,
  patientApplicant,
  confirmedApplicant,
  teamMember,
  formerMember,
  membership: membershipBy('/access/manager/users', { role: 3, password: PASSWORD }),
  program: membershipBy('/access/manager/api-tokens', {}),
  pendingCharge,
  publicCharge: pendingCharge,
  paidCharge,
  readyExport,
  refundableCharge,
  notified,
  delivery,
}
