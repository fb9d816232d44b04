import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import { byKey } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Client, clients, documentKey, type NewClient, searchOf } from './client.ts'
import { TAKEN } from './create-client.ts'
import { findOwn } from './read-client.ts'

/** What of a client is to change; what is left out stays, null clears. */
export type ClientChange = Partial<NewClient>

interface Facts {
  readonly client: Client | null
  /** Who has the new document. */
  readonly holder: Client | null
}

export const UNKNOWN = failure('not-found', 'client.unknown')

/**
 * Changes a client of the account.
 * Fails: `client.unknown`, `client.document.taken`. Source: 01-access.md, PUT /v1/clients/{id}.
 */
export const updateClient =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number, change: ClientChange) =>
    useCase(
      ports,
      async (store): Promise<Facts> => ({
        client: await findOwn(store, accountId, id),
        holder: change.document
          ? await store.find(byKey(clients, 'document', documentKey(accountId, change.document)))
          : null,
      }),
      (facts, fresh) => decideUpdate(facts, change, fresh),
    )

export const decideUpdate = ({ client, holder }: Facts, change: ClientChange, { now }: Fresh) => {
  if (!client) return left(UNKNOWN)
  if (holder && holder.id !== client.id) return left(TAKEN)
  const fields: Partial<Client> = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length === 0) return decided(client)
  const after = { ...client, ...fields, updatedAt: now }
  const search = searchOf(after)
  // The search text is made of all three: of two changes at once the second one makes it anew.
  const { name, email, document } = client
  const when = all(
    eq<keyof Client & string>('removedAt', null),
    eq('name', name),
    eq('email', email),
    eq('document', document),
  )
  const set = { ...fields, search, updatedAt: now }
  return decided<Client>({ ...after, search }, patch(clients, client.id, { set, when }))
}
