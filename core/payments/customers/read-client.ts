import { recordId } from '../../kernel/values/record-id.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Client, clients } from './client.ts'

/** The account's client of this id; null for another account's, and for a removed one. */
export const findOwn = async (store: Store, accountId: number, id: number): Promise<Client | null> => {
  const client = await store.find(byId(clients, id))
  return client?.accountId === accountId && client.removedAt === null ? client : null
}

/** The same by the id in a path; null for what is no id. */
export const readClient =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  async ({ accountId }: Pick<Actor, 'accountId'>, pathId: string): Promise<Client | null> => {
    const id = recordId(pathId)
    return id === null ? null : findOwn(store, accountId, id)
  }
