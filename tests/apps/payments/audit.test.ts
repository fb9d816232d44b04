import test, { type ExecutionContext } from 'ava'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { audit } from '../../../core/payments/office.ts'
import { PIN } from '../../core/payments/world.ts'
import { openTestApi, PASSWORD, pluck, pluckAll, type TestApi } from './test-api.ts'

const FROM = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'painel/1.0' }
const NEW = 'nova-senha-456'
const JOAO = { name: 'João', email: 'joao@example.com', password: PASSWORD, password_confirmation: PASSWORD }

const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  const ask = async (method: string, path: string, body?: unknown, token?: string) => {
    const answer = await api.ask(method, path, { body, headers: FROM, ...(token === undefined ? {} : { token }) })
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  return { api, ask }
}

/** Returns the audit entries by chain, in order. */
const trailOf = async (api: TestApi) =>
  (await api.every(audit.entries)).toSorted((a, b) =>
    a.chain === b.chain ? a.seq - b.seq : a.chain < b.chain ? -1 : 1,
  )
/** Returns the newest code in an e-mail. */
const codeIn = (api: TestApi, email: string): string =>
  api.mailer.sent
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => /^\d{6}$/m.exec(text) ?? [])
    .at(-1) ?? ''

test('audits every write on accounts, users and keys with actor, time and origin, without secrets', async (t) => {
  const { api, ask } = await open(t)
  const { email, token, uuid } = await api.merchant()
  const login = async (password: string) =>
    (await ask('POST', '/v1/auth/login', { email, password })).data.access_token as string
  await ask('PUT', '/v1/organizations/1', { name: 'Escola Nova', status: 'ACTIVE' }, token)
  await ask('PUT', '/v1/organizations/1', { name: 'Escola Nova' }, token)
  await ask('POST', '/v1/users', JOAO, token)
  await ask('PUT', '/v1/users/2', { name: 'João Lima', password: NEW, password_confirmation: NEW }, token)
  await ask('PUT', '/access/manager/users/2', { role: 3 }, token)
  await ask('DELETE', '/v1/users/2', undefined, token)
  await ask('PUT', '/fake-bank/accounts/1', { taxes: { pix_in: 0.99 } })
  const { token: apiKey } = (await ask('GET', '/access/account', undefined, token)).account
  const given = (await ask('POST', '/access/account/get-token', { email, token: apiKey })).data.token
  const other = await login(PASSWORD)
  // Both sessions began at the same time: their order is random.
  const { data } = await ask('GET', '/access/auth/sessions', undefined, other)
  const { id } = data.find(({ current }: { current: boolean }) => current)
  await ask('DELETE', `/access/auth/sessions/${id}`, undefined, token)
  await ask('PUT', '/access/auth/edit', { current_password: PASSWORD, name: 'Ana Lima', new_password: NEW }, token)
  await api.drain()
  await ask('POST', '/v1/auth/verify-email', { email, code: codeIn(api, email) })
  await ask('POST', '/v1/auth/forgot-password', { email })
  await api.drain()
  const reset = { email, code: codeIn(api, email), password: PASSWORD, password_confirmation: PASSWORD }
  await ask('POST', '/v1/auth/reset-password', reset)
  await ask('DELETE', '/v1/organizations/1', undefined, await login(PASSWORD))

  const trail = await trailOf(api)
  t.deepEqual(
    trail.map(({ chain, action, subject, actorUserId }) => [chain, action, subject.split(':')[0], actorUserId]),
    [
      ['account:1', 'account.opened', 'account', 1],
      ['account:1', 'account.updated', 'account', 1],
      ['account:1', 'user.added', 'user', 1],
      ['account:1', 'user.updated', 'user', 1],
      ['account:1', 'user.updated', 'user', 1],
      ['account:1', 'user.removed', 'user', 1],
      ['account:1', 'terms.set', 'account', null],
      ['account:1', 'key.exchanged', 'session', 1],
      ['account:1', 'organization.removed', 'account', 1],
      ['user:1', 'user.registered', 'user', null],
      ['user:1', 'session.ended', 'session', 1],
      ['user:1', 'user.updated', 'user', 1],
      ['user:1', 'email.verified', 'user', null],
      ['user:1', 'password.reset', 'user', null],
    ],
  )
  // The test API registered the user and created the organization.
  const entries = trail.filter(({ action }) => action !== 'account.opened' && action !== 'user.registered')
  for (const entry of entries)
    t.like(entry, { address: '203.0.113.9', device: 'painel/1.0', createdAt: api.clock.now() })
  const changes = trail.map((entry) => JSON.parse(entry.changes ?? 'null'))
  t.like(changes[0], { name: { from: null, to: 'Escola Aurora' } })
  t.deepEqual(changes[1], {
    name: { from: 'Escola Aurora', to: 'Escola Nova' },
    status: { from: 'INACTIVE', to: 'ACTIVE' },
  })
  t.deepEqual(changes[3], { name: { from: 'João', to: 'João Lima' }, passwordHash: '***' })
  t.deepEqual(changes[4], { roleId: { from: 2, to: 3 } })
  t.deepEqual(changes[6], { 'taxes.pixInCents': { from: 0, to: 99 } })
  const everything = JSON.stringify(trail)
  for (const secret of [PASSWORD, NEW, apiKey, token, given, 'scrypt$']) t.false(everything.includes(secret), secret)
  t.false(everything.includes(uuid))

  await api.drain()
  const { figures, faults } = await audit.verify(api.host.store, digest)
  t.deepEqual([figures, faults], [{ chains: 2, entries: 14, waiting: 0 }, []])
})

