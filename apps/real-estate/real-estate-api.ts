import type { OnEnd } from '../../core/kernel/running/worker.ts'
import { byId } from '../../core/ports/store.ts'
import type { RealEstate, RealEstateWorker } from '../../core/real-estate/real-estate.ts'
import type { WorkingPart } from '../../core/real-estate/real-estate-module.ts'
import { VERSION } from '../host/version.ts'
import { MAX_IN_FLIGHT } from '../http/load-shedding.ts'
import type { ApiOptions, Mounted } from '../http/mount.ts'
import { mount, shutdownOf } from '../http/mount.ts'
import { httpRates, serverPart } from '../http/rates.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { pinoLog } from '../http/telemetry.ts'
import { authSchemesOf } from './api.ts'
import { documentation, rows } from './catalogue.ts'
import { dialects } from './dialects.ts'
import { guidesOf } from './guides/guides.ts'
import { messages } from './messages.ts'
import { DEV_SIGN_IN, panelRows, type SignIn } from './panel/panel.ts'

export interface RealEstateApiOptions extends ApiOptions {
  /** What else the worker works on. */
  readonly parts?: readonly WorkingPart[]
  /** Told of what came of each record that the worker had. */
  readonly ended?: OnEnd
  /** Routes beside those of the business: the development issuer's. */
  readonly more?: readonly AnyRow[]
  /** Where the panel signs people in; by default it says that nobody told it. */
  readonly signIn?: SignIn | null
}

/** The real-estate API, to be mounted in a server. */
export interface MountedRealEstate extends Mounted {
  /** The one worker of the process, not yet running: `api.worker.run()`. */
  readonly worker: RealEstateWorker
  /**
   * Stops the worker while the server answers its last requests, and gives back within 2 s what both had in hand: before
   * the ports and the store are closed.
   */
  close(served?: Promise<unknown>): Promise<void>
}

/** The hosts of Firebase that the development issuer stands in for. */
const ISSUER_PREFIXES = ['/identitytoolkit.googleapis.com/', '/securetoken.googleapis.com/']

/**
 * The real-estate API over a core, with everything that `npm start` serves of it: routes, documentation, `/health`. The store
 * of the core is opened with `serverPart.collections` too.
 * Source: decisions.md §6, §7 and §10.
 */
export const realEstateApi = (core: RealEstate, options: RealEstateApiOptions = {}): MountedRealEstate => {
  const { ports } = core
  const {
    log = pinoLog('real-estate', 'info', undefined, ports.tracer),
    metrics,
    ended,
    parts = [],
    more = [],
    signIn = null,
  } = options
  const readable = async () => void (await ports.store.find(byId(httpRates, 'health')))
  const { health = readable } = options
  const worker = core.worker({
    report: (error, at) => log.failure({ id: null, route: at }, error),
    parts: [...parts, serverPart],
    ...(ended ? { ended } : {}),
  })
  const mounted = mount({
    ...ports,
    name: 'real-estate',
    title: 'Portico: imobiliária',
    docs: documentation,
    version: VERSION,
    introduction: guidesOf(ports.settings.publicUrl, signIn === DEV_SIGN_IN),
    core,
    authSchemes: authSchemesOf(core),
    rows: [...rows, ...panelRows(signIn), ...more],
    dialects,
    defaultDialect: 'estate',
    ...(more.length > 0 && { foreign: { prefixes: ISSUER_PREFIXES, dialect: dialects.google } }),
    messages,
    log,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy ?? false,
    ratePerMinute: options.ratePerMinute ?? null,
    maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
    ignoredFields: options.ignoredFields ?? true,
    publicUrl: ports.settings.publicUrl,
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
