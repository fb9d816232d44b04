import type { Store } from '../../../ports/store.ts'
import type { Membership } from '../../members/membership.ts'
import { everyMembership, withAccounts } from '../../members/membership.ts'

/** A membership of the user with an account other than this one that was not removed, whatever its status; null where there is none. */
export const otherMembership = async (store: Store, accountId: number, userId: number): Promise<Membership | null> => {
  const { records } = await store.list(everyMembership(userId))
  const others = records.filter((membership) => membership.accountId !== accountId)
  const [other] = await withAccounts(store, others)
  return other?.membership ?? null
}
