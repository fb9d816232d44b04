import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { devIssuerPart } from '../../../adapters/identity/dev-issuer/dev-accounts.ts'
import { devIssuer } from '../../../adapters/identity/dev-issuer/dev-issuer.ts'
import { devKeys } from '../../../adapters/identity/dev-issuer/dev-keys.ts'
import { jwksIdentity } from '../../../adapters/identity/jwks-identity.ts'
import type { Hasher, Identity } from '../../../core/ports/identity.ts'
import type { RealEstate } from '../../../core/real-estate/real-estate.ts'
import { CannotStart, missingProvider, type PorticoSettings } from '../../host/environment.ts'
import type { Host } from '../../host/host.ts'
import { DEV_SIGN_IN, type SignIn } from '../panel/sign-in.ts'
import type { RealEstateApiOptions } from '../real-estate-api.ts'
import { devIssuerRows } from './dev-issuer-rows.ts'

/** Whose tokens a process takes, by its settings. */
export interface OpenedIdentity {
  readonly identity: Identity
  /** What is served of it, what the worker works on for it, and where the panel signs people in. */
  serves(core: RealEstate): Pick<RealEstateApiOptions, 'more' | 'parts' | 'signIn'>
}

type Opening = Pick<Host, 'settings' | 'secrets'>
type Warn = (line: string) => void

const DEVELOPMENT =
  'IDENTITY_ISSUER: got nothing, so the development issuer runs, which accepts any e-mail as confirmed'

/**
 * The provider that is configured, else the development issuer. Throws `CannotStart` where neither may be: in production there
 * is no such issuer. Source: decisions.md §6, Identity, and §7.
 */
export const openIdentity = (
  { settings, secrets }: Opening,
  warn: Warn,
  hasher: Hasher = scryptHasher(),
): OpenedIdentity => {
  const { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: url } = settings
  if (issuer !== null && audience !== null && url !== null) {
    const report = (line: string) => warn(`IDENTITY_JWKS_URL: ${line}`)
    const identity = jwksIdentity({ issuer, audience, url, report })
    return { identity, serves: () => ({ signIn: signInOf(settings) }) }
  }
  const missing = missingProvider(settings)
  if (missing.length > 0) throw new CannotStart(missing.join('\n'))
  warn(DEVELOPMENT)
  const keys = devKeys(secrets.dataKey)
  return {
    identity: keys.identity,
    serves: ({ ports }) => ({
      more: devIssuerRows(devIssuer({ ...ports, hasher, keys }), keys.jwks),
      parts: [devIssuerPart],
      signIn: DEV_SIGN_IN,
    }),
  }
}

/** Null where a provider is named and not where people sign in at it. */
const signInOf = ({ IDENTITY_SIGN_IN_URL: url, IDENTITY_API_KEY: apiKey }: PorticoSettings): SignIn | null =>
  url === null || apiKey === null ? null : { url, apiKey }
