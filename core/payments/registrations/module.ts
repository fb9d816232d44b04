import { listOrganizations, updateOrganization } from '../access/organizations.ts'
import { type PaymentsModule, type PaymentsPorts, withoutApiKeyToken, withRecentPassword } from '../payments-ports.ts'
import { accountOpenings, openAccount, openings as openingCollection } from './opening.ts'
import { beginRegistration, confirmRegistration, registrationQueue, resendCodes } from './register.ts'
import { registerFull } from './register-full.ts'
import { registrations as collection, readRegistration } from './registration.ts'
import { removeOrganization } from './remove-organization.ts'
import { registrationReviews, submitImages } from './review.ts'

/** Registration of applicants who have no account yet. */
export const registrations = {
  collections: [collection],
  operations: (ports: PaymentsPorts) => [registrationReviews(ports)],
  queues: (ports: PaymentsPorts) => [registrationQueue(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Begins a registration and mails a code of four letters that confirms the e-mail.
     * Fails: `fields` (`email.taken`, `document.taken`), `document.kind`, `bank.unsupported` (the bank's only account
     * is taken).
     */
    begin: beginRegistration(ports),
    /**
     * Confirms the e-mail of a registration by the mailed code.
     * Fails: `fields`, `registration.unknown`, `code.invalid` (also if already confirmed), `code.throttled`.
     */
    confirm: confirmRegistration(ports),
    /**
     * Mails a new code, which replaces the last one, at the earliest after 120 seconds.
     * Fails: `fields` (`registration.confirmed`), `registration.unknown`, `code.soon`.
     */
    resendCodes: resendCodes(ports),
    /** Reads the newest registration of a document. Fails: `fields`, `registration.unknown`. */
    read: readRegistration(ports),
    /**
     * Stores the images of a registration, which replace earlier ones. It is approved or rejected at once, or stays
     * under review until the bank answers.
     * Fails: `fields` (`registration.unconfirmed`, `registration.over`), `registration.unknown`, `bank.unsupported`.
     */
    submitImages: submitImages(ports),
    /**
     * Creates a user, an account at the bank and its organization in one request, and signs the user in for an hour
     * (3,600 seconds).
     * Fails: `fields` (`account-type`, `email.taken`, `document.taken`, `bank.other`), `bank.unsupported`,
     * `bank.refused`, `bank.unavailable` (the worker retries), `registration.unknown`, `credentials.wrong` (the
     * password was replaced meanwhile), `server.busy`.
     */
    registerFull: registerFull(ports),
  }),
} satisfies PaymentsModule

/** Opening of further accounts by users. */
export const openings = {
  collections: [openingCollection],
  operations: (ports: PaymentsPorts) => [accountOpenings(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Opens an account at the bank with its organization, INACTIVE; the caller becomes its first ADMIN. At most 30 a
     * day. The document must be free, or held by an organization without a ledger entry that was removed or, if the
     * caller has confirmed the e-mail, whose founder has not. Such an organization works on, but no longer holds the
     * document.
     * Fails: `permission.lacking` (the token was issued for an API key), `bank.unsupported` (the bank's only account is
     * taken), `fields` (`document.taken`), `organization.limit`, `opening.unknown`, `bank.refused`, `bank.unavailable`
     * (the worker retries).
     */
    open: withoutApiKeyToken(openAccount(ports)),
    /**
     * Resumes an opening that the bank has not answered, by its id.
     * Fails: `opening.unknown`, `bank.refused`, `bank.unavailable`.
     */
    resume: accountOpenings(ports).repeat,
  }),
} satisfies PaymentsModule

/** The caller's accounts, under their v1 name. */
export const organizations = {
  useCases: (ports: PaymentsPorts) => ({
    /** Lists the caller's organizations, newest membership first: a page, or all for null. Fails: `fields`. */
    list: listOrganizations(ports),
    /**
     * Changes name, e-mail, document or status of an organization; any status may follow any other.
     * Fails: `fields` (`document.taken`), `organization.unknown`, `password.stale`.
     */
    update: withRecentPassword(ports)(updateOrganization(ports)),
    /**
     * Removes an organization; its records stay. Money in it, or on its way to it, prevents the removal, since its
     * members could not reach it. If it has a ledger entry, its document cannot be used again. Otherwise another
     * founder can use the document at once, and the organization's own people after 30 days. If the account requires
     * the second factor, attach a proved challenge of the actor as `confirmation`. Fails: `organization.unknown`,
     * `organization.funds` (money is left, available or reserved), `organization.pending` (the issues name the open
     * charges, the incoming transfers and, if money is left too, the balance), `password.stale`,
     * `second-factor.required`.
     */
    remove: withRecentPassword(ports)(removeOrganization(ports)),
  }),
} satisfies PaymentsModule
