import { join } from 'node:path'
import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { pixApiCollections } from '../../adapters/bank/pix-api/mod.ts'
import { chargingCollections, chargingQueue } from '../../adapters/charging/charging-parts.ts'
import { embeddedCharging } from '../../adapters/charging/embedded-charging.ts'
import { aesCipher } from '../../adapters/crypto/cipher.ts'
import { scryptHasher } from '../../adapters/crypto/hasher.ts'
import { pdfContractRenderer } from '../../adapters/documents/pdf-contract-renderer.ts'
import { pdfOwnerStatementRenderer } from '../../adapters/documents/pdf-owner-statement-renderer.ts'
import { devIssuerCollections, devIssuerPart } from '../../adapters/identity/dev-issuer/dev-accounts.ts'
import { devIssuer } from '../../adapters/identity/dev-issuer/dev-issuer.ts'
import { devKeys } from '../../adapters/identity/dev-issuer/dev-keys.ts'
import { jwksIdentity } from '../../adapters/identity/jwks-identity.ts'
import { indexFile } from '../../adapters/indexes/index-file.ts'
import { indexTable } from '../../adapters/indexes/index-table.ts'
import { etaEmailRenderer } from '../../adapters/messaging/eta-email-renderer.ts'
import { outboxMailer } from '../../adapters/messaging/outbox.ts'
import { smtpMailer } from '../../adapters/messaging/smtp.ts'
import type { OpenMirror } from '../../adapters/mirror/mod.ts'
import { sheetReader } from '../../adapters/sheets/sheet-reader.ts'
import { appMetrics } from '../../adapters/telemetry/app-metrics.ts'
import { measuredStore } from '../../adapters/telemetry/measured-store.ts'
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
import { CannotStart, isRegistrationOpen, missingProvider, type PorticoSettings } from '../host/environment.ts'
import type { Host, Running, Startable } from '../host/host.ts'
import { serverPart } from '../http/rates.ts'
import { serve, urlAt } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
import { devIssuerRows } from './dev-issuer.ts'
import { DEV_SIGN_IN, type SignIn } from './panel/panel.ts'
import { type MountedRealEstate, type RealEstateApiOptions, realEstateApi } from './real-estate-api.ts'

/** The real-estate API, put together and not yet listening. */
export interface RealEstateApp {
  readonly ports: RealEstatePorts
  readonly api: MountedRealEstate
  /** Lets go of its ports. */
  close(): Promise<void>
}

/** What tests put behind its ports, and what hashes the passwords of the development issuer. */
type Instead = Partial<RealEstatePorts> & { readonly hasher?: Hasher }

