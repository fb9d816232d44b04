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
  variablesOf,
  wholeNumber,
  withDefault,
  withPassword,
} from '../../adapters/node/settings.ts'
import {
  bankCode,
  DEFAULTS,
  LAST_RUN_DAY,
  MAX_LINK_CHARGES,
  MAX_MESSAGES_PER_DAY,
  retentionTerm,
} from '../../adapters/node/setup.ts'
import { isLeft } from '../../core/failure.ts'
import { parseUrl } from '../../core/kernel/values/text.ts'
import { readPixKey } from '../../core/payments/pix/pix-key.ts'
import type { RetentionDays } from '../../core/payments/retention.ts'
import { LOG_LEVELS } from '../http/telemetry.ts'

/** The process cannot start: the message is its last line, and its exit code is 1. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

const MAX_RATE_PER_MINUTE = 1_000_000
const HOST_AND_PORT = /^[\w.-]+:\d{1,5}$/
const STORE = /^(memory:|sqlite:.+|mongodb(\+srv)?:\/\/.+)$/

/** The settings of `BANK=pix-api`. */
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

/** The address of a provider's keys, unchanged: some have a query. */
const keysAddress = () =>
  setting('an absolute address that begins with https:// or http://, without user', (text) => {
    const url = parseUrl(text)
    return url && WEB.test(url.protocol) && url.username === '' && url.password === '' ? text : undefined
  })

/** The identity provider of the agency's API: all three are set, or none for the development issuer. */
const providerTable = {
  IDENTITY_ISSUER: optional(anyText('the issuer of tokens')),
  IDENTITY_AUDIENCE: optional(anyText('the audience of tokens')),
  IDENTITY_JWKS_URL: optional(keysAddress()),
}

const identityTable = {
  ...providerTable,
  IDENTITY_SIGN_IN_URL: optional(linkBase()),
  IDENTITY_API_KEY: optional(secret(anyText('a web key'))),
  OPEN_REGISTRATION: optional(flag()),
}

/** The settings of tracing. The SDK itself reads the other variables of OpenTelemetry. */
const tracingTable = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(linkBase()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(linkBase()),
  OTEL_EXPORTER_OTLP_HEADERS: optional(secret(headerList())),
  OTEL_SDK_DISABLED: withDefault(
    // OpenTelemetry reads it in any case.
    setting('true or false', (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined)),
    false,
  ),
}

/** The variables of the kinds of records whose term is a setting. */
const retentionTable = {
  RETENTION_DAYS_SESSIONS: retentionTerm('sessions'),
  RETENTION_DAYS_EXPORTS: retentionTerm('exports'),
  RETENTION_DAYS_EVENTS: retentionTerm('events'),
  RETENTION_DAYS_NOTIFICATIONS: retentionTerm('notifications'),
  RETENTION_DAYS_API_KEYS: retentionTerm('apiKeys'),
  RETENTION_DAYS_REJECTED_REGISTRATIONS: retentionTerm('rejectedRegistrations'),
  RETENTION_DAYS_ACCESS_RECORDS: retentionTerm('accessRecords'),
}

/** Returns the terms for the ports of payments. */
export const retentionDaysOf = (settings: Settings<typeof retentionTable>): RetentionDays => ({
  sessions: settings.RETENTION_DAYS_SESSIONS,
  exports: settings.RETENTION_DAYS_EXPORTS,
  events: settings.RETENTION_DAYS_EVENTS,
  notifications: settings.RETENTION_DAYS_NOTIFICATIONS,
  apiKeys: settings.RETENTION_DAYS_API_KEYS,
  rejectedRegistrations: settings.RETENTION_DAYS_REJECTED_REGISTRATIONS,
  accessRecords: settings.RETENTION_DAYS_ACCESS_RECORDS,
})

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
  PASSKEYS: withDefault(flag(), false),
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
  ...retentionTable,
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

/** Reports whether processes on several machines can share the store. */
export const isShared = (storeUrl: string): boolean => storeUrl.startsWith('mongodb')

export const storeKind = (storeUrl: string): 'memory' | 'sqlite' | 'mongodb' => {
  if (isShared(storeUrl)) return 'mongodb'
  return storeUrl === 'memory:' ? 'memory' : 'sqlite'
}

export interface PorticoSettings extends Omit<Settings<typeof table>, 'STORE_URL'> {
  readonly STORE_URL: string
  /** True if `STORE_URL` is not set and the store is in `DATA_DIR`. */
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
  missingSettings: (settings: PorticoSettings) => readonly string[] = () => [],
): PorticoSettings => {
  const read = readVariables(table, env)
  if (isLeft(read)) throw new CannotStart(read.left.join('\n'))
  const settings = withStore(read.right)
  const missing = [...missingSecrets(settings), ...missingParts(settings), ...missingSettings(settings)]
  // One line for each variable, even if several parts require it.
  const firstLines = new Map([...missing].reverse().map((line) => [line.split(':', 1)[0], line]))
  const lines = missing.filter((line) => firstLines.get(line.split(':', 1)[0]) === line)
  const faults = [...lines, ...samePort(settings)]
  if (faults.length > 0) throw new CannotStart(faults.join('\n'))
  return settings
}

