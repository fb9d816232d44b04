import test, { type ExecutionContext } from 'ava'
import { errorsOf, openTestApi, PASSWORD, statusAndMessage, wrongFields } from '../test-api.ts'

const EMAIL = 'ana@aurora.example'
const DOCUMENT = '52998224725'
const NEW = 'nova e longa'
type Sent = Readonly<Record<string, unknown>>

const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t)
  const { ask, person, mailsTo } = server
  const token = await person()
  await ask('PUT', '/access/auth/edit', { token, body: { current_password: PASSWORD, document: DOCUMENT } })
  const before = new Set<string>()
  const newest = async (): Promise<string> => {
    const [mail = ''] = (await mailsTo(EMAIL)).filter((text) => /senha|confirmar/.test(text) && !before.has(text))
    for (const text of await mailsTo(EMAIL)) before.add(text)
    return mail
  }
  await newest()
  return {
    ...server,
    token,
    newest,
    forgot: (sent: Sent = {}) =>
      ask('POST', '/access/auth/forgot', {
        body: { email: EMAIL, document: DOCUMENT, url: 'http://localhost/senha', ...sent },
      }),
    reset: (sent: Sent) =>
      ask('POST', '/access/auth/reset', { body: { password: NEW, password_confirmation: NEW, ...sent } }),
    login: (password: string) => ask('POST', '/v1/auth/login', { body: { email: EMAIL, password } }),
  }
}

const linkIn = (mail: string): string => /^https?:\S+$/m.exec(mail)?.[0] ?? ''
const tokenIn = (mail: string): string => new URL(linkIn(mail)).searchParams.get('token') ?? ''
const codeIn = (mail: string): string => /^\d{6}$/m.exec(mail)?.[0] ?? ''

test('sends a link whose token sets the password once, and ends the sessions', async (t) => {
  const { ask, token, forgot, newest, reset, login } = await open(t)
  const sent = await forgot({ url: 'http://localhost:5173/senha?tema=claro#topo' })
  t.deepEqual([sent.status, sent.body.success], [201, true])
  const mail = await newest()
  t.regex(linkIn(mail), /^http:\/\/localhost:5173\/senha\?tema=claro&token=\w{43}#topo$/)
  const done = await reset({ token: tokenIn(mail) })
  t.deepEqual([done.status, done.body], [200, { message: 'Senha foi redefinida com sucesso' }])
  t.is((await ask('GET', '/v1/auth/me', { token })).status, 401)
  t.is((await login(NEW)).status, 200)
  for (const used of [{ token: tokenIn(mail) }, { token: codeIn(mail), email: EMAIL }])
    t.deepEqual(statusAndMessage(await reset(used)), [422, 'Código de recuperação inválido ou expirado.'])
})

test('sends a link only to an allowed host, and otherwise only the code', async (t) => {
  const { forgot, newest, reset, clock } = await open(t)
  for (const url of ['https://evil.example/x', 'http://localhost.evil.example/', 'http://localhost@evil.example/']) {
    const answer = await forgot({ url })
    clock.advance(120)
    if (answer.status === 422) {
      t.deepEqual(Object.keys(errorsOf(answer)), ['url'])
      continue
    }
    const mail = await newest()
    t.is(linkIn(mail), '')
    t.not(codeIn(mail), '')
  }
  await forgot({ url: 'https://evil.example/x' })
  t.is((await reset({ token: codeIn(await newest()), email: EMAIL })).status, 200)
})

test('returns 422 for a document or an e-mail of no such user, and 400 within two minutes', async (t) => {
  const { forgot } = await open(t)
  t.deepEqual(wrongFields(await forgot({ url: 'ftp://localhost/' })), ['url'])
  t.deepEqual(errorsOf(await forgot({ document: '11144477735' })), { document: ['O documento não é deste usuário.'] })
  t.deepEqual(wrongFields(await forgot({ email: 'x@example.com' })), ['email'])
  t.is((await forgot()).status, 201)
  t.is((await forgot()).status, 400)
})

test('verifies the e-mail of the caller only; a wrong code gets 400', async (t) => {
  const { ask, token, person, newest } = await open(t)
  await person('bia@example.com')
  const send = (email: string) => ask('POST', '/access/auth/send-verification-code', { token, body: { email } })
  const verify = (email: string, code: string) =>
    ask('POST', '/access/auth/verify-email', { token, body: { email, verification_code: code } })
  t.deepEqual(errorsOf(await send('bia@example.com')), { email: ['O e-mail não é o do usuário autenticado.'] })
  t.deepEqual(Object.keys(errorsOf(await verify('bia@example.com', '123456'))), ['email'])
  t.deepEqual(statusAndMessage(await send(EMAIL)), [200, 'Código de verificação enviado com sucesso'])
  t.is((await send(EMAIL)).status, 400)
  const code = codeIn(await newest())
  // A malformed code does not count as a try.
  for (const malformed of ['1', '12345', '1234567', '12345', '1', 'x']) {
    const answer = await verify(EMAIL, malformed)
    t.is(answer.status, 400)
    t.deepEqual(Object.keys(errorsOf(answer)), ['verification_code'])
  }
  t.deepEqual(statusAndMessage(await verify(EMAIL, code === '000000' ? '000001' : '000000')), [
    400,
    'Código de verificação inválido ou expirado.',
  ])
  const done = await verify(EMAIL, code)
  t.deepEqual([done.status, done.body], [200, { message: 'E-mail verificado com sucesso!' }])
})
