import { eq } from '../../kernel/records/where.ts'
import { byId, type Find, type List, listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import type { Person } from '../actor.ts'
import { type Membership, memberships } from './membership.ts'

/** The status of a membership that opens its account. */
export const ACTIVE_MEMBERSHIP = 1

/** Memberships that are read at once: more than nearly anybody has. */
const MEMBERSHIPS_AT_ONCE = 20

/** A person's active memberships, the newest first. */
export const newestMemberships = (userId: number, offset = 0): List<Membership> =>
  listOf(memberships, {
    where: eq('userId', userId),
    when: 'active',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MEMBERSHIPS_AT_ONCE,
    offset,
  })

/** How many accounts anybody works in at most. */
const MAX_MEMBERSHIPS = 500

/** All of a person's memberships, whatever their status. */
export const everyMembership = (userId: number): List<Membership> =>
  listOf(memberships, { where: eq('userId', userId), sort: { by: 'createdAt', dir: 'desc' }, limit: MAX_MEMBERSHIPS })

/** An account that a person works in, and by which membership. */
export interface AccountMembership {
  readonly membership: Membership
  readonly account: Account
}

/** The memberships whose accounts were not removed, with those, in their order. */
export const withAccounts = async (
  store: Store,
  memberships: readonly Membership[],
): Promise<readonly AccountMembership[]> => {
  const asks = memberships.map(({ accountId }): [string, Find<Account>] => [`${accountId}`, byId(accounts, accountId)])
  const found = await store.read(Object.fromEntries(asks))
  return memberships.flatMap((membership) => {
    const account = found[`${membership.accountId}`]
    return account && account.removedAt === null ? [{ membership, account }] : []
  })
}

/** Every account that a person works in, the newest membership first; `first` are the newest memberships, where they are known. */
export async function* everyAccountMembership(
  store: Store,
  userId: number,
  first?: readonly Membership[],
): AsyncIterable<AccountMembership> {
  let memberships = first ?? (await store.list(newestMemberships(userId))).records
  for (let offset = MEMBERSHIPS_AT_ONCE; ; offset += MEMBERSHIPS_AT_ONCE) {
    yield* await withAccounts(store, memberships)
    if (memberships.length < MEMBERSHIPS_AT_ONCE) return
    memberships = (await store.list(newestMemberships(userId, offset))).records
  }
}

/** Those of a caller's memberships that their token opens: every one, or the one it is bound to. */
export async function* openAccountMemberships(
  store: Store,
  { userId, boundTo }: Pick<Person, 'userId' | 'boundTo'>,
  first?: readonly Membership[],
): AsyncIterable<AccountMembership> {
  for await (const each of everyAccountMembership(store, userId, first)) {
    if (boundTo === null || each.account.id === boundTo) yield each
  }
}
