import { right } from '../../fp.ts'
import { MAX_PAGE } from '../../kernel/limits.ts'
import { offsetOf, type Page } from '../../kernel/page.ts'
import type { UseCase } from '../../kernel/use-case.ts'
import { all, eq, gte, lte, not, type Where } from '../../kernel/where.ts'
import { type List, type Listed, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { Listing } from '../listing.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Client, clients } from './client.ts'

type Field = keyof Client & string

/**
 * The account's clients, newest first: a page, or all of them.
 * Source: 01-access.md, GET /v1/clients; decisions.md §12, v1 lists.
 */
export const listClients =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, page: Page | null): UseCase<Listing<Client>> =>
  async () => {
    if (!page) return right({ all: everyClient(store, accountId) })
    const asked = { ...newestClients(accountId, null), limit: page.perPage, offset: offsetOf(page), total: true }
    const { records, total } = await store.list(asked)
    return right({ ...page, records, total: total ?? 0 })
  }

/** As many clients as are read at once, the newest first, or those that come after one of them. */
export const newestClients = (accountId: number, after: Pick<Client, 'id' | 'createdAt'> | null): List<Client> =>
  listOf(clients, {
    where: all(eq<Field>('accountId', accountId), ...(after ? following(after) : [])),
    when: 'live',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_PAGE,
  })

// Those of the same instant come by id, the highest first.
const following = ({ id, createdAt }: Pick<Client, 'id' | 'createdAt'>): readonly Where<Field>[] => [
  lte('createdAt', createdAt),
  not(all(eq('createdAt', createdAt), gte('id', id))),
]

/** Goes on after the last one it gave, so that nobody who is added or removed meanwhile makes it skip or repeat. */
async function* everyClient(store: Store, accountId: number): AsyncIterable<Client> {
  let last: Client | null = null
  for (;;) {
    const { records }: Listed<Client> = await store.list(newestClients(accountId, last))
    yield* records
    last = records.at(-1) ?? null
    if (!last || records.length < MAX_PAGE) return
  }
}
