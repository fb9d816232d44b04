import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { charges as collection } from './charge.ts'
import { issueCharge } from './issue-charge.ts'
import { listCharges } from './list-charges.ts'
import { readCharge, readFullCharge, readPublicCharge } from './read-charge.ts'
import { chargeQueue, expiryJob } from './titles/charge-work.ts'
import { resumeTitle } from './titles/register-title.ts'

/** Charges, from their issue to their end. */
export const charges = {
  collections: [collection],
  queues: (ports: PaymentsPorts) => [chargeQueue(ports)],
  jobs: (ports: PaymentsPorts) => [expiryJob(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /** Issues a charge: its title is registered at the bank. */
    issue: issueCharge(ports),
    /** Carries on a charge of whose title the bank has said nothing yet. */
    resume: resumeTitle(ports),
    /** The account’s charges: a page, or all of them. */
    list: listCharges(ports),
    /** One of the account’s charges. */
    read: readCharge(ports),
    /** The same with its account, client and issuer. */
    readFull: readFullCharge(ports),
    /** A charge as its payer sees it. */
    readPublic: readPublicCharge(ports),
  }),
} satisfies PaymentsModule
