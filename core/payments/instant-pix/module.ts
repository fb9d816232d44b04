import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { issuePix, listPix, readOpenCode, readPix, resumePix } from './instant-pix.ts'

/** Pix charges as the legacy instant payment knows them. */
export const instantPix = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Asks for a Pix that is due today, its value in cents: a charge like any other. A payer who is not named whole (name,
     * e-mail and document) is nobody in particular.
     * Fails: as issuing any charge does: `fields`, `account.unknown`, `organization.inactive`, `charge.unknown`,
     * `bank.unsupported`, `card.unsupported`, `bank.refused` and `bank.unavailable` (a failed charge is kept).
     * Source: 02-billing.md, Legacy instant-payment module; decisions.md §9, Others.
     */
    issue: issuePix(ports),
    /**
     * Carries on a Pix of which the bank has said nothing yet, by its txid.
     * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
     * Source: decisions.md §9.
     */
    resume: resumePix(ports),
    /**
     * A Pix charge of the account, by its txid or id, its code drawn.
     * Fails: `instant-pix.unknown` (another account's, a deleted one, or no Pix).
     * Source: 02-billing.md, Legacy instant-payment module.
     */
    read: readPix(ports),
    /**
     * A page of the account's Pix charges, newest first, their codes drawn; with a txid or id (either names either) that one
     * alone, with the statement's lines of what was paid of it, without fees.
     * Fails: `fields`, `instant-pix.unknown`.
     * Source: 02-billing.md, Legacy instant-payment module.
     */
    list: listPix(ports),
    /**
     * The text of the account's open code, by which whoever pays says how much, and its txid, which is always the same. What
     * comes by it is no charge's: `bank.received` takes it.
     * Fails: `account.unknown`, `bank.unsupported` (the bank alone makes codes, or the account has no key).
     * Source: decisions.md §9, Others.
     */
    openCode: readOpenCode(ports),
  }),
} satisfies PaymentsModule
