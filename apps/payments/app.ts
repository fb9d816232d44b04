import { chargingPart } from '../../adapters/charging/charging-parts.ts'
import { measuredStore } from '../../adapters/metrics/measured-store.ts'
import { payments } from '../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import { openBank } from '../bank/open-bank.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import type { Host, Running } from '../host/host.ts'
import { serve } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
import { countsOf } from './counts.ts'
import { type MountedPayments, paymentsApi } from './payments-api.ts'

/** The payments API, put together and not yet listening. */
export interface PaymentsApp {
  /** Their commits nudge the worker. */
  readonly ports: PaymentsPorts
  readonly api: MountedPayments
  /** Does what is to be done once it listens. */
  started(): void
  /** Lets go of its ports. */
  close(): Promise<void>
}

/** Puts the payments API together on what its process shares; tests put other things behind its ports. */
export const buildPayments = async (host: Host, instead: Partial<PaymentsPorts> = {}): Promise<PaymentsApp> => {
  const { settings } = host
  const counts = countsOf()
  const log = pinoLog('payments', settings.LOG_LEVEL, undefined, host.tracing?.tracer('payments'))
  const publicUrl = publicUrlOf(settings)
  const bank = openBank(host, publicUrl, log.warn)
  const opened = await portsOf({ ...host, store: measuredStore(host.store, counts.measure) }, publicUrl, log, bank)
  const core = payments({ ...opened, ...instead })
  const api = paymentsApi(core, {
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    ignoredFields: settings.STRICT_HINTS || settings.NODE_ENV !== 'production',
    metrics: counts.metrics,
    // A store that takes no commits makes the app unhealthy, too.
    health: host.store.health,
    // Whoever runs the agency, in whatever process, hears of what it charged.
    parts: [...bank.parts(core), chargingPart],
    ended: counts.ended,
    ...bank.serves,
  })
  counts.metrics.watchQueues(api.worker.backlogs)
  return {
    ports: core.ports,
    api,
    started: bank.started,
    async close() {
      await opened.close()
      await bank.close()
    },
  }
}

/** Starts the payments API and its worker. Rejects with `CannotListen`. */
export const startPayments = async (host: Host): Promise<Running> => {
  const { HOST, PAYMENTS_PORT } = host.settings
  const { api, started, close } = await buildPayments(host)
  await api.worker.prepare()
  const serving = await serve(api, { host: HOST, port: PAYMENTS_PORT, names: { host: 'HOST', port: 'PAYMENTS_PORT' } })
  const working = api.worker.run()
  started()
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
