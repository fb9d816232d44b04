import { createECDH, createHmac } from 'node:crypto'
import { createLocalJWKSet, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type AnyCollection, type Collection, orNull, record, t } from '../../core/kernel/records/record.ts'
import { sweepOf } from '../../core/kernel/running/jobs.ts'
import { epochSeconds, type Instant } from '../../core/kernel/values/day.ts'
import { throttleIn } from '../../core/office/throttle.ts'
import type { Identity } from '../../core/ports/identity.ts'
import { digest } from '../crypto/cipher.ts'
import { jwtIdentity } from './jwt-identity.ts'

const devAccount = record({
  /** The `sub` of its tokens. */
  id: t.string,
  /** Lower-case. */
  email: t.string,
  passwordHash: t.string,
  displayName: orNull(t.string),
  photoUrl: orNull(t.string),
  /** The last confirmation by a mailed code. Tokens call every e-mail verified, with or without it. */
  verifiedAt: orNull(t.string),
  createdAt: t.string,
  signedInAt: t.string,
})

/** An account at the development issuer. */
export type DevAccount = t.TypeOf<typeof devAccount>

export const devAccounts: Collection<DevAccount> = {
  name: 'estate.dev-accounts',
  ids: 'text',
  codec: devAccount,
  owner: null,
  keys: { email: ({ email }) => email },
}

export const devThrottle = throttleIn('estate')

/** The collections of the development issuer. Open a store with them whether it runs or not. */
export const devIssuerCollections: readonly AnyCollection[] = [devAccounts, devThrottle.throttles]

/** Its part of the worker. */
export const devIssuerPart = { sweeps: [sweepOf(devThrottle.throttles)] }

export const DEV_TOKEN_SECONDS = 3_600

/** A sign-in and its tokens. */
export interface DevSession {
  readonly account: DevAccount
  /** A JWT with the claims of Firebase. */
  readonly idToken: string
  /** Valid until the password changes. */
  readonly refreshToken: string
}

const idTokenOf = (keys: DevKeys, account: DevAccount, now: Instant, signedInSeconds: number): Promise<string> => {
  const { id, email, displayName: name, photoUrl: picture } = account
  const iat = epochSeconds(now)
  return keys.sign({
    sub: id,
    user_id: id,
    email,
    email_verified: true,
    ...(name !== null && { name }),
    ...(picture !== null && { picture }),
    auth_time: signedInSeconds,
    iat,
    exp: iat + DEV_TOKEN_SECONDS,
    firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
  })
}

const markOf = (keys: DevKeys, { id, passwordHash }: DevAccount, signedInSeconds: string): string =>
  keys.mark(JSON.stringify([id, signedInSeconds, passwordHash]))

/** Issues the tokens of a sign-in; by default of one at `now`. */
export const sessionOf = async (
  keys: DevKeys,
  account: DevAccount,
  now: Instant,
  signedInSeconds = epochSeconds(now),
): Promise<DevSession> => {
  const { id } = account
  const since = `${signedInSeconds}`
  return {
    account,
    idToken: await idTokenOf(keys, account, now, signedInSeconds),
    refreshToken: [id, since, markOf(keys, account, since)].join('.'),
  }
}

const REFRESH_TOKEN = /^(\w+)\.(\d{1,12})\.([\w-]+)$/

/** Returns the account id in an unverified refresh token; null if the token is malformed. */
export const accountIdIn = (refreshToken: string): string | null => REFRESH_TOKEN.exec(refreshToken)?.[1] ?? null

/** Verifies a refresh token of an account and returns its sign-in, in seconds since 1970; null if it is invalid. */
export const signInTime = (keys: DevKeys, account: DevAccount, refreshToken: string): number | null => {
  const [, id, since = '', mark = ''] = REFRESH_TOKEN.exec(refreshToken) ?? []
  return id === account.id && digest.equal(mark, markOf(keys, account, since)) ? Number(since) : null
}

/** Without a host, so that processes of one store accept each other's tokens. */
const ISSUER = 'urn:portico:dev-issuer'
export const DEV_AUDIENCE = 'portico'
const CURVE = 'prime256v1'
const COORDINATE_BYTES = 32
const KID_CHARS = 16

const toBase64Url = (bytes: Buffer): string => bytes.toString('base64url')

export interface DevKeys {
  /** The public keys. */
  readonly jwks: { readonly keys: readonly JWK[] }
  /** Verifies its tokens. */
  readonly identity: Identity
  /** Signs a JWT with these claims, the issuer and the audience. */
  sign(claims: JWTPayload): Promise<string>
  /** The HMAC of a text. */
  mark(text: string): string
}

/** Derives the keys of the development issuer from the `DATA_KEY`: equal in every process with that key. */
export const devKeys = (dataKey: Uint8Array): DevKeys => {
  const derive = (purpose: string): Buffer => createHmac('sha256', dataKey).update(`dev-issuer.${purpose}`).digest()
  const secret = derive('signing')
  const pair = createECDH(CURVE)
  // Throws for about one in 2^32 secrets, which are no keys of the curve.
  pair.setPrivateKey(secret)
  // A byte for the form, then x and y.
  const point = pair.getPublicKey()
  const x = toBase64Url(point.subarray(1, 1 + COORDINATE_BYTES))
  const y = toBase64Url(point.subarray(1 + COORDINATE_BYTES))
  const kid = toBase64Url(derive(`kid ${x}`)).slice(0, KID_CHARS)
  const publicKey: JWK = { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' }
  const privateKey = importJWK({ ...publicKey, d: toBase64Url(secret) }, 'ES256')
  const keys = createLocalJWKSet({ keys: [publicKey] })
  return {
    jwks: { keys: [publicKey] },
    identity: jwtIdentity({ issuer: ISSUER, audience: DEV_AUDIENCE, keys }),
    sign: async (claims) =>
      new SignJWT({ ...claims, iss: ISSUER, aud: DEV_AUDIENCE })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .sign(await privateKey),
    mark: (text) => toBase64Url(createHmac('sha256', derive('marks')).update(text).digest()),
  }
}
