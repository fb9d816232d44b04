import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isRight } from '../../core/failure.ts'
import { cleanText, email as emailField } from '../../core/kernel/input/mod.ts'
import { epochSeconds, fromEpochSeconds } from '../../core/kernel/values/day.ts'
import { type Identity, type IdentityClaims, IdentityUnavailable } from '../../core/ports/identity.ts'

/** The accepted issuer and audience, and the keys of the signatures. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  /** Finds the key that signed a token, by its header. */
  readonly keys: JWTVerifyGetKey
}

const ALGORITHMS = ['RS256', 'ES256']
/** The tolerated difference between the clocks of the provider and of this machine. */
const LEEWAY_SECONDS = 60
const MAX_UID = 128
/** Longer than any token of a provider. */
const MAX_TOKEN = 8_192

const INVALID_TOKEN = [
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JWKInvalid,
]

/** Verifies JWTs, RS256 or ES256, with the claims of Firebase: `sub`, `email`, `email_verified`, `name`. */
export const jwtIdentity = ({ issuer, audience, keys }: TokenIssuer): Identity => ({
  async verify(token, now) {
    if (token.length > MAX_TOKEN) return null
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'iat', 'sub'],
      })
      return isForAudience(payload, audience) && hasValidTimes(payload, epochSeconds(now)) ? claimsOf(payload) : null
    } catch (error) {
      if (INVALID_TOKEN.some((type) => error instanceof type)) return null
      if (error instanceof IdentityUnavailable) throw error
      throw new IdentityUnavailable('the keys of the identity provider are unavailable', { cause: error })
    }
  },
})

/** A token for several audiences is rejected: it is also valid elsewhere. */
const isForAudience = ({ aud }: JWTPayload, audience: string): boolean => aud === audience

/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799

const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) <= LAST_SECOND

/** Reports whether all times are whole seconds, and those of the issue and sign-in are not in the future. */
const hasValidTimes = ({ exp, iat, nbf = 0, auth_time: signedInAt = 0 }: JWTPayload, now: number): boolean =>
  [exp, iat, nbf, signedInAt].every(isTime) && [iat, signedInAt].every((time) => Number(time) <= now + LEEWAY_SECONDS)

const address = emailField()

const claimsOf = ({ sub, email, email_verified: isVerified, name, exp = 0 }: JWTPayload): IdentityClaims | null => {
  if (typeof sub !== 'string' || cleanText(sub) !== sub || sub === '' || sub.length > MAX_UID) return null
  const read = address.read(email)
  return {
    uid: sub,
    email: isRight(read) ? read.right : null,
    emailVerified: isVerified === true && isRight(read),
    name: typeof name === 'string' ? name : null,
    expiresAt: fromEpochSeconds(exp),
  }
}
