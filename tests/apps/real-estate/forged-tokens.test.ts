import { createHmac, createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import test from 'ava'
import { createLocalJWKSet, type JWK } from 'jose'
import { jwtIdentity } from '../../../adapters/identity/jwt-identity.ts'
import { remoteKeys } from '../../../adapters/identity/remote-keys.ts'
import { epochSeconds } from '../../../core/kernel/values/day.ts'
import { keyServer } from '../../adapters/identity/key-server.ts'
import { AUDIENCE, ISSUER, NOW, openEstateApi, outcomeOf } from './test-api.ts'

type Claims = Readonly<Record<string, unknown>>

/** A key pair with its signing function. */
interface Keys {
  readonly jwk: JWK
  readonly pem: string
  sign(text: string): string
}

const keysOf = (alg: 'RS256' | 'ES256'): Keys => {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return {
    jwk: publicKey.export({ format: 'jwk' }) as JWK,
    pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (text) =>
      signBytes('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  }
}

/** The keys of the provider, and the key of an attacker. */
const rsa = keysOf('RS256')
const ec = keysOf('ES256')
const stranger = keysOf('RS256')

/** The published key set. */
const JWKS = {
  keys: [
    { ...rsa.jwk, kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...ec.jwk, kid: 'ec', alg: 'ES256', use: 'sig' },
  ],
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const RS256 = { alg: 'RS256', kid: 'rsa' }

const tokenOf = (claims: unknown, header: Claims = RS256, by: Pick<Keys, 'sign'> = rsa): string => {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${by.sign(text)}`
}

const goodClaims = (now: string): Claims => {
  const iat = epochSeconds(now)
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'ana',
    email: 'ana@example.com',
    email_verified: true,
    iat,
    auth_time: iat,
    exp: iat + 3_600,
  }
}

const hmac = (secret: string | Buffer, hash = 'sha256'): Pick<Keys, 'sign'> => ({
  sign: (text) => createHmac(hash, secret).update(text).digest('base64url'),
})

const NOTHING: Pick<Keys, 'sign'> = { sign: () => '' }

const bySignature = (claims: Claims): Readonly<Record<string, string>> => {
  const good = tokenOf(claims)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const der = createPublicKey(rsa.pem).export({ type: 'spki', format: 'der' })
  return {
    ...Object.fromEntries(
      ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
        [`alg ${alg}, nothing signed`, tokenOf(claims, { ...RS256, alg }, NOTHING)],
        [`alg ${alg}, signed all the same`, tokenOf(claims, { ...RS256, alg })],
      ]),
    ),
    'no alg': tokenOf(claims, { kid: 'rsa' }),
    'HS256 by the public key': tokenOf(claims, { alg: 'HS256', kid: 'rsa' }, hmac(rsa.pem)),
    'HS256 by the public key, trimmed': tokenOf(claims, { alg: 'HS256', kid: 'rsa' }, hmac(rsa.pem.trim())),
    'HS256 by the public key in DER': tokenOf(claims, { alg: 'HS256', kid: 'rsa' }, hmac(der)),
    'HS512 by the public key': tokenOf(claims, { alg: 'HS512', kid: 'rsa' }, hmac(rsa.pem, 'sha512')),
    'HS256 by nothing': tokenOf(claims, { alg: 'HS256', kid: 'rsa' }, hmac('')),
    'RS256 by HMAC': tokenOf(claims, RS256, hmac(rsa.pem)),
    RS512: tokenOf(claims, { alg: 'RS512', kid: 'rsa' }),
    PS256: tokenOf(claims, { alg: 'PS256', kid: 'rsa' }),
    'ES256 by the RSA key': tokenOf(claims, { alg: 'ES256', kid: 'rsa' }),
    'RS256 by the EC key': tokenOf(claims, { alg: 'RS256', kid: 'ec' }, ec),
    'alg in another case': tokenOf(claims, { ...RS256, alg: 'rs256' }),
    'a key of an attacker': tokenOf(claims, RS256, stranger),
    'no signature': `${header}.${payload}.`,
    'no third part': `${header}.${payload}`,
    'ES256 of zeros': `${part({ alg: 'ES256', kid: 'ec' })}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'other claims under its signature': `${header}.${part({ ...claims, sub: 'bia' })}.${signature}`,
    'another header over its signature': `${part({ ...RS256, typ: 'JWT' })}.${payload}.${signature}`,
    'two signatures': `${good}.${signature}`,
    'two signatures in JSON': JSON.stringify({ payload, signatures: [{ protected: header, signature }] }),
    'five parts': `${header}..${payload}.${signature}.${signature}`,
    'a signature of an earlier length': good.slice(0, -4),
    'a payload that is no JSON': tokenOf('ana'),
    'a payload that is a list': tokenOf([claims]),
    'a payload that is nothing': tokenOf('null'),
    'a header that is no JSON': `${part('rsa')}.${payload}.${signature}`,
  }
}

const byHeader = (claims: Claims, url: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    [
      ...[
        '../../../../dev/null',
        '/etc/passwd',
        "' OR 1=1 --",
        "x' UNION SELECT 'x",
        '{"$ne":null}',
        `${url}/keys`,
        '',
      ],
      ...[['rsa'], { $ne: null }, 7, null, '__proto__', 'rsa\u0000', 'RSA'],
    ].flatMap((kid) => [
      [`kid ${JSON.stringify(kid)}`, tokenOf(claims, { alg: 'RS256', kid }, stranger)],
      [`kid ${JSON.stringify(kid)} by HMAC of nothing`, tokenOf(claims, { alg: 'HS256', kid }, hmac(''))],
    ]),
  ),
  jku: tokenOf(claims, { ...RS256, jku: `${url}/keys` }, stranger),
  'jku with another kid': tokenOf(claims, { alg: 'RS256', kid: 'own', jku: `${url}/keys` }, stranger),
  x5u: tokenOf(claims, { ...RS256, x5u: `${url}/cert` }, stranger),
  'x5u without kid': tokenOf(claims, { alg: 'RS256', x5u: `${url}/cert` }, stranger),
  jwk: tokenOf(claims, { ...RS256, jwk: stranger.jwk }, stranger),
  'jwk without kid': tokenOf(claims, { alg: 'RS256', jwk: stranger.jwk }, stranger),
  x5c: tokenOf(claims, { ...RS256, x5c: ['AAAA'] }, stranger),
  'crit of nothing that there is': tokenOf(claims, { ...RS256, crit: ['exp'], exp: 1 }),
  'crit of nothing': tokenOf(claims, { ...RS256, crit: [] }),
  'crit of its own': tokenOf(claims, { ...RS256, crit: ['http://example.com/x'], 'http://example.com/x': true }),
  'a payload that is not encoded': tokenOf(claims, { ...RS256, crit: ['b64'], b64: false }),
})

const byClaims = (claims: Claims): Readonly<Record<string, string>> => {
  const now = Number(claims.iat)
  const without = (name: string) => tokenOf({ ...claims, [name]: undefined })
  const others: Readonly<Record<string, readonly unknown[]>> = {
    exp: [`${now + 3_600}`, now + 3_600.5, null, true, [now + 3_600], 1e308, -1, 0, now - 60, now - 3_600, 2 ** 52],
    iat: [`${now}`, now - 0.5, null, [now], now + 61, now + 3_600, {}],
    nbf: [now + 61, now + 3_600, `${now}`, now - 0.5, null],
    auth_time: [now + 61, now + 3_600, `${now}`, now - 0.5, null],
    iss: ['', 'https://evil.example.com', `${ISSUER}/`, ISSUER.toUpperCase(), [ISSUER], null, 7, `${ISSUER}\u0000`],
    aud: ['', 'other', `${AUDIENCE} other`, AUDIENCE.toUpperCase(), [AUDIENCE], [AUDIENCE, 'other'], [], null, 7],
    sub: ['', ' ', 'x'.repeat(129), 7, null, ['ana'], { $ne: null }, 'a\u0000b', '\ud800', ' ana'],
  }
  return {
    ...Object.fromEntries(['exp', 'iat', 'iss', 'aud', 'sub'].map((name) => [`no ${name}`, without(name)])),
    ...Object.fromEntries(
      Object.entries(others).flatMap(([name, values]) =>
        values.map((value) => [`${name} ${JSON.stringify(value)}`, tokenOf({ ...claims, [name]: value })]),
      ),
    ),
    'a token of 9,000 characters': tokenOf({ ...claims, more: 'x'.repeat(6_000) }),
  }
}

/** Returns invalid tokens by their fault. `url` is the key server of an attacker. */
const forgeries = (now: string, url: string): Readonly<Record<string, string>> => {
  const claims = goodClaims(now)
  return { ...bySignature(claims), ...byHeader(claims, url), ...byClaims(claims) }
}

const provider = jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys: createLocalJWKSet(JWKS) })

