import { invalid, issue } from '../../failure.ts'
import { left } from '../../fp.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import { byKey } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Client, clients, documentKey, type NewClient, newClient } from './client.ts'

/**
 * Adds a client to the account.
 * Fails: `client.document.taken`. Source: 01-access.md, POST /v1/clients.
 */
export const createClient =
  (ports: PaymentsPorts) =>
  ({ accountId }: Actor, input: NewClient) =>
    useCase(
      ports,
      (store) =>
        input.document ? store.find(byKey(clients, 'document', documentKey(accountId, input.document))) : null,
      (holder, fresh) => decideClient(holder, accountId, input, fresh),
    )

const CODE = 'client.document.taken'
/** Another client of the account has the document. */
export const TAKEN = invalid([issue('document', CODE)], CODE)

export const decideClient = (
  /** Who has the document already. */
  holder: Client | null,
  accountId: number,
  input: NewClient,
  fresh: Fresh,
) => {
  if (holder) return left(TAKEN)
  const client = newClient(fresh, accountId, input)
  return decided(client, insert(clients, client))
}
