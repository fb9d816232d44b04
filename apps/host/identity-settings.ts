import { anyText, flag, linkBase, optional, type Settings, secret, setting } from '../../adapters/node/settings.ts'
import { parseUrl } from '../../core/kernel/values/network.ts'

const WEB = /^https?:$/

/** Where a provider shows its keys, exactly as it says: some have a query. */
const keysAddress = () =>
  setting('an absolute address that begins with https:// or http://, without user', (text) => {
    const url = parseUrl(text)
    return url && WEB.test(url.protocol) && url.username === '' && url.password === '' ? text : undefined
  })

/** The identity provider of the agency's API: all of the three, or none for the development issuer. */
const providerTable = {
  IDENTITY_ISSUER: optional(anyText('the issuer of tokens')),
  IDENTITY_AUDIENCE: optional(anyText('the audience of tokens')),
  IDENTITY_JWKS_URL: optional(keysAddress()),
}

/** Source: decisions.md §7, Configuration. */
export const identityTable = {
  ...providerTable,
  IDENTITY_SIGN_IN_URL: optional(linkBase()),
  IDENTITY_API_KEY: optional(secret(anyText('a web key'))),
  OPEN_REGISTRATION: optional(flag()),
}

type IdentitySettings = Settings<typeof identityTable>
type InPlace<K extends keyof IdentitySettings> = Pick<IdentitySettings, K> & { readonly NODE_ENV: string }

const PROVIDER = Object.keys(providerTable) as readonly (keyof typeof providerTable)[]

/** What is missing of an identity provider that is named in part. Source: decisions.md §10, Edges. */
export const halfIdentityOf = (settings: IdentitySettings): readonly string[] => {
  const more = [settings.IDENTITY_SIGN_IN_URL, settings.IDENTITY_API_KEY]
  const isNamed = [...PROVIDER.map((name) => settings[name]), ...more].some((value) => value !== null)
  return isNamed ? PROVIDER.filter((name) => settings[name] === null) : []
}

/** What the agency's API lacks in production, where it has no issuer of its own. */
export const missingProvider = ({ NODE_ENV, IDENTITY_ISSUER }: InPlace<'IDENTITY_ISSUER'>): readonly string[] =>
  NODE_ENV === 'production' && IDENTITY_ISSUER === null
    ? PROVIDER.map((name) => `${name}: got nothing, and the agency’s API asks for it in production`)
    : []

/** Whether staff may register itself: as it is said, else wherever it is not production. */
export const isRegistrationOpen = ({ NODE_ENV, OPEN_REGISTRATION }: InPlace<'OPEN_REGISTRATION'>): boolean =>
  OPEN_REGISTRATION ?? NODE_ENV !== 'production'
