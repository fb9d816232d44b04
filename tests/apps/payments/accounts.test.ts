import test, { type ExecutionContext } from 'ava'
import { PNG } from 'pngjs'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { always } from '../../../core/kernel/records/record.ts'
import { accounts, RULE_NAMES } from '../../../core/payments/accounts/account.ts'
import { audit, mails, messages } from '../../../core/payments/office.ts'
import { PIN } from '../../core/payments/world.ts'
import { confirmPassword } from './given/basics.ts'
import {
  failure,
  openMerchant,
  openTestApi,
  PASSWORD,
  pluck,
  pluckAll,
  type TestApi,
  worked,
  wrongFields,
} from './test-api.ts'

const ACCOUNT = '/access/account'
const png = (width = 2, height = 2) => new Uint8Array(PNG.sync.write(new PNG({ width, height })))
const uri = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
const SMTP = {
  host: 'smtp.example.com',
  port: 587,
  user: 'aurora',
  password: 'senha do servidor',
  encryption: 'tls',
  from_name: 'Escola Aurora',
  from_address: 'contato@aurora.example',
}
const SHOWN_SMTP = Object.fromEntries(Object.entries(SMTP).filter(([name]) => name !== 'password'))

const opened = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const { token, id } = await api.merchant()
  const put = (body: object, more: { readonly token?: string } = {}) =>
    api.ask('PUT', ACCOUNT, { token, body: { pin: PIN, ...body }, ...more })
  const set = await api.ask('POST', `${ACCOUNT}/pin`, { token, body: { pin: PIN, confirm_pin: PIN } })
  t.is(set.status, 200, set.text)
  const shown = async () => (await api.ask('GET', ACCOUNT, { token })).body.account
  return { ...api, token, id: Number(id), put, shown }
}

/** Sends a change as a multipart form. */
const putForm = async ({ url }: TestApi, token: string, parts: Readonly<Record<string, string | Blob>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.append(name, value)
  const response = await fetch(url + ACCOUNT, {
    method: 'PUT',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  })
  return {
    status: response.status,
    body: (await response.json()) as { account: Record<string, unknown>; errors?: unknown },
  }
}

test('sets a PIN of six digits once, with its confirmation', async (t) => {
  const { ask, token } = await openMerchant(t)
  const set = (pin: unknown, confirm: unknown = pin) =>
    ask('POST', `${ACCOUNT}/pin`, { token, body: { pin, confirm_pin: confirm } })
  for (const pin of ['12345', '１２３４５６', 123456]) t.true(wrongFields(await set(pin)).includes('pin'), `${pin}`)
  t.like(await set('135790', '135791'), { status: 422, body: { errors: { confirm_pin: ['Deve ser igual a pin.'] } } })
  // A first PIN may be any six digits.
  const body = worked(await set('123456'))
  t.like(body, { code: 200, success: true, message: 'Pin definido com sucesso.', account: { has_pin: true } })
  t.like(await set('135790'), { status: 400, body: { success: false, message: 'PIN já definido.' } })
  t.is((await ask('PUT', ACCOUNT, { token, body: { pin: '123456' } })).status, 200)
})

test('rejects a change without the right PIN before other fields are validated, and locks after five tries', async (t) => {
  const { ask, clock, token } = await openMerchant(t)
  const put = (body: object) => ask('PUT', ACCOUNT, { token, body })
  const says = async (body: object) => {
    const answer = await put({ name: '', ...body })
    t.is(answer.status, 403)
    t.false(Object.hasOwn(answer.body, 'errors'))
    return answer.body.message
  }
  t.is(await says({}), 'PIN obrigatório.')
  t.is(await says({ pin: PIN }), 'PIN não configurado.')
  await ask('POST', `${ACCOUNT}/pin`, { token, body: { pin: PIN, confirm_pin: PIN } })
  // Wrong and malformed PINs count as tries, a missing PIN does not. After the fifth, the PIN is locked.
  for (let count = 0; count < 9; count += 1) t.is(await says({ pin: null }), 'PIN obrigatório.')
  for (const pin of ['135791', '1', 135790, { $ne: '' }, '000000']) t.is(await says({ pin }), 'PIN inválido.')
  t.is(await says({ pin: PIN }), 'PIN bloqueado. Tente novamente mais tarde.')
  clock.advance(30 * 60)
  t.is((await put({ pin: PIN, name: 'Aurora' })).status, 200)
})

