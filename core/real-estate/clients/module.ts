import type { InputOf } from '../../kernel/input/input.ts'
import type { Paging } from '../../kernel/input/query.ts'
import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import type { ResourceFilter } from '../../kernel/resources/scope.ts'
import { withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { client } from '../records/client.ts'
import { importClients } from './import-clients.ts'
import { newClient } from './new-client.ts'
import { replaceClient } from './replace-client.ts'

type In = Pick<Actor, 'companyId'>
export type NewClient = InputOf<typeof newClient>

/** Who looks for a home, rents, buys or owns. */
export const clients = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(client)(ports)
    return {
      /** One of the company's clients, by its id. Fails: `client.unknown`. */
      read: ({ companyId }: In, id: string) => plain.read({ companyId }, id),
      /**
       * A page of the company's clients, the newest first. A search looks through name, e-mail and document.
       * Fails: `fields`.
       * Source: 03-real-estate.md, Clients.
       */
      list: ({ companyId }: In, page: Paging | null, filter: ResourceFilter = {}) =>
        plain.list({ companyId }, page, filter),
      /**
       * Makes a client; prices are cents. An Owner or a Tenant of the company with its e-mail is linked to it.
       * Fails: `fields` (`document.kind`), `client.taxId.taken`.
       * Source: 03-real-estate.md, Clients.
       */
      create: ({ companyId }: In, given: NewClient) =>
        withValidInput(ports, newClient, given, (sent) => plain.create({ companyId }, sent)),
      /**
       * Makes the clients of a CSV, each line as if it were created alone, or with `atomic` (at most 500) all or none. Titles are
       * the API's names of fields (`address.city`, `preferences.maxPrice` in reais); what is wrong with a line is told with it,
       * by those names. With `dryRun` nothing is stored.
       * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the titles), `import.malformed` (`reason` is the line),
       * `import.too-long` (over 10,000 lines), `import.atomic.too-long`, `import.atomic.too-wide`.
       */
      import: importClients(ports),
      /**
       * Replaces what is told of a client: what is left out is as in a new one. A link by e-mail to an Owner or a Tenant stays.
       * Fails: `fields` (`document.kind`), `client.unknown`, `client.taxId.taken`, `client.email.linked` (an actor who is no Admin
       * changes an e-mail that links a user, or sets the e-mail of a user of the company).
       * Source: 03-real-estate.md, Clients.
       */
      replace: (actor: Pick<Actor, 'companyId' | 'role'>, id: string, given: NewClient) =>
        withValidInput(ports, newClient, given, (sent) => replaceClient(ports)(actor, id, sent)),
      /**
       * Removes a client: its document is free again.
       * Fails: `client.unknown`, `client.in-use` (it has active contracts, or owns properties).
       * Source: 03-real-estate.md, Clients; decisions.md §10, States.
       */
      remove: ({ companyId }: In, id: string) => plain.remove({ companyId }, id),
    }
  },
} satisfies RealEstateModule
