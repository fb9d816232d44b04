import type { Startable } from '../host/host.ts'
import { httpRates } from '../http/rates/rates-collection.ts'
import { startRealEstate } from './app.ts'

/** The real-estate API, as a process runs it. */
export const realEstate: Startable = {
  name: 'real-estate',
  collections: [httpRates],
  start: startRealEstate,
}
