import { recordsById } from '../../kernel/resources/list-queries.ts'
import type { Store } from '../../ports/store.ts'
import { type Broker, brokers } from '../records/broker.ts'
import { type Client, clients } from '../records/client.ts'
import type { Commission } from '../records/commission.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { type Property, properties } from '../records/property.ts'

/** A commission, and what it is of. */
export interface CommissionDetail extends Commission {
  readonly broker: Broker | null
  readonly contract: (Contract & { readonly client: Client | null; readonly property: Property | null }) | null
}

type Pointing = Pick<Commission, 'brokerId' | 'contractId' | 'clientId' | 'propertyId'>

/** What commissions are of, as it is now; what was removed meanwhile keeps its name. */
export interface Related {
  readonly brokers: ReadonlyMap<string, Broker>
  readonly contracts: ReadonlyMap<string, Contract>
  readonly clients: ReadonlyMap<string, Client>
  readonly properties: ReadonlyMap<string, Property>
}

/** Reads what these commissions are of, all of them at once. */
export const readRelated = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  of: readonly Pointing[],
): Promise<Related> => {
  const ids = (field: keyof Pointing) => of.map((each) => each[field])
  const [foundBrokers, foundContracts, foundClients, foundProperties] = await Promise.all([
    recordsById(store, brokers, companyId, ids('brokerId')),
    recordsById(store, contracts, companyId, ids('contractId')),
    recordsById(store, clients, companyId, ids('clientId')),
    recordsById(store, properties, companyId, ids('propertyId')),
  ])
  return { brokers: foundBrokers, contracts: foundContracts, clients: foundClients, properties: foundProperties }
}

/** A commission with what it is of. */
export const detailOf = (record: Commission, related: Related): CommissionDetail => {
  const of = related.contracts.get(record.contractId)
  return {
    ...record,
    broker: related.brokers.get(record.brokerId) ?? null,
    contract: of
      ? {
          ...of,
          client: related.clients.get(of.clientId) ?? null,
          property: related.properties.get(of.propertyId) ?? null,
        }
      : null,
  }
}
