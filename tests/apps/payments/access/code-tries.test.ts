import test, { type ExecutionContext } from 'ava'
import { codes } from '../../../../core/payments/access/code.ts'
import { registrations } from '../../../../core/payments/registrations/registration.ts'
import { type Answer, openTestApi, PASSWORD, type Sent } from '../test-api.ts'

const EMAIL = 'ana@aurora.example'
const DOCUMENT = '52998224725'
const NEW = 'outra bem longa'
const THROTTLED = 'Muitas tentativas de código. Tente novamente mais tarde.'
const LONG_TEXT = 'Houve muitas tentativas erradas com os códigos anteriores: por isso este é mais longo.'

/** Returns an address of its own network. */
const at = (number: number): string => `203.0.113.${number}`

type Ask = (address: string, code: string) => Promise<Answer>

const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  const token = await api.person(EMAIL)
  const { ask } = api
  await ask('PUT', '/access/auth/edit', { token, body: { current_password: PASSWORD, document: DOCUMENT } })
  const applicant = { name: 'Bia', email: 'bia@example.com', address: 'Rua A, 1', document: '11144477735' }
  const { data: registration } = (await ask('POST', '/access/register', { body: applicant })).body
  const pair = { document: registration.document, register_id: registration.id }

  const from = (address: string, path: string, body: unknown, more: Partial<Sent> = {}) =>
    ask('POST', path, { body, ...more, headers: { 'x-forwarded-for': address, ...more.headers } })
  /** The routes that take a code, of six digits or four letters. */
  const routes = {
    verify: (address, code) => from(address, '/v1/auth/verify-email', { email: EMAIL, code }),
    reset: (address, code) =>
      from(address, '/v1/auth/reset-password', { email: EMAIL, code, password: NEW, password_confirmation: NEW }),
    legacyVerify: (address, code) =>
      from(address, '/access/auth/verify-email', { email: EMAIL, verification_code: code }, { token }),
    legacyReset: (address, code) =>
      from(address, '/access/auth/reset', { email: EMAIL, token: code, password: NEW, password_confirmation: NEW }),
    confirm: (address, code) =>
      from(address, '/access/register/verify', { ...pair, code: /^\d{6}$/.test(code) ? 'QQQQ' : code }),
  } satisfies Readonly<Record<string, Ask>>
  const seen = new Set<string>()
  /** Returns the newest mailed code, which is alone on its line. */
  const mailed = async (to = EMAIL) => {
    await api.drain()
    const texts = api.mailer.sent.filter((mail) => mail.to === to && !seen.has(mail.text)).map(({ text }) => text)
    for (const text of texts) seen.add(text)
    const text = texts.findLast((each) => /^(?:\d{6}|[A-Z2-9]{20}|[A-Z]{4})$/m.test(each)) ?? ''
    return { text, code: /^(?:\d{6}|[A-Z2-9]{20}|[A-Z]{4})$/m.exec(text)?.[0] ?? '' }
  }
  await mailed()
  await mailed(applicant.email)
  return { ...api, token, routes, mailed, from }
}

/** Returns the statuses of these wrong tries. */
const statusesOf = async (tries: number, wrong: (index: number) => Promise<Answer>): Promise<readonly number[]> => {
  const statuses = new Set<number>()
  for (let index = 0; index < tries; index += 1) statuses.add((await wrong(index)).status)
  return [...statuses].sort()
}

test('returns 429 on every route with a code after a hundred wrong tries an hour of an address', async (t) => {
  const { routes, from, clock, token, every } = await open(t)
  const all = Object.values(routes)
  const network = '2001:db8:7:1::'
  const wrong = (index: number) => (all[index % all.length] as Ask)(`${network}${index}`, '000000')
  t.deepEqual(await statusesOf(99, wrong), [400, 422])
  clock.advance(600)
  t.deepEqual(await statusesOf(1, wrong), [422])
  const before = [await every(codes), await every(registrations)]
  for (const [name, ask] of Object.entries(routes)) {
    for (const code of ['000000', 'x']) {
      const { status, headers, body } = await ask(`${network}ffff`, code)
      t.deepEqual([status, headers.get('retry-after'), body.message], [429, '3000', THROTTLED], name)
    }
    t.true([400, 422].includes((await ask('2001:db8:7:2::1', '000000')).status), name)
    t.true([400, 422].includes((await ask(at(1), '000000')).status), name)
  }
  // Takes precedence over every other error of a request.
  for (const path of ['/v1/auth/verify-email', '/access/auth/verify-email', '/access/register/verify']) {
    t.is((await from(network, path, {})).status, 429)
    t.is((await from(network, path, '{')).status, 429)
    t.is((await from(network, path, 'x', { headers: { 'content-type': 'text/plain' } })).status, 429)
  }
  t.deepEqual([await every(codes), await every(registrations)].flat().length, before.flat().length)
  // Routes that take no code are not limited.
  t.is((await from(network, '/v1/auth/forgot-password', { email: EMAIL })).status, 200)
  t.is((await from(network, '/access/auth/send-verification-code', { email: EMAIL }, { token })).status, 200)
  clock.advance(2_999)
  t.is((await routes.verify(network, '000000')).headers.get('retry-after'), '1')
  clock.advance(1)
  t.is((await routes.verify(network, '000000')).status, 422)
})

test('sends longer codes after many wrong tries from twenty addresses, on the routes of each generation', async (t) => {
  const { ask, from, routes, mailed, clock, token } = await open(t)
  const exhaust = (ask: Ask, wrong: string) => statusesOf(20, (index) => ask(at(100 + index), wrong))
  const flows = {
    reset: () => from(at(1), '/v1/auth/forgot-password', { email: EMAIL }),
    legacyReset: () =>
      from(at(1), '/access/auth/forgot', { email: EMAIL, document: DOCUMENT, url: 'https://example.com/' }),
    legacyVerify: () => ask('POST', '/access/auth/send-verification-code', { token, body: { email: EMAIL } }),
  }
  for (const name of ['legacyVerify', 'reset', 'legacyReset'] as const) {
    const invalid = name === 'legacyVerify' ? 400 : 422
    for (let round = 0; round < 2; round += 1) {
      t.true((await flows[name]()).status < 300)
      const { code } = await mailed()
      t.regex(code, /^\d{6}$/)
      const wrong = code === '000000' ? '000001' : '000000'
      t.deepEqual(await exhaust(routes[name], wrong), [invalid])
      t.is((await routes[name](at(1), code)).status, invalid)
      clock.advance(120)
    }
    t.true((await flows[name]()).status < 300)
    const { code, text } = await mailed()
    t.regex(code, /^[A-HJ-NP-Z2-9]{20}$/)
    t.true(text.includes(LONG_TEXT))
    const grouped = code.replace(/(.{5})(?=.)/g, '$1-').toLowerCase()
    t.is((await routes[name](at(100), grouped)).status, 200, name)
    t.is((await routes[name](at(1), code)).status, invalid, name)
    clock.advance(3_000)
  }
})
