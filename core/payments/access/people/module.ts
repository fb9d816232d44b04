import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule, PaymentsPorts } from '../../payments-ports.ts'
import { editSelf } from './edit-self.ts'
import { readLegacyMe } from './read-legacy-me.ts'
import { readMe } from './read-me.ts'
import { register } from './register.ts'

/** People, as they see themselves. */
export const people = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Makes a user, who is signed in for an hour (3,600 seconds), and mails a code that verifies their e-mail.
     * Fails: `fields` (`email.taken`), `server.busy`.
     * Source: 01-access.md, POST /v1/auth/register.
     */
    register: register(ports),
    /**
     * A user with the organizations they belong to, the newest membership first.
     * Fails: `token.invalid` (the user is no more).
     * Source: 01-access.md, GET /v1/auth/me.
     */
    readMe: readMe(ports),
    /**
     * A user with the account that they act in, their role there, and all their accounts.
     * Fails: `token.invalid` (the user or the account is no more).
     * Source: 01-access.md, GET /access/auth/me.
     */
    readLegacyMe: readLegacyMe(ports),
    /**
     * Changes what a person says of themselves, by their password; a new one ends every session but their own.
     * Fails: `permission.lacking` (the token was given for an API key), `fields` (`email.taken`, `document.taken`),
     * `token.invalid`, `password.wrong`, `login.throttled`, `server.busy`.
     * Source: 01-access.md, PUT /access/auth/edit; decisions.md §12, People.
     */
    editSelf: onlyInPerson(editSelf(ports)),
  }),
} satisfies PaymentsModule
