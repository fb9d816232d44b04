import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { issuePix, listPix, readOpenCode, readPix, resumePix } from './instant-pix.ts'

/** Pix charges in the form of the legacy instant payment. */
export const instantPix = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Issues a Pix charge that is due today, with its value in cents. Without name, e-mail and document the payer is recorded as
     * not identified.
     * Fails: as issuing any charge does: `fields`, `account.unknown`, `organization.inactive`, `charge.unknown`,
     * `bank.unsupported`, `card.unsupported`, `bank.refused` and `bank.unavailable` (a failed charge is stored).
     */
    issue: issuePix(ports),
    /**
     * Resumes a Pix that the bank has not answered, by its txid.
     * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
     */
    resume: resumePix(ports),
    /**
     * Reads a Pix charge of the account, by its txid or id, with the image of its code.
     * Fails: `instant-pix.unknown` (another account's, a deleted one, or no Pix).
     */
    read: readPix(ports),
    /**
     * Lists the account's Pix charges, newest first, with the images of their codes. With a txid or id (each accepts both),
     * returns that one with the entries of its payments, without fees.
     * Fails: `fields`, `instant-pix.unknown`.
     */
    list: listPix(ports),
    /**
     * Returns the account's open code, whose payer chooses the amount, and its constant txid. Its payments belong to no charge:
     * `bank.received` accepts them.
     * Fails: `account.unknown`, `bank.unsupported` (only the bank creates codes, or the account has no Pix key).
     */
    openCode: readOpenCode(ports),
  }),
} satisfies PaymentsModule
