import {
  anyText,
  type Environment,
  flag,
  headerList,
  hostName,
  hostOrAddress,
  linkBase,
  listOf,
  mailServer,
  oneOf,
  optional,
  origin,
  portNumber,
  readVariables,
  type Settings,
  secret,
  secretBytes,
  secretText,
  secureAddress,
  sender,
  setting,
  timeOfDay,
  withDefault,
  variablesOf,
  wholeNumber,
  withPassword,
} from '../../adapters/node/settings.ts'
import { bankCode, LAST_RUN_DAY, MAX_LINK_CHARGES, MAX_MESSAGES_PER_DAY, DEFAULTS } from '../../adapters/node/setup.ts'
import { isLeft } from '../../core/fp.ts'
import { parseUrl } from '../../core/kernel/values/network.ts'
import { readPixKey } from '../../core/payments/pix/pix-key.ts'
import { LOG_LEVELS } from '../http/telemetry.ts'

/** The start cannot go on: one line that says why, and exit code 1. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

const MAX_RATE_PER_MINUTE = 1_000_000
const HOST_AND_PORT = /^[\w.-]+:\d{1,5}$/
const STORE = /^(memory:|sqlite:.+|mongodb(\+srv)?:\/\/.+)$/

/** The bank of `BANK=pix-api`. */
const pixApiTable = {
  PIX_API_URL: optional(secureAddress()),
  PIX_API_TOKEN_URL: optional(secureAddress()),
  PIX_API_CLIENT_ID: optional(anyText()),
  PIX_API_CLIENT_SECRET: optional(secret(anyText())),
  PIX_API_CERT: optional(anyText('a PEM file')),
  PIX_API_KEY: optional(anyText('a PEM file')),
  PIX_API_CA: optional(anyText('a PEM file')),
  PIX_KEY: optional(setting('a Pix key', (text) => readPixKey(text)?.key)),
}

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

/** Tracing. The SDK itself reads the other variables of OpenTelemetry. */
const tracingTable = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(linkBase()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(linkBase()),
  OTEL_EXPORTER_OTLP_HEADERS: optional(secret(headerList())),
  OTEL_SDK_DISABLED: withDefault(
    setting('true or false', (text) => text.toLowerCase() === 'true'),
    false,
  ),
}

/** Source: decisions.md §7, Configuration. */
const table = {
  NODE_ENV: withDefault(oneOf(['development', 'test', 'production']), 'development'),
  HOST: withDefault(hostOrAddress(), '127.0.0.1'),
  PAYMENTS_PORT: withDefault(portNumber(), 3000),
  REAL_ESTATE_PORT: withDefault(portNumber(), 3001),
  STORE_URL: optional(
    withPassword(setting('memory:, sqlite:PATH or mongodb://…', (text) => (STORE.test(text) ? text : undefined))),
  ),
  DATA_DIR: withDefault(anyText('a directory'), './data'),
  JWT_SECRET: optional(secretText({ minBytes: 32 })),
  DATA_KEY: optional(secretBytes({ bytes: 32 })),
  PUBLIC_URL: optional(linkBase()),
  REAL_ESTATE_PUBLIC_URL: optional(linkBase()),
  SMTP_URL: optional(mailServer()),
  MAIL_FROM: withDefault(sender(), DEFAULTS.mailFrom),
  BANK: withDefault(oneOf(['fake', 'pix-api']), 'fake'),
  ...pixApiTable,
  ...identityTable,
  ...tracingTable,
  WEBHOOKS_ALLOW_PRIVATE: withDefault(flag(), false),
  CORS_ORIGINS: withDefault(listOf(origin()), []),
  RATE_LIMIT_PER_MINUTE: optional(wholeNumber({ min: 1, max: MAX_RATE_PER_MINUTE })),
  TRUST_PROXY: withDefault(flag(), false),
  RESET_URL_HOSTS: withDefault(listOf(hostName()), []),
  ALERTS_AT: withDefault(timeOfDay(), DEFAULTS.alertsAt),
  MESSAGES_PER_DAY: optional(wholeNumber({ min: 1, max: MAX_MESSAGES_PER_DAY })),
  LINK_CHARGES_PER_HOUR: withDefault(wholeNumber({ min: 1, max: MAX_LINK_CHARGES }), DEFAULTS.linkChargesPerHour),
  LINK_CHARGES_PER_DAY: withDefault(wholeNumber({ min: 1, max: MAX_LINK_CHARGES }), DEFAULTS.linkChargesPerDay),
  INDEX_TABLE: optional(anyText('a JSON file')),
  RENT_RUN_DAY: optional(wholeNumber({ min: 1, max: LAST_RUN_DAY })),
  BOLETO_SEARCH_CODE: optional(secret(anyText())),
  INTERNAL_TRANSFER_BANK: withDefault(bankCode(), DEFAULTS.internalTransferBank),
  FIRESTORE_PROJECT: optional(anyText()),
  FIRESTORE_EMULATOR_HOST: optional(setting('HOST:PORT', (text) => (HOST_AND_PORT.test(text) ? text : undefined))),
  STRICT_HINTS: withDefault(flag(), false),
  LOG_LEVEL: withDefault(oneOf(LOG_LEVELS), 'info'),
}

/** The names of the variables that a process reads. */
export const VARIABLES: readonly string[] = variablesOf(table)

/** Whether a store is one that processes on several machines share. */
export const isShared = (storeUrl: string): boolean => storeUrl.startsWith('mongodb')

