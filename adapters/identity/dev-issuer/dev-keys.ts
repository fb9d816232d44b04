import { createECDH, createHmac } from 'node:crypto'
import { createLocalJWKSet, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { Identity } from '../../../core/ports/identity.ts'
import { jwtIdentity } from '../jwt-identity.ts'

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
