import { readUseCase } from '../../../kernel/running/use-case.ts'
import { parseId } from '../../../kernel/values/text.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Membership, memberKey, memberships } from '../../members/membership.ts'
import { type ShownUser, shownUser, type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'

/** Somebody who works in an account, and by which membership. */
export interface TeamMember {
  readonly user: ShownUser
  readonly membership: Membership
}

/** The same as it is stored. */
export interface StoredMember extends TeamMember {
  readonly user: User
}

export const shownMember = ({ user, membership }: StoredMember): TeamMember => ({ user: shownUser(user), membership })

/** The account's member of this user id, whatever the membership's status; null for anybody else. */
export const findTeamMember = async (store: Store, accountId: number, userId: number): Promise<StoredMember | null> => {
  const { user, membership } = await store.read({
    user: byId(users, userId),
    membership: byKey(memberships, 'member', memberKey(accountId, userId)),
  })
  return user && membership && user.removedAt === null ? { user, membership } : null
}

/** The same by the id in a path. Fails: `user.unknown`, for what is no id too. */
export const readTeamMember =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, pathId: string) =>
    readUseCase('user.unknown', async () => {
      const userId = parseId(pathId)
      const found = userId === null ? null : await findTeamMember(store, accountId, userId)
      return found && shownMember(found)
    })
