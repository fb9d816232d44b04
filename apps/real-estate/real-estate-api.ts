import type { OnEnd } from '../../core/kernel/running/worker.ts'
import { byId } from '../../core/ports/store.ts'
import type { RealEstate, RealEstateWorker } from '../../core/real-estate/real-estate.ts'
import type { WorkingPart } from '../../core/real-estate/real-estate-module.ts'
import { VERSION } from '../host/version.ts'
import { type ApiOptions, type Mounted, mount, shutdownOf } from '../http/mount.ts'
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
  /** Further parts of the worker. */
  readonly parts?: readonly WorkingPart[]
  /** Called with the result of each record that the worker processed. */
  readonly ended?: OnEnd
  /** Further routes: those of the development issuer. */
  readonly more?: readonly AnyRow[]
  /** The sign-in of the panel. By default the panel shows which settings are missing. */
  readonly signIn?: SignIn | null
}

/** The real-estate API, ready to be mounted in a server. */
export interface MountedRealEstate extends Mounted {
  /** The worker, not yet running: start it with `api.worker.run()`. */
  readonly worker: RealEstateWorker
  /**
   * Stops the worker while the server answers its last requests, and releases within 2 s the work that both had claimed.
   * Call it before you close the ports and the store.
   */
  close(served?: Promise<unknown>): Promise<void>
}

/** The paths of the development issuer: the hosts of Firebase that it stands in for. */
const ISSUER_PREFIXES = ['/identitytoolkit.googleapis.com/', '/securetoken.googleapis.com/']

/**
 * Returns the real-estate API of a core, as `npm start` serves it: routes, documentation and `/health`. The store of the core
 * must also be opened with `serverPart.collections`.
 */
export const realEstateApi = (core: RealEstate, options: RealEstateApiOptions = {}): MountedRealEstate => {
  const { ports } = core
  const {
    log = pinoLog('real-estate', 'info', undefined, ports.tracer),
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
    ...options,
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
    publicUrl: ports.settings.publicUrl,
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
