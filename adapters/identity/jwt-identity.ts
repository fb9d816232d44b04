import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isRight } from '../../core/fp.ts'
import { cleanText, email as emailField } from '../../core/kernel/input/texts.ts'
import { epochSeconds, fromEpochSeconds } from '../../core/kernel/values/day.ts'
import { type Identity, type IdentityClaims, IdentityUnavailable } from '../../core/ports/identity.ts'

/** Whose tokens are taken, and for whom they have to be. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  /** Finds the key that a token says it is signed by. */
  readonly keys: JWTVerifyGetKey
}

const ALGORITHMS = ['RS256', 'ES256']
/** How far clocks may be apart. Source: decisions.md §10, Identity. */
const LEEWAY_SECONDS = 60
const MAX_UID = 128
/** Longer than any token of a provider. */
const MAX_TOKEN = 8_192

/** What is wrong with a token itself, and is nobody's fault but its own. */
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

/**
 * An identity provider whose tokens are JWTs of RS256 or ES256. Claims as Firebase has them: `sub`, `email`,
 * `email_verified`, `name`.
 * Source: decisions.md §6 and §10, Identity; reference/real-estate.md, Identity provider.
 */
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
      if (INVALID_TOKEN.some((each) => error instanceof each)) return null
      if (error instanceof IdentityUnavailable) throw error
      throw new IdentityUnavailable('the keys of the identity provider cannot be had', { cause: error })
    }
  },
})

/** Of a list of audiences somebody else may be one: a token that is good there is none for us. */
const isForAudience = ({ aud }: JWTPayload, audience: string): boolean => aud === audience

/** The end of the year 9999: what no clock shows is no time. */
const LAST_SECOND = 253_402_300_799

const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) <= LAST_SECOND

/** Whether its times are whole seconds, and it says of none that it was made, or its user signed in, later than now. */
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