test('no forged token is verified, and none sends a request', async (t) => {
  const evil = await keyServer(t, (response) => void response.end(JSON.stringify({ keys: [stranger.jwk] })))
  const own = await keyServer(t, (response) => void response.end(JSON.stringify(JWKS)))
  const keys = remoteKeys({ url: own.url })
  const { verify } = jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys })
  t.like(await verify(tokenOf(goodClaims(NOW)), NOW), { uid: 'ana' })
  const tokens = Object.entries(forgeries(NOW, new URL(evil.url).origin))
  t.true(tokens.length > 100)
  for (const [name, token] of tokens) t.is(await verify(token, NOW), null, name)
  t.deepEqual([evil.requests, own.requests], [0, 1])
})

test('a forged token is 401 at every entry point and changes nothing', async (t) => {
  const api = await openEstateApi(t, { instead: () => ({ identity: provider }) })
  const good = tokenOf(goodClaims(NOW))
  const ana = { firebaseUid: 'ana', email: 'ana@example.com', name: 'Ana', role: 'Admin' }
  const body = { ...ana, companyId: '7d1c2b3a-0000-4000-8000-00000000000a' }
  t.is((await api.ask('POST', '/api/auth/register', { token: good, body })).status, 201)
  const before = await api.everything()
  for (const [method, path] of [
    ['POST', '/api/auth/register'],
    ['POST', '/api/auth/login'],
    ['GET', '/api/clients'],
  ] as const) {
    const token = tokenOf(goodClaims(NOW), RS256, stranger)
    const answer = await api.ask(method, path, { token, ...(method === 'POST' && { body }) })
    t.is(outcomeOf(answer), '401 token.invalid', path)
    t.is(answer.headers.get('content-type'), 'application/problem+json')
  }
  t.deepEqual(await api.everything(), before)
  t.is((await api.ask('GET', '/api/clients', { token: good })).status, 200)
})

test('a token of either algorithm is accepted until the last second of its leeway', async (t) => {
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

test('an e-mail counts as verified only with email_verified: true', async (t) => {
  const claims = goodClaims(NOW)
  const emailOf = async (over: object) => {
    const verified = await provider.verify(tokenOf({ ...claims, ...over }), NOW)
    return [verified?.email, verified?.emailVerified]
  }
  t.deepEqual(await emailOf({ email: 'ANA@Example.com' }), ['ana@example.com', true])
  for (const value of ['true', 1, null, undefined, {}, [true]])
    t.deepEqual(await emailOf({ email_verified: value }), ['ana@example.com', false], JSON.stringify(value))
  for (const value of [null, undefined, '', 'ana', 7, ['ana@example.com'], 'ana@example.com\u0000'])
    t.deepEqual(await emailOf({ email: value }), [null, false], JSON.stringify(value))
})

test('an oversized token is refused before it is parsed', async (t) => {
  const api = await openEstateApi(t)
  const wire = (length: number) => api.ask('POST', '/api/auth/login', { token: 'x'.repeat(length) })
  t.deepEqual([(await wire(8_193)).status, (await wire(12_000)).status], [401, 401])
  t.is((await wire(40_000)).status, 431)
})
