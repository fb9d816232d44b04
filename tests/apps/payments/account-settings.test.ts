import test from 'ava'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { RULE_NAMES } from '../../../core/payments/accounts/account.ts'
import { audit, mails, messages } from '../../../core/payments/office.ts'
import { confirmPassword } from './given/basics.ts'
import { failure, openMerchant, PASSWORD, pluck, pluckAll, worked } from './test-api.ts'

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
