import test, { type ExecutionContext } from 'ava'
import { always, insert, patch } from '../../../core/kernel/records/record.ts'
import { notifications } from '../../../core/payments/inbox/inbox.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { ADMIN } from '../../../core/payments/payments-ports.ts'
import { openTestApi, PASSWORD, pluck, worked } from './test-api.ts'

const EMAIL = 'ana@aurora.example'
const WRONG = { code: 401, success: false, message: 'E-mail, chave ou vínculo inválido.', error_code: 'key.wrong' }
type Sent = Readonly<Record<string, unknown>>

const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t)
  const { ask, merchant } = server
  const { token } = await merchant()
  const { body } = await ask('GET', '/access/account', { token })
  const apiKey: string = body.account.token
  return {
    ...server,
    token,
    apiKey,
    exchange: (sent: Sent = {}) =>
      ask('POST', '/access/account/get-token', { body: { email: EMAIL, token: apiKey, ...sent } }),
  }
}

test('exchanges an API key for a token of ten minutes with limited permissions, which cannot be refreshed', async (t) => {
  const { ask, exchange, clock } = await open(t)
  const body = worked(await exchange())
  const { data } = body
  t.like(data, { token_type: 'Bearer', expires_at: '2026-11-23T10:15:09-03:00' })
  t.deepEqual(
    [...data.permissions].sort(),
    ADMIN.permissions.filter((each) => each !== 'account:write' && each !== 'users:write').sort(),
  )
  const me = await ask('GET', '/access/auth/me', { token: data.token })
  t.deepEqual(me.body.permissions, data.permissions)
  // The token shows neither the key nor the secret of webhooks.
  for (const path of ['/access/account', '/access/auth/me'])
    t.like((await ask('GET', path, { token: data.token })).body.account, { token: null, webhook_secret: null })
  const { accounts } = (await ask('GET', '/access/accounts', { token: data.token })).body
  t.like(accounts[0], { token: null, webhook_secret: null })
  const isGood = async () => (await ask('GET', '/v1/clients', { token: data.token })).status
  t.is(await isGood(), 200)
  t.is((await ask('POST', '/v1/auth/refresh', { token: data.token })).status, 401)
  clock.advance(599)
  t.is(await isGood(), 200)
  clock.advance(1)
  t.is(await isGood(), 401)
})

test('keeps the count of wrong passwords when the key is exchanged', async (t) => {
  const { ask, exchange } = await open(t)
  const guess = async (password: string) =>
    (await ask('POST', '/v1/auth/login', { body: { email: EMAIL, password } })).status
  for (let tries = 1; tries <= 4; tries += 1) {
    t.is(await guess(`errada ${tries}`), 401)
    t.is((await exchange()).status, 200)
  }
  t.deepEqual([await guess('errada 5'), await guess(PASSWORD), (await exchange()).status], [401, 429, 429])
})

test('exchanges the key for a program until the program is removed', async (t) => {
  const { ask, token, exchange } = await open(t)
  const bot = { name: 'Integração', email: 'bot@example.com', document: '111.444.777-35' }
  const made = await ask('POST', '/access/manager/api-tokens', { token, body: bot })
  const { body } = await exchange({ email: bot.email })
  const { token: given } = body.data
  t.is((await ask('POST', '/v1/clients', { token: given, body: { name: 'Ana' } })).status, 201)
  t.is((await ask('GET', '/access/account', { token: given, headers: { 'x-account-id': '1' } })).status, 200)
  t.is((await ask('GET', '/v1/users', { token: given })).status, 403)
  await ask('DELETE', `/access/manager/api-tokens/${made.body.data.id}`, { token })
  t.is((await ask('GET', '/v1/clients', { token: given })).status, 401)
  t.deepEqual((await exchange({ email: bot.email })).body, WRONG)
})

