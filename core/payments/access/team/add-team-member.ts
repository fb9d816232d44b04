import { failure, invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { insert } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { decided, useCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { audited, type By } from '../../audit/audited.ts'
import { changesOf } from '../../audit/field-changes.ts'
import { type Claim, claimId, claims, reserveUnique } from '../../claim.ts'
import { memberships, newMembership } from '../../members/membership.ts'
import { type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { countAdmins } from './admin-count.ts'
import type { TeamMember } from './team-member.ts'

/** Somebody new: texts are trimmed, the e-mail is lower-case. */
export interface NewTeamMember {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  /** Letters and digits, without marks; v1 knows none. */
  readonly document: string | null
  /** Null for who signs in by no password. */
  readonly password: string | null
  readonly roleId: number
}

interface Facts {
  readonly account: Account | null
  readonly email: Claim | null
  readonly document: Claim | null
}

/**
 * Makes a user who works in the account.
 * Fails: `fields` (`email.taken`, `document.taken`). Source: 01-access.md, POST /v1/users and /access/manager/users.
 */
export const addTeamMember =
  (ports: PaymentsPorts) =>
  (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>, { password, ...person }: NewTeamMember) =>
    useCaseOf<TeamMember>()(async (hooks) => {
      const passwordHash = password === null ? null : await ports.hasher.hash(password)
      return useCase(
        ports,
        (store) => readFacts(store, actor.accountId, person),
        (facts, fresh) => decideTeamMember(facts, actor, { ...person, passwordHash }, fresh),
      )(hooks)
    })

const readFacts = async (
  store: Store,
  accountId: number,
  { email, document }: Pick<NewTeamMember, 'email' | 'document'>,
): Promise<Facts> => ({
  account: await store.find(byId(accounts, accountId)),
  email: await store.find(byId(claims, claimId('email', email))),
  document: document === null ? null : await store.find(byId(claims, claimId('user-document', document))),
})

export const decideTeamMember = (
  { account, email: emailClaim, document: documentClaim }: Facts,
  actor: By,
  person: Omit<NewTeamMember, 'password'> & Pick<User, 'passwordHash'>,
  fresh: Fresh,
) => {
  if (!account) return left(failure('not-found', 'account.unknown'))
  const taken = [
    ...(emailClaim ? [issue('email', 'email.taken')] : []),
    ...(documentClaim ? [issue('document', 'document.taken')] : []),
  ]
  if (taken.length > 0) return left(invalid(taken))
  const { roleId, ...fields } = person
  const user: User = {
    id: fresh.id(users),
    ...fields,
    emailVerifiedAt: null,
    createdAt: fresh.now,
    updatedAt: fresh.now,
    removedAt: null,
  }
  const membership = newMembership(fresh, user, { accountId: account.id, roleId })
  return decided<TeamMember>(
    { user, membership },
    insert(users, user),
    reserveUnique('email', user.email, user.id, null),
    ...(user.document === null ? [] : [reserveUnique('user-document', user.document, user.id, null)]),
    insert(memberships, membership),
    ...countAdmins(account.id, null, membership),
    ...audited(fresh, actor, {
      chain: `account:${account.id}`,
      action: 'user.added',
      subject: `user:${user.id}`,
      changes: changesOf({}, { ...person }),
    }),
  )
}
