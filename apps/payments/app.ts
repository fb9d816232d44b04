import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { pixApiCollections } from '../../adapters/bank/pix-api/mod.ts'
import { chargingCollections, chargingPart } from '../../adapters/charging/charging-parts.ts'
import { type AppMetrics, appMetrics } from '../../adapters/telemetry/app-metrics.ts'
import { type Measure, measuredStore } from '../../adapters/telemetry/measured-store.ts'
import type { Change } from '../../core/kernel/records/change.ts'
import type { OnEnd } from '../../core/kernel/running/worker.ts'
import { unreadableRecords } from '../../core/payments/bank/notices.ts'
import { jobs } from '../../core/payments/office.ts'
import { payments as createPayments, opensSealed, paymentsCollections } from '../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import { deliveries } from '../../core/payments/webhooks/delivery.ts'
import { openBank } from '../bank/open-bank.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import type { Host, Running, Startable } from '../host/host.ts'
import { serverPart } from '../http/rates.ts'
import { serve } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
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
  const core = createPayments({ ...opened, ...instead })
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

/** The payments API, as a process runs it. */
export const payments: Startable = {
  name: 'payments',
  collections: [
    ...[...paymentsCollections, ...fakeBankCollections, ...pixApiCollections],
    ...[...chargingCollections, ...serverPart.collections],
  ],
  opensSealed,
  start: startPayments,
}

/** What the payments app counts for `/metrics`. */
export interface Counts {
  readonly metrics: AppMetrics
  readonly measure: Measure
  readonly ended: OnEnd
}

export const countsOf = (): Counts => {
  const metrics = appMetrics('payments')
  return {
    metrics,
    measure(ending, seconds, changes) {
      metrics.commit(ending, seconds)
      if (ending !== 'ok') return
      for (const change of changes) {
        const outcome = outcomeOf(change)
        if (outcome !== null) metrics.delivery(outcome)
        const [collection, id] = change.at
        if (collection === unreadableRecords.name && change.kind === 'insert')
          metrics.unreadableBankRecord(`${id}`.split('|')[0] ?? '')
      }
    },
    ended(queue, id, ending) {
      metrics.work(queue, ending)
      if (queue === jobs.name) metrics.job(`${id}`, ending)
    },
  }
}

/** What a commit says of a try to deliver: each is recorded in one change, whoever recorded it. */
const outcomeOf = (change: Change): 'delivered' | 'failed' | 'retried' | null => {
  if (change.kind !== 'patch' || change.at[0] !== deliveries.name) return null
  const { status, attempts } = change.set ?? {}
  // A replay is no try yet.
  if (attempts === 0) return null
  if (status === 'pending') return 'retried'
  return status === 'delivered' || status === 'failed' ? status : null
}
