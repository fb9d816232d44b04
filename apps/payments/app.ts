import { fakeBankConsole } from '../../adapters/bank/fake/console.ts'
import { fakeBankPart } from '../../adapters/bank/fake/fake-bank-queue.ts'
import { measuredStore } from '../../adapters/metrics/measured-store.ts'
import { type PaymentsWorker, payments } from '../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import type { Host, Running } from '../host/host.ts'
import { VERSION } from '../host/version.ts'
import { type Mounted, mount } from '../http/mount.ts'
import { serve } from '../http/serve.ts'
import { serverPart } from '../http/server-part.ts'
import { pinoLog } from '../http/telemetry/log.ts'
import { authSchemesOf } from './auth-schemes.ts'
import { fakeBankRows } from './bank/fake-bank.ts'
import { countsOf } from './counts.ts'
import { dialects } from './dialects.ts'
import { documentation } from './documentation.ts'
import { introductionOf } from './introduction.ts'
import { messages } from './messages/catalogue.ts'
import { portsOf } from './ports.ts'
import { rows } from './rows.ts'

const NO_MONEY = 'BANK=fake in production: no real money moves'
/** How long the worker may take for what it has in hand once it is told to stop. */
const LAST_CALLS_MS = 2_000

/** The payments API, put together and not yet listening. */
export interface PaymentsApp {
  /** Their commits nudge the worker. */
  readonly ports: PaymentsPorts
  readonly worker: PaymentsWorker
  readonly mounted: Mounted
  close(): Promise<void>
}

/** Puts the payments API together on what its process shares; tests put other things behind its ports. */
export const buildPayments = async (host: Host, instead: Partial<PaymentsPorts> = {}): Promise<PaymentsApp> => {
  const { settings, clock, random, digest } = host
  const counts = countsOf()
  const store = measuredStore(host.store, counts.measure)
  const log = pinoLog('payments', settings.LOG_LEVEL)
  const publicUrl = settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PAYMENTS_PORT}`
  const opened = await portsOf({ ...host, store }, publicUrl, log)
  const core = payments({ ...opened, ...instead })
  const { ports } = core
  const worker = core.worker({
    report: (error, at) => log.failure({ id: null, route: at }, error),
    ended: counts.ended,
    parts: [fakeBankPart(core.bank), serverPart],
  })
  counts.metrics.watchQueues(worker.backlogs)
  const isProduction = settings.NODE_ENV === 'production'
  if (isProduction) log.warn(NO_MONEY)

  const mounted = mount({
    name: 'payments',
    title: 'Portico: pagamentos',
    docs: documentation,
    version: VERSION,
    introduction: introductionOf(publicUrl),
    core,
    authSchemes: authSchemesOf(core),
    rows: isProduction ? rows : [...rows, ...fakeBankRows(fakeBankConsole(ports, core.bank))],
    dialects,
    defaultDialect: 'envelope',
    messages,
    store,
    digest,
    cipher: ports.cipher,
    clock,
    random,
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    metrics: counts.metrics,
    publicUrl,
    // A store that cannot be read, or takes no commits, makes the app unhealthy.
    health: async () => {
      await host.store.health()
      return {}
    },
  })
  return { ports, worker, mounted, close: opened.close }
}

/** Starts the payments API and its worker. Rejects with `CannotListen`. */
export const startPayments = async (host: Host): Promise<Running> => {
  const { clock, settings } = host
  const { HOST, PAYMENTS_PORT } = settings
  const app = await buildPayments(host)
  await app.worker.prepare()
  const serving = await serve(app.mounted, { host: HOST, port: PAYMENTS_PORT })
  const working = app.worker.run()
  return {
    url: serving.url,
    async stop() {
      const worked = app.worker.stop()
      // A receiver that hangs may hang longer than a stop may last: its call is cut off, and made again by another process.
      const letGo = Promise.race([worked, clock.wait(LAST_CALLS_MS)]).then(app.worker.unclaim)
      await Promise.all([serving.stop().then(app.mounted.unclaim), letGo])
      await app.close()
      await worked
      await working
    },
  }
}
