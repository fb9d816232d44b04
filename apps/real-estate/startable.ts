import { fakeBankCollections } from '../../adapters/bank/fake/books.ts'
import { pixApiCollections } from '../../adapters/bank/pix-api/mod.ts'
import { chargingCollections } from '../../adapters/charging/charging-parts.ts'
import { devIssuerCollections } from '../../adapters/identity/dev-issuer/dev-accounts.ts'
import { opensSealed, paymentsCollections } from '../../core/payments/payments.ts'
import { realEstateCollections } from '../../core/real-estate/real-estate.ts'
import { missingProvider } from '../host/environment.ts'
import type { Startable } from '../host/host.ts'
import { serverPart } from '../http/rates.ts'
import { startRealEstate } from './app.ts'

/** The real-estate API, as a process runs it. */
export const realEstate: Startable = {
  name: 'real-estate',
  collections: [
    ...[...realEstateCollections, ...devIssuerCollections, ...serverPart.collections],
    // Its payers are charged by the payments core, on the same store.
    ...[...paymentsCollections, ...fakeBankCollections, ...pixApiCollections, ...chargingCollections],
  ],
  opensSealed,
  lacks: missingProvider,
  start: startRealEstate,
}
