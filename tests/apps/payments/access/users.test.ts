import test, { type ExecutionContext } from 'ava'
import { type Answer, errorsOf, openTestApi, PASSWORD, pluck } from '../test-api.ts'

const JOAO = {
  name: 'João Lima',
  email: 'joao@example.com',
  password: PASSWORD,
  password_confirmation: PASSWORD,
  phone: '11 97777-0000',
}

const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t)
  const { ask, merchant } = server
  const { token, id } = await merchant()
  const users = (method: string, path = '', sent?: unknown, by = token) =>
    ask(method, `/v1/users${path}`, { token: by, body: sent })
  const login = (email: string, password = PASSWORD) => ask('POST', '/v1/auth/login', { body: { email, password } })
  const tokenOf = async (email: string): Promise<string> => (await login(email)).body.data.access_token
  return { ...server, token, id, users, login, tokenOf }
}

test('creates a user as a MANAGER of the organization; the user can sign in', async (t) => {
  const { ask, users, tokenOf } = await open(t)
  t.is((await users('POST', '', { ...JOAO, role: 1 })).status, 201)
  const joao = await tokenOf('joao@example.com')
  const me = await ask('GET', '/v1/auth/me', { token: joao })
  t.like(me.body.user.organizations, [{ name: 'Escola Aurora' }])
  // A MANAGER reads users and does not change them.
  t.is((await users('GET', '', undefined, joao)).status, 200)
  t.is((await users('POST', '', { ...JOAO, email: 'x@example.com' }, joao)).status, 403)
  const taken = await users('POST', '', { ...JOAO, email: 'ANA@aurora.example' })
  t.deepEqual(errorsOf(taken), { email: ['Este e-mail já está em uso.'] })
})

test('lists users newest first, in full or in pages with meta', async (t) => {
  const { users, clock } = await open(t)
  clock.advance(1)
  await users('POST', '', JOAO)
  const names = ({ body }: Answer) => pluck(body.users, 'name')
  t.deepEqual(names(await users('GET')), ['João Lima', 'Ana Souza'])
  const second = await users('GET', '?page=2&per_page=1')
  t.deepEqual(names(second), ['Ana Souza'])
  t.deepEqual(second.body.meta, { current_page: 2, per_page: 1, total: 2, last_page: 2 })
})

test('changes only the sent fields of a user', async (t) => {
  const { users, login } = await open(t)
  await users('POST', '', JOAO)
  const before = (await users('GET', '/2')).body.user
  t.deepEqual((await users('PUT', '/2', {})).body.user, before)
  const renamed = await users('PATCH', '/2', { name: 'João da Silva', phone: null })
  t.deepEqual(renamed.body.user, { ...before, name: 'João da Silva', phone: null })
  const unconfirmed = await users('PUT', '/2', { password: 'mais uma senha' })
  t.deepEqual(Object.keys(errorsOf(unconfirmed)), ['password_confirmation'])
  t.is((await login('joao@example.com')).status, 200)
})

test('marks a new e-mail unverified and releases the old one', async (t) => {
  const { ask, users, tokenOf, mailsTo } = await open(t)
  await users('POST', '', JOAO)
  const token = await tokenOf(JOAO.email)
  await ask('POST', '/v1/auth/send-verification-code', { token })
  const code = /^\d{6}$/m.exec((await mailsTo(JOAO.email))[0] ?? '')?.[0]
  t.is((await ask('POST', '/v1/auth/verify-email', { body: { email: JOAO.email, code } })).status, 200)
  const moved = await users('PUT', '/2', { email: 'Lima@Example.com' })
  t.like(moved.body.user, { email: 'lima@example.com', email_verified_at: null })
  t.is((await users('POST', '', JOAO)).status, 201)
})

test('refuses to remove the caller', async (t) => {
  const { users } = await open(t)
  const self = await users('DELETE', '/1')
  t.deepEqual([self.status, self.body.message], [422, 'Os dados fornecidos são inválidos.'])
  t.deepEqual(self.body.errors, { id: ['Você não pode remover a si mesmo.'] })
})