const missingSecrets = ({ NODE_ENV, STORE_URL, JWT_SECRET, DATA_KEY }: PorticoSettings): readonly string[] => {
  // Processes on several machines share no DATA_DIR: each would generate its own secrets.
  const requiredBy = NODE_ENV === 'production' ? 'production' : isShared(STORE_URL) ? 'a MongoDB store' : null
  if (requiredBy === null) return []
  const missing = Object.entries({ JWT_SECRET, DATA_KEY }).filter(([, value]) => value === null)
  return missing.map(([name]) => missingLine(name, `${requiredBy} requires it`))
}

const missingLine = (name: string, why: string): string => `${name}: got nothing, but ${why}`

const missingParts = (settings: PorticoSettings): readonly string[] => [
  ...missingIdentity(settings).map((name) => missingLine(name, 'the other IDENTITY_* require it')),
  ...missingPixApi(settings).map((name) => missingLine(name, 'BANK=pix-api requires it')),
]

/** Two apps cannot listen on one port, except on 0, which takes a free one for each. */
const samePort = ({ PAYMENTS_PORT, REAL_ESTATE_PORT }: PorticoSettings): readonly string[] =>
  PAYMENTS_PORT === REAL_ESTATE_PORT && PAYMENTS_PORT !== 0
    ? [`PAYMENTS_PORT, REAL_ESTATE_PORT: got ${PAYMENTS_PORT} for both, accepts two ports`]
    : []

/** Returns the missing settings of the bank; its CA is optional. */
const missingPixApi = (settings: PorticoSettings): readonly string[] => {
  const { PIX_API_CA: _, ...required } = pixApiTable
  const names = Object.keys(required) as (keyof typeof required)[]
  return settings.BANK === 'pix-api' ? names.filter((name) => settings[name] === null) : []
}

type InNodeEnv<K extends keyof PorticoSettings> = Pick<PorticoSettings, K> & { readonly NODE_ENV: string }

const PROVIDER = Object.keys(providerTable) as readonly (keyof typeof providerTable)[]

/** Returns the missing settings of an identity provider of which one is set. */
const missingIdentity = (settings: PorticoSettings): readonly string[] => {
  const more = [settings.IDENTITY_SIGN_IN_URL, settings.IDENTITY_API_KEY]
  const isNamed = [...PROVIDER.map((name) => settings[name]), ...more].some((value) => value !== null)
  return isNamed ? PROVIDER.filter((name) => settings[name] === null) : []
}

/** Returns a line for each missing setting of the provider in production, where there is no development issuer. */
export const missingProvider = ({ NODE_ENV, IDENTITY_ISSUER }: InNodeEnv<'IDENTITY_ISSUER'>): readonly string[] =>
  NODE_ENV === 'production' && IDENTITY_ISSUER === null
    ? PROVIDER.map((name) => missingLine(name, 'the agency’s API requires it in production'))
    : []

/** Reports whether staff may register itself: as set; by default except in production. */
export const isRegistrationOpen = ({ NODE_ENV, OPEN_REGISTRATION }: InNodeEnv<'OPEN_REGISTRATION'>): boolean =>
  OPEN_REGISTRATION ?? NODE_ENV !== 'production'

/** Names of this length or more may have two typos. */
const LONG_NAME = 9
const MOST_TYPOS = 2
/** First words of variables that other programs and libraries read too. */
const SHARED: readonly string[] = ['NODE', 'OTEL']

/** Returns a line for each unknown variable that resembles a known one, without its value: most likely a typo. */
export const unknownVariables = (env: Environment, known: readonly string[]): readonly string[] =>
  Object.keys(env)
    .filter((name) => env[name]?.trim() && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant === null ? [] : [`${name} is not a variable of Portico: did you mean ${meant}?`]
    })

const nearest = (name: string, known: readonly string[]): string | null => {
  const upperCase = name.toUpperCase()
  const near = known
    .map((each) => ({ each, distance: nearDistance(upperCase, each) }))
    .filter(({ each, distance }) => isTypo(each, distance) || isVariant(upperCase.split('_'), each.split('_')))
  return near.sort((a, b) => a.distance - b.distance)[0]?.each ?? null
}

/** Names of one word never count: PORT is no typo of HOST. */
const isTypo = (known: string, distance: number): boolean =>
  known.includes('_') && distance <= (known.length < LONG_NAME ? 1 : MOST_TYPOS)

/**
 * Reports whether only the last word differs or one is appended: SMTP_HOST of SMTP_URL, PUBLIC_URL_FILE of PUBLIC_URL.
 */
const isVariant = (words: readonly string[], known: readonly string[]): boolean => {
  if (known.length < 2 || SHARED.includes(known[0] ?? '')) return false
  const shared = words.length > known.length ? known.length : known.length - 1
  return words.length - shared === 1 && known.slice(0, shared).every((word, index) => word === words[index])
}

/**
 * Returns the distance of two names; of names that differ too much in length to be typos, the difference, which costs
 * nothing.
 */
const nearDistance = (from: string, to: string): number => {
  const longer = Math.abs(from.length - to.length)
  return longer > MOST_TYPOS ? longer : distanceOf(from, to)
}

/** Counts insertions, deletions, changes and swaps of neighbours between two texts: optimal string alignment. */
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