test('audits no rejected write, and a write with a repeated key once', async (t) => {
  const { api } = await open(t)
  const { token } = await api.merchant()
  const before = (await trailOf(api)).length
  const joao = (key: string) => api.ask('POST', '/v1/users', { token, body: JOAO, headers: { 'idempotency-key': key } })
  t.deepEqual([(await joao('a')).status, (await joao('a')).status, (await joao('b')).status], [201, 201, 422])
  t.is((await api.ask('DELETE', '/v1/users/1', { token })).status, 422)
  t.is((await api.ask('PUT', '/v1/organizations/1', { token, body: {} })).status, 200)
  const wrong = { current_password: 'errada', name: 'Outra' }
  t.is((await api.ask('PUT', '/access/auth/edit', { token, body: wrong })).status, 401)
  t.is((await trailOf(api)).length, before + 1)
})

test('audits a legacy recovery and a verified e-mail with their user', async (t) => {
  const { api, ask } = await open(t)
  const token = await api.person('rui@example.com')
  await ask('PUT', '/access/auth/edit', { current_password: PASSWORD, document: '529.982.247-25' }, token)
  await api.drain()
  const code = codeIn(api, 'rui@example.com')
  await ask('POST', '/access/auth/verify-email', { email: 'rui@example.com', verification_code: code }, token)
  const forgot = { email: 'rui@example.com', document: '52998224725', url: 'http://localhost/senha' }
  await ask('POST', '/access/auth/forgot', forgot)
  await api.drain()
  const sent = { token: codeIn(api, 'rui@example.com'), email: 'rui@example.com' }
  await ask('POST', '/access/auth/reset', { ...sent, password: NEW, password_confirmation: NEW })
  t.deepEqual(pluckAll(await trailOf(api), 'action', 'actorUserId', 'address'), [
    ['user.registered', null, '127.0.0.1'],
    ['user.updated', 1, '203.0.113.9'],
    ['email.verified', 1, '203.0.113.9'],
    ['password.reset', null, '203.0.113.9'],
  ])
})

test('audits settings with their values, and secrets only as changed', async (t) => {
  const { api, ask } = await open(t)
  const { token } = await api.merchant()
  const smtp = { host: 'smtp.example.com', port: 587, user: 'u', password: 'senha do servidor', encryption: 'tls' }
  await ask('POST', '/access/account/pin', { pin: PIN, confirm_pin: PIN }, token)
  const sent = { ...smtp, from_name: 'Aurora', from_address: 'a@aurora.example' }
  const change = { pin: PIN, new_pin: '246801', webhook_url: 'https://a.example/', smtp: sent }
  await ask('PUT', '/access/account', change, token)
  await ask('PUT', '/access/account', { pin: '246801', webhook_url: 'https://a.example/' }, token)
  const trail = await trailOf(api)
  const audited = trail.filter(({ chain }) => chain === 'account:1')
  t.deepEqual(pluck(audited, 'action'), ['account.opened', 'pin.set', 'account.updated'])
  const changes = JSON.parse(audited.at(-1)?.changes ?? '{}')
  t.like(changes, {
    webhookUrl: { from: null, to: 'https://a.example/' },
    'smtp.host': { from: null, to: 'smtp.example.com' },
    'smtp.passwordSealed': '***',
    pinHash: '***',
  })
  const text = JSON.stringify(trail)
  for (const secret of [PIN, '246801', smtp.password]) t.false(text.includes(secret))
  t.false(text.includes('scrypt$'))
})

test('audits a full registration in two chains, with its origin', async (t) => {
  const { api, ask } = await open(t)
  const person = { name: 'Ana', email: 'ana@aurora.example', document: '52998224725', password: 'segredo 123' }
  const { data } = await ask('POST', '/access/register-full', person)
  const audited = pluckAll(await trailOf(api), 'chain', 'action', 'actorUserId', 'address', 'device')
  const from = [null, '203.0.113.9', 'painel/1.0']
  t.deepEqual(audited, [
    [`account:${data.account.id}`, 'account.opened', ...from],
    [`user:${data.user.id}`, 'user.registered', ...from],
  ])
})