/** Puts the real-estate API together on what its process shares; tests put other things behind its ports. */
export const buildRealEstate = async (host: Host, { hasher, ...instead }: Instead = {}): Promise<RealEstateApp> => {
  const { settings, secrets, ids, clock, random, digest } = host
  const metrics = appMetrics('real-estate')
  const tracer = host.tracing?.tracer('real-estate')
  const log = pinoLog('real-estate', settings.LOG_LEVEL, undefined, tracer)
  const { REAL_ESTATE_PUBLIC_URL, PUBLIC_URL, HOST, REAL_ESTATE_PORT } = settings
  const publicUrl = REAL_ESTATE_PUBLIC_URL ?? PUBLIC_URL ?? urlAt(HOST, REAL_ESTATE_PORT)
  const openRegistration = isRegistrationOpen(settings)
  if (openRegistration) log.warn(OPEN)
  const opened = openIdentity(host, log.warn, hasher)
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
    identity: opened.identity,
    charging,
    mail: {
      mailer: smtp ?? outboxMailer({ directory: join(settings.DATA_DIR, 'outbox'), from }),
      emailRenderer: etaEmailRenderer,
    },
    indexes: indexesOf(settings, log),
    sheetReader,
    contractRenderer: pdfContractRenderer,
    ...(tracer && { tracer }),
    settings: { alertsAt: settings.ALERTS_AT, rentRunDay: settings.RENT_RUN_DAY, openRegistration, publicUrl },
    ...instead,
  })
  const served = opened.serves(core)
  const api = realEstateApi(core, {
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    ignoredFields: settings.STRICT_HINTS || settings.NODE_ENV !== 'production',
    metrics,
    ...served,
    parts: [...(served.parts ?? []), { queues: (ports) => [chargingQueue(ports, core.charging)] }],
    // A store that takes no commits makes the app unhealthy, too.
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

const OPEN =
  'OPEN_REGISTRATION: registration is open, so any caller with a token may join an existing company, as staff too'

/** The figures that contracts are adjusted by: none ship. Throws `CannotStart` for what is no table of them. */
const indexesOf = ({ INDEX_TABLE: path }: PorticoSettings, log: Pick<Log, 'warn'>): PriceIndexes => {
  if (path === null) return indexTable([])
  try {
    return indexFile(path, (line) => log.warn(line))
  } catch (error) {
    const why = error instanceof Error ? error.message : `${error}`
    throw new CannotStart(`INDEX_TABLE: got ${JSON.stringify(path)}, accepts a JSON file of indexes: ${why}`)
  }
}

/** Starts the real-estate API and its worker. Rejects with `CannotListen`. */
export const startRealEstate = async (host: Host): Promise<Running> => {
  const { HOST, REAL_ESTATE_PORT } = host.settings
  const mirror = await openMirror(host.settings)
  const { api, close } = await buildRealEstate(host, mirror ? { mirror } : {})
  await api.worker.prepare()
  const serving = await serve(api, {
    host: HOST,
    port: REAL_ESTATE_PORT,
    names: { host: 'HOST', port: 'REAL_ESTATE_PORT' },
  })
  const working = api.worker.run()
  return {
    url: serving.url,
    async stop() {
      await api.close(serving.stop())
      await api.worker.stop()
      await working
      await close()
      await mirror?.close()
    },
  }
}

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

/** Who issues an agency's charges. */
export interface OpenCharging {
  readonly charging: Charging
  close(): Promise<void>
}

/** The payments app says what is to be known of its bank. */
const silent = (): void => {}

/**
 * The payments core on the store of this process: its accounts are those of the payments app, whose worker does what is to be done
 * in the background, wherever it runs. Throws `CannotStart` where its bank cannot be reached as the settings say.
 */
export const openCharging = async (host: Host, log: Log): Promise<OpenCharging> => {
  const publicUrl = publicUrlOf(host.settings)
  const bank = openBank(host, publicUrl, silent)
  const ports = await portsOf(host, publicUrl, log, bank)
  return {
    charging: embeddedCharging(payments(ports)),
    async close() {
      await ports.close()
      await bank.close()
    },
  }
}

type Wanted = Pick<PorticoSettings, 'FIRESTORE_PROJECT' | 'FIRESTORE_EMULATOR_HOST'>

/** The mirror that the settings name, or null. Throws `CannotStart` where its library was not installed. */
export const openMirror = async ({
  FIRESTORE_PROJECT: projectId,
  FIRESTORE_EMULATOR_HOST: emulatorHost,
}: Wanted): Promise<OpenMirror | null> => {
  if (projectId === null) return null
  const { firestoreMirror } = await firestore()
  return firestoreMirror({ projectId, emulatorHost })
}

/** Its library is there only where it was installed. */
const firestore = async () => {
  try {
    return await import('../../adapters/mirror/mod.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    throw new CannotStart('FIRESTORE_PROJECT: its library is not installed: npm install @google-cloud/firestore')
  }
}

/** The real-estate API, as a process runs it. */
export const realEstate: Startable = {
  name: 'real-estate',
  collections: [
    ...[...realEstateCollections, ...devIssuerCollections, ...serverPart.collections],
    // Its payers are charged by the payments core, on the same store.
    ...[...paymentsCollections, ...fakeBankCollections, ...pixApiCollections, ...chargingCollections],
  ],
  opensSealed,
  lacks: missingProvider,
  start: startRealEstate,
}
