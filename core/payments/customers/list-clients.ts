import { right } from '../../fp.ts'
import type { Field } from '../../kernel/records/collection.ts'
import { eq } from '../../kernel/records/where.ts'
import { newestFirst, newestOf } from '../../kernel/running/newest-first.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import type { Listing } from '../../kernel/values/listing.ts'
import { offsetOf, type Page } from '../../kernel/values/page.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Client, clients } from './client.ts'

/**
 * The account's clients, newest first: a page, or all of them.
 * Source: 01-access.md, GET /v1/clients; decisions.md §12, v1 lists.
 */
export const listClients =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, page: Page | null): UseCase<Listing<Client>, never> =>
  async () => {
    if (!page) return right({ all: everyClient(store, accountId) })
    const asked = { ...newestOf(clientsOf(accountId)), limit: page.perPage, offset: offsetOf(page), total: true }
    const { records, total } = await store.list(asked)
    return right({ ...page, records, total: total ?? 0 })
  }

/** The clients of an account that were not removed. */
export const clientsOf = (accountId: number) => ({
  from: clients,
  where: eq<Field<Client>>('accountId', accountId),
  when: 'live',
})

async function* everyClient(store: Store, accountId: number): AsyncIterable<Client> {
  for await (const slice of newestFirst(store, clientsOf(accountId))) yield* slice
}
