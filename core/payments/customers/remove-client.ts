import { left } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { clients } from './client.ts'
import { findOwn } from './read-client.ts'
import { UNKNOWN } from './update-client.ts'

/**
 * Removes a client: it frees its document, answers 404 and keeps its charges.
 * Fails: `client.unknown`. Source: 01-access.md, DELETE /v1/clients/{id}; decisions.md §9, Groups and clients.
 */
export const removeClient =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number) =>
    useCase(
      ports,
      (store) => findOwn(store, accountId, id),
      (client, { now }) => {
        if (!client) return left(UNKNOWN)
        const set = { status: 'DELETED', removedAt: now, updatedAt: now } as const
        return decided(null, patch(clients, id, { set, when: eq('removedAt', null) }))
      },
    )
