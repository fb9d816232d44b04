import test, { type ExecutionContext } from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { cheapHasher } from '../../../core/payments/world.ts'
import { claimsOf } from '../rows/principals.ts'
import { errorsOf, openTestApi, PASSWORD, pluck, statusAndMessage, worked, wrongFields } from '../test-api.ts'

const EMAIL = 'ana@aurora.example'
const NEW = 'mais uma senha'
type Sent = Readonly<Record<string, unknown>>

const open = async (t: ExecutionContext) => {
  const { hasher, compared } = cheapHasher()
  const server = await openTestApi(t, { instead: () => ({ hasher }) })
  const { ask } = server
  const login = (sent: Sent = {}) =>
    ask('POST', '/access/auth/login', { body: { email: EMAIL, password: PASSWORD, ...sent } })
  return {
    ...server,
    compared,
    login,
    tokenOf: async () => `${(await login()).body.token}`,
    isGood: async (token: string) => (await ask('GET', '/v1/auth/me', { token })).status === 200,
    edit: (token: string, sent: Sent) => ask('PUT', '/access/auth/edit', { token, body: sent }),
  }
}

test('signs in to the newest account, with the expiry of the token in São Paulo time', async (t) => {
  const server = await open(t)
  const { merchant, login, clock } = server
  await merchant()
  const body = worked(await login())
  t.deepEqual(Object.keys(body), ['token', 'session_duration', 'expires_at', 'session_id'])
  t.like(body, { session_duration: 3600, expires_at: '2026-11-23 11:05:09' })
  t.is(claimsOf(server, `${body.token}`).acc, 1)
  t.is(clock.now(), '2026-11-23T13:05:09.123Z')
})

test('shows the user to the dashboard at sign-in', async (t) => {
  const { merchant, login } = await open(t)
  await merchant()
  const { body } = await login({ device_name: 'dashboard_sass' })
  t.deepEqual(Object.keys(body), ['token', 'session_duration', 'expires_at', 'user', 'roles'])
  t.deepEqual(body.user, { id: 1, name: 'Ana Souza', email: EMAIL, phone: null, document: null, status: 'ACTIVE' })
  t.deepEqual(body.roles, [{ id: 1, name: 'ADMIN' }])
})

test('replies to a failed login with `error`, and to invalid fields with the envelope', async (t) => {
  const { ask, person, merchant, login, host } = await open(t)
  await person('bia@example.com')
  const nowhere = { error: 'Usuário sem conta vinculada.', error_code: 'account.none' }
  t.like(await login({ email: 'bia@example.com' }), { status: 401, body: nowhere })
  await merchant()
  const wrong = await login({ password: 'outra' })
  t.deepEqual([wrong.status, wrong.body], [401, { error: 'Credenciais inválidas.', error_code: 'credentials.wrong' }])
  t.deepEqual(wrongFields(await login({ email: 'x' })), ['email'])
  const list = await ask('POST', '/access/auth/login', { body: [] })
  t.deepEqual(
    [list.status, list.body],
    [400, { error: 'JSON inválido.', error_code: 'json.malformed', hint: 'O corpo deve ser um objeto.' }],
  )
  await host.store.commit([patch(memberships, 1, { set: { status: 0 }, when: always })])
  t.deepEqual((await login()).body, nowhere)
})

test('shares the throttle with the v1 login, and replies with `error`', async (t) => {
  const { ask, merchant, login } = await open(t)
  await merchant()
  for (let failure = 1; failure <= 3; failure += 1) await login({ password: 'outra' })
  for (let failure = 4; failure <= 5; failure += 1)
    await ask('POST', '/v1/auth/login', { body: { email: EMAIL, password: 'outra' } })
  const refused = await login()
  t.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '900'])
  const error = 'Muitas tentativas de login. Tente novamente mais tarde.'
  t.deepEqual(refused.body, { error, error_code: 'login.throttled' })
})

test('shows the active account, the user, their permissions and all accounts', async (t) => {
  const { ask, merchant, tokenOf, clock } = await open(t)
  const { token } = await merchant()
  clock.advance(1)
  await ask('POST', '/v1/organizations', { token, body: { name: 'Oficina', document: '529.982.247-25' } })
  const legacy = await tokenOf()
  const body = worked(await ask('GET', '/access/auth/me', { token: legacy }))
  t.deepEqual(Object.keys(body), ['account', 'user', 'permissions', 'role', 'accounts'])
  t.like(body, { account: { id: 2, name: 'Oficina' }, user: { email: EMAIL }, role: { id: 1, name: 'ADMIN' } })
  t.deepEqual(pluck(body.accounts, 'id'), [2, 1])
  t.true(body.permissions.includes('account:write'))
  const accounts = await ask('GET', '/access/accounts', { token: legacy })
  t.deepEqual(accounts.body.accounts, body.accounts)
  t.is(accounts.headers.get('deprecation'), null)
})

