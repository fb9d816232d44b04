import { join } from 'node:path'
import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { pixApiCollections } from '../../adapters/bank/pix-api/mod.ts'
import { chargingCollections, chargingQueue } from '../../adapters/charging/charged-orders.ts'
import { embeddedCharging } from '../../adapters/charging/embedded-charging.ts'
import { aesCipher } from '../../adapters/crypto/cipher.ts'
import { scryptHasher } from '../../adapters/crypto/hasher.ts'
import { pdfContractRenderer } from '../../adapters/documents/pdf-contract-renderer.ts'
import { pdfOwnerStatementRenderer } from '../../adapters/documents/pdf-owner-statement-renderer.ts'
import { devIssuerCollections, devIssuerPart, devKeys } from '../../adapters/identity/dev-accounts.ts'
import { devIssuer } from '../../adapters/identity/dev-issuer.ts'
import { jwksIdentity } from '../../adapters/identity/jwks-identity.ts'
import { indexFile } from '../../adapters/indexes/index-file.ts'
import { indexTable } from '../../adapters/indexes/index-table.ts'
import { etaEmailRenderer } from '../../adapters/messaging/eta-email-renderer.ts'
import { outboxMailer } from '../../adapters/messaging/outbox.ts'
import { smtpMailer } from '../../adapters/messaging/smtp.ts'
import { sheetReader } from '../../adapters/sheets/sheet-reader.ts'
import { appMetrics, measuredStore } from '../../adapters/telemetry/metrics.ts'
import { opensSealed, payments, paymentsCollections } from '../../core/payments/payments.ts'
import type { Charging } from '../../core/ports/charging.ts'
import type { Hasher, Identity } from '../../core/ports/identity.ts'
import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import type { Log } from '../../core/ports/runtime.ts'
import {
  type RealEstate,
  realEstateCollections,
  realEstate as realEstateCore,
} from '../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../core/real-estate/real-estate-ports.ts'
import { openBank } from '../bank/open-bank.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import { startBusiness } from '../host/business-api.ts'
import { CannotStart, isRegistrationOpen, missingProvider, type PorticoSettings } from '../host/environment.ts'
import type { Host, Running, Startable } from '../host/host.ts'
import { serverPart } from '../http/rates.ts'
import { urlAt } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
import { devIssuerRows } from './dev-issuer.ts'
import { DEV_SIGN_IN, type SignIn } from './panel.ts'
import { type MountedRealEstate, type RealEstateApiOptions, realEstateApi } from './real-estate-api.ts'

/** The real-estate API, composed but not listening. */
interface RealEstateApp {
  readonly ports: RealEstatePorts
  readonly api: MountedRealEstate
  /** Closes its ports. */
  close(): Promise<void>
}

/** Starts the real-estate API and its worker. Rejects with `CannotListen`. */
const startRealEstate = async (host: Host): Promise<Running> => {
  const { HOST, REAL_ESTATE_PORT } = host.settings
  const mirror = await openMirror(host.settings)
  const { api, close } = await buildRealEstate(host, mirror ? { mirror } : {})
  const names = { host: 'HOST', port: 'REAL_ESTATE_PORT' }
  return startBusiness(api, { host: HOST, port: REAL_ESTATE_PORT, names }, async () => {
    await close()
    await mirror?.close()
  })
}

/** The real-estate API as an app of a process. */
export const realEstate: Startable = {
  name: 'real-estate',
  collections: [
    ...[...realEstateCollections, ...devIssuerCollections, ...serverPart.collections],
    // The payments core charges the payers, on the same store.
    ...[...paymentsCollections, ...fakeBankCollections, ...pixApiCollections, ...chargingCollections],
  ],
  opensSealed,
  missingSettings: missingProvider,
  start: startRealEstate,
}

const OPEN_REGISTRATION_WARNING =
  'OPEN_REGISTRATION: registration is open, so any caller with a token may join an existing company, as staff too'

/**
 * Composes the real-estate API from the settings and the shared resources of its process. Tests replace ports, and the
 * password hasher of the development issuer.
 */
