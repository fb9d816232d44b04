import type { Paging } from '../../kernel/input/query.ts'
import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import type { ResourceFilter } from '../../kernel/resources/scope.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { client } from './client.ts'
import { clientTokens, createClient, removeClient, replaceClient, updateClient } from './write-client.ts'

/** An account’s clients: who is charged. */
export const clients = {
  collections: [client.collection, clientTokens],
  useCases: (ports: PaymentsPorts) => {
    const { list, read } = plainUseCases(client)(ports)
    return {
      /**
       * One of the account's clients, by its id or, where that is asked for, its code.
       * Fails: `client.unknown`.
       * Source: 01-access.md, v1 clients; 02-billing.md, Clients.
       */
      read,
      /**
       * The account's, the newest first: a page, or with null all of them. A search looks through name, e-mail and document,
       * which may have its marks, whole or in part; ranges are of São Paulo days.
       * Fails: `fields`.
       * Source: 01-access.md, v1 clients; 02-billing.md, Clients.
       */
      list: (actor: Pick<Actor, 'accountId'>, page: Paging | null, filter: ResourceFilter = {}) =>
        list(actor, page, filter),
      /**
       * Makes a client. `metadata` and `address` are values of JSON; `fbAccessToken` is kept sealed, and told to nobody.
       * Fails: `fields`, `client.document.taken`.
       * Source: 01-access.md, v1 clients; 02-billing.md, Clients.
       */
      create: createClient(ports),
      /**
       * Changes a client: what is left out stays, null clears.
       * Fails: `fields`, `client.unknown`, `client.document.taken`.
       * Source: 01-access.md, v1 clients; 02-billing.md, Clients.
       */
      update: updateClient(ports),
      /**
       * Changes a client: what is left out is as in one that is made.
       * Fails: `fields`, `client.unknown`, `client.document.taken`.
       * Source: 01-access.md, v1 clients.
       */
      replace: replaceClient(ports),
      /**
       * Removes a client, whose charges stay and whose document is free again.
       * Fails: `client.unknown`.
       * Source: 01-access.md, v1 clients; 02-billing.md, Clients.
       */
      remove: removeClient(ports),
    }
  },
} satisfies PaymentsModule
