import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import PostalMime from 'postal-mime'
import { outboxMailer } from '../../../adapters/messaging/outbox.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { users } from '../../../core/payments/members/user.ts'
import { PIN } from '../../core/payments/world.ts'
import { MARIA, openMerchant, PASSWORD } from './test-api.ts'

type Body = Readonly<Record<string, unknown>>

const secret = { password: PASSWORD, password_confirmation: PASSWORD }

/** Opens the API with a merchant whose account has a PIN, and every request with a name in a field. */
const open = async (t: ExecutionContext) => {
  const { api, merchant, token } = await openMerchant(t)
  await api.setPin({ token })
  const { body: me } = await api.ask('GET', '/v1/auth/me', { token })
  const client = await api.ask('POST', '/v1/clients', { token, body: { name: 'Ana' } })
  const person = { email: 'x@example.com', document: '52998224725' }
  const login = { email: merchant.email, password: PASSWORD }
  const places: readonly (readonly [field: string, method: string, path: string, body: (name: string) => Body])[] = [
    ['name', 'POST', '/v1/auth/register', (name) => ({ ...person, ...secret, name })],
    ['name', 'POST', '/access/register', (name) => ({ ...person, address: 'Rua A, 1', name })],
    ['address', 'POST', '/access/register', (address) => ({ ...person, name: 'Bia', address })],
    ['name', 'POST', '/access/register-full', (name) => ({ ...person, password: PASSWORD, name })],
    ['device_name', 'POST', '/access/auth/login', (device_name) => ({ ...login, device_name })],
    ['name', 'PUT', '/access/auth/edit', (name) => ({ current_password: PASSWORD, name })],
    ['name', 'POST', '/v1/organizations', (name) => ({ name, document: '12ABC34501DE35' })],
    ['name', 'PUT', `/v1/organizations/${merchant.id}`, (name) => ({ name })],
    ['name', 'PUT', '/access/account', (name) => ({ pin: PIN, name })],
    ['address.street', 'PUT', '/access/account', (street) => ({ pin: PIN, address: { street } })],
    ['address.city', 'PUT', '/access/account', (city) => ({ pin: PIN, address: { city } })],
    ['smtp.from_name', 'PUT', '/access/account', (name) => ({ pin: PIN, smtp: { from_name: name } })],
    ['name', 'POST', '/v1/users', (name) => ({ ...person, ...secret, name })],
    ['name', 'PUT', `/v1/users/${me.user.id}`, (name) => ({ name })],
    ['name', 'POST', '/access/manager/users', (name) => ({ ...person, ...secret, role: 3, name })],
    ['name', 'POST', '/access/manager/api-tokens', (name) => ({ ...person, name })],
    ['name', 'POST', '/v1/clients', (name) => ({ name })],
    ['name', 'PATCH', `/v1/clients/${client.body.client.id}`, (name) => ({ name })],
    ['phone', 'POST', '/v1/clients', (phone) => ({ name: 'Ana', phone })],
    ['name', 'POST', '/invoices', (name) => ({ ...MARIA, name })],
  ]
  return { ...api, merchant, places, me: me.user, client: client.body.client }
}

/** A name for each message. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'Deve ter uma só linha.': 'a\nb',
  'Contém caracteres inválidos.': 'a\u0085b',
  'Não pode conter controles de direção do texto.': 'a\u202eb',
  'Deve ter ao menos um caractere visível.': '\u3164',
}

test('returns 422 for a name that is blank, invisible or has several lines', async (t) => {
  const { ask, merchant, places, everything } = await open(t)
  const before = await everything()
  for (const [field, method, path, bodyOf] of places)
    for (const [message, name] of Object.entries(UNREADABLE)) {
      const { body } = await ask(method, path, { token: merchant.token, body: bodyOf(name) })
      t.deepEqual(body.errors?.[field], [message], `${method} ${path} ${field} ${JSON.stringify(name)}`)
    }
  t.deepEqual(await everything(), before)
})

test('accepts names in every script and joined emoji, and texts of several lines', async (t) => {
  const { ask, merchant, charge } = await open(t)
  const { token } = merchant
  const emoji = '👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3'
  for (const name of ['می\u200cخواهم', 'ක්\u200dෂ', emoji, 'יוֹסֵף', '한국', 'O’Neil', '.']) {
    const { status, body } = await ask('POST', '/v1/clients', { token, body: { name } })
    t.deepEqual([status, body.client?.name], [201, name.normalize('NFC')], name)
  }
  const text = 'Primeira linha\nSegunda linha'
  t.is((await charge(merchant, { description: text })).description, text)
  const rules = { on_payment: { enabled: true, message: text } }
  const changed = await ask('PUT', '/access/account', { token, body: { pin: PIN, notification_rules: rules } })
  t.is(changed.body.account.notification_rules.on_payment.message, text)
})

test('shows a multi-line name of an earlier release, changes its other fields, and folds it into one e-mail header', async (t) => {
  const { ask, merchant, me, client, host, drain, charge, mailer } = await open(t)
  const { token, id } = merchant
  const old = 'Escola\nBcc: eva@example.com\u202e'
  const named = { set: { name: old }, when: always }
  await host.store.commit([patch(accounts, id, named), patch(users, me.id, named), patch(clients, client.id, named)])
  t.is((await ask('GET', '/v1/auth/me', { token })).body.user.name, old)
  t.is(
    (await ask('PUT', '/access/auth/edit', { token, body: { current_password: PASSWORD, phone: '1' } })).body.user.name,
    old,
  )
  t.is((await ask('PUT', `/v1/organizations/${id}`, { token, body: { email: 'a@b.co' } })).body.organization.name, old)
  t.is((await ask('PUT', `/v1/clients/${client.id}`, { token, body: { phone: '1' } })).body.client.name, old)
  const rules = { on_creation: { enabled: true } }
  const changed = await ask('PUT', '/access/account', { token, body: { pin: PIN, notification_rules: rules } })
  t.deepEqual([changed.status, changed.body.account.name], [200, old])

  await drain()
  mailer.sent.length = 0
  await charge(merchant)
  await drain()
  const [mail] = mailer.sent
  t.is(mail?.subject, `Nova cobrança de ${old}`)
  const directory = join(host.settings.DATA_DIR, 'read')
  if (mail) await outboxMailer({ directory, from: 'no-reply@portico.example' }).send(mail)
  const [file = ''] = await readdir(directory)
  const parsed = await PostalMime.parse(await readFile(join(directory, file)))
  t.deepEqual([parsed.bcc, parsed.cc, parsed.to?.map(({ address }) => address)], [undefined, undefined, [MARIA.email]])
  t.is(parsed.headers.filter(({ key }) => key === 'bcc').length, 0)
})
