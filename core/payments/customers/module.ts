import type { Paging } from '../../kernel/input/mod.ts'
import { plainUseCases, type ResourceFilter } from '../../kernel/resources/plain-use-cases.ts'
import type { Actor, PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import {
  client,
  clientTokens,
  createClient,
  newConsumers,
  removeClient,
  replaceClient,
  updateClient,
} from './client.ts'

/** The clients of an account, who pay its charges. */
export const clients = {
  collections: [client.collection, clientTokens, newConsumers],
  useCases: (ports: PaymentsPorts) => {
    const { list, read } = plainUseCases(client)(ports)
    return {
      /** Reads one of the account's clients, by its id or its code. Fails: `client.unknown`. */
      read,
      /**
       * Lists the account's clients, newest first: a page, or all if `page` is null. A search matches parts of name,
       * e-mail and document, with or without punctuation; ranges are of São Paulo days.
       * Fails: `fields`.
       */
      list: (actor: Pick<Actor, 'accountId'>, page: Paging | null, filter: ResourceFilter = {}) =>
        list(actor, page, filter),
      /**
       * Creates a client. `metadata` and `address` are JSON values; `fbAccessToken` is stored sealed and never
       * returned.
       * Fails: `fields`, `client.document.taken`.
       */
      create: createClient(ports),
      /**
       * Changes a client; an omitted field stays, null clears. If its document was a company's and is no longer, the
       * worker lowers the late fines of its pending charges to the limit of a consumer, as `charges.update` does.
       * Fails: `fields`, `client.unknown`, `client.document.taken`.
       */
      update: updateClient(ports),
      /**
       * Replaces a client; an omitted field gets the default of a new client.
       * Fails: `fields`, `client.unknown`, `client.document.taken`.
       */
      replace: replaceClient(ports),
      /** Removes a client; the charges stay, and the document is free again. Fails: `client.unknown`. */
      remove: removeClient(ports),
    }
  },
} satisfies PaymentsModule
