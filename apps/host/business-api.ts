import type { OnEnd } from '../../core/kernel/running/worker.ts'
import type { AnyEvent } from '../../core/office/outbox.ts'
import type { BusinessWorker, Part, WorkerOptions, WorkerPorts } from '../../core/office/worker.ts'
import type { Cipher, Clock, Digest } from '../../core/ports/runtime.ts'
import { byId, type Store } from '../../core/ports/store.ts'
import { type ApiOptions, type Mounted, mount } from '../http/mount.ts'
import { httpRates, serverPart } from '../http/rates.ts'
import type { ApiConfig } from '../http/rows/api.ts'
import type { ApiTypes } from '../http/rows/row.ts'
import { type ListenOptions, serve } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
import type { Running } from './host.ts'
import { VERSION } from './version.ts'

/** The options of the API of a business. */
export interface BusinessApiOptions<BusinessPart> extends ApiOptions {
  /** Further queues and jobs of the worker: `fakeBankPart(pay.bank)`. */
  readonly parts?: readonly BusinessPart[]
  /** Receives the result of each record that the worker handled. */
  readonly ended?: OnEnd
}

/** The API of a business as handlers to mount in a server, and its worker. */
export interface MountedBusiness extends Mounted {
  /** The worker, not yet running: call `api.worker.run()` once. */
  readonly worker: BusinessWorker
  /**
   * Stops the worker while the server answers its last requests, and releases within 2 s the records and keys that both
   * hold. Call it before you close the ports and the store.
   */
  close(served?: Promise<unknown>): Promise<void>
}

interface BusinessPorts extends WorkerPorts {
  readonly cipher: Cipher
  readonly digest: Digest
  readonly settings: { readonly publicUrl: string }
}

/** A core with its ports and its worker. */
interface Business<P extends BusinessPorts, E extends AnyEvent> {
  readonly ports: P
  worker(setup: WorkerOptions<P, E>): BusinessWorker
}

/** The part of the configuration that is different for each business. */
type BusinessConfig = Omit<
  ApiConfig<ApiTypes>,
  keyof ApiOptions | keyof BusinessPorts | 'core' | 'version' | 'publicUrl'
>

/**
 * Mounts the API of a core with its worker. Throws if the store of the core was opened without the collections of the
 * server.
 */
export const mountBusiness = <P extends BusinessPorts, E extends AnyEvent>(
  core: Business<P, E>,
  options: BusinessApiOptions<Part<P, E>>,
  config: BusinessConfig,
): MountedBusiness => {
  const { ports } = core
  checkOpened(ports.store)
  const { log = pinoLog(config.name, 'info', undefined, ports.tracer), ended, parts = [] } = options
  const worker = core.worker({
    report: (error, at) => log.failure({ id: null, route: at }, error),
    parts: [...parts, serverPart],
    ...(ended && { ended }),
  })
  const mounted = mount({
    health: async () => void (await ports.store.find(byId(httpRates, 'health'))),
    ...ports,
    ...options,
    ...config,
    core,
    version: VERSION,
    log,
    publicUrl: ports.settings.publicUrl,
  })
  return { ...mounted, worker, close: closeOf(worker, mounted, ports.clock) }
}

/** Throws if the store lacks a collection of the server: rate-limited requests and `/health` would get 500. */
const checkOpened = ({ collections: opened }: Store): void => {
  const missing = serverPart.collections.map(({ name }) => name).filter((name) => opened?.includes(name) === false)
  if (missing.length === 0) return
  throw new Error(`the store was opened without ${missing.join(', ')}: open it with serverPart.collections too`)
}

/** The time that the worker gets to finish its calls after a stop. */
const WORKER_STOP_MS = 2_000

/**
 * Returns the function that stops the worker, waits until the server has stopped, and releases what both had claimed.
 */
const closeOf =
  (worker: BusinessWorker, { releaseRates }: Mounted, clock: Clock): MountedBusiness['close'] =>
  async (served = Promise.resolve()) => {
    // A call that takes longer is released: another process repeats it.
    const released = Promise.race([worker.stop(), clock.wait(WORKER_STOP_MS)]).then(worker.release)
    await Promise.all([served.then(releaseRates), released])
  }

/**
 * Serves an API and runs its worker. `closePorts` is called once the worker has had its time. Rejects with
 * `CannotListen`.
 */
export const startBusiness = async (
  api: MountedBusiness,
  address: ListenOptions,
  closePorts: () => Promise<void>,
): Promise<Running> => {
  await api.worker.prepare()
  const serving = await serve(api, address)
  const working = api.worker.run()
  return {
    url: serving.url,
    async stop() {
      await api.close(serving.stop())
      // Closing the bank fails jobs that wait for its reply, so that the worker can stop.
      await closePorts()
      await api.worker.stop()
      await working
    },
  }
}
