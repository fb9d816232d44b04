import { sweepOf } from '../../core/kernel/running/sweep.ts'
import { httpKeys } from './keys/keys-collection.ts'
import { httpRates } from './rates/rates-collection.ts'

/** What a server keeps in the store of its business, and what of it runs out. */
export const serverPart = { collections: [httpKeys, httpRates], sweeps: [sweepOf(httpKeys), sweepOf(httpRates)] }
