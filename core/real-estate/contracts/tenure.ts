import { failure } from '../../failure.ts'
import { type Change, check, patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { listOf, type Store } from '../../ports/store.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { historyEntry } from '../records/fields.ts'
import { type Property, type PropertyStatus, properties } from '../records/property.ts'

/** By what somebody has a property for themselves: a lease or a sale. */
export type Tenure = 'Lease' | 'Sale'

export const isTenure = (type: Contract['type']): type is Tenure => type === 'Lease' || type === 'Sale'

/** What a property becomes by it. */
export const TAKEN: Readonly<Record<Tenure, PropertyStatus>> = { Lease: 'Rented', Sale: 'Sold' }

const PURPOSE = failure('conflict', 'property.purpose')
const OCCUPIED = failure('conflict', 'property.occupied')

/** The property's newest lease; null where it had none. */
export const lastLease = async (store: Store, { companyId, id }: Pick<Property, 'companyId' | 'id'>) => {
  const { records } = await store.list(
    listOf(contracts, {
      where: all(eq('companyId', companyId), eq('propertyId', id), eq('type', 'Lease')),
      when: 'live',
      sort: { by: 'createdAt', dir: 'desc' },
      limit: 1,
    }),
  )
  return records[0] ?? null
}

/** What is known of a property that somebody wants. */
export interface Wanted {
  readonly property: Property
  readonly lastLease: Pick<Contract, 'status'> | null
}

/** Whether it may be let: a rented one only where its last lease was renewed by another. */
const isLettable = ({ property, lastLease: last }: Wanted): boolean => {
  const { status, activeTenures } = property
  if (status === 'Rented') return activeTenures === 0 && last?.status === 'Renewed'
  return status !== 'Sold'
}

/** Why a property cannot be offered for, or null. */
export const offerRefused = (wanted: Wanted, tenure: Tenure) => {
  const { property } = wanted
  if (property.purpose !== 'Both' && property.purpose !== tenure) return PURPOSE
  const isFree = tenure === 'Lease' ? isLettable(wanted) : property.status !== 'Sold'
  return isFree ? null : OCCUPIED
}

/** Why a property cannot be let or sold now, or null: at most one lease or sale is active. */
export const tenureRefused = (wanted: Wanted, tenure: Tenure) =>
  offerRefused(wanted, tenure) ?? (wanted.property.activeTenures === 0 ? null : OCCUPIED)

/** Moves a property, with its history, whatever the table of moves by hand says. */
export const movedTo = (
  { id, status: before, statusHistory, updatedAt }: Property,
  status: PropertyStatus,
  by: { readonly userId: string; readonly reason: string | null },
  fresh: Fresh,
): readonly Change[] => {
  // As it is it stays: also if somebody moves it meanwhile.
  if (status === before) return [check(properties, id, eq('status', before))]
  const change = historyEntry(status, by, by.reason, fresh)
  const set = { status, statusHistory: [...statusHistory, change], updatedAt: fresh.now }
  return [patch(properties, id, { set, when: all(eq('status', before), eq('updatedAt', updatedAt)) })]
}
