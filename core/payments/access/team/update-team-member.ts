import { failure } from '../../../failure.ts'
import { isLeft, left } from '../../../fp.ts'
import { allOptional, type InputOf, input } from '../../../kernel/input/input.ts'
import { type Decoded, pick } from '../../../kernel/input/table.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../../office/guesses.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { type Membership, membershipFields, memberships } from '../../members/membership.ts'
import { legacyPasswords } from '../../members/user.ts'
import { type By, changesOf, recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import {
  type ChangeFacts,
  changeUser,
  isIntimate,
  readChangeFacts,
  type UserChange,
  userChangeFields,
} from '../people/change-user.ts'
import type { Member } from '../resolve-account.ts'
import { newTeamMemberFields } from './add-team-member.ts'
import { countAdmins, keepsAdmin } from './admin-count.ts'
import { otherMembership } from './other-membership.ts'
import { findTeamMember, type StoredMember, shownMember, type TeamMember } from './team-member.ts'

/** What of a membership may change; what is left out stays. */
const membershipChangeFields = allOptional({
  ...pick(newTeamMemberFields, 'roleId'),
  ...pick(membershipFields, 'status'),
})

type MembershipChange = Decoded<typeof membershipChangeFields>

/** What of somebody and their membership may change. */
export const teamMemberChangeFields = {
  ...userChangeFields,
  ...allOptional({ password: legacyPasswords.next }),
  ...membershipChangeFields,
}

export const teamMemberChange = input('TeamMemberChange', teamMemberChangeFields)

export type TeamMemberChange = InputOf<typeof teamMemberChange>

interface Facts extends ChangeFacts {
  readonly account: Account | null
  readonly member: StoredMember | null
  /** Whether they belong to another account too. */
  readonly isShared: boolean
}

/**
 * Changes a user of the account, and their membership. Who belongs to another account too signs in there with the same e-mail and
 * password: only they themselves change these, and never by a token that was given for an API key.
 * Fails: `user.unknown`, `user.shared`, `user.last-admin`, `fields` (`email.taken`, `document.taken`), `server.busy`.
 * Source: 01-access.md, PUT /v1/users/{id} and /access/manager/users/{id}; decisions.md §12, Roles and People.
 */
export const updateTeamMember =
  (ports: PaymentsPorts) =>
  (actor: Pick<Member, 'accountId' | 'userId' | 'boundTo' | 'origin'>, userId: number, given: TeamMemberChange) =>
    withValidInput(ports, teamMemberChange, given, ({ password, ...change }) =>
      hashingUseCaseOf<TeamMember>()(async (hooks) => {
        const hashed = password === undefined ? {} : { passwordHash: await ports.hasher.hash(password, actor.origin) }
        const wanted: UserChange = { ...change, ...hashed }
        return useCase(
          ports,
          (store) => readFacts(store, actor.accountId, userId, wanted),
          (facts, fresh) => decideChange(facts, actor, wanted, change, fresh),
        )(hooks)
      }),
    )

const readFacts = async (store: Store, accountId: number, userId: number, wanted: UserChange): Promise<Facts> => ({
  ...(await readChangeFacts(store, userId, wanted)),
  account: await store.find(byId(accounts, accountId)),
  member: await findTeamMember(store, accountId, userId),
  isShared: (await otherMembership(store, accountId, userId)) !== null,
})

export const decideChange = (
  { account, member, isShared, ...facts }: Facts,
  actor: By & Pick<Member, 'boundTo'>,
  wanted: UserChange,
  { roleId, status }: MembershipChange,
  fresh: Fresh,
) => {
  if (!account || !member) return left(failure('not-found', 'user.unknown'))
  const { user, membership } = member
  const isThemselves = actor.userId === user.id && actor.boundTo === null
  if (isShared && !isThemselves && isIntimate(user, wanted)) return left(failure('forbidden', 'user.shared'))
  const after: Membership = { ...membership, roleId: roleId ?? membership.roleId, status: status ?? membership.status }
  const refused = keepsAdmin(account, membership, after)
  if (refused) return left(refused)
  const changed = changeUser(user, wanted, facts, fresh.now)
  if (isLeft(changed)) return changed
  const { user: changedUser, changes } = changed.right
  const told = recordAudit(fresh, actor, {
    chain: `account:${account.id}`,
    action: 'user.updated',
    subject: `user:${user.id}`,
    changes: changesOf(
      { ...user, roleId: membership.roleId, status: membership.status },
      { ...changedUser, roleId: after.roleId, status: after.status },
    ),
  })
  if (after.roleId === membership.roleId && after.status === membership.status) {
    return accept<TeamMember>(shownMember({ user: changedUser, membership }), ...changes, ...told)
  }
  const set = { roleId: after.roleId, status: after.status, updatedAt: fresh.now }
  const moved: Change = patch(memberships, membership.id, {
    set,
    when: all(eq('roleId', membership.roleId), eq('status', membership.status)),
  })
  const counted = countAdmins(account.id, membership, after)
  return accept<TeamMember>(
    shownMember({ user: changedUser, membership: { ...membership, ...set } }),
    ...changes,
    moved,
    ...counted,
    ...told,
  )
}
