import { left } from '../../../fp.ts'
import { insert } from '../../../kernel/change.ts'
import { invalid, issue } from '../../../kernel/failure.ts'
import type { Fresh } from '../../../kernel/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../../kernel/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Claim, claimId, claims, stake } from '../../claim.ts'
import { type User, users } from '../../identity/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { ACTIVE_LINK } from '../links.ts'
import { memberships } from '../membership.ts'
import { MANAGER } from '../role.ts'
import type { Colleague } from './colleague.ts'

/** Somebody new: texts are trimmed, the e-mail is lower-case. */
export interface NewColleague {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly phone: string | null
}

/**
 * Makes a user who works in the account as a MANAGER.
 * Fails: `fields` (`email.taken`). Source: 01-access.md, POST /v1/users; decisions.md §1, Roles and permissions.
 */
export const addColleague =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, { password, ...person }: NewColleague): UseCase<Colleague> =>
  async (rider) => {
    const passwordHash = await ports.hasher.hash(password)
    return useCase(
      ports,
      (store) => store.find(byId(claims, claimId('email', person.email))),
      (claim, fresh) => decideColleague(claim, { ...person, passwordHash }, accountId, fresh),
    )(rider)
  }

export const decideColleague = (
  claim: Claim | null,
  { name, email, phone, passwordHash }: Omit<NewColleague, 'password'> & { readonly passwordHash: string },
  accountId: number,
  fresh: Fresh,
): Decided<Colleague> => {
  if (claim) return left(invalid([issue('email', 'email.taken')]))
  const when = { createdAt: fresh.now, updatedAt: fresh.now }
  const user: User = {
    id: fresh.id(users),
    name,
    email,
    phone,
    document: null,
    passwordHash,
    emailVerifiedAt: null,
    ...when,
    removedAt: null,
  }
  const place = { userId: user.id, accountId, roleId: MANAGER.id, status: ACTIVE_LINK }
  const link = { id: fresh.id(memberships), ...place, ...when }
  return decided({ user, link }, insert(users, user), stake('email', email, user.id, null), insert(memberships, link))
}
