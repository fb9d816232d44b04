import { left } from '../../../fp.ts'
import { failure, invalid, issue } from '../../../failure.ts'
import { insert } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { audited, type By } from '../../audit/audited.ts'
import { changesOf } from '../../audit/field-changes.ts'
import { type Claim, claimId, claims, stake } from '../../claim.ts'
import { type User, users } from '../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { memberships, newMembership } from '../members/membership.ts'
import { countAdmins } from './change-link.ts'
import type { Colleague } from './colleague.ts'

/** Somebody new: texts are trimmed, the e-mail is lower-case. */
export interface NewColleague {
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
export const addColleague =
  (ports: PaymentsPorts) =>
  (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>, { password, ...person }: NewColleague): UseCase<Colleague> =>
  async (rider) => {
    const passwordHash = password === null ? null : await ports.hasher.hash(password)
    return useCase(
      ports,
      (store) => readFacts(store, actor.accountId, person),
      (facts, fresh) => decideColleague(facts, actor, { ...person, passwordHash }, fresh),
    )(rider)
  }

const readFacts = async (
  store: Store,
  accountId: number,
  { email, document }: Pick<NewColleague, 'email' | 'document'>,
): Promise<Facts> => ({
  account: await store.find(byId(accounts, accountId)),
  email: await store.find(byId(claims, claimId('email', email))),
  document: document === null ? null : await store.find(byId(claims, claimId('user-document', document))),
})

export const decideColleague = (
  { account, email: emailClaim, document: documentClaim }: Facts,
  actor: By,
  person: Omit<NewColleague, 'password'> & Pick<User, 'passwordHash'>,
  fresh: Fresh,
): Decided<Colleague> => {
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
  const link = newMembership(fresh, user, { accountId: account.id, roleId })
  return decided(
    { user, link },
    insert(users, user),
    stake('email', user.email, user.id, null),
    ...(user.document === null ? [] : [stake('user-document', user.document, user.id, null)]),
    insert(memberships, link),
    ...countAdmins(account.id, null, link),
    ...audited(fresh, actor, {
      chain: `account:${account.id}`,
      action: 'user.added',
      subject: `user:${user.id}`,
      changes: changesOf({}, { ...person }),
    }),
  )
}
