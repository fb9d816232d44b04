import test, { type ExecutionContext } from 'ava'
import { type Answer, errorsOf, openTestApi, PASSWORD, type Sent, statusAndMessage } from '../test-api.ts'

const EMAIL = 'ana@aurora.example'
const NEW = 'outra bem longa'
const WRONG = 'Código de verificação inválido ou expirado.'
/** Opens the API with readers of the newest verification and recovery codes in e-mails. */
const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  const { ask, mailsTo } = server
  const seen = new Set<string>()
  const newCode = async (about: RegExp): Promise<string> => {
    const mails = (await mailsTo(EMAIL)).filter((text) => about.test(text) && !seen.has(text))
    for (const text of mails) seen.add(text)
    return /^\d{6}$/m.exec(mails[0] ?? '')?.[0] ?? ''
  }
  return {
    ...server,
    verification: () => newCode(/confirmar seu e-mail/),
    recovery: () => newCode(/nova senha:/),
    forgot: (email = EMAIL) => ask('POST', '/v1/auth/forgot-password', { body: { email } }),
    reset: (code: string, password = NEW, email = EMAIL) =>
      ask('POST', '/v1/auth/reset-password', { body: { email, code, password, password_confirmation: password } }),
    verify: (code: string, email = EMAIL) => ask('POST', '/v1/auth/verify-email', { body: { email, code } }),
    send: (token: string) => ask('POST', '/v1/auth/send-verification-code', { token }),
    login: (password: string) => ask('POST', '/v1/auth/login', { body: { email: EMAIL, password } }),
  }
}

test('verifies an e-mail once with the code of the registration, and sends a confirmation', async (t) => {
  const { ask, person, verification, verify, mailsTo } = await open(t)
  const token = await person()
  const code = await verification()
  t.deepEqual(statusAndMessage(await verify(code)), [200, 'E-mail verificado com sucesso.'])
  const me = await ask('GET', '/v1/auth/me', { token })
  t.like(me.body.user as object, { email_verified_at: '2026-11-23T10:05:09-03:00' })
  t.true((await mailsTo(EMAIL)).some((text) => text.includes('Seu e-mail foi confirmado')))
  t.deepEqual(statusAndMessage(await verify(code)), [422, WRONG])
})

test('returns 422 for an unknown e-mail', async (t) => {
  const { forgot, reset, verify } = await open(t)
  for (const answer of [await forgot(), await reset('123456'), await verify('123456')]) {
    t.is(answer.status, 422)
    t.deepEqual(errorsOf(answer), { email: ['Este e-mail não está cadastrado.'] })
  }
})

const NEW_PASSWORD = { email: EMAIL, password: 'outra bem longa', password_confirmation: 'outra bem longa' }
const THROTTLED = 'Muitas tentativas de código. Tente novamente mais tarde.'
/** Addresses of one network are one address. */
const NETWORK = '2001:db8:7:1::'

test('returns 429 on every route with a code after a hundred wrong tries an hour of an address', async (t) => {
  const { ask, person, clock } = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  const token = await person(EMAIL)
  const document = { current_password: PASSWORD, document: '52998224725' }
  await ask('PUT', '/access/auth/edit', { token, body: document })
  const applicant = { name: 'Bia', email: 'bia@example.com', address: 'Rua A, 1', document: '11144477735' }
  const { data } = (await ask('POST', '/access/register', { body: applicant })).body
  const pair = { document: data.document, register_id: data.id }
  const from = (address: string, path: string, body: unknown, more: Partial<Sent> = {}) =>
    ask('POST', path, { body, ...more, headers: { 'x-forwarded-for': address, ...more.headers } })
  /** The routes that take a code, of six digits or four letters. */
  const routes: readonly ((address: string, code: string) => Promise<Answer>)[] = [
    (address, code) => from(address, '/v1/auth/verify-email', { email: EMAIL, code }),
    (address, code) => from(address, '/v1/auth/reset-password', { ...NEW_PASSWORD, code }),
    (address, code) => from(address, '/access/auth/reset', { ...NEW_PASSWORD, token: code }),
    (address, code) => from(address, '/access/auth/verify-email', { email: EMAIL, verification_code: code }, { token }),
    (address, code) => from(address, '/access/register/verify', { ...pair, code: code === 'x' ? code : 'QQQQ' }),
  ]
  for (let tries = 0; tries < 20; tries += 1)
    for (const [index, tryCode] of routes.entries()) {
      if (tries === 19 && index === 4) clock.advance(600)
      t.true([400, 422].includes((await tryCode(`${NETWORK}${tries}`, '000000')).status))
    }
  for (const tryCode of routes) {
    for (const code of ['000000', 'x']) {
      const { status, headers, body } = await tryCode(`${NETWORK}ffff`, code)
      t.deepEqual([status, headers.get('retry-after'), body.message], [429, '3000', THROTTLED])
    }
    t.true([400, 422].includes((await tryCode('2001:db8:7:2::1', '000000')).status))
  }
  // Takes precedence over every other error of a request.
  for (const path of ['/v1/auth/verify-email', '/access/auth/verify-email', '/access/register/verify']) {
    for (const body of [{}, '{']) t.is((await from(NETWORK, path, body)).status, 429)
    t.is((await from(NETWORK, path, 'x', { headers: { 'content-type': 'text/plain' } })).status, 429)
  }
  // Routes that take no code are not limited.
  t.is((await from(NETWORK, '/v1/auth/forgot-password', { email: EMAIL })).status, 200)
})
