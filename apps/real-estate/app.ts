import { join } from 'node:path'
import { chargingQueue } from '../../adapters/charging/charging-parts.ts'
import { aesCipher } from '../../adapters/crypto/cipher.ts'
import { pdfContractRenderer } from '../../adapters/documents/pdf-contract-renderer.ts'
import { pdfOwnerStatementRenderer } from '../../adapters/documents/pdf-owner-statement-renderer.ts'
import { indexFile } from '../../adapters/indexes/index-file.ts'
import { indexTable } from '../../adapters/indexes/index-table.ts'
import { etaEmailRenderer } from '../../adapters/messaging/eta-email-renderer.ts'
import { outboxMailer } from '../../adapters/messaging/outbox.ts'
import { smtpMailer } from '../../adapters/messaging/smtp.ts'
import { sheetReader } from '../../adapters/sheets/sheet-reader.ts'
import { appMetrics } from '../../adapters/telemetry/app-metrics.ts'
import { measuredStore } from '../../adapters/telemetry/measured-store.ts'
import type { Hasher } from '../../core/ports/identity.ts'
import type { PriceIndexes } from '../../core/ports/price-indexes.ts'
import type { Log } from '../../core/ports/runtime.ts'
import { realEstate } from '../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../core/real-estate/real-estate-ports.ts'
import { CannotStart, isRegistrationOpen, type PorticoSettings } from '../host/environment.ts'
import type { Host, Running } from '../host/host.ts'
import { serve, urlAt } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
import { openIdentity } from './identity/open-identity.ts'
import { openCharging } from './open-charging.ts'
import { openMirror } from './open-mirror.ts'
import { type MountedRealEstate, realEstateApi } from './real-estate-api.ts'

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
  const core = realEstate({
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
