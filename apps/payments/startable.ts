import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { paymentsCollections } from '../../core/payments/collections.ts'
import type { Startable } from '../host/host.ts'
import { httpKeys } from '../http/keys/keys-collection.ts'
import { httpRates } from '../http/rates/rates-collection.ts'
import { startPayments } from './app.ts'
import { opensSealed } from './opens-sealed.ts'

/** The payments API, as a process runs it. */
export const payments: Startable = {
  name: 'payments',
  collections: [...paymentsCollections, ...fakeBankCollections, httpKeys, httpRates],
  opensSealed,
  start: startPayments,
}
