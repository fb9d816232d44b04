import { all, eq } from '../../kernel/records/where.ts'
import { listWithin, recordsById } from '../../kernel/resources/list-queries.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listAll, listOf, type Store } from '../../ports/store.ts'
import { clients } from '../records/client.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { type Property, properties } from '../records/property.ts'
import type { Unit } from './expense-split.ts'

/** The properties that are units of a condominium. */
export const readUnits = (
  store: Pick<Store, 'list'>,
  companyId: string,
  condominiumId: string,
): Promise<readonly Property[]> =>
  listAll(
    store,
    listOf(properties, {
      where: all(eq('companyId', companyId), eq('condominiumId', condominiumId)),
      when: 'live',
      limit: MAX_PAGE,
    }),
  )

/** The leases that are active at these properties: at most one at each. */
const leasesAt = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  units: readonly Property[],
): Promise<ReadonlyMap<string, Contract>> => {
  const list = listOf(contracts, {
    where: all(eq('companyId', companyId), eq('status', 'Active'), eq('type', 'Lease')),
    when: 'live',
    limit: units.length,
  })
  const { records } = await listWithin(
    store,
    list,
    'propertyId',
    units.map(({ id }) => id),
  )
  return new Map(records.map((lease) => [lease.propertyId, lease]))
}

/** The units of a condominium, each with its active lease and who leases it. */
export const readLeasedUnits = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  condominiumId: string,
): Promise<readonly Unit[]> => {
  const units = await readUnits(store, companyId, condominiumId)
  if (units.length === 0) return []
  const leases = await leasesAt(store, companyId, units)
  const tenants = await recordsById(
    store,
    clients,
    companyId,
    [...leases.values()].map(({ clientId }) => clientId),
  )
  return units.map((property) => {
    const lease = leases.get(property.id) ?? null
    const clientName = lease ? (tenants.get(lease.clientId)?.name ?? lease.clientName) : ''
    return { property, lease, clientName }
  })
}
