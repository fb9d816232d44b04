import { right } from '../../../fp.ts'
import type { Field } from '../../../kernel/records/collection.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { UseCase } from '../../../kernel/running/use-case.ts'
import { offsetOf, type Page } from '../../../kernel/values/page.ts'
import { byId, type Find, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type User, users } from '../members/user.ts'
import type { Listing } from '../../listing.ts'
import { newestFirst, newestOf } from '../../newest-first.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Membership, memberships } from '../members/membership.ts'
import type { Colleague } from './colleague.ts'

/**
 * Who works in the account, the newest link first: a page, or everybody.
 * Source: 01-access.md, GET /v1/users; decisions.md §12, v1 lists.
 */
export const listColleagues =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, page: Page | null): UseCase<Listing<Colleague>> =>
  async () => {
    if (!page) return right({ all: everybody(store, accountId) })
    const asked = { ...newestOf(linksOf(accountId)), limit: page.perPage, offset: offsetOf(page), total: true }
    const { records: links, total } = await store.list(asked)
    return right({ ...page, records: await withUsers(store, links), total: total ?? 0 })
  }

const linksOf = (accountId: number) => ({ from: memberships, where: eq<Field<Membership>>('accountId', accountId) })

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
  for await (const slice of newestFirst(store, linksOf(accountId))) yield* await withUsers(store, slice)
}
