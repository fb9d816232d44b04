import { LAST_RUN_DAY } from '../../adapters/node/estate-setup.ts'
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
  usually,
  variablesOf,
  wholeNumber,
  withPassword,
} from '../../adapters/node/settings.ts'
import { bankCode, MAX_LINK_CHARGES, MAX_MESSAGES_PER_DAY, USUAL } from '../../adapters/node/setup.ts'
import { isLeft } from '../../core/fp.ts'
import { readPixKey } from '../../core/payments/pix/pix-key.ts'
import { LOG_LEVELS } from '../http/telemetry.ts'
import { halfIdentityOf, identityTable } from './identity-settings.ts'

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

/** Tracing. The SDK itself reads the other variables of OpenTelemetry. */
const tracingTable = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(linkBase()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(linkBase()),
  OTEL_EXPORTER_OTLP_HEADERS: optional(secret(headerList())),
  OTEL_SDK_DISABLED: usually(
    setting('true or false', (text) => text.toLowerCase() === 'true'),
    false,
  ),
}

/** Source: decisions.md §7, Configuration. */
const table = {
  NODE_ENV: usually(oneOf(['development', 'test', 'production']), 'development'),
  HOST: usually(hostOrAddress(), '127.0.0.1'),
  PAYMENTS_PORT: usually(portNumber(), 3000),
  REAL_ESTATE_PORT: usually(portNumber(), 3001),
  STORE_URL: optional(
    withPassword(setting('memory:, sqlite:PATH or mongodb://…', (text) => (STORE.test(text) ? text : undefined))),
  ),
  DATA_DIR: usually(anyText('a directory'), './data'),
  JWT_SECRET: optional(secretText({ minBytes: 32 })),
  DATA_KEY: optional(secretBytes({ bytes: 32 })),
  PUBLIC_URL: optional(linkBase()),
  REAL_ESTATE_PUBLIC_URL: optional(linkBase()),
  SMTP_URL: optional(mailServer()),
  MAIL_FROM: usually(sender(), USUAL.mailFrom),
  BANK: usually(oneOf(['fake', 'pix-api']), 'fake'),
  ...pixApiTable,
  ...identityTable,
  ...tracingTable,
  WEBHOOKS_ALLOW_PRIVATE: usually(flag(), false),
  CORS_ORIGINS: usually(listOf(origin()), []),
  RATE_LIMIT_PER_MINUTE: optional(wholeNumber({ min: 1, max: MAX_RATE_PER_MINUTE })),
  TRUST_PROXY: usually(flag(), false),
  RESET_URL_HOSTS: usually(listOf(hostName()), []),
  ALERTS_AT: usually(timeOfDay(), USUAL.alertsAt),
  MESSAGES_PER_DAY: optional(wholeNumber({ min: 1, max: MAX_MESSAGES_PER_DAY })),
  LINK_CHARGES_PER_HOUR: usually(wholeNumber({ min: 1, max: MAX_LINK_CHARGES }), USUAL.linkChargesPerHour),
  LINK_CHARGES_PER_DAY: usually(wholeNumber({ min: 1, max: MAX_LINK_CHARGES }), USUAL.linkChargesPerDay),
  INDEX_TABLE: optional(anyText('a JSON file')),
  RENT_RUN_DAY: optional(wholeNumber({ min: 1, max: LAST_RUN_DAY })),
  BOLETO_SEARCH_CODE: optional(secret(anyText())),
  INTERNAL_TRANSFER_BANK: usually(bankCode(), USUAL.internalTransferBank),
  FIRESTORE_PROJECT: optional(anyText()),
  FIRESTORE_EMULATOR_HOST: optional(setting('HOST:PORT', (text) => (HOST_AND_PORT.test(text) ? text : undefined))),
  STRICT_HINTS: usually(flag(), false),
  LOG_LEVEL: usually(oneOf(LOG_LEVELS), 'info'),
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
