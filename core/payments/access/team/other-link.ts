import type { Store } from '../../../ports/store.ts'
import { everyLink, seatsOf } from '../members/memberships-of.ts'
import type { Membership } from '../members/membership.ts'

/** A link of the user with an account other than this one that was not removed, whatever its status; null where there is none. */
export const otherLink = async (store: Store, accountId: number, userId: number): Promise<Membership | null> => {
  const { records } = await store.list(everyLink(userId))
  const others = records.filter((link) => link.accountId !== accountId)
  const [seat] = await seatsOf(store, others)
  return seat?.link ?? null
}
