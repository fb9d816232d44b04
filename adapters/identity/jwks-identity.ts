import type { Identity } from '../../core/ports/identity.ts'
import { jwtIdentity } from './jwt-identity.ts'
import { remoteKeys } from './remote-keys.ts'

/** An identity provider that shows its keys; of Firebase: `https://securetoken.google.com/PROJECT`, `PROJECT`, and Google's address. */
export interface JwksProvider {
  /** What its tokens have as `iss`. */
  readonly issuer: string
  /** For whom tokens have to be: their `aud`. */
  readonly audience: string
  /** Answers a JSON Web Key Set. */
  readonly url: string
  /** Told in one line when the keys cannot be had, and when they can again; by default a warning of the process. */
  readonly report?: (line: string) => void
}

/**
 * An identity provider whose tokens are JWTs of RS256 or ES256, by the keys that it shows: asked for once in ten minutes, and
 * when a token names a new one. While it does not answer, the keys that it had serve for a day.
 * Source: decisions.md §6 and §10, Identity.
 */
export const jwksIdentity = ({
  issuer,
  audience,
  url,
  report = (line) => process.emitWarning(line),
}: JwksProvider): Identity => jwtIdentity({ issuer, audience, keys: remoteKeys({ url, report }) })
