import { type Failure, failure } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import { type Change, check, patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Facts } from '../../kernel/resources/resource.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Actor } from '../actor.ts'
import { historyEntry } from '../records/fields.ts'
import { type Property, type PropertyStatus, properties, property, propertyMoves } from '../records/property.ts'
import type { newProperty, propertyMove } from './property-inputs.ts'

/** What a property for one purpose alone never becomes. Source: decisions.md §6, Property status. */
const UNFIT: Readonly<Record<Property['purpose'], PropertyStatus | null>> = {
  Lease: 'Sold',
  Sale: 'Rented',
  Both: null,
}

/** Whether a property is what its purpose says that it never becomes. */
export const isUnfit = ({ purpose, status }: Pick<Property, 'purpose' | 'status'>): boolean => UNFIT[purpose] === status

/** That a property is still in its state: nobody lets or sells it meanwhile. */
export const stillIn = ({ id, status }: Pick<Property, 'id' | 'status'>): Change =>
  check<Property>(properties, id, eq('status', status))

export type MoveCode = 'property.unknown' | 'property.move' | 'property.purpose' | 'property.leased'

interface Moved {
  readonly record: Property
  readonly changes: readonly Change[]
}

/** A property that somebody lists: it is Available, and its history begins. */
export const createdProperty = (
  facts: Facts<Property>,
  { companyId, userId }: Pick<Actor, 'companyId' | 'userId'>,
  sent: DecodedOf<typeof newProperty>,
  fresh: Fresh,
) => {
  const statusHistory = [historyEntry('Available', { userId }, null, fresh)]
  return property.create(facts, companyId, sent, fresh, { statusHistory })
}

/**
 * A property that somebody moves by hand.
 * Source: decisions.md §6, Property status, and §10, States.
 */
export const movedByHand = (
  found: Property | null,
  { status, reason }: DecodedOf<typeof propertyMove>,
  userId: string,
  fresh: Fresh,
): Either<Failure<MoveCode, never>, Moved> => {
  if (!found) return left(failure('not-found', 'property.unknown'))
  const { id, purpose, status: was } = found
  if (!propertyMoves.can(was, status)) return left(failure('conflict', 'property.move'))
  if (isUnfit({ purpose, status })) return left(failure('conflict', 'property.purpose'))
  const isFreed = was === 'Rented'
  if (isFreed && found.activeTenures > 0) return left(failure('conflict', 'property.leased'))
  const statusHistory = [...found.statusHistory, historyEntry(status, { userId }, reason, fresh)]
  const set = { status, statusHistory, updatedAt: fresh.now }
  // The history is written whole: whoever moved it there and back meanwhile must not be left out of it.
  const asRead = [eq('removedAt', null), eq('status', was), eq('purpose', purpose), eq('updatedAt', found.updatedAt)]
  const when = all<'removedAt' | 'status' | 'purpose' | 'updatedAt' | 'activeTenures'>(
    ...asRead,
    ...(isFreed ? [eq<'activeTenures'>('activeTenures', 0)] : []),
  )
  return right({ record: { ...found, ...set }, changes: [patch<Property>(properties, id, { set, when })] })
}

/**
 * A property that is removed: neither contracts nor proposals hang on it, nor visits to come.
 * Source: 03-real-estate.md, Properties; decisions.md §10, States.
 */
export const removedProperty = (
  facts: Facts<Property>,
  visitsToCome: boolean,
  fresh: Fresh,
): Either<Failure<'property.unknown' | 'property.in-use', never>, readonly Change[]> => {
  const made = property.remove(facts, fresh)
  if (isLeft(made)) return made
  if (visitsToCome) return left(failure('conflict', 'property.in-use'))
  const { id, visitWrites } = made.right.record
  // Whoever schedules a visit meanwhile counts it there.
  return right([check<Property>(properties, id, eq('visitWrites', visitWrites)), ...made.right.changes])
}
