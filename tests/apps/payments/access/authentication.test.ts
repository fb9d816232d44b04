import test, { type ExecutionContext } from 'ava'
import { errorsOf, failure, openTestApi, PASSWORD, worked, wrongFields } from '../test-api.ts'

const ANA = { name: 'Ana Souza', email: 'ana@aurora.example', password: PASSWORD, password_confirmation: PASSWORD }

const secret = (password: string) => ({ password, password_confirmation: password })

test('compares e-mails without case, and trims texts except passwords', async (t) => {
  const { ask } = await openTestApi(t)
  const typed = { name: '  Ana Souza  ', email: ' Ana@Aurora.Example ', phone: '', ...secret(` ${PASSWORD} `) }
  const first = await ask('POST', '/v1/auth/register', { body: typed })
  t.like(first.body, { data: { user: { name: 'Ana Souza', email: 'ana@aurora.example', phone: null } } })
  const again = await ask('POST', '/v1/auth/register', { body: { ...ANA, email: 'ANA@aurora.example' } })
  t.deepEqual(errorsOf(again), { email: ['Este e-mail já está em uso.'] })
  const login = (password: string) => ask('POST', '/v1/auth/login', { body: { email: 'ANA@AURORA.EXAMPLE', password } })
  t.is((await login(PASSWORD)).status, 401)
  t.is((await login(` ${PASSWORD} `)).status, 200)
})

test('returns the same 401 for a wrong password and an unknown e-mail, and 429 with Retry-After after five', async (t) => {
  const { ask, person } = await openTestApi(t)
  await person()
  const login = (email: string) => ask('POST', '/v1/auth/login', { body: { email, password: 'outra coisa' } })
  for (const email of ['joao@example.com', ...Array(5).fill('ana@aurora.example')]) {
    const wrong = await login(email)
    t.deepEqual([...failure(wrong), wrong.body.message], [401, 'credentials.wrong', 'Credenciais inválidas.'])
  }
  const refused = await login('ana@aurora.example')
  t.deepEqual([...failure(refused), refused.headers.get('retry-after')], [429, 'login.throttled', '900'])
  t.is(refused.body.message, 'Muitas tentativas de login. Tente novamente mais tarde.')
})

const TYPED = 'canção-segura'

test('compares a password and its confirmation in Unicode normal form C', async (t) => {
  const { ask } = await openTestApi(t)
  const [nfc, nfd] = [TYPED.normalize('NFC'), TYPED.normalize('NFD')]
  const register = (email: string, password: string, confirmation: string) =>
    ask('POST', '/v1/auth/register', { body: { ...ANA, email, password, password_confirmation: confirmation } })
  t.is((await register('ana@aurora.example', nfd, nfd)).status, 201)
  t.is((await register('bia@aurora.example', nfc, nfd)).status, 201)
  t.deepEqual(wrongFields(await register('eva@aurora.example', nfc, `${nfc} `)), ['password_confirmation'])
  for (const email of ['ana@aurora.example', 'bia@aurora.example'])
    for (const password of [nfc, nfd])
      t.is((await ask('POST', '/v1/auth/login', { body: { email, password } })).status, 200, email)
  const body = { email: 'ana@aurora.example', password: `${nfc}!` }
  t.is((await ask('POST', '/v1/auth/login', { body })).status, 401)
})

const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t)
  return {
    ...server,
    isGood: async (token: string) => (await server.ask('GET', '/v1/auth/me', { token })).status === 200,
  }
}

test('logout-everywhere ends every session of the user, and those of no other', async (t) => {
  const { ask, person, isGood } = await open(t)
  const [first, other] = [await person(), await person('bia@aurora.example')]
  const body = { email: 'ana@aurora.example', password: PASSWORD }
  const second = worked(await ask('POST', '/v1/auth/login', { body })).data.access_token
  worked(await ask('POST', '/v1/auth/logout-everywhere', { token: second }))
  t.deepEqual([await isGood(first), await isGood(second), await isGood(other)], [false, false, true])
})

test('answers a validator of another account with the own record, and after a sign-out with 401', async (t) => {
  const api = await openTestApi(t)
  const [ana, rui] = [await api.merchant(), await api.merchant()]
  const read = (token: string, validator = '') =>
    api.ask('GET', '/v1/account', { token, headers: { 'if-none-match': validator } })
  const first = await read(ana.token)
  const etag = first.headers.get('etag') ?? ''
  t.is((await read(ana.token, etag)).status, 304)
  const other = await read(rui.token, etag)
  t.deepEqual([other.status, other.body.account.id], [200, rui.id])
  await api.ask('POST', '/v1/auth/logout', { token: ana.token })
  for (const validator of [etag, '*']) t.is((await read(ana.token, validator)).status, 401)
})
