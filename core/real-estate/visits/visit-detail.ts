import { recordsById } from '../../kernel/resources/list-queries.ts'
import type { Store } from '../../ports/store.ts'
import { type Broker, brokers } from '../records/broker.ts'
import { type Client, clients } from '../records/client.ts'
import { type Property, properties } from '../records/property.ts'
import type { Visit } from '../records/visit.ts'

/** A visit with what it refers to, removed or not; null where that never was. */
export interface VisitDetail {
  readonly visit: Visit
  readonly property: Property | null
  readonly client: Client | null
  readonly broker: Broker | null
}

type Named = Pick<Visit, 'propertyId' | 'clientId' | 'brokerId'>

/** What these visits refer to, read for all of them at once. */
export const referredBy = async (store: Pick<Store, 'list'>, companyId: string, visits: readonly Named[]) => {
  const [property, client, broker] = await Promise.all([
    recordsById(
      store,
      properties,
      companyId,
      visits.map(({ propertyId }) => propertyId),
    ),
    recordsById(
      store,
      clients,
      companyId,
      visits.map(({ clientId }) => clientId),
    ),
    recordsById(
      store,
      brokers,
      companyId,
      visits.map(({ brokerId }) => brokerId),
    ),
  ])
  return ({ propertyId, clientId, brokerId }: Named): Omit<VisitDetail, 'visit'> => ({
    property: property.get(propertyId) ?? null,
    client: client.get(clientId) ?? null,
    broker: broker.get(brokerId) ?? null,
  })
}
