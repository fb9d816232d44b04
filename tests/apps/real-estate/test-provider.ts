import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { jwtIdentity } from '../../../adapters/identity/jwt-identity.ts'
import { epochSeconds } from '../../../core/kernel/values/day.ts'
import type { Identity } from '../../../core/ports/identity.ts'

export const ISSUER = 'https://securetoken.google.com/aurora'
export const AUDIENCE = 'aurora'
const AN_HOUR = 3_600

/** What a token says. */
export interface Signed {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly iat: number
  readonly exp: number
  readonly iss: string
  readonly aud: string
}

/** An identity provider of tests, of which the key is at hand. */
interface TestProvider {
  readonly identity: Identity
  sign(now: string, claims: Partial<Signed>): Promise<string>
}

/** To make a key takes longer than most tests: all of a process share one. */
let made: Promise<TestProvider> | null = null

export const testProvider = (): Promise<TestProvider> => {
  made ??= makeProvider()
  return made
}

const makeProvider = async (): Promise<TestProvider> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }
  return {
    identity: jwtIdentity({ issuer: ISSUER, audience: AUDIENCE, keys: createLocalJWKSet({ keys: [jwk] }) }),
    sign(now, claims) {
      const iat = epochSeconds(now)
      return new SignJWT({ iss: ISSUER, aud: AUDIENCE, iat, exp: iat + AN_HOUR, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .sign(privateKey)
    },
  }
}
