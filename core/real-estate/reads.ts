import { all, always, type Collection, eq, type Field, isIn, type Rec, type Where } from '../kernel/records/record.ts'
import { scopeOf } from '../kernel/resources/plain-use-cases.ts'
import { listWithin, recordsById, tenantKey } from '../kernel/resources/queries.ts'
import { newestQuery } from '../kernel/running/slices.ts'
import { MAX_PAGE } from '../limits.ts'
import {
  byKey,
  type List,
  listAll,
  listOf,
  NEWEST_FIRST,
  offsetOf,
  type Page,
  type PageOf,
  type Store,
} from '../ports/store.ts'
import { type Actor, may } from './real-estate-ports.ts'
import { type Broker, brokers, type Client, clients } from './records/people.ts'
import { type Property, properties } from './records/property.ts'
import { type Proposal, proposal } from './records/proposal.ts'

// Reads that several modules share: the records that an actor may see, the parties of records, pages.

type ClientUser = Pick<Actor, 'companyId' | 'userId' | 'verifiedEmail'>

/** Reads all records of a company that match, page by page. */
export const listOfCompany = <R extends Rec>(
  store: Pick<Store, 'list'>,
  from: Collection<R>,
  companyId: string,
  { where = always, ...query }: Partial<Pick<List<R>, 'where' | 'when' | 'sort'>>,
): Promise<readonly R[]> => {
  const own = all(eq('companyId', companyId), where) as Where<Field<R>>
  return listAll(store, listOf(from, { ...query, where: own, limit: MAX_PAGE }))
}

/** Returns the broker with the actor's verified e-mail. */
export const ownBroker = async (
  store: Pick<Store, 'find'>,
  { companyId, verifiedEmail }: Pick<Actor, 'companyId' | 'verifiedEmail'>,
): Promise<Broker | null> =>
  verifiedEmail === null ? null : store.find(byKey(brokers, 'email', tenantKey(companyId, verifiedEmail)))

/**
 * Returns the ids of the actor's clients: those linked to the actor, and those with the actor's verified e-mail and no
 * link to another user.
 */
export const ownClientIds = async (
  store: Pick<Store, 'list'>,
  { companyId, userId, verifiedEmail }: ClientUser,
): Promise<readonly string[]> => {
  if (verifiedEmail === null) return []
  const listLive = (field: 'email' | 'linkedUserId', value: string) =>
    listOfCompany(store, clients, companyId, { where: eq(field, value), when: 'live', sort: NEWEST_FIRST })
  const [linked, matching] = await Promise.all([listLive('linkedUserId', userId), listLive('email', verifiedEmail)])
  return [...linked, ...matching.filter(({ linkedUserId }) => linkedUserId === null)].map(({ id }) => id)
}

/** Returns the ids under which the actor can own properties: the user's and those of the actor's clients. */
export const ownerIds = async (store: Pick<Store, 'list'>, actor: ClientUser): Promise<readonly string[]> => [
  actor.userId,
  ...(await ownClientIds(store, actor)),
]

const ownPropertyIds = async (store: Pick<Store, 'list'>, actor: ClientUser): Promise<readonly string[]> => {
  const where = isIn('ownerId', await ownerIds(store, actor))
  const found = await listOfCompany(store, properties, actor.companyId, { where, when: 'live' })
  return found.map(({ id }) => id)
}

/** Limits an actor to the records whose field has one of these ids. */
interface RecordLimit<F extends string> {
  readonly field: F
  readonly ids: readonly string[]
}

/** Limits an Owner or a Tenant to the contracts and payments of their properties or clients; null for other roles. */
export const readContractLimit = async (
  store: Pick<Store, 'list'>,
  actor: Actor,
): Promise<RecordLimit<'propertyId' | 'clientId'> | null> => {
  if (actor.role === 'Owner') return { field: 'propertyId', ids: await ownPropertyIds(store, actor) }
  return actor.role === 'Tenant' ? { field: 'clientId', ids: await ownClientIds(store, actor) } : null
}

/** Returns a record if it is within the limit of the actor, else null. */
export const ifWithin = <F extends string, R extends { readonly [field in F]: string | null }>(
  record: R | null,
  limit: RecordLimit<F> | null,
): R | null => (record && limit && !limit.ids.some((id) => id === record[limit.field]) ? null : record)

const proposalScope = scopeOf(proposal)

/**
 * Returns the scope of an actor's proposals and commissions: brokers see their own, and none without a broker record.
 */
export const readBrokerScope = async (
  store: Pick<Store, 'find'>,
  actor: Actor,
): Promise<{ readonly companyId: string; readonly own?: string | null }> => {
  const { companyId, role } = actor
  return role === 'Broker' ? { companyId, own: (await ownBroker(store, actor))?.id ?? null } : { companyId }
}

/** Returns the proposal that a contract names, if the actor may see it. */
export const findVisibleProposal = async (store: Store, actor: Actor, id: string | null): Promise<Proposal | null> =>
  id !== null && may(actor.role, 'proposals:read')
    ? proposalScope.find(store, await readBrokerScope(store, actor), id)
    : null

/** The property, client and broker of a record, removed ones included; null if unknown or none. */
export interface Parties {
  readonly property: Property | null
  readonly client: Client | null
  readonly broker: Broker | null
}

interface Referrer {
  readonly propertyId: string | null
  readonly clientId: string | null
  readonly brokerId: string | null
}

/** Reads the parties of all these records at once. Returns a function that returns the parties of one of them. */
export const readParties = async (store: Pick<Store, 'list'>, companyId: string, records: readonly Referrer[]) => {
  const idsOf = (field: keyof Referrer) => records.map((each) => each[field])
  const [property, client, broker] = await Promise.all([
    recordsById(store, properties, companyId, idsOf('propertyId')),
    recordsById(store, clients, companyId, idsOf('clientId')),
    recordsById(store, brokers, companyId, idsOf('brokerId')),
  ])
  return ({ propertyId, clientId, brokerId }: Referrer): Parties => ({
    property: property.get(propertyId ?? '') ?? null,
    client: client.get(clientId ?? '') ?? null,
    broker: broker.get(brokerId ?? '') ?? null,
  })
}

/** Returns the names that a record copies from its parties, so that a search finds it. */
export const namesOf = ({ property, client }: Pick<Parties, 'property' | 'client'>) => ({
  propertyCode: property?.code ?? '',
  clientName: client?.name ?? '',
})

/** Reads a page of a query, newest first: of all its records, or of those within a limit. */
export const readPage = async <R extends Rec & { readonly createdAt: string }>(
  store: Pick<Store, 'list'>,
  query: Parameters<typeof newestQuery<R>>[0],
  { page, perPage }: Page,
  limit: RecordLimit<Field<R>> | null = null,
): Promise<PageOf<R>> => {
  const list = { ...newestQuery(query), limit: perPage, offset: offsetOf({ page, perPage }), total: true }
  const { records, total } = await (limit ? listWithin(store, list, limit.field, limit.ids) : store.list(list))
  return { page, perPage, records, total: total ?? 0 }
}
