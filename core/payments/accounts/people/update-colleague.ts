import { isLeft, left } from '../../../fp.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Fresh } from '../../../kernel/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../../kernel/use-case.ts'
import type { Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import {
  type ChangeFacts,
  changeUser,
  isIntimate,
  readChangeFacts,
  type UserChange,
} from '../../identity/change-user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Colleague, findColleague } from './colleague.ts'
import { otherLink } from './other-link.ts'

/** What of somebody is to change; what is left out stays. */
export type ColleagueChange = Omit<UserChange, 'passwordHash'> & { readonly password?: string | undefined }

interface Facts extends ChangeFacts {
  readonly colleague: Colleague | null
  /** Whether they belong to another account too. */
  readonly isShared: boolean
}

/**
 * Changes a user of the account. Who belongs to another account too signs in there with the same e-mail and password:
 * only they themselves change these.
 * Fails: `user.unknown`, `user.shared`, `fields` (`email.taken`, `document.taken`).
 * Source: 01-access.md, PUT /v1/users/{id}; decisions.md §12, People.
 */
export const updateColleague =
  (ports: PaymentsPorts) =>
  (actor: Pick<Actor, 'accountId' | 'userId'>, userId: number, change: ColleagueChange): UseCase<Colleague> =>
  async (rider) => {
    const { password, ...others } = change
    const hashed = password === undefined ? {} : { passwordHash: await ports.hasher.hash(password) }
    const wanted: UserChange = { ...others, ...hashed }
    return useCase(
      ports,
      (store) => readFacts(store, actor.accountId, userId, wanted),
      (facts, fresh) => decideChange(facts, actor.userId === userId, wanted, fresh),
    )(rider)
  }

const readFacts = async (store: Store, accountId: number, userId: number, wanted: UserChange): Promise<Facts> => ({
  ...(await readChangeFacts(store, userId, wanted)),
  colleague: await findColleague(store, accountId, userId),
  isShared: (await otherLink(store, accountId, userId)) !== null,
})

export const decideChange = (
  { colleague, isShared, ...facts }: Facts,
  isOneself: boolean,
  wanted: UserChange,
  { now }: Fresh,
): Decided<Colleague> => {
  if (!colleague) return left(failure('not-found', 'user.unknown'))
  const { user, link } = colleague
  if (isShared && !isOneself && isIntimate(user, wanted)) return left(failure('forbidden', 'user.shared'))
  const changed = changeUser(user, wanted, facts, now)
  return isLeft(changed) ? changed : decided({ user: changed.right.user, link }, ...changed.right.changes)
}
