import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import test from 'ava'
import jwt from 'jsonwebtoken'
import { jwtTokens } from '../../../adapters/crypto/tokens.ts'
import type { Claims } from '../../../core/ports/identity.ts'

const secret = Buffer.from('um segredo de trinta e dois bytes')
const tokens = jwtTokens(secret)
const claims: Claims = { sub: 12, sid: 's-1', acc: 3, jti: 'j-1', iat: 1_763_730_000, exp: 1_763_733_600 }
const wire = { ...claims, sub: '12' }

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const mac = (text: string, key: string | Buffer = secret, hash = 'sha256') =>
  createHmac(hash, key).update(text).digest('base64url')
/** A token with any header and payload, signed under the secret. */
const signed = (payload: unknown, header: unknown = { alg: 'HS256', typ: 'JWT' }) => {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${mac(text)}`
}

test('reads the signed claims, with and without an account, also expired ones', (t) => {
  t.deepEqual(tokens.read(tokens.sign(claims)), claims)
  const { acc: _, ...plain } = claims
  for (const each of [plain, { ...claims, iat: 1, exp: 2 }]) t.deepEqual(tokens.read(tokens.sign(each)), each)
})

test('signs an HS256 JWT whose subject is a text', (t) => {
  const decoded = jwt.verify(tokens.sign(claims), secret, { complete: true, ignoreExpiration: true })
  t.deepEqual(decoded.header, { alg: 'HS256', typ: 'JWT' })
  t.deepEqual(decoded.payload, wire)
})

test('reads a token signed elsewhere under the secret, without unknown claims', (t) => {
  t.deepEqual(tokens.read(signed({ ...wire, role: 'ADMIN' }, { alg: 'HS256' })), claims)
})

test('rejects forged tokens', (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const genuine = tokens.sign(claims)
  const [header = '', payload = '', signature = ''] = genuine.split('.')
  const unsigned = (alg: unknown) => `${part({ alg, typ: 'JWT' })}.${part(wire)}.`
  const rs256 = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(wire)}`
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  const forged: Record<string, string> = {
    ...Object.fromEntries(
      ['none', 'None', 'NONE', 'nOnE', '', null, ['HS256'], 'HS256'].map((alg) => [
        `unsigned, alg ${alg}`,
        unsigned(alg),
      ]),
    ),
    'alg none with the genuine signature': `${unsigned('none')}${signature}`,
    'no alg': `${part({ typ: 'JWT' })}.${part(wire)}.${signature}`,
    'lower-case hs256': signed(wire, { alg: 'hs256', typ: 'JWT' }),
    HS384: jwt.sign(wire, secret, { algorithm: 'HS384' }),
    HS512: jwt.sign(wire, secret, { algorithm: 'HS512' }),
    'HS512 header over an HS256 signature': signed(wire, { alg: 'HS512', typ: 'JWT' }),
    RS256: `${rs256}.${sign('sha256', Buffer.from(rs256), rsa.privateKey).toString('base64url')}`,
    'HS256 under a public key': `${header}.${payload}.${mac(`${header}.${payload}`, pem)}`,
    'another secret': jwtTokens(Buffer.from('outro segredo de trinta e dois b.')).sign(claims),
    'an empty secret': `${header}.${payload}.${mac(`${header}.${payload}`, '')}`,
    'its own key in the header (jwk)': jwt.sign(wire, 'k'.repeat(32), {
      header: {
        alg: 'HS256',
        jwk: { kty: 'oct', k: Buffer.from('k'.repeat(32)).toString('base64url') },
      } as jwt.JwtHeader,
    }),
    'a key by path (kid)': jwt.sign(wire, 'x', { keyid: '../../../../dev/null' }),
    'a key by address (jku)': jwt.sign(wire, 'x', { header: { alg: 'HS256', jku: 'http://127.0.0.1/keys' } }),
    'an extension to be understood (crit)': signed(wire, { alg: 'HS256', crit: ['exp'], b64: false }),
    'another payload': `${header}.${part({ ...wire, sub: '13' })}.${signature}`,
    'another header': `${part({ alg: 'HS256', typ: 'jwt' })}.${payload}.${signature}`,
    'a changed signature': `${header}.${payload}.${flipped}`,
    'a cut signature': genuine.slice(0, -1),
    'a longer signature': `${genuine}A`,
    'a padded signature': `${genuine}=`,
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'four parts': `${genuine}.${signature}`,
    'two signatures': `${genuine},${signature}`,
    'a space before': ` ${genuine}`,
    'a line break after': `${genuine}\n`,
    'the scheme still before': `Bearer ${genuine}`,
    nothing: '',
    'three empty parts': '..',
    text: 'not a token',
    'a payload that is no JSON': `${header}.${Buffer.from('{').toString('base64url')}.${signature}`,
    'a header that is no JSON': `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`,
  }
  for (const [name, token] of Object.entries(forged)) t.is(tokens.read(token), null, name)
})

test('rejects malformed claims with a valid signature', (t) => {
  const without = (name: string) => Object.fromEntries(Object.entries(wire).filter(([key]) => key !== name))
  const wrong: unknown[] = [
    ...['sub', 'sid', 'jti', 'iat', 'exp'].map(without),
    ...[12, '', '0', '-1', '1.5', '1e3', ' 12', '012', '0x0c', '9'.repeat(16), '9'.repeat(30), null, ['12']].map(
      (sub) => ({ ...wire, sub }),
    ),
    ...['', 1, null, ['s-1']].flatMap((name) => [
      { ...wire, sid: name },
      { ...wire, jti: name },
    ]),
    ...['1763733600', 1.5, -1, null, 1e300].flatMap((time) => [
      { ...wire, exp: time },
      { ...wire, iat: time },
    ]),
    ...['3', 1.5, -3, null, {}].map((acc) => ({ ...wire, acc })),
    { ...wire, nbf: 99_999_999_999 },
    null,
    [],
    'text',
    7,
  ]
  for (const payload of wrong) t.is(tokens.read(signed(payload)), null, JSON.stringify(payload))
})
