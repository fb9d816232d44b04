import { type Failure, failure, isLeft, left, right } from '../failure.ts'
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
import { afterStoringPaidTerms } from './paid-terms.ts'
import { ownerIds, readPage } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import type { Contract } from './records/contract.ts'
import { historyEntry, id, reason, revisionOf, sameRevision, timestamps } from './records/fields.ts'
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
const UNFIT: Readonly<Record<Property['purpose'], PropertyStatus | null>> = {
  Lease: 'Sold',
  Sale: 'Rented',
  Both: null,
}

const isUnfit = ({ purpose, status }: Pick<Property, 'purpose' | 'status'>): boolean => UNFIT[purpose] === status

/** Guards the status of a property against a concurrent lease or sale. */
const stillIn = ({ id, status }: Pick<Property, 'id' | 'status'>): Change =>
  check<Property>(collection, id, eq('status', status))

/** Creates a property with the status Available, and begins its history. */
const createdProperty = (
  facts: Facts<Property>,
  { companyId, userId }: Pick<Actor, 'companyId' | 'userId'>,
  sent: DecodedOf<typeof newProperty>,
  fresh: Fresh,
) => {
  const statusHistory = [historyEntry('Available', { userId }, null, fresh)]
  return property.create(facts, companyId, sent, fresh, { statusHistory })
}

/** Moves a property by hand. */
export const movedByHand = (
  found: Property | null,
  { status, reason }: DecodedOf<typeof propertyMove>,
  userId: string,
  fresh: Fresh,
) => {
  if (!found) return left(failure('not-found', 'property.unknown'))
  const { id, purpose, status: was } = found
  if (!propertyMoves.can(was, status)) return left(failure('conflict', 'property.move'))
  if (isUnfit({ purpose, status })) return left(failure('conflict', 'property.purpose'))
  const isFreed = was === 'Rented'
  if (isFreed && found.activeTenures > 0) return left(failure('conflict', 'property.leased'))
  const statusHistory = [...found.statusHistory, historyEntry(status, { userId }, reason, fresh)]
  const set = { status, statusHistory, updatedAt: fresh.now }
  // The history is replaced whole: `updatedAt` guards against moves since the read, there and back.
  const asRead = [eq('removedAt', null), eq('status', was), eq('purpose', purpose), eq('updatedAt', found.updatedAt)]
  const when = all(...asRead, ...(isFreed ? [eq('activeTenures', 0)] : []))
  return right({ record: { ...found, ...set }, changes: [patch<Property>(collection, id, { set, when })] })
}

type By = Pick<Actor, 'companyId' | 'userId'>
export type NewProperty = InputOf<typeof newProperty>
export type PropertyMove = InputOf<typeof propertyMove>

const isSeenBy = async (store: Store, actor: Actor, { ownerId }: Property): Promise<boolean> =>
  actor.role !== 'Owner' || (await ownerIds(store, actor)).includes(ownerId)

const readProperty =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('property.unknown', async (): Promise<PropertyDetail | null> => {
      const { companyId } = actor
      const found = await scope.find(store, { companyId }, id)
      if (!found || !(await isSeenBy(store, actor, found))) return null
      return { ...found, ...(await peopleOf(store, companyId, found)) }
    })

const createProperty = (ports: RealEstatePorts) => (by: By, given: NewProperty) =>
  withValidInput(ports, newProperty, given, (sent) =>
    useCase(
      ports,
      async (store) => ({
        facts: await property.readFacts(store, by.companyId, null, sent),
        people: await peopleOf(store, by.companyId, sent),
      }),
      ({ facts, people }, fresh) =>
        acceptMade(createdProperty(facts, by, sent, fresh), (record): PropertyDetail => ({ ...record, ...people })),
    ),
  )

const importProperties = importOf({
  resource: property,
  created: newProperty,
  references: { ownerId: clients },
  create: createdProperty,
})

const withOtherOwner = async (store: Store, companyId: string, id: string, ownerId: string) => {
  const found = await property.find(store, companyId, id)
  return found && found.ownerId !== ownerId ? { companyId, propertyId: found.id } : null
}

const LET: Failure<'property.owner.let', never> = failure('forbidden', 'property.owner.let')

/** Reports whether a property is under an Active contract, or under a Renewed lease until its end. */
const isLet = ({ activeContracts }: Property, last: Contract | null, today: Day): boolean =>
  activeContracts > 0 || (last?.status === 'Renewed' && last.endDate >= today)

/**
 * Replaces the fields of a property; an event updates the records that copy its code. The owner reads its contracts and
 * payments and receives the rents, so only an Admin changes the owner of a let property.
 */
