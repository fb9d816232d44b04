import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { pixApiCollections } from '../../adapters/bank/pix-api/mod.ts'
import { chargingCollections, chargingPart } from '../../adapters/charging/charged-orders.ts'
import { type AppMetrics, appMetrics, type Measure, measuredStore } from '../../adapters/telemetry/metrics.ts'
import type { Change } from '../../core/kernel/records/record.ts'
import type { OnEnd } from '../../core/kernel/running/worker.ts'
import { unreadableRecords } from '../../core/payments/bank/run-operation.ts'
import { jobs } from '../../core/payments/office.ts'
import { payments as createPayments, opensSealed, paymentsCollections } from '../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import { deliveries } from '../../core/payments/webhooks/deliveries.ts'
import { openBank } from '../bank/open-bank.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import { startBusiness } from '../host/business-api.ts'
import type { Host, Running, Startable } from '../host/host.ts'
import { serverPart } from '../http/rates.ts'
import { pinoLog } from '../http/telemetry.ts'
import { type MountedPayments, paymentsApi } from './payments-api.ts'

/** The payments API of a process, as a row for the host. */
export const payments: Startable = {
  name: 'payments',
  collections: [
    ...paymentsCollections,
    ...fakeBankCollections,
    ...pixApiCollections,
    ...chargingCollections,
    ...serverPart.collections,
  ],
  opensSealed,
  start: (host) => startPayments(host),
}

/** The payments API, built and not yet listening. */
export interface PaymentsApp {
  /** The ports of the core; a commit to their store wakes the worker. */
  readonly ports: PaymentsPorts
  readonly api: MountedPayments
  /** To be called once the API listens. */
  started(): void
  /** Closes the ports and the bank. */
  close(): Promise<void>
}

/** Builds the payments API on the resources of its process. Tests pass ports that replace those of the settings. */
export const buildPayments = async (host: Host, overrides: Partial<PaymentsPorts> = {}): Promise<PaymentsApp> => {
  const { settings } = host
  const counters = createCounters()
  const log = pinoLog('payments', settings.LOG_LEVEL, undefined, host.tracing?.tracer('payments'))
  const publicUrl = publicUrlOf(settings)
  const bank = openBank(host, publicUrl, log.warn)
  const opened = await portsOf({ ...host, store: measuredStore(host.store, counters.measure) }, publicUrl, log, bank)
  const core = createPayments({ ...opened, ...overrides })
  const api = paymentsApi(core, {
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    ratePerMinute: settings.RATE_LIMIT_PER_MINUTE,
    ignoredFields: settings.STRICT_HINTS || settings.NODE_ENV !== 'production',
    metrics: counters.metrics,
    // `/health` also answers 503 if the store rejects commits.
    health: host.store.health,
    // Reports payments of charges that a real-estate agency issued, from this process or another.
    parts: [...bank.parts(core), chargingPart],
    ended: counters.ended,
    ...bank.serves,
  })
  counters.metrics.watchQueues(api.worker.backlogs)
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
const startPayments = async (host: Host): Promise<Running> => {
  const { HOST, PAYMENTS_PORT } = host.settings
  const { api, started, close } = await buildPayments(host)
  const names = { host: 'HOST', port: 'PAYMENTS_PORT' }
  const running = await startBusiness(api, { host: HOST, port: PAYMENTS_PORT, names }, close)
  started()
  return running
}

/** Creates the counters of the payments app for `/metrics`, and the functions that update them. */
const createCounters = (): { metrics: AppMetrics; measure: Measure; ended: OnEnd } => {
  const metrics = appMetrics('payments')
  return {
    metrics,
    measure(ending, seconds, changes) {
      metrics.commit(ending, seconds)
      if (ending !== 'ok') return
      for (const change of changes) {
        const outcome = deliveryOutcome(change)
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

/** Returns the outcome of a delivery attempt that a change records; null for any other change. */
const deliveryOutcome = (change: Change): 'delivered' | 'failed' | 'retried' | null => {
  if (change.kind !== 'patch' || change.at[0] !== deliveries.name) return null
  const { status, attempts } = change.set ?? {}
  // A replay resets the attempts and makes none itself.
  if (attempts === 0) return null
  if (status === 'pending') return 'retried'
  return status === 'delivered' || status === 'failed' ? status : null
}
