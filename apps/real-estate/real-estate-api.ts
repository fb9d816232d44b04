import type { RealEstate } from '../../core/real-estate/real-estate.ts'
import type { WorkingPart } from '../../core/real-estate/real-estate-module.ts'
import { type BusinessApiOptions, type MountedBusiness, mountBusiness } from '../host/business-api.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { authSchemesOf } from './api.ts'
import { documentation, guidesOf, rows } from './catalogue.ts'
import { dialects } from './dialects.ts'
import { messages } from './messages.ts'
import { DEV_SIGN_IN, panelRows, type SignIn } from './panel.ts'

/** The options of the real-estate API. */
export interface RealEstateApiOptions extends BusinessApiOptions<WorkingPart> {
  /** Further routes: those of the development issuer. */
  readonly more?: readonly AnyRow[]
  /** The sign-in of the panel. By default the panel shows which settings are missing. */
  readonly signIn?: SignIn | null
}

/** The real-estate API as handlers to mount in a server, and its worker. */
export type MountedRealEstate = MountedBusiness

/** The paths of the development issuer: the hosts of Firebase that it stands in for. */
const ISSUER_PREFIXES = ['/identitytoolkit.googleapis.com/', '/securetoken.googleapis.com/']

/**
 * Returns the real-estate API of a core, as `npm start` serves it: routes, documentation and `/health`. Open the store
 * of the core with `serverPart.collections` too; throws if its list of collections lacks them.
 */
export const realEstateApi = (core: RealEstate, options: RealEstateApiOptions = {}): MountedRealEstate => {
  const { more = [], signIn = null } = options
  return mountBusiness(core, options, {
    name: 'real-estate',
    title: 'Portico: imobiliária',
    docs: documentation,
    introduction: guidesOf(core.ports.settings.publicUrl, signIn === DEV_SIGN_IN),
    authSchemes: authSchemesOf(core),
    rows: [...rows, ...panelRows(signIn), ...more],
    dialects,
    defaultDialect: 'estate',
    ...(more.length > 0 && { foreign: { prefixes: ISSUER_PREFIXES, dialect: dialects.google } }),
    messages,
  })
}
