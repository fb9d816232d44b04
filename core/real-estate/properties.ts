import { conflict, type Failure, failure, isLeft, left, right } from '../failure.ts'
import {
  type DecodedOf,
  type InputCode,
  type InputOf,
  input,
  line,
  nullIfAbsent,
  oneOf,
  output,
  type Paging,
  paging,
  requiredWhen,
  view,
} from '../kernel/input/mod.ts'
import { all, type Change, check, eq, gt, isIn, patch } from '../kernel/records/record.ts'
import { acceptMade, plainUseCases, type ResourceFilter, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import { type Facts, recordsById } from '../kernel/resources/queries.ts'
import { accept, type Fresh, readUseCase, type UseCase, useCase, withValidInput } from '../kernel/running/use-case.ts'
import type { Day, Instant } from '../kernel/values/day.ts'
import { MAX_PAGE } from '../limits.ts'
import { type Listing, listOf, type Page, type Store } from '../ports/store.ts'
import { lastLease } from './contracts/tenure.ts'
import { importOf } from './imports/import-lines.ts'
import { renameEvents } from './office.ts'
import { ownerIds, readPage } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, CompanyActor, CompanyUser, RealEstatePorts } from './real-estate-ports.ts'
import type { Contract } from './records/contract.ts'
import { historyEntry, id, reason, revisionOf, sameRevision, timestamps, unchanged } from './records/fields.ts'
import { type Broker, brokers, clients, users } from './records/people.ts'
import {
  properties as collection,
  PROPERTY_STATUSES,
  type Property,
  type PropertyStatus,
  property,
  propertyFields,
  propertyMoves,
} from './records/property.ts'
import { visits } from './records/visit.ts'
import { afterStoringPaidTerms } from './terms/paid-terms.ts'

/** The properties of a company, to let or to sell. */
export const properties = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the properties that the actor may see, newest first; owners see their own. The search covers
     * code and address.
     * Fails: `fields`.
     */
    list: listProperties(ports),
    /**
     * Returns a property that the actor may see, with its broker, owner and status history.
     * Fails: `property.unknown`.
     */
    read: readProperty(ports),
    /**
     * Creates a property with the status Available; prices are cents, areas square metres.
     * Fails: `fields` (`required` for the price of its purpose, `unknown` references), `property.code.taken`.
     */
    create: createProperty(ports),
    /**
     * Imports properties from a CSV, each line as in `create`; with `atomic` (at most 500 lines) all or none. Titles
     * are the API's field names (`address.city`, `rentPrice` in reais), lists are separated by `|`, and issues of a
     * line name its columns. `ownerId` is the id, CPF or CNPJ of a client. With `dryRun` nothing is stored.
     * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the titles), `import.malformed` (`reason` is the
     * line), `import.too-long` (over 10,000 lines), `import.atomic.too-long`, `import.atomic.too-wide` (references to
     * too many records).
     */
    import: importProperties(ports),
    /**
     * Replaces the fields of a property except its status; missing fields take their defaults.
     * Fails: `fields`, `property.unknown`, `property.code.taken`, `property.purpose`, `property.owner.let` (by an actor
     * without the role Admin, under an Active contract or a Renewed lease).
     */
    replace: replaceProperty(ports),
    /**
     * Moves a property to another status by hand, and adds the user and the reason to its history.
     * Fails: `fields`, `property.unknown`, `property.move`, `property.purpose` (the status contradicts it),
     * `property.leased` (to Available under an active lease).
     */
    move: moveProperty(ports),
    /**
     * Removes a property and frees its code.
     * Fails: `property.unknown`, `property.in-use` (it has active contracts, open proposals or future visits).
     */
    remove: removeProperty(ports),
  }),
} satisfies RealEstateModule

/** The fields of a property, with the price of its purpose. */
export const newProperty = input(
  'NewProperty',
  propertyFields,
  requiredWhen(['rentPriceCents'], 'purpose', 'Lease', 'Both'),
  requiredWhen(['salePriceCents'], 'purpose', 'Sale', 'Both'),
)

export const propertyMove = input('PropertyMove', {
  status: oneOf(PROPERTY_STATUSES, { about: 'Situação' }),
  reason,
})

/** The status that a property of a purpose never has. */
const EXCLUDED_STATUS: Readonly<Record<Property['purpose'], PropertyStatus | null>> = {
  Lease: 'Sold',
  Sale: 'Rented',
  Both: null,
}

const contradictsPurpose = ({ purpose, status }: Pick<Property, 'purpose' | 'status'>): boolean =>
  EXCLUDED_STATUS[purpose] === status

/** Guards the status of a property against a concurrent lease or sale. */
const checkStatus = ({ id, status }: Pick<Property, 'id' | 'status'>): Change =>
  check<Property>(collection, id, eq('status', status))

