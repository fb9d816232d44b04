import type { OnEnd } from '../../core/kernel/running/worker.ts'
import type { Payments, PaymentsWorker } from '../../core/payments/payments.ts'
import type { PaymentsPart } from '../../core/payments/payments-ports.ts'
import { byId, type Store } from '../../core/ports/store.ts'
import type { BankOptions } from '../bank/open-bank.ts'
import { VERSION } from '../host/version.ts'
import { type ApiOptions, type Mounted, mount, shutdownOf } from '../http/mount.ts'
import { httpRates, serverPart } from '../http/rates.ts'
import { pinoLog } from '../http/telemetry.ts'
import { authSchemesOf } from './api.ts'
import { bankRows } from './bank.ts'
import { documentation, guidesOf, rows } from './catalogue.ts'
import { dialects } from './dialects.ts'
import { messages } from './messages.ts'
import { panelRows } from './panel/panel.ts'

/** The options of the payments API. */
export interface PaymentsApiOptions extends ApiOptions, BankOptions {
  /** Further queues and jobs of the worker: `fakeBankPart(pay.bank)`. */
  readonly parts?: readonly PaymentsPart[]
  /** Receives the result of each record that the worker handled. */
  readonly ended?: OnEnd
}

/** The payments API as handlers to mount in a server, and its worker. */
export interface MountedPayments extends Mounted {
  /** The worker, not yet running: call `api.worker.run()` once. */
  readonly worker: PaymentsWorker
  /**
   * Stops the worker while the server answers its last requests, and releases within 2 s the records and keys that both
   * hold. Call it before you close the ports and the store.
   */
  close(served?: Promise<unknown>): Promise<void>
}

/**
 * Creates the payments API over a core, as `npm start` serves it: routes, documentation, `/health`. Open the store of
 * the core with `serverPart.collections` too; throws if its list of collections lacks them.
 *
 * ```ts
 * const api = paymentsApi(pay, { parts: [fakeBankPart(pay.bank)] })
 * const server = createServer(api.handle).listen(3000)
 * void api.worker.run()
 * // … and at the end:
 * await api.close(new Promise((done) => server.close(done)))
 * ```
 */
export const paymentsApi = (core: Payments, options: PaymentsApiOptions = {}): MountedPayments => {
  const { ports } = core
  checkOpened(ports.store)
  const { log = pinoLog('payments', 'info', undefined, ports.tracer), ended, parts = [] } = options
  const { health = async () => void (await ports.store.find(byId(httpRates, 'health'))) } = options
  const worker = core.worker({
    report: (error, at) => log.failure({ id: null, route: at }, error),
    parts: [...parts, serverPart],
    ...(ended ? { ended } : {}),
  })
  const { publicUrl } = ports.settings
  const mounted = mount({
    ...ports,
    ...options,
    name: 'payments',
    title: 'Portico: pagamentos',
    docs: documentation,
    version: VERSION,
    introduction: guidesOf(publicUrl),
    core,
    authSchemes: authSchemesOf(core),
    rows: [
      ...rows,
      ...panelRows({ simulates: options.fakeBankConsole ?? false, hasPasskeys: Boolean(ports.passkeys) }),
      ...bankRows(core, options),
    ],
    dialects,
    defaultDialect: 'envelope',
    messages,
    log,
    publicUrl,
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

/** Throws if the store lacks a collection of the server: rate-limited requests and `/health` would get 500. */
const checkOpened = ({ collections: opened }: Store): void => {
  const missing = serverPart.collections.map(({ name }) => name).filter((name) => opened?.includes(name) === false)
  if (missing.length === 0) return
  throw new Error(`the store was opened without ${missing.join(', ')}: open it with serverPart.collections too`)
}
