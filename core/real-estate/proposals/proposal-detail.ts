import { recordsById } from '../../kernel/resources/list-queries.ts'
import type { Store } from '../../ports/store.ts'
import { type Broker, brokers } from '../records/broker.ts'
import { type Client, clients } from '../records/client.ts'
import { type Property, properties } from '../records/property.ts'
import type { Proposal } from '../records/proposal.ts'

/** Whom and what a proposal is of, removed or not; null where that never was. */
export interface Parties {
  readonly property: Property | null
  readonly client: Client | null
  readonly broker: Broker | null
}

export interface ProposalDetail extends Parties {
  readonly proposal: Proposal
}

type Named = Pick<Proposal, 'propertyId' | 'clientId' | 'brokerId'>

/** Whom and what these are of, read for all of them at once. */
export const readParties = async (store: Pick<Store, 'list'>, companyId: string, named: readonly Named[]) => {
  const idsOf = (field: keyof Named) => named.map((each) => each[field])
  const [property, client, broker] = await Promise.all([
    recordsById(store, properties, companyId, idsOf('propertyId')),
    recordsById(store, clients, companyId, idsOf('clientId')),
    recordsById(store, brokers, companyId, idsOf('brokerId')),
  ])
  return ({ propertyId, clientId, brokerId }: Named): Parties => ({
    property: property.get(propertyId) ?? null,
    client: client.get(clientId) ?? null,
    broker: broker.get(brokerId) ?? null,
  })
}
