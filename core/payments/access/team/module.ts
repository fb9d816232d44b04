import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
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
    /** Who works in the account, the newest membership first. */
    list: listTeam(ports),
    /** Somebody who works in the account. */
    read: readTeamMember(ports),
    /** Makes a user who works in the account. */
    add: addTeamMember(ports),
    /** Changes a user of the account, and their membership. */
    update: updateTeamMember(ports),
    /** Takes somebody out of the account. */
    remove: removeTeamMember(ports),
    /** A page of the account’s memberships: of people or of programs. */
    listMemberships: listMemberships(ports),
    /** One of the account’s memberships. */
    readMembership: readMembership(ports),
  }),
} satisfies PaymentsModule
