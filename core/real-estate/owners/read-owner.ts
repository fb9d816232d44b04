import { byId, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { ownClientIds } from '../own.ts'
import { client } from '../records/client.ts'
import { users } from '../records/user.ts'

/** Who owns properties: a client, or a user with the role Owner. Source: decisions.md §6, references. */
export interface Owner {
  readonly id: string
  readonly name: string
}

const find = async (store: Store, companyId: string, id: string): Promise<Owner | null> => {
  const found = await client.find(store, companyId, id)
  if (found) return found
  const user = await store.find(byId(users, id))
  return user?.companyId === companyId && user.role === 'Owner' && user.removedAt === null ? user : null
}

/** An owner of the company by their id; to an owner they themselves, and their client with their verified e-mail. */
export const findOwner = async (store: Store, actor: Actor, named: string): Promise<Owner | null> => {
  const id = named.toLowerCase()
  const isTheirs =
    actor.role !== 'Owner' || id === actor.userId || (await ownClientIds(store, actor)).some((each) => each === id)
  return isTheirs ? find(store, actor.companyId, id) : null
}
