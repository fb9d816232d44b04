import { PNG } from 'pngjs'
import { anyDocument, PIN } from '../../given/basics.ts'
import { type Merchant, PASSWORD, type TestApi, worked } from '../../payments/test-api.ts'
import type { Known } from '../fixtures.ts'
import { HOOKS, type Outside, UNREACHED } from './outside.ts'

/** The code of six digits in a mail. */
export const codeIn = (text: string): string => /^\d{6}$/m.exec(text)?.[0] ?? ''

export const SMTP_PASSWORD = 'senha do servidor'

const person = (name: string, email: string) => ({ name, email, phone: '+55 51 99999-0001' })
const password = { password: PASSWORD, password_confirmation: PASSWORD }

export const image = (side: number): Buffer => PNG.sync.write(new PNG({ width: side, height: side }))
const uriOf = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`

export interface School {
  readonly owner: Merchant
  readonly colleagueId: number
  readonly clientId: number
  readonly removedClientId: number
  readonly apiKey: string
  readonly logo: Buffer
}

/** Creates an organization with all settings, users in every role, an API token and clients. */
export const school = async (api: TestApi, outside: Outside): Promise<School> => {
  const owner = await api.merchant('ana@aurora.example')
  await api.drain()
  const code = codeIn(outside.mailTo(owner.email))
  worked(await api.ask('POST', '/v1/auth/verify-email', { body: { email: owner.email, code } }))
  const logo = await settings(api, owner)
  const { account } = worked(await api.ask('GET', '/access/account', { token: owner.token }))
  return { owner, colleagueId: await team(api, owner), ...(await clientele(api, owner)), apiKey: account.token, logo }
}

const settings = async (api: TestApi, { id, token }: Merchant): Promise<Buffer> => {
  const logo = image(3)
  const change = async (body: object) =>
    worked(await api.ask('PUT', '/access/account', { token, body: { pin: PIN, ...body } }))
  worked(await api.ask('POST', '/access/account/pin', { token, body: { pin: PIN, confirm_pin: PIN } }))
  await change({ logo: uriOf(image(2)) })
  const everywhere = { enabled: true, channels: ['email', 'whatsapp', 'sms'] }
  await change({
    logo: uriOf(logo),
    webhook_url: `${HOOKS.fine}/conta`,
    address: { street: 'Rua das Flores', number: '100', city: 'Porto Alegre', state: 'RS', zip_code: '90000-000' },
    smtp: {
      host: 'smtp.aurora.example',
      port: 587,
      user: 'escola',
      password: SMTP_PASSWORD,
      encryption: 'tls',
      from_name: 'Escola Aurora',
      from_address: 'cobranca@aurora.example',
    },
    notification_rules: {
      on_creation: everywhere,
      on_payment: { enabled: true, message: 'Obrigada! 🎉', channels: ['email'] },
      before_due: { enabled: true, days: 1 },
      on_due: { enabled: false },
    },
    boleto_configs: { rate: 1, type_rate: 'PERCENTAGE', discount: 5, type_discount: 'PERCENTAGE' },
  })
  const terms = {
    taxes: { pix_in: 0.99, fee: 3.5 },
    limits: { charge_min: 1, charge_max: 100_000, pix_out_daily: 5_000 },
  }
  worked(await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: terms }))
  return logo
}

const team = async (api: TestApi, { token }: Merchant): Promise<number> => {
  const manager = { ...person('Beatriz Reis', 'beatriz@aurora.example'), ...password }
  const { user } = worked(await api.ask('POST', '/v1/users', { token, body: manager }))
  const add = async (role: number, name: string): Promise<{ readonly id: number; readonly user_id: number }> => {
    const body = { ...person(name, `papel${role}.${name.length}@aurora.example`), document: anyDocument() }
    const link = { ...body, role, password: PASSWORD }
    return worked(await api.ask('POST', '/access/manager/users', { token, body: link })).data
  }
  await add(3, 'Otávio Lima')
  const { id: viewer } = await add(4, 'Vera Dias')
  worked(await api.ask('PUT', `/access/manager/users/${viewer}`, { token, body: { status: 0 } }))
  for (const name of ['Rui Não Mais', 'Olga Eliminada']) {
    const removed = await add(3, name)
    worked(await api.ask('DELETE', `/access/manager/users/${removed.id}`, { token }))
    if (name.endsWith('Eliminada')) worked(await api.ask('POST', `/v1/users/${removed.user_id}/erase`, { token }))
  }
  const program = { ...person('Programa', 'programa@aurora.example'), document: anyDocument() }
  worked(await api.ask('POST', '/access/manager/api-tokens', { token, body: program }))
  return user.id
}

const clientele = async (api: TestApi, { token }: Merchant) => {
  const add = async (name: string): Promise<number> => {
    const about = { type: 'individual', gender: 'female', birthdate: '1990-02-28', metadata: { origem: 'loja' } }
    const body = { ...person(name, 'cliente@example.com'), document: anyDocument(), ...about }
    return worked(await api.ask('POST', '/v1/clients', { token, body })).client.id
  }
  const [clientId, removedClientId] = [await add('Clara Nunes'), await add('Sônia Braga')]
  worked(await api.ask('DELETE', `/v1/clients/${removedClientId}`, { token }))
  worked(await api.ask('POST', `/v1/clients/${await add('Nádia Eliminada')}/erase`, { token }))
  return { clientId, removedClientId }
}

const STATUSES = ['ACTIVE', 'SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED']

/** Creates a user with an organization in each status, and a removed one. */
export const founder = async (api: TestApi): Promise<Known> => {
  const email = 'bruno@fundador.example'
  const token = await api.person(email)
  const found = async (name: string): Promise<number> => {
    const body = { name, email: null, document: anyDocument() }
    return worked(await api.ask('POST', '/v1/organizations', { token, body })).organization.id
  }
  for (const status of STATUSES) {
    const id = await found(`Organização ${status}`)
    worked(await api.ask('PUT', `/v1/organizations/${id}`, { token, body: { status } }))
  }
  worked(await api.ask('DELETE', `/v1/organizations/${await found('Organização removida')}`, { token }))
  return { email, password: PASSWORD }
}

/** A payer whom no message reaches. */
export const hermit = {
  name: 'Ninguém',
  email: UNREACHED.email,
  phone: UNREACHED.phone,
  document: anyDocument(),
}

interface Pair {
  readonly document: string
  readonly register_id: number
}

const begin = async (api: TestApi, name: string): Promise<Pair & { readonly email: string }> => {
  const email = `${name}@candidata.example`
  const document = anyDocument()
  const body = { name, email, address: 'Rua A, 1, São Paulo', document }
  const { data } = worked(await api.ask('POST', '/access/register', { body }))
  return { email, document, register_id: data.id }
}

const confirm = async (api: TestApi, outside: Outside, name: string): Promise<Pair> => {
  const { email, ...pair } = await begin(api, name)
  await api.drain()
  const code = /^[A-Z]{4}$/m.exec(outside.mailTo(email))?.[0] ?? ''
  worked(await api.ask('POST', '/access/register/verify', { body: { ...pair, code } }))
  return pair
}

const upload = async (api: TestApi, pair: Pair): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(pair)) form.append(name, `${value}`)
  for (const side of [1, 2]) form.append(`image0${side}`, new File([new Uint8Array(image(side))], `${side}.png`))
  const answer = await fetch(`${api.url}/access/register/images`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Creates registrations in every state, the last ones while the bank is unavailable; returns the one-request user. */
export const applicants = async (api: TestApi, outside: Outside): Promise<Known> => {
  await begin(api, 'pendente')
  await confirm(api, outside, 'confirmada')
  await upload(api, await confirm(api, outside, 'aprovada'))
  const [refused, reviewed] = [await confirm(api, outside, 'recusada'), await confirm(api, outside, 'analisada')]
  outside.mood({ accounts: 'refused' })
  await upload(api, refused)
  outside.mood({ accounts: 'away' })
  await upload(api, reviewed)
  const newcomer = { email: 'completa@candidata.example', password: PASSWORD }
  const body = { ...newcomer, name: 'Completa', document: anyDocument(), account_type: 'PF' }
  await api.ask('POST', '/access/register-full', { body })
  return newcomer
}

/** Confirms a registration without images; returns the function that uploads them without waiting for the answer. */
export const sendingImages = async (api: TestApi, outside: Outside): Promise<() => void> => {
  const pair = await confirm(api, outside, 'abandonada')
  return () => {
    upload(api, pair).catch(() => {})
  }
}
