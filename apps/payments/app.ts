import { fakeBank } from '../../adapters/bank/fake/fake-bank.ts'
import { fakeBankPart } from '../../adapters/bank/fake/fake-bank-queue.ts'
import { measuredStore } from '../../adapters/metrics/measured-store.ts'
import { type NodePorts, nodePorts } from '../../adapters/node/node-ports.ts'
import { payments } from '../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Host, Running } from '../host/host.ts'
import { serve, urlAt } from '../http/serve.ts'
import { pinoLog } from '../http/telemetry/log.ts'
import { countsOf } from './counts.ts'
import { type MountedPayments, paymentsApi } from './payments-api.ts'

const NO_MONEY = 'BANK=fake in production: no real money moves'

/** The payments API, put together and not yet listening. */
export interface PaymentsApp {
  /** Their commits nudge the worker. */
  readonly ports: PaymentsPorts
  readonly api: MountedPayments
  /** Lets go of its ports. */
  close(): Promise<void>
}

/** The real things behind the ports of payments. */
export const portsOf = (host: Host, publicUrl: string, log: Log): Promise<NodePorts> => {
  const { settings, secrets, store, files, ids, clock, random, digest } = host
  const { RESET_URL_HOSTS: resetHosts } = settings
  return nodePorts(
    {
      store,
      bank: fakeBank,
      dataDir: settings.DATA_DIR,
      ...secrets,
      publicUrl,
      ...(resetHosts.length > 0 ? { resetHosts } : {}),
      smtpUrl: settings.SMTP_URL,
      mailFrom: settings.MAIL_FROM,
      webhooksAllowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE,
      isProduction: settings.NODE_ENV === 'production',
      alertsAt: settings.ALERTS_AT,
    },
    { digest, files, ids, clock, random, log },
  )
}

/** Puts the payments API together on what its process shares; tests put other things behind its ports. */
export const buildPayments = async (host: Host, instead: Partial<PaymentsPorts> = {}): Promise<PaymentsApp> => {
  const { settings } = host
  const counts = countsOf()
  const log = pinoLog('payments', settings.LOG_LEVEL)
  const publicUrl = settings.PUBLIC_URL ?? urlAt(settings.HOST, settings.PAYMENTS_PORT)
  const opened = await portsOf({ ...host, store: measuredStore(host.store, counts.measure) }, publicUrl, log)
  const core = payments({ ...opened, ...instead })
  const isProduction = settings.NODE_ENV === 'production'
  if (isProduction) log.warn(NO_MONEY)
  const api = paymentsApi(core, {
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    metrics: counts.metrics,
    // A store that takes no commits makes the app unhealthy, too.
    health: host.store.health,
    parts: [fakeBankPart(core.bank)],
    ended: counts.ended,
    fakeBankConsole: !isProduction,
  })
  counts.metrics.watchQueues(api.worker.backlogs)
  return { ports: core.ports, api, close: opened.close }
}

/** Starts the payments API and its worker. Rejects with `CannotListen`. */
export const startPayments = async (host: Host): Promise<Running> => {
  const { HOST, PAYMENTS_PORT } = host.settings
  const { api, close } = await buildPayments(host)
  await api.worker.prepare()
  const serving = await serve(api, { host: HOST, port: PAYMENTS_PORT })
  const working = api.worker.run()
  return {
    url: serving.url,
    async stop() {
      await api.close(serving.stop())
      // What still hangs is cut off with its connection.
      await close()
      await api.worker.stop()
      await working
    },
  }
}
