import { createECDH, createHmac } from 'node:crypto'
import { createLocalJWKSet, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { t } from '../../core/fp.ts'
import type { AnyCollection, Collection } from '../../core/kernel/records/collection.ts'
import { orNull, record } from '../../core/kernel/records/record.ts'
import { sweepOf } from '../../core/kernel/running/jobs.ts'
import { epochSeconds, type Instant } from '../../core/kernel/values/day.ts'
import { throttleIn } from '../../core/office/throttle.ts'
import type { Identity } from '../../core/ports/identity.ts'
import { digest } from '../crypto/cipher.ts'
import { jwtIdentity } from './jwt-identity.ts'

const devAccount = record({
  /** What tokens name as `sub`. */
  id: t.string,
  /** Lower-case. */
  email: t.string,
  /** As the hasher has it. */
  passwordHash: t.string,
  displayName: orNull(t.string),
  photoUrl: orNull(t.string),
  /** When a mailed code last confirmed the e-mail; an e-mail counts as verified without it. */
  verifiedAt: orNull(t.string),
  createdAt: t.string,
  signedInAt: t.string,
})

/** Somebody who signs in at the development issuer. Source: decisions.md §6, Identity. */
export type DevAccount = t.TypeOf<typeof devAccount>

export const devAccounts: Collection<DevAccount> = {
  name: 'estate.dev-accounts',
  ids: 'text',
  codec: devAccount,
  owner: null,
  keys: { email: ({ email }) => email },
}

export const guesses = throttleIn('estate')

/** What the development issuer keeps: a store is opened with these, whether it runs or not. */
export const devIssuerCollections: readonly AnyCollection[] = [devAccounts, guesses.throttles]

/** What the worker does for it. */
export const devIssuerPart = { sweeps: [sweepOf(guesses.throttles)] }

/** Source: 03-real-estate.md, Limits. */
export const DEV_TOKEN_SECONDS = 3_600

/** Somebody who is signed in. */
export interface DevSession {
  readonly account: DevAccount
  /** A JWT as Firebase makes them, whose e-mail counts as verified. */
  readonly idToken: string
  /** Good until the password changes. */
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

/** The tokens of somebody who signed in at this moment, or at another, in seconds since 1970. */
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

/** Whose a refresh token says it is; null where it is none. */
export const refreshedId = (refreshToken: string): string | null => REFRESH_TOKEN.exec(refreshToken)?.[1] ?? null

/** When they signed in who have this refresh token, in seconds since 1970; null where it is not, or no more, of the account. */
export const signedInBy = (keys: DevKeys, account: DevAccount, refreshToken: string): number | null => {
  const [, id, since = '', mark = ''] = REFRESH_TOKEN.exec(refreshToken) ?? []
  return id === account.id && digest.equal(mark, markOf(keys, account, since)) ? Number(since) : null
}

/** Names no host, so that every process on a store takes the tokens of every other. */
const ISSUER = 'urn:portico:dev-issuer'
export const DEV_AUDIENCE = 'portico'
const CURVE = 'prime256v1'
const COORDINATE_BYTES = 32
const KID_CHARS = 16

const inBase64 = (bytes: Buffer): string => bytes.toString('base64url')

/** What the development issuer signs with. */
export interface DevKeys {
  /** For whoever verifies its tokens. */
  readonly jwks: { readonly keys: readonly JWK[] }
  /** Takes its tokens, and no others. */
  readonly identity: Identity
  /** A JWT of these claims and of the issuer's own. */
  sign(claims: JWTPayload): Promise<string>
  /** By which a text is known for the issuer's own again. */
  mark(text: string): string
}

/**
 * The keys of the development issuer, made of the `DATA_KEY`: the same in every process that has it, and as long as it. They
 * tell nothing of it.
 */
export const devKeys = (dataKey: Uint8Array): DevKeys => {
  const made = (what: string): Buffer => createHmac('sha256', dataKey).update(`dev-issuer.${what}`).digest()
  const secret = made('signing')
  const pair = createECDH(CURVE)
  // All but one in 2^32 numbers of this size are keys of the curve.
  pair.setPrivateKey(secret)
  // A mark of the form, then x and y.
  const point = pair.getPublicKey()
  const x = inBase64(point.subarray(1, 1 + COORDINATE_BYTES))
  const y = inBase64(point.subarray(1 + COORDINATE_BYTES))
  const kid = inBase64(made(`kid ${x}`)).slice(0, KID_CHARS)
  const shown: JWK = { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' }
  const privateKey = importJWK({ ...shown, d: inBase64(secret) }, 'ES256')
  const keys = createLocalJWKSet({ keys: [shown] })
  return {
    jwks: { keys: [shown] },
    identity: jwtIdentity({ issuer: ISSUER, audience: DEV_AUDIENCE, keys }),
    sign: async (claims) =>
      new SignJWT({ ...claims, iss: ISSUER, aud: DEV_AUDIENCE })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .sign(await privateKey),
    mark: (text) => inBase64(createHmac('sha256', made('marks')).update(text).digest()),
  }
}