/** Creates a property with the status Available, and begins its history. */
const decideCreation = (
  facts: Facts<Property>,
  { companyId, userId }: CompanyUser,
  fields: DecodedOf<typeof newProperty>,
  fresh: Fresh,
) => {
  const statusHistory = [historyEntry('Available', { userId }, null, fresh)]
  return property.create(facts, companyId, fields, fresh, { statusHistory })
}

/** Moves a property by hand. */
export const decideMove = (
  record: Property | null,
  { status, reason }: DecodedOf<typeof propertyMove>,
  userId: string,
  fresh: Fresh,
) => {
  if (!record) return left(failure('not-found', 'property.unknown'))
  const { purpose, status: before } = record
  if (!propertyMoves.can(before, status)) return conflict('property.move')
  if (contradictsPurpose({ purpose, status })) return conflict('property.purpose')
  const isFreed = before === 'Rented'
  if (isFreed && record.activeTenures > 0) return conflict('property.leased')
  const statusHistory = [...record.statusHistory, historyEntry(status, { userId }, reason, fresh)]
  const set = { status, statusHistory, updatedAt: fresh.now }
  // The history is replaced whole: `updatedAt` guards against moves since the read, there and back.
  const asRead = unchanged(record, 'removedAt', 'status', 'purpose', 'updatedAt')
  const when = all(asRead, ...(isFreed ? [eq('activeTenures', 0)] : []))
  return right({ record: { ...record, ...set }, changes: [patch<Property>(collection, record.id, { set, when })] })
}

export type NewProperty = InputOf<typeof newProperty>
export type PropertyMove = InputOf<typeof propertyMove>

const isVisible = async (store: Store, actor: Actor, { ownerId }: Property): Promise<boolean> =>
  actor.role !== 'Owner' || (await ownerIds(store, actor)).includes(ownerId)

const readProperty =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('property.unknown', async (): Promise<PropertyDetail | null> => {
      const { companyId } = actor
      const found = await scope.find(store, { companyId }, id)
      if (!found || !(await isVisible(store, actor, found))) return null
      return { ...found, ...(await readPeople(store, companyId, found)) }
    })

const createProperty = (ports: RealEstatePorts) => (user: CompanyUser, submitted: NewProperty) =>
  withValidInput(ports, newProperty, submitted, (fields) =>
    useCase(
      ports,
      async (store) => ({
        facts: await property.readFacts(store, user.companyId, null, fields),
        people: await readPeople(store, user.companyId, fields),
      }),
      ({ facts, people }, fresh) =>
        acceptMade(decideCreation(facts, user, fields, fresh), (record): PropertyDetail => ({ ...record, ...people })),
    ),
  )

const importProperties = importOf({
  resource: property,
  created: newProperty,
  references: { ownerId: clients },
  create: decideCreation,
})

/** Returns the property if another owner replaces its owner, else null. */
const findIfOwnerChanges = async (store: Store, companyId: string, id: string, ownerId: string) => {
  const found = await property.find(store, companyId, id)
  return found && found.ownerId !== ownerId ? { companyId, propertyId: found.id } : null
}

const OWNER_OF_LET: Failure<'property.owner.let', never> = failure('forbidden', 'property.owner.let')

/** Reports whether a property is under an Active contract, or under a Renewed lease until its end. */
const isLet = ({ activeContracts }: Property, last: Contract | null, today: Day): boolean =>
  activeContracts > 0 || (last?.status === 'Renewed' && last.endDate >= today)

/**
 * Replaces the fields of a property; an event updates the records that copy its code. The owner reads its contracts and
 * payments and receives the rents, so only an Admin changes the owner of a let property.
 */
const replaceProperty =
  (ports: RealEstatePorts) =>
  ({ companyId, role }: Pick<Actor, 'companyId' | 'role'>, id: string, submitted: NewProperty) =>
    withValidInput(ports, newProperty, submitted, (fields) => {
      const replace = useCase(
        ports,
        async (store) => {
          const facts = await property.readFacts(store, companyId, id, fields)
          const last = facts.record && (await lastLease(store, facts.record))
          return { facts, last, people: await readPeople(store, companyId, fields) }
        },
        ({ facts, last, people }, fresh) => {
          const { record: before } = facts
          const needsAdminIfLet = role !== 'Admin' && before !== null && before.ownerId !== fields.ownerId
          if (needsAdminIfLet && isLet(before, last, fresh.today)) return left(OWNER_OF_LET)
          const decision = property.update(facts, fields, fresh, revisionOf(before, fields, ['code', 'address'], fresh))
          if (isLeft(decision)) return decision
          const { record, changes } = decision.right
          if (contradictsPurpose(record)) return conflict('property.purpose')
          const renamed = renameEvents(fresh, 'property.renamed', 'code', before, record)
          const notLet = needsAdminIfLet ? [check<Property>(collection, id, eq('activeContracts', 0))] : []
          const guards = [checkStatus(record), ...notLet, ...sameRevision(collection, before)]
          return accept<PropertyDetail>({ ...record, ...people }, ...guards, ...changes, ...renamed)
        },
      )
      return afterStoringPaidTerms(ports, () => findIfOwnerChanges(ports.store, companyId, id, fields.ownerId), replace)
    })

