import { basics, type Fixture } from './basics.ts'
import { boletoFixtures } from './boletos.ts'
import { cardFixtures } from './cards.ts'
import { checkoutFixtures } from './checkout.ts'
import { linkFixtures } from './links.ts'
import { payerFixtures } from './payer.ts'
import { statementFixtures } from './statements.ts'
import { transferFixtures } from './transfers.ts'
import { withdrawalFixtures } from './withdrawals.ts'

/** What the examples of rows name by `given`, area by area. */
export const given: Readonly<Record<string, Fixture>> = {
  ...basics,
  ...cardFixtures,
  ...boletoFixtures,
  ...checkoutFixtures,
  ...linkFixtures,
  ...payerFixtures,
  ...statementFixtures,
  ...withdrawalFixtures,
  ...transferFixtures,
}
