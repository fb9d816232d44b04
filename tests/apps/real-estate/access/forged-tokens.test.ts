import test from 'ava'
import { createLocalJWKSet } from 'jose'
import { remoteKeys } from '../../../../adapters/identity/jwks-identity.ts'
import { jwtIdentity } from '../../../../adapters/identity/jwt-identity.ts'
import { epochSeconds } from '../../../../core/kernel/values/day.ts'
import { keyServer } from '../../../adapters/identity/key-server.ts'
import { NOW, openEstateApi } from '../test-api.ts'
import { AUDIENCE, ISSUER } from '../test-provider.ts'
import { ec, forgeries, goodClaims, JWKS, stranger, tokenOf } from './forgeries.ts'

const provider = jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys: createLocalJWKSet(JWKS) })

test('every forged token is 401 at every way in, asks nobody for anything, and leaves nothing', async (t) => {
  const evil = await keyServer(t, (response) => void response.end(JSON.stringify({ keys: [stranger.jwk] })))
  const own = await keyServer(t, (response) => void response.end(JSON.stringify(JWKS)))
  const keys = remoteKeys({ url: own.url })
  const identity = jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys })
  const api = await openEstateApi(t, { instead: () => ({ identity }) })
  const good = tokenOf(goodClaims(NOW))
  const ana = { firebaseUid: 'ana', email: 'ana@example.com', name: 'Ana', role: 'Admin' }
  const body = { ...ana, companyId: '7d1c2b3a-0000-4000-8000-00000000000a' }
  t.is((await api.ask('POST', '/api/auth/register', { token: good, body })).status, 201)
  const before = await api.everything()
  const tokens = Object.entries(forgeries(NOW, new URL(evil.url).origin))
  t.true(tokens.length > 100)
  for (const [name, token] of tokens)
    for (const [method, path] of [
      ['POST', '/api/auth/register'],
      ['POST', '/api/auth/login'],
      ['GET', '/api/clients'],
    ] as const) {
      const answer = await api.ask(method, path, { token, ...(method === 'POST' && { body }) })
      t.like(answer, { status: 401, body: { code: 'token.invalid' } }, `${name} ${answer.text}`)
      t.is(answer.headers.get('content-type'), 'application/problem+json')
    }
  t.deepEqual([evil.asked, own.asked], [0, 1])
  t.deepEqual(await api.everything(), before)
  t.is((await api.ask('GET', '/api/clients', { token: good })).status, 200)
})

test('a token of either algorithm is taken to the last second of its leeway, and not a second longer', async (t) => {
  const now = epochSeconds(NOW)
  const claims = goodClaims(NOW)
  const uidOf = async (over: object, at = NOW) =>
    (await provider.verify(tokenOf({ ...claims, ...over }), at))?.uid ?? null
  t.is((await provider.verify(tokenOf(claims, { alg: 'ES256', kid: 'ec' }, ec), NOW))?.uid, 'ana')
  for (const over of [
    {},
    { exp: now - 59 },
    { iat: now + 60, auth_time: now + 60, nbf: now + 60 },
    { auth_time: undefined },
    { sub: 'x'.repeat(128) },
    { email_verified: 'true', email: 7 },
  ])
    t.not(await uidOf(over), null, JSON.stringify(over))
  for (const over of [{ exp: now - 60 }, { iat: now + 61 }, { nbf: now + 61 }, { auth_time: now + 61 }])
    t.is(await uidOf(over), null, JSON.stringify(over))
})

test('what a provider says of an e-mail is believed only where it says it plainly', async (t) => {
  const claims = goodClaims(NOW)
  const emailOf = async (over: object) => {
    const told = await provider.verify(tokenOf({ ...claims, ...over }), NOW)
    return [told?.email, told?.emailVerified]
  }
  t.deepEqual(await emailOf({ email: 'ANA@Example.com' }), ['ana@example.com', true])
  for (const said of ['true', 1, null, undefined, {}, [true]])
    t.deepEqual(await emailOf({ email_verified: said }), ['ana@example.com', false], JSON.stringify(said))
  for (const said of [null, undefined, '', 'ana', 7, ['ana@example.com'], 'ana@example.com\u0000'])
    t.deepEqual(await emailOf({ email: said }), [null, false], JSON.stringify(said))
})

test('an oversized token is refused before anybody looks at it', async (t) => {
  const api = await openEstateApi(t)
  const wire = (length: number) => api.ask('POST', '/api/auth/login', { token: 'x'.repeat(length) })
  t.deepEqual([(await wire(8_193)).status, (await wire(12_000)).status], [401, 401])
  t.is((await wire(40_000)).status, 431)
})