const moveProperty =
  (ports: RealEstatePorts) =>
  ({ companyId, userId }: CompanyUser, id: string, submitted: PropertyMove) =>
    withValidInput(ports, propertyMove, submitted, (move) =>
      useCase(
        ports,
        async (store) => {
          const found = await property.find(store, companyId, id)
          return { found, people: found && (await readPeople(store, companyId, found)) }
        },
        ({ found, people }, fresh) =>
          acceptMade(
            decideMove(found, move, userId, fresh),
            (record): PropertyDetail => ({ broker: null, owner: null, ...people, ...record }),
          ),
      ),
    )

const hasFutureVisits = async (store: Store, companyId: string, propertyId: string, steady: Instant) => {
  const { records } = await store.list(
    listOf(visits, {
      where: all(
        eq('companyId', companyId),
        eq('propertyId', propertyId),
        isIn('status', ['Scheduled', 'Confirmed']),
        gt('scheduledAt', steady),
      ),
      when: 'live',
      limit: 1,
    }),
  )
  return records.length > 0
}

const removeProperty =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string) =>
    useCase(
      ports,
      async (store) => {
        // The visits are read after the property: a visit that is scheduled before this read is found, a later one
        // changes the counter.
        const facts = await property.readFacts(store, companyId, id, {})
        return { facts, hasVisits: await hasFutureVisits(store, companyId, id, ports.clock.steady()) }
      },
      ({ facts, hasVisits }, fresh) => {
        const decision = property.remove(facts, fresh)
        if (isLeft(decision)) return decision
        if (hasVisits) return conflict('property.in-use')
        const { visitWrites } = decision.right.record
        return accept(null, check<Property>(collection, id, eq('visitWrites', visitWrites)), ...decision.right.changes)
      },
    )

/** A property's owner: a client, or a user. */
interface Owner {
  readonly id: string
  readonly name: string
}

/** The broker and owner of a property, removed ones included; null if unset or unknown. */
interface PropertyPeople {
  readonly broker: Broker | null
  readonly owner: Owner | null
}

/** A property with its broker and owner. */
export type PropertyDetail = Property & PropertyPeople

const readPeople = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  { brokerId, ownerId }: Pick<Property, 'brokerId' | 'ownerId'>,
): Promise<PropertyPeople> => {
  const [broker, client, user] = await Promise.all([
    recordsById(store, brokers, companyId, [brokerId]),
    recordsById(store, clients, companyId, [ownerId]),
    recordsById(store, users, companyId, [ownerId]),
  ])
  return {
    broker: brokerId === null ? null : (broker.get(brokerId) ?? null),
    owner: client.get(ownerId) ?? user.get(ownerId) ?? null,
  }
}

const name = line({ max: 255, about: 'Nome' })
const broker = view(null, { id, name, creci: line({ max: 30, about: 'CRECI' }) })
const owner = view(null, { id, name })

const { description, floorPlanUrl, ...listed } = propertyFields
const { status, statusHistory } = property.spec.internal

const common = { id, ...listed, status, ...timestamps }

export const propertyView = view('ListedProperty', common)

/** A property as the API shows it by itself. */
export const propertyDetailView = view('Property', {
  ...common,
  description,
  floorPlanUrl,
  broker: nullIfAbsent(output.view(broker, { about: 'O corretor' })),
  owner: nullIfAbsent(output.view(owner, { about: 'O proprietário' })),
  statusHistory,
})

const scope = scopeOf(property)

const listProperties =
  (ports: RealEstatePorts) =>
  (actor: Actor, page: Paging | null, filter: ResourceFilter = {}): UseCase<Listing<Property>, 'fields', InputCode> => {
    const { companyId, role } = actor
    if (role !== 'Owner') return plainUseCases(property)(ports).list({ companyId }, page, filter)
    const { store } = ports
    const query = { from: collection, where: scope.where({ companyId }, filter), when: 'live' }
    const ownPage = async (requested: Page) =>
      readPage(store, query, requested, { field: 'ownerId', ids: await ownerIds(store, actor) })
    const every = async function* (): AsyncIterable<Property> {
      for (let number = 1; ; number += 1) {
        const { records } = await ownPage({ page: number, perPage: MAX_PAGE })
        yield* records
        if (records.length < MAX_PAGE) return
      }
    }
    if (page === null) return async () => right({ all: every() })
    return withValidInput(ports, paging, page, (requested) => async () => right(await ownPage(requested)))
  }
