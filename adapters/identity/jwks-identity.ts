import type { Identity } from '../../core/ports/identity.ts'
import { jwtIdentity } from './jwt-identity.ts'
import { remoteKeys } from './remote-keys.ts'

// Apart from the keys: the published types import this file, and embedders have no `jose`.

/** An identity provider with a JSON Web Key Set. */
export interface JwksProvider {
  /** The `iss` of its tokens; of Firebase `https://securetoken.google.com/PROJECT`. */
  readonly issuer: string
  /** The `aud` of its tokens; of Firebase the project. */
  readonly audience: string
  /** The URL of the key set. */
  readonly url: string
  /** Receives one line when the keys become unavailable or available again; by default a process warning. */
  readonly report?: (line: string) => void
}

/** Verifies the tokens of an identity provider, RS256 or ES256, with the keys of its key set. */
export const jwksIdentity = ({
  issuer,
  audience,
  url,
  report = (line) => process.emitWarning(line),
}: JwksProvider): Identity => jwtIdentity({ issuer, audience, keys: remoteKeys({ url, report }) })
