import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { beginRegistration } from './begin-registration.ts'
import { resendCodes } from './codes/resend-codes.ts'
import { confirmRegistration } from './confirm-registration.ts'
import { readRegistration } from './read-registration.ts'
import { registerFull } from './register-full.ts'
import { registrations as collection } from './registration.ts'
import { registrationQueue } from './registration-queue.ts'
import { submitImages } from './submit-images.ts'

/** How somebody who has no account yet gets one. */
export const registrations = {
  collections: [collection],
  queues: (ports: PaymentsPorts) => [registrationQueue(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /** Begins a registration: its codes are mailed. */
    begin: beginRegistration(ports),
    /** Confirms the e-mail of a registration by its code. */
    confirm: confirmRegistration(ports),
    /** Mails the codes of a registration again. */
    resendCodes: resendCodes(ports),
    /** The registration of a document, as it stands. */
    read: readRegistration(ports),
    /** Takes the images of a registration, which is then reviewed. */
    submitImages: submitImages(ports),
    /** User, account and session at once. */
    registerFull: registerFull(ports),
  }),
} satisfies PaymentsModule
