import { all, eq, not } from '../../../kernel/records/where.ts'
import { listOf, type Store } from '../../../ports/store.ts'
import { type Membership, memberships } from '../membership.ts'

/** A link of the user with an account other than this one, whatever its status; null where there is none. */
export const otherLink = async (store: Store, accountId: number, userId: number): Promise<Membership | null> => {
  const where = all(eq<keyof Membership & string>('userId', userId), not(eq('accountId', accountId)))
  const { records } = await store.list(listOf(memberships, { where, sort: { by: 'createdAt', dir: 'asc' }, limit: 1 }))
  return records[0] ?? null
}
