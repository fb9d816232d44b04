import { eq } from '../../../kernel/records/where.ts'
import { byId, type Find, type List, listOf, type Store } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { type Membership, memberships } from './membership.ts'

/** The status of a link that opens its account. */
export const ACTIVE_LINK = 1

/** Links that are read at once: more than nearly anybody has. */
const LINKS_AT_ONCE = 20

/** A person's active links, the newest first. */
export const newestLinks = (userId: number, offset = 0): List<Membership> =>
  listOf(memberships, {
    where: eq('userId', userId),
    when: 'active',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: LINKS_AT_ONCE,
    offset,
  })

/** How many accounts anybody works in at most. */
const MAX_LINKS = 500

/** All of a person's links, whatever their status. */
export const everyLink = (userId: number): List<Membership> =>
  listOf(memberships, { where: eq('userId', userId), sort: { by: 'createdAt', dir: 'desc' }, limit: MAX_LINKS })

/** An account that a person works in, and by which link. */
export interface Seat {
  readonly link: Membership
  readonly account: Account
}

/** The links whose accounts were not removed, with those, in their order. */
export const seatsOf = async (store: Store, links: readonly Membership[]): Promise<readonly Seat[]> => {
  const asks = links.map(({ accountId }): [string, Find<Account>] => [`${accountId}`, byId(accounts, accountId)])
  const found = await store.read(Object.fromEntries(asks))
  return links.flatMap((link) => {
    const account = found[`${link.accountId}`]
    return account && account.removedAt === null ? [{ link, account }] : []
  })
}

/** Every account that a person works in, the newest link first; `first` are the newest links, where they are known. */
export async function* everySeat(store: Store, userId: number, first?: readonly Membership[]): AsyncIterable<Seat> {
  let links = first ?? (await store.list(newestLinks(userId))).records
  for (let offset = LINKS_AT_ONCE; ; offset += LINKS_AT_ONCE) {
    yield* await seatsOf(store, links)
    if (links.length < LINKS_AT_ONCE) return
    links = (await store.list(newestLinks(userId, offset))).records
  }
}

/** Those of a caller's seats that their token opens: every one, or the one it is bound to. */
export async function* openSeats(
  store: Store,
  { userId, boundTo }: Pick<Person, 'userId' | 'boundTo'>,
  first?: readonly Membership[],
): AsyncIterable<Seat> {
  for await (const seat of everySeat(store, userId, first)) {
    if (boundTo === null || seat.account.id === boundTo) yield seat
  }
}
