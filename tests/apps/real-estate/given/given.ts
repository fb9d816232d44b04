import { basics, type Fixture } from './basics.ts'
import { commissions } from './commissions.ts'
import { contracts } from './contracts.ts'
import { dashboard } from './dashboard.ts'
import { devIssuerGiven } from './dev-issuer.ts'
import { files } from './files.ts'
import { listings } from './listings.ts'
import { notifications } from './notifications.ts'
import { owners } from './owners.ts'
import { proposals } from './proposals.ts'
import { rents } from './rents.ts'
import { visits } from './visits.ts'

/** What the examples of rows name by `given`, area by area. */
export const given: Readonly<Record<string, Fixture>> = {
  ...basics,
  ...commissions,
  ...contracts,
  ...dashboard,
  ...devIssuerGiven,
  ...files,
  ...listings,
  ...notifications,
  ...proposals,
  ...owners,
  ...rents,
  ...visits,
}