test('stores and shows every setting; absent fields stay, null clears a field', async (t) => {
  const { put, shown } = await opened(t)
  const settings = {
    name: 'Escola Aurora Ltda',
    email: 'Financeiro@Aurora.example',
    webhook_url: 'https://aurora.example/hooks',
    address: { street: 'Rua A', number: '1', city: 'Porto Alegre', state: 'rs', zip_code: '90.000-000' },
    smtp: SMTP,
    notification_rules: {
      on_payment: { enabled: true, message: 'Obrigado!', channels: ['email', 'sms', 'email'] },
      before_due: { enabled: true, channels: ['whatsapp'], days: 3 },
    },
    boleto_configs: { rate: 1.5, type_rate: 'PERCENTAGE', discount: 2, type_discount: 'ABSOLUTE' },
  }
  const { status, body, text } = await put(settings)
  t.is(status, 200, text)
  t.is(body.message, 'Conta atualizada com sucesso.')
  const after = {
    name: 'Escola Aurora Ltda',
    email: 'financeiro@aurora.example',
    webhook_url: 'https://aurora.example/hooks',
    address: { street: 'Rua A', number: '1', city: 'Porto Alegre', state: 'RS', zip_code: '90000000' },
    smtp: SHOWN_SMTP,
    boleto_configs: settings.boleto_configs,
  }
  t.like(body.account, after)
  const rules = {
    on_creation: null,
    on_payment: { enabled: true, message: 'Obrigado!', channels: ['email', 'sms'], days: null },
    before_due: { enabled: true, message: null, channels: ['whatsapp'], days: 3 },
    after_due: null,
    on_due: null,
    on_update: null,
    on_delete: null,
  }
  t.deepEqual(body.account.notification_rules, rules)
  t.deepEqual(await shown(), body.account)

  // A sent rule replaces only the rule of its event.
  const again = await put({ notification_rules: { on_payment: { enabled: false }, on_due: null } })
  const off = { enabled: false, message: null, channels: ['email'], days: null }
  t.deepEqual(again.body.account.notification_rules, { ...rules, on_payment: off })
  t.like(again.body.account, after)

  const nothing = { webhook_url: null, address: null, smtp: null, notification_rules: null, boleto_configs: null }
  t.like((await put(nothing)).body.account, { ...nothing, name: 'Escola Aurora Ltda' })
})

test('shows the password of a mail server nowhere, and reuses a stored one for the same server only', async (t) => {
  const { put, host } = await opened(t)
  const { text } = await put({ smtp: SMTP })
  t.false(text.includes(SMTP.password))
  for await (const record of host.store.scan(accounts, always)) t.false(JSON.stringify(record).includes(SMTP.password))
  t.is((await put({ smtp: { ...SHOWN_SMTP, from_name: 'Aurora' } })).status, 200)
  for (const other of [{ host: 'smtp.evil.example' }, { port: 25 }, { user: 'other' }]) {
    const answer = await put({ smtp: { ...SHOWN_SMTP, ...other }, name: '' })
    t.is(answer.status, 422)
    const alone = await put({ smtp: { ...SHOWN_SMTP, ...other } })
    t.deepEqual(Object.keys(alone.body.errors), ['smtp.password'])
  }
})

test('accepts a logo as a data URI or a file, serves it without a token, and deletes the replaced one', async (t) => {
  const api = await opened(t)
  const { token, put, url, ask } = api
  const first = (await put({ logo: uri(png()) })).body.account.path_logo as string
  t.regex(first, /^https:\/\/pay\.example\.com\/storage\/logos\/[0-9a-f-]{36}$/)
  const at = (path: string) => fetch(url + new URL(path).pathname)
  const shown = await at(first)
  t.is(shown.status, 200)
  t.is(shown.headers.get('content-type'), 'image/png')
  t.is(shown.headers.get('x-content-type-options'), 'nosniff')
  t.deepEqual(new Uint8Array(await shown.arrayBuffer()), png())

  const logo = new Blob([Buffer.from(png(3, 3))], { type: 'text/html' })
  const formed = await putForm(api, token, { pin: PIN, logo })
  const second = formed.body.account.path_logo as string
  t.is(formed.status, 200)
  t.not(second, first)
  t.deepEqual(new Uint8Array(await (await at(second)).arrayBuffer()), png(3, 3))
  await api.drain()
  t.is((await at(first)).status, 404)
  t.is((await put({ logo: null })).body.account.path_logo, null)
  t.is((await at(second)).status, 404)
  t.is((await ask('GET', '/storage/logos/nothing')).body.message, 'Logotipo não encontrado.')
})

test('changes document and e-mail of the organization too; the document of another gets 422', async (t) => {
  const api = await opened(t)
  const other = await api.merchant('bia@aurora.example')
  const { body } = await api.ask('GET', '/v1/organizations', { token: other.token })
  const taken = await api.put({ document: body.organizations[0].document, smtp: SHOWN_SMTP })
  t.is(taken.status, 422)
  t.deepEqual(Object.keys(taken.body.errors).sort(), ['document', 'smtp.password'])
  t.is((await api.put({ document: '60.701.190/0001-04', email: 'novo@aurora.example' })).status, 200)
  const { organization } = (await api.ask('GET', `/v1/organizations/${api.id}`, { token: api.token })).body
  t.like(organization, { document: '60701190000104', email: 'novo@aurora.example' })
})