/** Which of the stores a URL names. */
export const storeKind = (storeUrl: string): 'memory' | 'sqlite' | 'mongodb' => {
  if (isShared(storeUrl)) return 'mongodb'
  return storeUrl === 'memory:' ? 'memory' : 'sqlite'
}

export interface PorticoSettings extends Omit<Settings<typeof table>, 'STORE_URL'> {
  readonly STORE_URL: string
  /** Whether `STORE_URL` is not set: the store is in `DATA_DIR`. */
  readonly isStoreDefault: boolean
}

const withStore = ({ STORE_URL, ...settings }: Settings<typeof table>): PorticoSettings => ({
  ...settings,
  STORE_URL: STORE_URL ?? `sqlite:${settings.DATA_DIR.replace(/\/+$/, '')}/portico.db`,
  isStoreDefault: STORE_URL === null,
})

/**
 * Reads the configuration of a process. Throws `CannotStart` with a line for each wrong variable, or for each that is
 * missing, including those that its apps require.
 */
export const readEnvironment = (
  env: Environment,
  lacks: (settings: PorticoSettings) => readonly string[] = () => [],
): PorticoSettings => {
  const read = readVariables(table, env)
  if (isLeft(read)) throw new CannotStart(read.left.join('\n'))
  const settings = withStore(read.right)
  const missing = [...missingSecrets(settings), ...missingParts(settings), ...lacks(settings)]
  // A variable that two ask for is one line.
  const named = new Map([...missing].reverse().map((line) => [line.split(':', 1)[0], line]))
  const lines = missing.filter((line) => named.get(line.split(':', 1)[0]) === line)
  const clash = samePort(settings)
  if (lines.length > 0 || clash !== null)
    throw new CannotStart([...lines, ...(clash === null ? [] : [clash])].join('\n'))
  return settings
}

const missingSecrets = ({ NODE_ENV, STORE_URL, JWT_SECRET, DATA_KEY }: PorticoSettings): readonly string[] => {
  // Processes on several machines share no DATA_DIR: each would make secrets that the others do not know.
  const asks = NODE_ENV === 'production' ? 'production' : isShared(STORE_URL) ? 'a MongoDB store' : null
  if (asks === null) return []
  const missing = Object.entries({ JWT_SECRET, DATA_KEY }).filter(([, value]) => value === null)
  return missing.map(([name]) => `${name}: got nothing, and ${asks} asks for it`)
}

const missingParts = (settings: PorticoSettings): readonly string[] => [
  ...halfIdentityOf(settings).map((name) => `${name}: got nothing, and the other IDENTITY_* ask for it`),
  ...unsaidOf(settings).map((name) => `${name}: got nothing, and BANK=pix-api asks for it`),
]

/** Two apps cannot listen on one port; 0 is a free one for each. */
const samePort = ({ PAYMENTS_PORT, REAL_ESTATE_PORT }: PorticoSettings): string | null =>
  PAYMENTS_PORT === REAL_ESTATE_PORT && PAYMENTS_PORT !== 0
    ? `PAYMENTS_PORT, REAL_ESTATE_PORT: got ${PAYMENTS_PORT} for both, accepts two ports`
    : null

/** What a bank asks for and is not said; who vouches for its server need not be. */
const unsaidOf = (settings: PorticoSettings): readonly string[] => {
  const { PIX_API_CA: _, ...asked } = pixApiTable
  const names = Object.keys(asked) as (keyof typeof asked)[]
  return settings.BANK === 'pix-api' ? names.filter((name) => settings[name] === null) : []
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

/** From this length on a name may be two slips away from what was meant. */
const LONG_NAME = 9
/** First words of variables that other programs and libraries read, too. */
const SHARED: readonly string[] = ['NODE', 'OTEL']

/**
 * A line for each variable that is not known and looks like one that is: most likely a slip, which would otherwise go by
 * unseen. Never what it holds.
 */
export const unknownVariables = (env: Environment, known: readonly string[]): readonly string[] =>
  Object.keys(env)
    .filter((name) => env[name]?.trim() && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant === null ? [] : [`${name} is not known: ${meant}?`]
    })

const nearest = (name: string, known: readonly string[]): string | null => {
  const asked = name.toUpperCase()
  const near = known
    .map((each) => ({ each, distance: distanceOf(asked, each) }))
    .filter(({ each, distance }) => isSlip(each, distance) || isKin(asked.split('_'), each.split('_')))
  return near.sort((a, b) => a.distance - b.distance)[0]?.each ?? null
}

/** A short name is a word that others use, too: PORT is no slip of HOST. */
const isSlip = (known: string, distance: number): boolean =>
  known.includes('_') && distance <= (known.length < LONG_NAME ? 1 : 2)

/** SMTP_HOST beside SMTP_URL, PUBLIC_URL_FILE beside PUBLIC_URL; what goes further (PAYMENTS_PORT_80_TCP) is another's. */
const isKin = (asked: readonly string[], known: readonly string[]): boolean => {
  if (known.length < 2 || SHARED.includes(known[0] ?? '')) return false
  const shared = asked.length > known.length ? known.length : known.length - 1
  return asked.length - shared === 1 && known.slice(0, shared).every((word, index) => word === asked[index])
}

/** How many letters are to be added, left out, changed or swapped with the next one: optimal string alignment. */
const distanceOf = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const steps = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1)]
      if (isSwapped) steps.push(at(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...steps))
    }
  }
  return at(from.length, to.length)
}
