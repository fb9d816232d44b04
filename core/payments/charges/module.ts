import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { charges as collection } from './charge.ts'
import { issueCharge } from './issue-charge.ts'
import { listCharges } from './list-charges.ts'
import { readCharge, readFullCharge, readPublicCharge } from './read-charge.ts'
import { cancelTitle } from './titles/cancel-title.ts'
import { createTitle, resumeTitle } from './titles/create-title.ts'
import { titleSteps } from './titles/earlier-title.ts'
import { expiryJob } from './titles/expire-charges.ts'

/** Charges, from their issue to their end. */
export const charges = {
  collections: [collection],
  operations: (ports: PaymentsPorts) => [createTitle(ports), cancelTitle(ports)],
  steps: () => titleSteps,
  jobs: (ports: PaymentsPorts) => [expiryJob(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Issues a charge, its value in cents and its rates in hundredths, and registers its title at the bank.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `charge.unknown`, `bank.refused` and
     * `bank.unavailable` (a failed charge is kept).
     * Source: 02-billing.md, Charges; decisions.md §3 and §9.
     */
    issue: issueCharge(ports),
    /**
     * Carries on a charge, by its id or its txid, of whose title the bank has said nothing yet.
     * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
     * Source: decisions.md §9.
     */
    resume: resumeTitle(ports),
    /**
     * A page of the account's charges with their clients; days are those of São Paulo, both ends included.
     * Fails: `fields`.
     * Source: 02-billing.md, Charges; decisions.md §3 and §9.
     */
    list: listCharges(ports),
    /**
     * One of the account's charges, by its id or code; deleted ones too.
     * Fails: `charge.unknown` (another account's too).
     * Source: 02-billing.md, Charges.
     */
    read: readCharge(ports),
    /**
     * The same charge with who issued it.
     * Source: 02-billing.md, Charge.
     */
    readFull: readFullCharge(ports),
    /**
     * A charge as its payer sees it, by its code or its Pix's txid: whom it pays, and its QR code as PNG.
     * Fails: `fields`, `charge.unknown` (a deleted one too).
     * Source: 02-billing.md, Public payer routes; decisions.md §9.
     */
    readPublic: readPublicCharge(ports),
  }),
} satisfies PaymentsModule
