import type { OnEnd } from '../../core/kernel/running/worker.ts'
import type { Payments, PaymentsWorker } from '../../core/payments/payments.ts'
import type { PaymentsPart } from '../../core/payments/payments-ports.ts'
import { byId, type Store } from '../../core/ports/store.ts'
import type { BankOptions } from '../bank/open-bank.ts'
import { VERSION } from '../host/version.ts'
import { MAX_IN_FLIGHT } from '../http/load-shedding.ts'
import type { ApiOptions, Mounted } from '../http/mount.ts'
import { mount, shutdownOf } from '../http/mount.ts'
import { httpRates, serverPart } from '../http/rates.ts'
import { pinoLog } from '../http/telemetry.ts'
import { authSchemesOf } from './api.ts'
import { bankRows } from './bank.ts'
import { dialects } from './dialects.ts'
import { guidesOf } from './guides/first-steps.ts'
import { messages } from './messages.ts'
import { documentation, rows } from './rows.ts'

export interface PaymentsApiOptions extends ApiOptions, BankOptions {
  /** What else the worker works on: `fakeBankPart(pay.bank)`. */
  readonly parts?: readonly PaymentsPart[]
  /** Told of what came of each record that the worker had. */
  readonly ended?: OnEnd
}

/** The payments API, to be mounted in a server. */
export interface MountedPayments extends Mounted {
  /** The one worker of the process, not yet running: `api.worker.run()`. */
  readonly worker: PaymentsWorker
  /**
   * Stops the worker while the server answers its last requests, and gives back within 2 s what both had in hand: before
   * the ports and the store are closed.
   */
  close(served?: Promise<unknown>): Promise<void>
}

/**
 * The payments API over a core, with everything that `npm start` serves of it: routes, documentation, `/health`. The store
 * of the core is opened with `serverPart.collections` too; throws where it says that it was not.
 *
 * ```ts
 * const api = paymentsApi(pay, { parts: [fakeBankPart(pay.bank)] })
 * const server = createServer(api.handle).listen(3000)
 * void api.worker.run()
 * // … and at the end:
 * await api.close(new Promise((done) => server.close(done)))
 * ```
 *
 * Source: decisions.md §1, §6 and §7.
 */
export const paymentsApi = (core: Payments, options: PaymentsApiOptions = {}): MountedPayments => {
  const { ports } = core
  checkOpened(ports.store)
  const { log = pinoLog('payments', 'info', undefined, ports.tracer), metrics, ended, parts = [] } = options
  const readable = async () => void (await ports.store.find(byId(httpRates, 'health')))
  const { health = readable } = options
  const worker = core.worker({
    report: (error, at) => log.failure({ id: null, route: at }, error),
    parts: [...parts, serverPart],
    ...(ended ? { ended } : {}),
  })
  const { publicUrl } = ports.settings
  const mounted = mount({
    ...ports,
    name: 'payments',
    title: 'Portico: pagamentos',
    docs: documentation,
    version: VERSION,
    introduction: guidesOf(publicUrl),
    core,
    authSchemes: authSchemesOf(core),
    rows: [...rows, ...bankRows(core, options)],
    dialects,
    defaultDialect: 'envelope',
    messages,
    log,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy ?? false,
    ratePerMinute: options.ratePerMinute ?? null,
    maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
    ignoredFields: options.ignoredFields ?? true,
    publicUrl,
    ...(metrics ? { metrics } : {}),
    health: async () => {
      await health()
      return {}
    },
  })
  return {
    ...mounted,
    worker,
    close: shutdownOf({ worker, mounted, clock: ports.clock }),
  }
}

/** Each request that is counted, and by default `/health`, would be a 500 without it. */
const checkOpened = ({ collections: opened }: Store): void => {
  const missing = serverPart.collections.map(({ name }) => name).filter((name) => opened?.includes(name) === false)
  if (missing.length === 0) return
  throw new Error(`the store was opened without ${missing.join(', ')}: open it with serverPart.collections too`)
}
