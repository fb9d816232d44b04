import { failure, invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type Change, check, patch, remove } from '../../../kernel/records/change.ts'
import { all, always, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { releaseUnique } from '../../claim.ts'
import { type Membership, memberships } from '../../members/membership.ts'
import { type User, users } from '../../members/user.ts'
import { type By, changesOf, recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { endSessions, livingSessions, type Session } from '../sessions/session.ts'
import { countAdmins, keepsAdmin } from './admin-count.ts'
import { otherMembership } from './other-membership.ts'
import { findTeamMember, type StoredMember, shownMember } from './team-member.ts'

interface Facts {
  readonly member: StoredMember | null
  readonly account: Account | null
  /** One more account that they belong to, if any. */
  readonly other: Membership | null
  readonly alive: readonly Session[]
}

/**
 * Takes somebody out of the account; who belongs to no other one is a user no more.
 * Fails: `user.unknown`, `user.self`, `user.last-admin`. Source: 01-access.md, DELETE /v1/users/{id};
 * decisions.md §12, Roles and People.
 */
export const removeTeamMember =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>, userId: number) =>
    useCase(
      ports,
      (store) => readFacts(store, actor.accountId, userId),
      (facts, fresh) => decideRemoval(facts, actor, fresh),
    )

const readFacts = async (store: Store, accountId: number, userId: number): Promise<Facts> => ({
  member: await findTeamMember(store, accountId, userId),
  account: await store.find(byId(accounts, accountId)),
  other: await otherMembership(store, accountId, userId),
  alive: (await store.list(livingSessions(userId))).records,
})

export const decideRemoval = ({ member, account, other, alive }: Facts, actor: By, fresh: Fresh) => {
  if (!member || !account) return left(failure('not-found', 'user.unknown'))
  if (actor.userId === member.user.id) return left(invalid([issue('id', 'user.self')], 'user.self'))
  const { user, membership } = member
  const refused = keepsAdmin(account, membership, null)
  if (refused) return left(refused)
  return accept(
    shownMember(member),
    remove(memberships, membership.id, all(eq('roleId', membership.roleId), eq('status', membership.status))),
    ...countAdmins(account.id, membership, null),
    // Another account may be letting go of them just now: one of the two must see that it was the last.
    ...(other ? [check(memberships, other.id, always)] : farewell(user, alive, fresh.now)),
    ...recordAudit(fresh, actor, {
      chain: `account:${account.id}`,
      action: 'user.removed',
      subject: `user:${user.id}`,
      changes: changesOf(
        { ...user, roleId: membership.roleId },
        { name: null, email: null, document: null, roleId: null },
      ),
    }),
  )
}

const farewell = (user: User, alive: readonly Session[], now: string): readonly Change[] => [
  // An account may just have been opened for them, which shows in when they were last changed.
  patch(users, user.id, {
    set: { removedAt: now, updatedAt: now },
    when: all(eq<keyof User & string>('removedAt', null), eq('updatedAt', user.updatedAt)),
  }),
  releaseUnique('email', user.email),
  ...(user.document === null || user.documentPassedAt !== null ? [] : [releaseUnique('user-document', user.document)]),
  ...endSessions(alive, now),
]
