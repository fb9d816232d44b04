import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { openingSteps } from './earlier-opening.ts'
import { openAccount } from './open-account.ts'
import { openings as collection } from './opening.ts'
import { accountOpenings, resumeOpening } from './resume-opening.ts'

/** Accounts that are being opened at the bank. */
export const openings = {
  collections: [collection],
  operations: (ports: PaymentsPorts) => [accountOpenings(ports)],
  migrations: () => openingSteps,
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Opens an account at the bank with its organization, INACTIVE, whose first ADMIN is the person who asks.
     * The document is free, or that of an organization without a ledger entry which was removed, or, if the person has
     * confirmed the e-mail, whose founder has not: that one works on, but no longer holds the document. A person founds at
     * most 30 organizations in a day.
     * Fails: `permission.lacking` (the token was given for an API key), `bank.unsupported` (the bank has one account, and it
     * is taken), `fields` (`document.taken`), `organization.limit`, `opening.unknown`, `bank.refused`, `bank.unavailable`
     * (the bank is asked again).
     * Source: 01-access.md, POST /v1/organizations.
     */
    open: onlyInPerson(openAccount(ports)),
    /**
     * Carries on an opening, by its id, of which the bank has said nothing yet.
     * Fails: `opening.unknown`, `bank.refused`, `bank.unavailable`.
     * Source: decisions.md §1.
     */
    resume: resumeOpening(ports),
  }),
} satisfies PaymentsModule
