import { onlyInPerson } from '../actor.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import {
  accountOpenings,
  openAccount,
  openings as openingCollection,
  openingMigrations,
  resumeOpening,
} from './opening.ts'
import { beginRegistration, confirmRegistration, registrationQueue, resendCodes } from './register.ts'
import { registerFull } from './register-full.ts'
import { registrations as collection } from './registration.ts'
import { registrationReviews, reviewMigrations, submitImages } from './review.ts'
import { readRegistration } from './views.ts'

/** How somebody who has no account yet gets one. */
export const registrations = {
  collections: [collection],
  operations: (ports: PaymentsPorts) => [registrationReviews(ports)],
  queues: (ports: PaymentsPorts) => [registrationQueue(ports)],
  migrations: () => reviewMigrations,
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Registers who asks for an account, and mails a code of four letters that confirms their e-mail.
     * Fails: `fields` (`email.taken`, `document.taken`), `document.kind`, `bank.unsupported` (the bank has one account, and
     * it is somebody's).
     * Source: 01-access.md, POST /access/register; decisions.md §1, Onboarding.
     */
    begin: beginRegistration(ports),
    /**
     * Confirms the e-mail of a registration by the code that was mailed to it.
     * Fails: `fields`, `registration.unknown`, `code.invalid` (confirmed already, too), `code.throttled`.
     * Source: decisions.md §1, Onboarding; §12, Codes.
     */
    confirm: confirmRegistration(ports),
    /**
     * Mails another code in the place of the last one, not within 120 seconds of it.
     * Fails: `fields` (`registration.confirmed`), `registration.unknown`, `code.soon`.
     * Source: 01-access.md, POST /access/register/email; decisions.md §12, Codes.
     */
    resendCodes: resendCodes(ports),
    /**
     * The newest registration of a document, as it stands.
     * Fails: `fields`, `registration.unknown`.
     * Source: 01-access.md, GET /access/register/status.
     */
    read: readRegistration(ports),
    /**
     * Takes the images of a registration in the place of those it had; it is then approved or rejected at once, or
     * under review until the bank answers.
     * Fails: `fields` (`registration.unconfirmed`, `registration.over`), `registration.unknown`, `bank.unsupported`.
     * Source: 01-access.md, POST /access/register/images; decisions.md §1 and §12, Onboarding.
     */
    submitImages: submitImages(ports),
    /**
     * Makes a user, an account at the bank and its organization at once, and signs the user in there for an hour (3,600
     * seconds).
     * Fails: `fields` (`account-type`, `email.taken`, `document.taken`, `bank.other`), `bank.unsupported`, `bank.refused`,
     * `bank.unavailable` (the worker goes on), `registration.unknown`, `credentials.wrong` (the password was replaced
     * meanwhile), `server.busy`.
     * Source: 01-access.md, POST /access/register-full; decisions.md §1, Onboarding.
     */
    registerFull: registerFull(ports),
  }),
} satisfies PaymentsModule

/** Accounts that are being opened at the bank. */
export const openings = {
  collections: [openingCollection],
  operations: (ports: PaymentsPorts) => [accountOpenings(ports)],
  migrations: () => openingMigrations,
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
