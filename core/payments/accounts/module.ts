import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { accounts as collection } from './account.ts'
import { checkPin, setPin } from './pin.ts'
import { reminders } from './reminders.ts'
import { setTerms } from './set-terms.ts'
import { updateAccount } from './update-account.ts'
import { openLogo } from './views.ts'

/** What an account is and how it is set. */
export const accounts = {
  collections: [collection, reminders],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Changes an account's settings, rates in hundredths; what is left out stays, null clears, and its PIN was asked
     * for before.
     * Fails: `fields` (`document.taken`, `charge.discount`, `pin.weak` …), `account.unknown`, `server.busy`.
     * Source: 01-access.md, PUT /access/account; decisions.md §12, Account.
     */
    update: updateAccount(ports),
    /**
     * Whether a PIN of six digits is the account's: the fifth wrong one in a row locks it for a while.
     * Fails: `pin.missing`, `pin.none`, `pin.wrong`, `pin.locked`, `account.unknown`, `server.busy`.
     * Source: decisions.md §1 (PIN), §11 (Withdrawals), §12 (Validation).
     */
    checkPin: checkPin(ports),
    /**
     * Sets an account's first PIN, of six digits.
     * Fails: `fields`, `pin.set` (it has one), `account.unknown`, `server.busy`.
     * Source: 01-access.md, POST /access/account/pin.
     */
    setPin: setPin(ports),
    /**
     * Sets fees and limits in cents, bank and Pix key, as the back office does: what is left out stays.
     * Fails: `fields` (`unknown` bank, `pix-key`), `account.unknown`.
     * Source: decisions.md §8.
     */
    setTerms: setTerms(ports),
    /**
     * The bytes of an account's logo, by the id of its file: anybody may see it.
     * Fails: `logo.unknown` (any other file too).
     * Source: 01-access.md, GET /access/account; decisions.md §12, Account.
     */
    openLogo: openLogo(ports),
  }),
} satisfies PaymentsModule
