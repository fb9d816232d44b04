import { right } from '../../../fp.ts'
import { MAX_PAGE } from '../../../kernel/limits.ts'
import { offsetOf, type Page } from '../../../kernel/page.ts'
import type { UseCase } from '../../../kernel/use-case.ts'
import { all, eq, gte, lte, not, type Where } from '../../../kernel/where.ts'
import { byId, type Find, type List, type Listed, listOf, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type User, users } from '../../identity/user.ts'
import type { Listing } from '../../listing.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Membership, memberships } from '../membership.ts'
import type { Colleague } from './colleague.ts'

type Field = keyof Membership & string

/**
 * Who works in the account, the newest link first: a page, or everybody.
 * Source: 01-access.md, GET /v1/users; decisions.md §12, v1 lists.
 */
export const listColleagues =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, page: Page | null): UseCase<Listing<Colleague>> =>
  async () => {
    if (!page) return right({ all: everybody(store, accountId) })
    const asked = { ...newestOf(accountId, null), limit: page.perPage, offset: offsetOf(page), total: true }
    const { records: links, total } = await store.list(asked)
    return right({ ...page, records: await withUsers(store, links), total: total ?? 0 })
  }

/** As many links as are read at once, the newest first, or those that come after one of them. */
const newestOf = (accountId: number, after: Membership | null): List<Membership> =>
  listOf(memberships, {
    where: all(eq<Field>('accountId', accountId), ...(after ? following(after) : [])),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })

// Those of the same instant come by id, the highest first.
const following = ({ id, createdAt }: Membership): readonly Where<Field>[] => [
  lte('createdAt', createdAt),
  not(all(eq('createdAt', createdAt), gte('id', id))),
]

/** Links with their users, in their order. */
export const withUsers = async (store: Store, links: readonly Membership[]): Promise<readonly Colleague[]> => {
  const asks = links.map(({ userId }): [string, Find<User>] => [`${userId}`, byId(users, userId)])
  const found = await store.read(Object.fromEntries(asks))
  return links.flatMap((link) => {
    const user = found[`${link.userId}`]
    return user ? [{ user, link }] : []
  })
}

async function* everybody(store: Store, accountId: number): AsyncIterable<Colleague> {
  let last: Membership | null = null
  for (;;) {
    const { records }: Listed<Membership> = await store.list(newestOf(accountId, last))
    yield* await withUsers(store, records)
    last = records.at(-1) ?? null
    if (!last || records.length < MAX_PAGE) return
  }
}
