import test, { type ExecutionContext } from 'ava'
import { type Answer, openTestApi, PASSWORD, pluck, pluckAll, statusAndMessage, wrongFields } from '../test-api.ts'

const JOAO = {
  name: 'João Lima',
  email: 'joao@example.com',
  document: '529.982.247-25',
  role: 3,
  password: '12345',
  phone: '11 97777-0000',
}
const BOT = { name: 'Integração', email: 'bot@example.com', document: '111.444.777-35' }

const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t)
  const { ask, merchant } = server
  const { token } = await merchant()
  const at =
    (path: string) =>
    (method: string, rest = '', sent?: unknown, by = token) =>
      ask(method, `${path}${rest}`, { token: by, body: sent })
  return { ...server, token, users: at('/access/manager/users'), bots: at('/access/manager/api-tokens') }
}
const names = ({ body }: Answer) => body.data.map(({ user }: Answer['body']) => user.name)

test('creates a membership with its user, role and status; the user can sign in', async (t) => {
  const { ask, users } = await open(t)
  const { status, body } = await users('POST', '', { ...JOAO, status: 0, account_id: 9 })
  t.is(status, 201)
  t.deepEqual(body, {
    code: 201,
    success: true,
    data: {
      id: 2,
      user_id: 2,
      account_id: 1,
      user: {
        id: 2,
        name: 'João Lima',
        email: 'joao@example.com',
        phone: '11 97777-0000',
        document: '52998224725',
        status: 'ACTIVE',
      },
      role: { id: 3, name: 'OPERATOR' },
      status: 1,
      created_at: '2026-11-23T10:05:09-03:00',
      updated_at: '2026-11-23T10:05:09-03:00',
    },
    message: 'Usuário criado com sucesso!',
  })
  const login = await ask('POST', '/access/auth/login', { body: { email: 'joao@example.com', password: '12345' } })
  t.is(login.status, 200)
})

test('rejects the e-mail and the document of another user in one reply', async (t) => {
  const { users } = await open(t)
  await users('POST', '', JOAO)
  t.deepEqual(wrongFields(await users('POST', '', { ...JOAO, document: '529982247-25' })), ['email', 'document'])
})

test('lists people without the caller and programs, by search, role and status, with meta', async (t) => {
  const { users, bots, clock } = await open(t)
  await users('POST', '', JOAO)
  clock.advance(1)
  await users('POST', '', { ...JOAO, name: 'Ágata', email: 'agata@example.com', document: '11144477735', role: 4 })
  await bots('POST', '', { ...BOT, document: '123.456.789-09' })
  const all = await users('GET')
  t.deepEqual(names(all), ['Ágata', 'João Lima'])
  const meta = { total: 2, page: 1, limit: 100, total_pages: 1, has_next_page: false, has_prev_page: false }
  t.deepEqual(all.body.meta, meta)
  const second = await users('GET', '?page=2&per_page=1')
  t.deepEqual(names(second), ['João Lima'])
  t.like(second.body.meta, { total: 2, total_pages: 2, has_next_page: false, has_prev_page: true })
  for (const [query, found] of [
    ['search=agata', ['Ágata']],
    ['search=529982', ['João Lima']],
    ['role=4', ['Ágata']],
    ['status=0', []],
  ] as const)
    t.deepEqual(names(await users('GET', `?${query}`)), found, query)
})

test('finds a renamed user by the new name only', async (t) => {
  const { ask, users } = await open(t)
  await users('POST', '', JOAO)
  const { body } = await ask('POST', '/access/auth/login', { body: { email: 'joao@example.com', password: '12345' } })
  const edit = { current_password: '12345', name: 'Zé Silva' }
  await ask('PUT', '/access/auth/edit', { body: edit, headers: { authorization: `Bearer ${body.token}` } })
  t.deepEqual(names(await users('GET', '?search=silva')), ['Zé Silva'])
  t.deepEqual(names(await users('GET', '?search=lima')), [])
})

test('changes only the sent fields of a membership; an inactive one gives no access', async (t) => {
  const { ask, users } = await open(t)
  await users('POST', '', JOAO)
  const login = () => ask('POST', '/access/auth/login', { body: { email: 'joao@example.com', password: '12345' } })
  const joao = `${(await login()).body.token}`
  const changed = await users('PATCH', '/2', { role: 4, name: 'João' })
  t.like(changed.body.data, { role: { id: 4, name: 'VIEWER' }, user: { name: 'João' } })
  t.is((await ask('POST', '/v1/clients', { token: joao, body: { name: 'x' } })).status, 403)
  t.like((await users('PUT', '/2', { status: 0 })).body.data, { status: 0 })
  t.is((await ask('GET', '/v1/clients', { token: joao })).status, 404)
  t.deepEqual((await login()).body, { error: 'Usuário sem conta vinculada.', error_code: 'account.none' })
  t.is((await users('PUT', '/2', { password: '12345' })).status, 422)
  t.is((await users('PUT', '/2', { status: 1, password: 'segredo' })).status, 200)
  t.is((await login()).status, 401)
})

test('creates, shows, changes and removes programs by membership, separately from people', async (t) => {
  const { users, bots } = await open(t)
  await users('POST', '', JOAO)
  const made = await bots('POST', '', BOT)
  t.deepEqual([made.status, made.body.message], [201, 'Usuário API criado com sucesso!'])
  t.like(made.body.data, { id: 3, role: { id: 5, name: 'API' } })
  t.deepEqual(names(await bots('GET')), ['Integração'])
  t.deepEqual(names(await bots('GET', '?search=bot@')), ['Integração'])
  t.is((await bots('GET', '/3')).body.message, 'Usuário API recuperado com sucesso!')
  for (const [method, sent] of [['GET'], ['PUT', { ...BOT, email: 'novo@example.com' }], ['DELETE']] as const)
    t.deepEqual([(await bots(method, '/2', sent)).status, (await users(method, '/3', sent)).status], [404, 404], method)
  const renamed = await bots('PUT', '/3', { ...BOT, name: 'Integração 2' })
  t.like(renamed.body.data, { user: { name: 'Integração 2', email: 'bot@example.com' } })
  t.deepEqual(statusAndMessage(await bots('DELETE', '/3')), [200, 'Usuário API removido com sucesso!'])
  t.is((await bots('GET', '/3')).status, 404)
  t.is((await bots('POST', '', BOT)).status, 201)
})

test('rejects every password of a program', async (t) => {
  const { ask, bots } = await open(t)
  await bots('POST', '', BOT)
  for (const password of [PASSWORD, 'null', ' '])
    t.is((await ask('POST', '/access/auth/login', { body: { email: BOT.email, password } })).status, 401)
})

test('lists the assignable roles with their permissions', async (t) => {
  const { ask, token } = await open(t)
  const { body } = await ask('GET', '/access/manager/guard/roles', { token })
  t.deepEqual(pluckAll(body.data, 'id', 'name', 'guard_name'), [
    [2, 'MANAGER', 'api'],
    [3, 'OPERATOR', 'api'],
    [4, 'VIEWER', 'api'],
  ])
  t.false(pluck(body.data, 'permissions').flat().includes('account:write'))
  t.like(body.meta as object, { current_page: 1, total: 3, last_page: 1 })
})
