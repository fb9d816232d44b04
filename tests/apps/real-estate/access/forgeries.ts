import { createHmac, createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import type { JWK } from 'jose'
import { epochSeconds } from '../../../../core/kernel/values/day.ts'
import { AUDIENCE, ISSUER } from '../test-provider.ts'

type Claims = Readonly<Record<string, unknown>>

/** A pair of keys, by which anything at all is signed. */
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

/** A provider with a key of each kind, and somebody who has neither. */
const rsa = keysOf('RS256')
export const ec = keysOf('ES256')
export const stranger = keysOf('RS256')

/** The keys that it shows. */
export const JWKS = {
  keys: [
    { ...rsa.jwk, kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...ec.jwk, kid: 'ec', alg: 'ES256', use: 'sig' },
  ],
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const RS256 = { alg: 'RS256', kid: 'rsa' }

export const tokenOf = (claims: unknown, header: Claims = RS256, by: Pick<Keys, 'sign'> = rsa): string => {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${by.sign(text)}`
}

export const goodClaims = (now: string): Claims => {
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
    'a key of somebody else': tokenOf(claims, RS256, stranger),
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

/** Tokens that open nothing, by what is wrong with each; `url` is where somebody has keys of their own. */
export const forgeries = (now: string, url: string): Readonly<Record<string, string>> => {
  const claims = goodClaims(now)
  return { ...bySignature(claims), ...byHeader(claims, url), ...byClaims(claims) }
}