const replaceProperty =
  (ports: RealEstatePorts) =>
  ({ companyId, role }: Pick<Actor, 'companyId' | 'role'>, id: string, given: NewProperty) =>
    withValidInput(ports, newProperty, given, (sent) => {
      const replace = useCase(
        ports,
        async (store) => {
          const facts = await property.readFacts(store, companyId, id, sent)
          const last = facts.record && (await lastLease(store, facts.record))
          return { facts, last, people: await peopleOf(store, companyId, sent) }
        },
        ({ facts, last, people }, fresh) => {
          const { record: before } = facts
          const isHandedOver = role !== 'Admin' && before !== null && before.ownerId !== sent.ownerId
          if (isHandedOver && isLet(before, last, fresh.today)) return left(LET)
          const made = property.update(facts, sent, fresh, revisionOf(before, sent, ['code', 'address'], fresh))
          if (isLeft(made)) return made
          const { record, changes } = made.right
          if (isUnfit(record)) return left(failure('conflict', 'property.purpose'))
          const renamed = renameEvents(fresh, 'property.renamed', 'code', before, record)
          const unlet = isHandedOver ? [check<Property>(collection, id, eq('activeContracts', 0))] : []
          const guards = [stillIn(record), ...unlet, ...sameRevision(collection, before)]
          return accept<PropertyDetail>({ ...record, ...people }, ...guards, ...changes, ...renamed)
        },
      )
      return afterStoringPaidTerms(ports, () => withOtherOwner(ports.store, companyId, id, sent.ownerId), replace)
    })

const moveProperty =
  (ports: RealEstatePorts) =>
  ({ companyId, userId }: By, id: string, given: PropertyMove) =>
    withValidInput(ports, propertyMove, given, (sent) =>
      useCase(
        ports,
        async (store) => {
          const found = await property.find(store, companyId, id)
          return { found, people: found && (await peopleOf(store, companyId, found)) }
        },
        ({ found, people }, fresh) =>
          acceptMade(
            movedByHand(found, sent, userId, fresh),
            (record): PropertyDetail => ({ broker: null, owner: null, ...people, ...record }),
          ),
      ),
    )

const hasVisitsToCome = async (store: Store, companyId: string, propertyId: string, steady: Instant) => {
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
  ({ companyId }: Pick<Actor, 'companyId'>, id: string) =>
    useCase(
      ports,
      async (store) => {
        // The visits are read after the property: a visit in between is seen, a later one changes the counter.
        const facts = await property.readFacts(store, companyId, id, {})
        return { facts, visitsToCome: await hasVisitsToCome(store, companyId, id, ports.clock.steady()) }
      },
      ({ facts, visitsToCome }, fresh) => {
        const made = property.remove(facts, fresh)
        if (isLeft(made)) return made
        if (visitsToCome) return left(failure('conflict', 'property.in-use'))
        const { visitWrites } = made.right.record
        // A visit that is scheduled meanwhile has changed the counter.
        return accept(null, check<Property>(collection, id, eq('visitWrites', visitWrites)), ...made.right.changes)
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

const peopleOf = async (
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
const broker = view(null, { id, name, creci: line({ max: 30, about: 'CRECI' }) }, (of: Broker) => of)
const owner = view(null, { id, name }, (of: Owner) => of)

const { description, floorPlanUrl, ...listed } = propertyFields
const { status, statusHistory } = property.spec.internal

const common = {
  id,
  ...listed,
  status,
  ...timestamps,
}

export const propertyView = view('ListedProperty', common, (of: Property) => of)

/** A property as the API shows it by itself. */
export const propertyDetailView = view(
  'Property',
  {
    ...common,
    description,
    floorPlanUrl,
    broker: nullIfAbsent(output.view(broker, { about: 'O corretor' })),
    owner: nullIfAbsent(output.view(owner, { about: 'O proprietário' })),
    statusHistory,
  },
  (of: PropertyDetail) => of,
)

const scope = scopeOf(property)

const listProperties =
  (ports: RealEstatePorts) =>
  (actor: Actor, page: Paging | null, filter: ResourceFilter = {}): UseCase<Listing<Property>, 'fields', InputCode> => {
    const { companyId, role } = actor
    if (role !== 'Owner') return plainUseCases(property)(ports).list({ companyId }, page, filter)
    const { store } = ports
    const of = { from: collection, where: scope.where({ companyId }, filter), when: 'live' }
    const ownPage = async (wanted: Page) =>
      readPage(store, of, wanted, { field: 'ownerId', ids: await ownerIds(store, actor) })
    const every = async function* (): AsyncIterable<Property> {
      for (let number = 1; ; number += 1) {
        const { records } = await ownPage({ page: number, perPage: MAX_PAGE })
        yield* records
        if (records.length < MAX_PAGE) return
      }
    }
    if (page === null) return async () => right({ all: every() })
    return withValidInput(ports, paging, page, (wanted) => async () => right(await ownPage(wanted)))
  }
