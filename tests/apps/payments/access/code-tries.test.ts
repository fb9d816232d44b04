import test from 'ava'
import { type Answer, openTestApi, PASSWORD, type Sent } from '../test-api.ts'

const EMAIL = 'ana@aurora.example'
const NEW = { email: EMAIL, password: 'outra bem longa', password_confirmation: 'outra bem longa' }
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
    (address, code) => from(address, '/v1/auth/reset-password', { ...NEW, code }),
    (address, code) => from(address, '/access/auth/reset', { ...NEW, token: code }),
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
