import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { opensSealed } from '../../core/payments/opens-sealed.ts'
import { paymentsCollections } from '../../core/payments/payments.ts'
import type { Startable } from '../host/host.ts'
import { serverPart } from '../http/server-part.ts'
import { startPayments } from './app.ts'

/** The payments API, as a process runs it. */
export const payments: Startable = {
  name: 'payments',
  collections: [...paymentsCollections, ...fakeBankCollections, ...serverPart.collections],
  opensSealed,
  start: startPayments,
}
