import { byId, byKey, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type User, users } from '../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { recordId } from '../../record-id.ts'
import { type Membership, memberKey, memberships } from '../members/membership.ts'

/** Somebody who works in an account, and by which link. */
export interface Colleague {
  readonly user: User
  readonly link: Membership
}

/** The account's colleague of this user id, whatever the link's status; null for anybody else. */
export const findColleague = async (store: Store, accountId: number, userId: number): Promise<Colleague | null> => {
  const { user, link } = await store.read({
    user: byId(users, userId),
    link: byKey(memberships, 'member', memberKey(accountId, userId)),
  })
  return user && link && user.removedAt === null ? { user, link } : null
}

/** The same by the id in a path; null for what is no id. */
export const readColleague =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  async ({ accountId }: Pick<Actor, 'accountId'>, pathId: string): Promise<Colleague | null> => {
    const userId = recordId(pathId)
    return userId === null ? null : findColleague(store, accountId, userId)
  }
