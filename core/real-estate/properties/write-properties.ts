import { type Failure, failure, isLeft, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, requiredWhen } from '../../kernel/input/input.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { all, type Change, check, eq, gt, isIn, patch } from '../../kernel/records/record.ts'
import { acceptMade, scopeOf } from '../../kernel/resources/plain-use-cases.ts'
import type { Facts } from '../../kernel/resources/resource.ts'
import { accept, type Fresh, readUseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Day, Instant } from '../../kernel/values/day.ts'
import { listOf, type Store } from '../../ports/store.ts'
import { lastLease } from '../contracts/tenure.ts'
import { importOf } from '../imports/import-lines.ts'
import { renameEvents } from '../office.ts'
import { afterStoringPaidTerms } from '../paid-terms.ts'
import { ownerIds } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import type { Contract } from '../records/contract.ts'
import { historyEntry, reason, revisionOf, sameRevision } from '../records/fields.ts'
import { clients } from '../records/people.ts'
import {
  PROPERTY_STATUSES,
  type Property,
  type PropertyStatus,
  properties,
  property,
  propertyFields,
  propertyMoves,
} from '../records/property.ts'
import { visits } from '../records/visit.ts'
import { type PropertyDetail, peopleOf } from './read-properties.ts'

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
  check<Property>(properties, id, eq('status', status))

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
  const when = all<'removedAt' | 'status' | 'purpose' | 'updatedAt' | 'activeTenures'>(
    ...asRead,
    ...(isFreed ? [eq<'activeTenures'>('activeTenures', 0)] : []),
  )
  return right({ record: { ...found, ...set }, changes: [patch<Property>(properties, id, { set, when })] })
}

type By = Pick<Actor, 'companyId' | 'userId'>
export type NewProperty = InputOf<typeof newProperty>
export type PropertyMove = InputOf<typeof propertyMove>

const scope = scopeOf(property)

const isSeenBy = async (store: Store, actor: Actor, { ownerId }: Property): Promise<boolean> =>
  actor.role !== 'Owner' || (await ownerIds(store, actor)).includes(ownerId)

export const readProperty =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('property.unknown', async (): Promise<PropertyDetail | null> => {
      const { companyId } = actor
      const found = await scope.find(store, { companyId }, id)
      if (!found || !(await isSeenBy(store, actor, found))) return null
      return { ...found, ...(await peopleOf(store, companyId, found)) }
    })

export const createProperty = (ports: RealEstatePorts) => (by: By, given: NewProperty) =>
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

export const importProperties = importOf({
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
export const replaceProperty =
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
          const unlet = isHandedOver ? [check<Property>(properties, id, eq('activeContracts', 0))] : []
          const guards = [stillIn(record), ...unlet, ...sameRevision(properties, before)]
          return accept<PropertyDetail>({ ...record, ...people }, ...guards, ...changes, ...renamed)
        },
      )
      return afterStoringPaidTerms(ports, () => withOtherOwner(ports.store, companyId, id, sent.ownerId), replace)
    })

export const moveProperty =
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

export const removeProperty =
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
        return accept(null, check<Property>(properties, id, eq('visitWrites', visitWrites)), ...made.right.changes)
      },
    )