test('returns 404 for the user without an account, and an empty list of accounts', async (t) => {
  const { ask, person } = await open(t)
  const token = await person()
  t.deepEqual(statusAndMessage(await ask('GET', '/access/auth/me', { token })), [
    404,
    'Nenhuma organização encontrada.',
  ])
  t.deepEqual((await ask('GET', '/access/accounts', { token })).body.accounts, [])
})

test('refreshes and signs out without an envelope, on the same sessions', async (t) => {
  const server = await open(t)
  const { ask, merchant, tokenOf, isGood } = server
  await merchant()
  const old = await tokenOf()
  const body = worked(await ask('PUT', '/access/auth/refresh', { token: old }))
  t.deepEqual(Object.keys(body), ['token', 'session_duration', 'expires_at', 'session_id'])
  const token = `${body.token}`
  t.is(claimsOf(server, token).acc, 1)
  t.deepEqual([await isGood(old), await isGood(token)], [false, true])
  const out = await ask('POST', '/access/auth/logout', { token })
  t.deepEqual([out.status, out.body], [200, { message: 'Successfully logged out' }])
  t.false(await isGood(token))
  t.is((await ask('PUT', '/access/auth/refresh', { token })).status, 401)
})

test('changes the own user with the current password; a new password ends the other sessions', async (t) => {
  const { merchant, edit, tokenOf, isGood, login } = await open(t)
  await merchant()
  const [mine, other] = [await tokenOf(), await tokenOf()]
  t.deepEqual(wrongFields(await edit(mine, { name: 'x' })), ['current_password'])
  t.deepEqual(statusAndMessage(await edit(mine, { current_password: 'outra', name: 'x' })), [
    401,
    'Senha atual incorreta.',
  ])
  const sent = { current_password: PASSWORD, name: 'Maria Lima', document: '529.982.247-25', phone: '11 9' }
  const edited = await edit(mine, sent)
  t.deepEqual(edited.body, {
    code: 200,
    success: true,
    user: { id: 1, name: 'Maria Lima', email: EMAIL, phone: '11 9', document: '52998224725', status: 'ACTIVE' },
    message: 'Usuário atualizado com sucesso',
  })
  t.is((await edit(mine, { current_password: PASSWORD, new_password: '12345' })).status, 422)
  t.is((await edit(mine, { current_password: PASSWORD, new_password: NEW })).status, 200)
  t.deepEqual([await isGood(mine), await isGood(other)], [true, false])
  t.is((await login({ password: NEW })).status, 200)
})

test('rejects the document and the e-mail of another user in one reply', async (t) => {
  const { merchant, person, edit, ask } = await open(t)
  const { token } = await merchant()
  const bia = await person('bia@example.com')
  await ask('PUT', '/access/auth/edit', { token: bia, body: { current_password: PASSWORD, document: '52998224725' } })
  const taken = await edit(token, { current_password: PASSWORD, email: 'BIA@example.com', document: '529.982.247-25' })
  t.deepEqual(errorsOf(taken), { email: ['Este e-mail já está em uso.'], document: ['Este documento já está em uso.'] })
})

test('clears the failed tries after a right password, even if another field is invalid', async (t) => {
  const { person, merchant, edit, login } = await open(t)
  await person('bia@example.com')
  const { token } = await merchant()
  for (let round = 1; round <= 6; round += 1) {
    const refused = await edit(token, { current_password: PASSWORD, email: 'bia@example.com' })
    t.deepEqual(Object.keys(errorsOf(refused)), ['email'], `round ${round}`)
  }
  t.is((await login()).status, 200)
})

test('lists and ends sessions of their own user only', async (t) => {
  const { ask, merchant, person, login, isGood } = await open(t)
  const { token } = await merchant()
  const phone = `${(await login({ device_name: 'telefone' })).body.token}`
  const { data } = (await ask('GET', '/access/auth/sessions', { token })).body
  const seen = data.map(({ device, current }: typeof data) => `${device === 'telefone'} ${current}`)
  t.deepEqual(seen.sort(), ['false true', 'true false'])
  const { id } = data.find(({ current }: { readonly current: boolean }) => !current)
  const stranger = await person('bia@example.com')
  const end = (by: string) => ask('DELETE', `/access/auth/sessions/${id}`, { token: by })
  t.is((await end(stranger)).status, 404)
  t.is((await end(token)).status, 200)
  t.deepEqual([await isGood(phone), await isGood(token)], [false, true])
  t.deepEqual([(await end(token)).status, (await end(token)).body.message], [404, 'Sessão não encontrada.'])
})
