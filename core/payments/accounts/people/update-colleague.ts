import { left } from '../../../fp.ts'
import { type Change, patch } from '../../../kernel/change.ts'
import { failure, invalid, issue } from '../../../kernel/failure.ts'
import type { Fresh } from '../../../kernel/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../../kernel/use-case.ts'
import { all, eq } from '../../../kernel/where.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Claim, claimId, claims, release, stake } from '../../claim.ts'
import { endSessions, livingSessions, type Session } from '../../identity/session.ts'
import { type User, users } from '../../identity/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Colleague, findColleague } from './colleague.ts'
import { otherLink } from './other-link.ts'

/** What of somebody is to change; what is left out stays. */
export interface ColleagueChange {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | null | undefined
  readonly password?: string | undefined
}

/** The same once its password was hashed. */
type Wanted = Omit<ColleagueChange, 'password'> & { readonly passwordHash?: string }

interface Facts {
  readonly colleague: Colleague | null
  /** Whether they belong to another account too. */
  readonly isShared: boolean
  /** Who has the new e-mail. */
  readonly claim: Claim | null
  readonly alive: readonly Session[]
}

/**
 * Changes a user of the account. Who belongs to another account too signs in there with the same e-mail and password:
 * only they themselves change these. A new e-mail is unverified; a new password ends every session.
 * Fails: `user.unknown`, `user.shared`, `fields` (`email.taken`). Source: 01-access.md, PUT /v1/users/{id};
 * decisions.md §12, People.
 */
export const updateColleague =
  (ports: PaymentsPorts) =>
  (actor: Pick<Actor, 'accountId' | 'userId'>, userId: number, change: ColleagueChange): UseCase<Colleague> =>
  async (rider) => {
    const { password, ...others } = change
    const hashed = password === undefined ? {} : { passwordHash: await ports.hasher.hash(password) }
    const wanted: Wanted = { ...others, ...hashed }
    return useCase(
      ports,
      (store) => readFacts(store, actor.accountId, userId, wanted),
      (facts, fresh) => decideChange(facts, actor.userId === userId, wanted, fresh),
    )(rider)
  }

const readFacts = async (store: Store, accountId: number, userId: number, wanted: Wanted): Promise<Facts> => ({
  colleague: await findColleague(store, accountId, userId),
  isShared: (await otherLink(store, accountId, userId)) !== null,
  claim: wanted.email === undefined ? null : await store.find(byId(claims, claimId('email', wanted.email))),
  alive: wanted.passwordHash === undefined ? [] : (await store.list(livingSessions(userId))).records,
})

export const decideChange = (
  { colleague, isShared, claim, alive }: Facts,
  isOneself: boolean,
  { name, email, phone, passwordHash }: Wanted,
  { now }: Fresh,
): Decided<Colleague> => {
  if (!colleague) return left(failure('not-found', 'user.unknown'))
  const { user, link } = colleague
  const isMoved = email !== undefined && email !== user.email
  if (isShared && !isOneself && (isMoved || passwordHash !== undefined))
    return left(failure('forbidden', 'user.shared'))
  if (isMoved && claim) return left(invalid([issue('email', 'email.taken')]))
  const sent = { name, phone, passwordHash, ...(isMoved ? { email, emailVerifiedAt: null } : {}) }
  const fields: Partial<User> = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length === 0) return decided(colleague)
  const set = { ...fields, updatedAt: now }
  const when = all(eq<keyof User & string>('removedAt', null), eq('email', user.email))
  const moved: readonly Change[] = isMoved ? [release('email', user.email), stake('email', email, user.id, null)] : []
  return decided(
    { user: { ...user, ...set }, link },
    patch(users, user.id, { set, when }),
    ...moved,
    ...endSessions(alive, now),
  )
}
