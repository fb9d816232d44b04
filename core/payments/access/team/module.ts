import type { PaymentsModule, PaymentsPorts } from '../../payments-ports.ts'
import { addTeamMember } from './add-team-member.ts'
import { listMemberships } from './list-memberships.ts'
import { listTeam } from './list-team.ts'
import { readMembership } from './membership-view.ts'
import { removeTeamMember } from './remove-team-member.ts'
import { readTeamMember } from './team-member.ts'
import { updateTeamMember } from './update-team-member.ts'

/** Who works in an account. */
export const team = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Who works in the account, the newest membership first: a page, or with null everybody.
     * Fails: `fields`.
     * Source: 01-access.md, GET /v1/users; decisions.md §12, v1 lists.
     */
    list: listTeam(ports),
    /**
     * Somebody who works in the account, by the id of their user.
     * Fails: `user.unknown` (what is no id too).
     * Source: 01-access.md, GET /v1/users/{id}.
     */
    read: readTeamMember(ports),
    /**
     * Makes a user who works in the account, with a role by its id.
     * Fails: `fields` (`email.taken`, `document.taken`), `account.unknown`, `server.busy`.
     * Source: 01-access.md, POST /v1/users and /access/manager/users.
     */
    add: addTeamMember(ports),
    /**
     * Changes a user of the account, and their membership; who works elsewhere too changes e-mail and password
     * themselves.
     * Fails: `fields` (`email.taken`, `document.taken`), `user.unknown`, `user.shared`, `user.last-admin`, `server.busy`.
     * Source: 01-access.md, PUT /v1/users/{id} and /access/manager/users/{id}; decisions.md §12, Roles and People.
     */
    update: updateTeamMember(ports),
    /**
     * Takes somebody out of the account; who works in no other one is a user no more.
     * Fails: `user.unknown`, `user.self`, `user.last-admin`.
     * Source: 01-access.md, DELETE /v1/users/{id}; decisions.md §12, Roles and People.
     */
    remove: removeTeamMember(ports),
    /**
     * A page of the account's memberships, the newest first: of people, without the caller, or of programs.
     * Fails: `fields`.
     * Source: 01-access.md, Legacy account users and Legacy API-key users.
     */
    listMemberships: listMemberships(ports),
    /**
     * One of the account's memberships, by its id.
     * Fails: `user.unknown` (one of the other kind and what is no id too).
     * Source: 01-access.md, Legacy account users and Legacy API-key users.
     */
    readMembership: readMembership(ports),
  }),
} satisfies PaymentsModule
