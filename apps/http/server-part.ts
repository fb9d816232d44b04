import { sweepOf } from '../../core/kernel/running/jobs.ts'
import { httpRates } from './rates/rates-collection.ts'

/** What a server keeps in the store of its business besides that, and what of it runs out. Keys are the business's own. */
export const serverPart = { collections: [httpRates], sweeps: [sweepOf(httpRates)] }
