import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { pixApiCollections } from '../../adapters/bank/pix-api/mod.ts'
import { chargingCollections } from '../../adapters/charging/charging-parts.ts'
import { opensSealed, paymentsCollections } from '../../core/payments/payments.ts'
import type { Startable } from '../host/host.ts'
import { serverPart } from '../http/rates.ts'
import { startPayments } from './app.ts'

/** The payments API, as a process runs it. */
export const payments: Startable = {
  name: 'payments',
  collections: [
    ...[...paymentsCollections, ...fakeBankCollections, ...pixApiCollections],
    ...[...chargingCollections, ...serverPart.collections],
  ],
  opensSealed,
  start: startPayments,
}