test('changes only the sent fields of a setting; a mail server must be complete, a discount below the value', async (t) => {
  const { put } = await opened(t)
  const one = await put({ address: { city: 'Pelotas', state: 'rs' } })
  t.deepEqual(one.body.account.address, { street: null, number: null, city: 'Pelotas', state: 'RS', zip_code: null })
  const two = await put({
    address: { street: 'Rua B', city: null },
    boleto_configs: { rate: 2, type_rate: 'ABSOLUTE' },
  })
  t.deepEqual(two.body.account.address, { street: 'Rua B', number: null, city: null, state: 'RS', zip_code: null })
  const three = await put({ boleto_configs: { discount: 150, type_discount: 'ABSOLUTE' } })
  t.deepEqual(three.body.account.boleto_configs, {
    ...{ rate: 2, type_rate: 'ABSOLUTE', discount: 150, type_discount: 'ABSOLUTE' },
  })
  t.deepEqual(wrongFields(await put({ boleto_configs: { type_discount: 'PERCENTAGE' } })), ['boleto_configs.discount'])
  t.is((await put({ boleto_configs: { discount: 99.99, type_discount: null } })).status, 200)

  const lacking = ['encryption', 'from_address', 'password', 'port', 'user'].map((name) => `smtp.${name}`)
  t.deepEqual(wrongFields(await put({ smtp: { host: 'smtp.example.com' } })).toSorted(), lacking)
  const { from_name: _, ...unnamed } = SMTP
  t.is((await put({ smtp: unnamed })).body.account.smtp.from_name, 'Escola Aurora')
  t.is((await put({ smtp: { password: 'outra' } })).status, 200)
  t.like((await put({ smtp: { from_name: 'Aurora' } })).body.account.smtp, { ...SHOWN_SMTP, from_name: 'Aurora' })
})

test('limits the default fine to 2 % unless the account declares that it has no consumers, which is audited', async (t) => {
  const { put, shown, every } = await opened(t)
  const fine = { fine: 2, type_fine: 'PERCENTAGE' }
  t.like((await put({ boleto_configs: fine })).body.account.boleto_configs, fine)
  t.deepEqual(wrongFields(await put({ boleto_configs: { fine: 2.01 } })), ['boleto_configs.fine'])
  t.false('no_consumer_relation' in (await shown()))
  const declared = await put({ boleto_configs: { fine: 10 }, no_consumer_relation: true })
  t.like(declared.body.account, { no_consumer_relation: true, boleto_configs: { fine: 10 } })
  t.deepEqual(wrongFields(await put({ no_consumer_relation: false })), ['boleto_configs.fine'])
  t.deepEqual(wrongFields(await put({ boleto_configs: { fine: 100.01 } })), ['boleto_configs.fine'])
  const { boleto_configs, ...account } = (await put({ no_consumer_relation: false, boleto_configs: null })).body.account
  t.is(boleto_configs, null)
  t.false('no_consumer_relation' in account)
  const changes = (await every(audit.entries))
    .filter(({ action }) => action === 'account.updated')
    .map(({ changes }) => changes)
  t.true(JSON.stringify(changes).includes('hasNoConsumers'), JSON.stringify(changes))
})

const STALE = [403, 'password.stale'] as const

test('a guarded session reads secrets and changes the account only within ten minutes of the password', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const body = { email: merchant.email, password: PASSWORD, guarded: true }
  const { access_token: token } = worked(await api.ask('POST', '/v1/auth/login', { body })).data
  const get = (path: string) => api.ask('GET', path, { token })
  const put = (change: object) => api.ask('PUT', `/v1/organizations/${merchant.id}`, { token, body: change })
  const { secrets } = worked(await get('/v1/account/secrets'))
  t.false(JSON.stringify(worked(await get('/v1/account'))).includes(secrets.api_key))
  api.clock.advance(600)
  t.like(worked(await get('/v1/account/access')).access, { password_required: true, role: { id: 1 } })
  t.deepEqual(failure(await get('/v1/account/secrets')), STALE)
  t.deepEqual(failure(await put({ name: 'Outro nome' })), STALE)
  t.deepEqual(failure(await api.ask('POST', '/v1/account/api-key', { token })), STALE)
  for (const path of ['/access/account', '/access/accounts', '/access/auth/me', '/consolidation/balance-days'])
    t.false((await get(path)).text.includes(secrets.api_key), path)
  const confirm = (password: string) => api.ask('POST', '/v1/auth/confirm-password', { token, body: { password } })
  t.deepEqual(failure(await confirm('outra senha')), [403, 'password.wrong'])
  t.deepEqual(failure(await get('/v1/account/secrets')), STALE)
  worked(await confirm(PASSWORD))
  t.deepEqual(worked(await get('/v1/account/secrets')).secrets, secrets)
  worked(await put({ name: 'Outro nome' }))
})