export const buildRealEstate = async (
  host: Host,
  { hasher, ...replacements }: Partial<RealEstatePorts> & { readonly hasher?: Hasher } = {},
): Promise<RealEstateApp> => {
  const { settings, secrets, ids, clock, random, digest } = host
  const metrics = appMetrics('real-estate')
  const tracer = host.tracing?.tracer('real-estate')
  const log = pinoLog('real-estate', settings.LOG_LEVEL, undefined, tracer)
  const { REAL_ESTATE_PUBLIC_URL, PUBLIC_URL, HOST, REAL_ESTATE_PORT } = settings
  const publicUrl = REAL_ESTATE_PUBLIC_URL ?? PUBLIC_URL ?? urlAt(HOST, REAL_ESTATE_PORT)
  const openRegistration = isRegistrationOpen(settings)
  if (openRegistration) log.warn(OPEN_REGISTRATION_WARNING)
  const { identity, issuerOptions } = openIdentity(host, log.warn, hasher)
  const { charging, close } = await openCharging(host, log)
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  const smtp = url === null ? null : smtpMailer({ url, from })
  const core = realEstateCore({
    store: measuredStore(host.store, metrics.commit),
    ids,
    clock,
    random,
    digest,
    cipher: aesCipher(secrets.dataKey),
    log,
    ownerStatementRenderer: pdfOwnerStatementRenderer(),
    identity,
    charging,
    mail: {
      mailer: smtp ?? outboxMailer({ directory: join(settings.DATA_DIR, 'outbox'), from }),
      emailRenderer: etaEmailRenderer,
    },
    indexes: openIndexes(settings, log),
    sheetReader,
    contractRenderer: pdfContractRenderer,
    ...(tracer && { tracer }),
    settings: { alertsAt: settings.ALERTS_AT, rentRunDay: settings.RENT_RUN_DAY, openRegistration, publicUrl },
    ...replacements,
  })
  const identityOptions = issuerOptions(core)
  const api = realEstateApi(core, {
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    ignoredFields: settings.STRICT_HINTS || settings.NODE_ENV !== 'production',
    metrics,
    ...identityOptions,
    parts: [...(identityOptions.parts ?? []), { queues: (ports) => [chargingQueue(ports, core.charging)] }],
    // A store that accepts no commits makes the app unhealthy, too.
    health: host.store.health,
    ended(queue, _id, ending) {
      metrics.work(queue, ending)
    },
  })
  metrics.watchQueues(api.worker.backlogs)
  return {
    ports: core.ports,
    api,
    async close() {
      smtp?.close()
      await close()
    },
  }
}

/** Returns the price indexes of `INDEX_TABLE`; Portico ships none. Throws `CannotStart` for a malformed file. */
const openIndexes = ({ INDEX_TABLE: path }: PorticoSettings, log: Pick<Log, 'warn'>): PriceIndexes => {
  if (path === null) return indexTable([])
  try {
    return indexFile(path, (line) => log.warn(line))
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new CannotStart(`INDEX_TABLE: got ${JSON.stringify(path)}, accepts a JSON file of indexes: ${reason}`)
  }
}

interface OpenedIdentity {
  readonly identity: Identity
  /** Returns the options of the API: the sign-in of the panel, and the routes and work of the development issuer. */
  issuerOptions(core: RealEstate): Pick<RealEstateApiOptions, 'more' | 'parts' | 'signIn'>
}

const DEV_ISSUER_WARNING =
  'IDENTITY_ISSUER: got nothing, so the development issuer runs, which accepts any e-mail as confirmed'

/**
 * Returns the configured identity provider, or else the development issuer. Throws `CannotStart` in production, where
 * the development issuer is refused, if no provider is configured.
 */
const openIdentity = (
  { settings, secrets }: Pick<Host, 'settings' | 'secrets'>,
  warn: (line: string) => void,
  hasher: Hasher = scryptHasher(),
): OpenedIdentity => {
  const { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: url } = settings
  if (issuer !== null && audience !== null && url !== null) {
    const report = (line: string) => warn(`IDENTITY_JWKS_URL: ${line}`)
    const identity = jwksIdentity({ issuer, audience, url, report })
    return { identity, issuerOptions: () => ({ signIn: signInOf(settings) }) }
  }
  const missing = missingProvider(settings)
  if (missing.length > 0) throw new CannotStart(missing.join('\n'))
  warn(DEV_ISSUER_WARNING)
  const keys = devKeys(secrets.dataKey)
  return {
    identity: keys.identity,
    issuerOptions: ({ ports }) => ({
      more: devIssuerRows(devIssuer({ ...ports, hasher, keys }), keys.jwks),
      parts: [devIssuerPart],
      signIn: DEV_SIGN_IN,
    }),
  }
}

/** Returns the panel's sign-in at the configured provider, or null if its settings are missing. */
const signInOf = ({ IDENTITY_SIGN_IN_URL: url, IDENTITY_API_KEY: apiKey }: PorticoSettings): SignIn | null =>
  url === null || apiKey === null ? null : { url, apiKey }

/**
 * Opens the payments core on the store of this process. Its accounts are those of the payments app, whose worker does
 * the background work, in this process or in another. Throws `CannotStart` if the configured bank cannot be reached.
 */
export const openCharging = async (
  host: Host,
  log: Log,
): Promise<{ readonly charging: Charging; close(): Promise<void> }> => {
  const publicUrl = publicUrlOf(host.settings)
  // The payments app already warns about its bank.
  const bank = openBank(host, publicUrl, () => {})
  const ports = await portsOf(host, publicUrl, log, bank)
  return {
    charging: embeddedCharging(payments(ports)),
    async close() {
      await ports.close()
      await bank.close()
    },
  }
}

/**
 * Opens the configured mirror, if any. Throws `CannotStart` if its library, an optional dependency, is not installed.
 */
const openMirror = async ({ FIRESTORE_PROJECT: projectId, FIRESTORE_EMULATOR_HOST: emulatorHost }: PorticoSettings) => {
  if (projectId === null) return null
  try {
    const { firestoreMirror } = await import('../../adapters/mirror/mod.ts')
    return firestoreMirror({ projectId, emulatorHost })
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    throw new CannotStart('FIRESTORE_PROJECT: its library is not installed: npm install @google-cloud/firestore')
  }
}