test('returns the same 401 for a wrong e-mail, a wrong key, another account’s key and an inactive membership', async (t) => {
  const { ask, merchant, exchange, host } = await open(t)
  const { token: bia } = await merchant('bia@example.com')
  const { body } = await ask('GET', '/access/account', { token: bia })
  const foreign = body.account.token
  for (const sent of [{ email: 'x@example.com' }, { token: 'x' }, { token: foreign }, { email: 'bia@example.com' }]) {
    const refused = await exchange(sent)
    t.deepEqual([refused.status, refused.body], [401, WRONG])
  }
  await host.store.commit([patch(memberships, 1, { set: { status: 0 }, when: always })])
  t.deepEqual((await exchange()).body, WRONG)
})

test('notifies the active ADMINs of the account about each exchange', async (t) => {
  const { ask, token, exchange, host, every } = await open(t)
  const person = { password: 'correto e longo', password_confirmation: 'correto e longo' }
  const add = (role: number, email: string, document: string) =>
    ask('POST', '/access/manager/users', { token, body: { name: 'Alguém', email, document, role, ...person } })
  await add(1, 'chefe@example.com', '529.982.247-25')
  await add(1, 'antiga@example.com', '111.444.777-35')
  await add(2, 'gerente@example.com', '935.411.347-80')
  await host.store.commit([patch(memberships, 3, { set: { status: 0 }, when: always })])
  t.is((await exchange({ email: 'gerente@example.com' })).status, 200)
  const notified = await every(notifications)
  t.deepEqual(notified.map(({ userId }) => userId).sort(), [1, 2])
  const { body } = await ask('GET', '/access/auth/notifications', { token })
  t.like(body.data[0], {
    type: 'key.exchanged',
    data: { account_id: 1, user_id: 4, email: 'gerente@example.com', address: '127.0.0.1' },
  })
  t.is((await exchange({ token: 'x' })).status, 401)
  t.is((await every(notifications)).length, 2)
})

/** Opens the API with Bob, an ADMIN of two organizations, and a token for the key of the first with his e-mail. */
const withBob = async (t: ExecutionContext) => {
  const server = await open(t)
  const { merchant, host, exchange } = server
  const { token: own, ...organization } = await merchant('bob@example.com')
  const [createdAt, updatedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']
  const membership = { id: 9, userId: 2, accountId: 1, roleId: 1, status: 1, search: '', createdAt, updatedAt }
  await host.store.commit([insert(memberships, membership)])
  const { body } = await exchange({ email: 'bob@example.com' })
  return { ...server, own, organization, given: body.data.token as string }
}

test('shows a token for a key its own account only, and a person all accounts', async (t) => {
  const { ask, own, given, organization } = await withBob(t)
  for (const method of ['GET', 'PUT', 'DELETE'])
    t.is((await ask(method, `/v1/organizations/${organization.id}`, { token: given })).status, 404, method)
  const shown = async (token: string) => {
    const get = async (path: string) => (await ask('GET', path, { token })).body
    const legacy = await get('/access/auth/me')
    const paged = await get('/v1/organizations?page=1&per_page=10')
    return [
      pluck((await get('/v1/auth/me')).user.organizations, 'id'),
      pluck(legacy.accounts, 'id'),
      pluck((await get('/access/accounts')).accounts, 'id'),
      pluck((await get('/v1/organizations')).organizations, 'id'),
      [...pluck(paged.organizations, 'id'), `of ${paged.meta.total}`],
    ]
  }
  t.deepEqual(await shown(given), [[1], [1], [1], [1], [1, 'of 1']])
  t.deepEqual(await shown(own), [...Array(4).fill([2, 1]), [2, 1, 'of 2']])
})

test('ends only its own session with a token for a key', async (t) => {
  const { ask, own, given } = await withBob(t)
  t.is((await ask('POST', '/v1/auth/logout', { token: given })).status, 200)
  t.is((await ask('GET', '/v1/auth/me', { token: given })).status, 401)
  t.is((await ask('GET', '/v1/auth/me', { token: own })).status, 200)
})