test('a repeated key returns no stored secrets to a guarded session without a recent password', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const login = { email: merchant.email, password: PASSWORD, guarded: true }
  const { access_token: token } = worked(await api.ask('POST', '/v1/auth/login', { body: login })).data
  const pin = { pin: '135790', confirm_pin: '135790' }
  const again = [
    () => api.ask('POST', '/v1/account/api-key', { token, headers: { 'idempotency-key': 'k' } }),
    () => api.ask('POST', '/access/account/pin', { token, body: pin, headers: { 'idempotency-key': 'k' } }),
  ]
  for (const ask of again) {
    const first = worked(await ask())
    api.clock.advance(600)
    t.deepEqual(failure(await ask()), STALE)
    await confirmPassword(api, token, PASSWORD)
    t.deepEqual(worked(await ask()), first)
  }
})

test('replaces the API key once per Idempotency-Key, ends the former one, and audits it without secrets', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const exchange = (key: string) =>
    api.ask('POST', '/access/account/get-token', { body: { email: merchant.email, token: key } })
  const { api_key: former, webhook_secret } = worked(await api.ask('GET', '/v1/account/secrets', { token })).secrets
  const issued = worked(await exchange(former)).data.token
  await confirmPassword(api, token, PASSWORD)
  const replace = () => api.ask('POST', '/v1/account/api-key', { token, headers: { 'idempotency-key': 'k' } })
  const replaced = await replace()
  t.is(replaced.status, 201)
  const { api_key: next } = replaced.body.secrets
  t.is(replaced.body.secrets.webhook_secret, webhook_secret)
  t.deepEqual((await replace()).body, replaced.body)
  t.deepEqual([(await exchange(former)).status, (await exchange(next)).status], [401, 200])
  t.is((await api.ask('GET', '/invoices', { token: issued })).status, 200)
  const stored = JSON.stringify(await api.everything())
  t.false(stored.includes(former) || stored.includes(next))
  await api.drain()
  t.deepEqual((await audit.verify(api.host.store, digest)).faults, [])
})

test('lists the audit trail of the account by period, user and action, newest first', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const list = async (query = '', by = token) =>
    worked(await api.ask('GET', `/v1/account/audit${query}`, { token: by }))
  api.clock.advance(86_400)
  const { token: again } = await api.again(merchant)
  await confirmPassword(api, again, PASSWORD)
  worked(await api.ask('POST', '/v1/account/api-key', { token: again }))
  worked(await api.ask('POST', '/access/account/pin', { token: again, body: { pin: '135790', confirm_pin: '135790' } }))
  const { audit: all, meta } = await list('', again)
  t.deepEqual(pluck(all, 'action'), ['pin.set', 'key.replaced', 'account.opened'])
  t.deepEqual(all[0].actor, { id: 1, name: 'Ana Souza' })
  t.is(meta.total, 3)
  const found = async (query: string) => pluck((await list(query, again)).audit, 'action')
  t.deepEqual(await found('?action=key.replaced,account.opened'), ['key.replaced', 'account.opened'])
  t.deepEqual(await found('?created_at_end=2026-11-23'), ['account.opened'])
  t.deepEqual(await found('?created_at_start=2026-11-24&per_page=1&page=2'), ['key.replaced'])
  t.deepEqual(pluck([await found('?user_id=1'), await found('?user_id=2')], 'length'), [3, 0])
  const other = await api.merchant()
  t.deepEqual(pluckAll((await list('', other.token)).audit, 'action', 'subject'), [['account.opened', 'account:2']])
})

test('previews the message of each rule by each channel, and sends none', async (t) => {
  const { api, token } = await openMerchant(t)
  const preview = async (body: object) =>
    worked(await api.ask('POST', '/v1/account/message-preview', { token, body })).preview
  for (const rule of RULE_NAMES) {
    const email = await preview({ rule })
    t.regex(email.html, /<html[\s\S]*Maria da Silva/, rule)
    t.true(email.text.includes('Escola Aurora') || email.subject.includes('Escola Aurora'), rule)
    const sms = await preview({ rule, channel: 'sms', message: 'Olá <b>' })
    t.deepEqual(sms, { channel: 'sms', subject: null, html: null, text: 'Olá <b>' })
  }
  const own = await preview({ rule: 'on_due', message: 'Vence hoje, <b>Maria</b>' })
  t.true(own.html.includes('&lt;b&gt;') && !own.html.includes('<b>Maria'))
  await api.drain()
  t.deepEqual([(await api.every(messages)).length, (await api.every(mails)).length], [0, 1])
})
