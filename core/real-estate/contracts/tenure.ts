import { failure } from '../../failure.ts'
import { all, type Change, check, eq, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { listOf, NEWEST_FIRST, type Store } from '../../ports/store.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { historyEntry, unchanged } from '../records/fields.ts'
import { type Property, type PropertyStatus, properties, property } from '../records/property.ts'

/** A contract that occupies the property: a lease or a sale. */
type Tenure = 'Lease' | 'Sale'

export const isTenure = (type: Contract['type']): type is Tenure => type === 'Lease' || type === 'Sale'

/** The status of a property under a lease or sale. */
export const TENURE_STATUS: Readonly<Record<Tenure, PropertyStatus>> = { Lease: 'Rented', Sale: 'Sold' }

const OCCUPIED = failure('conflict', 'property.occupied')

/** Returns the newest lease of a property, or null. */
export const lastLease = async (store: Store, { companyId, id }: Pick<Property, 'companyId' | 'id'>) => {
  const { records } = await store.list(
    listOf(contracts, {
      where: all(eq('companyId', companyId), eq('propertyId', id), eq('type', 'Lease')),
      when: 'live',
      sort: NEWEST_FIRST,
      limit: 1,
    }),
  )
  return records[0] ?? null
}

/** The facts that decide whether a property can be let or sold: the property, and its last lease. */
export interface TenureFacts {
  readonly property: Property
  readonly lastLease: Pick<Contract, 'status'> | null
}

/** Reads the tenure facts of a property; null if the company has no such property. */
export const readTenureFacts = async (
  store: Store,
  companyId: string,
  propertyId: string,
): Promise<TenureFacts | null> => {
  const found = await property.find(store, companyId, propertyId)
  return found && { property: found, lastLease: await lastLease(store, found) }
}

/** A rented property can be let only if its last lease was renewed by another contract. */
const isLettable = ({ property: { status, activeTenures }, lastLease: last }: TenureFacts): boolean => {
  if (status === 'Rented') return activeTenures === 0 && last?.status === 'Renewed'
  return status !== 'Sold'
}

/** Returns the reason why a property accepts no proposal of a kind, or null. */
export const offerRefusal = (facts: TenureFacts, tenure: Tenure) => {
  const { purpose, status } = facts.property
  if (purpose !== 'Both' && purpose !== tenure) return failure('conflict', 'property.other-purpose')
  const isFree = tenure === 'Lease' ? isLettable(facts) : status !== 'Sold'
  return isFree ? null : OCCUPIED
}

/** Returns the reason why a property cannot be let or sold now, or null. At most one lease or sale is active. */
export const tenureRefusal = (facts: TenureFacts, tenure: Tenure) =>
  offerRefusal(facts, tenure) ?? (facts.property.activeTenures === 0 ? null : OCCUPIED)

/** Moves a property to any status and records the move in its history. The commit is stale after another move. */
export const moveProperty = (
  property: Property,
  status: PropertyStatus,
  by: { readonly userId: string; readonly reason: string | null },
  fresh: Fresh,
): readonly Change[] => {
  if (status === property.status) return [check(properties, property.id, unchanged(property, 'status'))]
  const change = historyEntry(status, by, by.reason, fresh)
  const set = { status, statusHistory: [...property.statusHistory, change], updatedAt: fresh.now }
  return [patch(properties, property.id, { set, when: unchanged(property, 'status', 'updatedAt') })]
}
