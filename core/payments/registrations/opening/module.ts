import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { openAccount } from './open-account.ts'
import { openings as collection } from './opening.ts'
import { openingQueue } from './opening-queue.ts'
import { resumeOpening } from './resume-opening.ts'

/** Accounts that are being opened at the bank. */
export const openings = {
  collections: [collection],
  queues: (ports: PaymentsPorts) => [openingQueue(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /** Opens an account for a person at the bank. */
    open: onlyInPerson(openAccount(ports)),
    /** Carries on an opening of which the bank has said nothing yet. */
    resume: resumeOpening(ports),
  }),
} satisfies PaymentsModule
