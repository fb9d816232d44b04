import { type Failure, failure, isLeft, issue, left } from '../failure.ts'
import { type DecodedOf, type InputOf, input, type Paging, rule } from '../kernel/input/mod.ts'
import { plainUseCases, type ResourceFilter } from '../kernel/resources/plain-use-cases.ts'
import { accept, useCase, withValidInput } from '../kernel/running/use-case.ts'
import { taxIdKind } from '../kernel/values/tax-id.ts'
import { byKey, type Store } from '../ports/store.ts'
import { importOf } from './imports/import-lines.ts'
import { renameEvents } from './office.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, CompanyActor, RealEstatePorts } from './real-estate-ports.ts'
import { revisionOf, sameRevision } from './records/fields.ts'
import { type Client, client, clientFields, clients as collection, type User, users } from './records/people.ts'

export type NewClient = InputOf<typeof newClient>

/** The clients of a company: leads, tenants, buyers and owners. */
export const clients = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(client)(ports)
    return {
      /**
       * Returns a client of the company.
       * Fails: `client.unknown`.
       */
      read: ({ companyId }: CompanyActor, id: string) => plain.read({ companyId }, id),
      /**
       * Returns a page of the company's clients, newest first. The search covers name, e-mail, document and phone.
       * Fails: `fields`.
       */
      list: ({ companyId }: CompanyActor, page: Paging | null, filter: ResourceFilter = {}) =>
        plain.list({ companyId }, page, filter),
      /**
       * Creates a client; prices are cents. An Owner or a Tenant of the company with its e-mail, verified, is linked to
       * it. Fails: `fields` (`document.kind`), `client.taxId.taken`.
       */
      create: ({ companyId }: CompanyActor, submitted: NewClient) =>
        withValidInput(ports, newClient, submitted, (fields) => plain.create({ companyId }, fields)),
      /**
       * Imports clients from a CSV, each line as in `create`; with `atomic` (at most 500 lines) all or none. Titles are
       * the API's field names (`address.city`, `preferences.maxPrice` in reais), and issues of a line name them. With
       * `dryRun` nothing is stored.
       * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the titles), `import.malformed` (`reason` is the
       * line), `import.too-long` (over 10,000 lines), `import.atomic.too-long`, `import.atomic.too-wide`.
       */
      import: importClients(ports),
      /**
       * Replaces the fields of a client; missing fields take their defaults. A link by e-mail to an Owner or a Tenant
       * stays.
       * Fails: `fields` (`document.kind`), `client.unknown`, `client.taxId.taken`, `client.email.linked` (an actor who
       * is no Admin changes an e-mail that links a user, or sets the e-mail of a user of the company).
       */
      replace: replaceClient(ports),
      /**
       * Removes a client and frees its document.
       * Fails: `client.unknown`, `client.in-use` (it has active contracts or owns properties).
       */
      remove: ({ companyId }: CompanyActor, id: string) => plain.remove({ companyId }, id),
    }
  },
} satisfies RealEstateModule

const KINDS = { Individual: 'CPF', Company: 'CNPJ' } as const

/** The fields of a client: an individual has a CPF, a company a CNPJ. */
export const newClient = input(
  'NewClient',
  clientFields,
  rule(['taxId', 'type'], ({ taxId, type }) =>
    taxId === null || taxIdKind(taxId) === KINDS[type] ? [] : [issue('taxId', 'document.kind')],
  ),
)

const importClients = importOf({
  resource: client,
  created: newClient,
  create: (facts, { companyId }: CompanyActor, fields, fresh) => client.create(facts, companyId, fields, fresh),
})

const LINKED: Failure<'client.email.linked', never> = failure('forbidden', 'client.email.linked')

/** Reads the users of the company with the client's e-mail and with the e-mail that replaces it; null if it stays. */
const readHolders = async (
  store: Store,
  companyId: string,
  record: Client | null,
  fields: DecodedOf<typeof newClient>,
) => {
  if (!record || record.email === fields.email) return { before: null, after: null }
  const find = async (email: string) => {
    const found = await store.find(byKey(users, 'email', email))
    return found?.companyId === companyId ? found : null
  }
  return { before: await find(record.email), after: await find(fields.email) }
}

/** Returns the id of a client's user: by the stored link, else the Owner or Tenant who holds the e-mail. */
const linkedUserOf = ({ linkedUserId }: Client, holder: User | null): string | null => {
  if (linkedUserId !== null) return linkedUserId
  const mayBeLinked = holder?.role === 'Owner' || holder?.role === 'Tenant'
  return mayBeLinked && holder.emailUnproven !== true ? holder.id : null
}

/**
 * Replaces the fields of a client; an event updates the records that copy its name. A client's e-mail gives an Owner or
 * a Tenant access to its properties and contracts. Therefore another e-mail neither moves nor ends a link, and only an
 * Admin changes an e-mail that links a user or sets the e-mail of a user of the company.
 */
const replaceClient =
  (ports: RealEstatePorts) =>
  ({ companyId, role }: Pick<Actor, 'companyId' | 'role'>, id: string, submitted: NewClient) =>
    withValidInput(ports, newClient, submitted, (fields) =>
      useCase(
        ports,
        async (store) => {
          const facts = await client.readFacts(store, companyId, id, fields)
          return { facts, holders: await readHolders(store, companyId, facts.record, fields) }
        },
        ({ facts, holders }, fresh) => {
          const { record: before } = facts
          const hasNewEmail = before !== null && before.email !== fields.email
          const linkedUserId = before && (hasNewEmail ? linkedUserOf(before, holders.before) : before.linkedUserId)
          if (role !== 'Admin' && hasNewEmail && (linkedUserId !== null || holders.after !== null)) return left(LINKED)
          const internal = { linkedUserId, ...revisionOf(before, fields, ['name', 'phone'], fresh) }
          const decision = client.update(facts, fields, fresh, internal)
          if (isLeft(decision)) return decision
          const { record, changes } = decision.right
          const renamed = renameEvents(fresh, 'client.renamed', 'name', before, record)
          return accept(record, ...sameRevision(collection, before), ...changes, ...renamed)
        },
      ),
    )
