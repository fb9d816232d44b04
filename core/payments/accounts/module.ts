import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { accounts as collection } from './account.ts'
import { openLogo } from './open-logo.ts'
import { checkPin } from './pin/check-pin.ts'
import { setPin } from './pin/set-pin.ts'
import { reminders } from './settings/reminders.ts'
import { setTerms } from './settings/set-terms.ts'
import { updateAccount } from './settings/update-account.ts'

/** What an account is and how it is set. */
export const accounts = {
  collections: [collection, reminders],
  useCases: (ports: PaymentsPorts) => ({
    /** Changes an account’s settings; its PIN was asked for before. */
    update: updateAccount(ports),
    /** Whether a PIN is the account’s: five wrong ones lock it. */
    checkPin: checkPin(ports),
    /** Sets an account’s first PIN. */
    setPin: setPin(ports),
    /** Sets fees, limits and Pix key, as the back office does. */
    setTerms: setTerms(ports),
    /** The bytes of an account’s logo. */
    openLogo: openLogo(ports),
  }),
} satisfies PaymentsModule
