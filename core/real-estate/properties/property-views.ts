import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant } from '../../kernel/input/scalars.ts'
import { guid, line } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { recordsById } from '../../kernel/resources/list-queries.ts'
import type { Store } from '../../ports/store.ts'
import { type Broker, brokers } from '../records/broker.ts'
import { clients } from '../records/client.ts'
import { type Property, property, propertyFields } from '../records/property.ts'
import { users } from '../records/user.ts'

/** A property's owner: a client, or a user. */
interface Owner {
  readonly id: string
  readonly name: string
}

/** Whom a property names, removed or not; null where there never was anybody. */
export interface PropertyPeople {
  readonly broker: Broker | null
  readonly owner: Owner | null
}

/** A property with all that is known of it. */
export type PropertyDetail = Property & PropertyPeople

/** Whom a property names. */
export const peopleOf = async (
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

const id = guid({ about: 'Identificador' })
const name = line({ max: 255, about: 'Nome' })
const broker = view(null, { id, name, creci: line({ max: 30, about: 'CRECI' }) }, (of: Broker) => of)
const owner = view(null, { id, name }, (of: Owner) => of)

const { description, floorPlanUrl, ...listed } = propertyFields
const { status, statusHistory } = property.spec.internal

const common = {
  id,
  ...listed,
  status,
  createdAt: instant({ about: 'Criação' }),
  updatedAt: instant({ about: 'Última alteração' }),
}

/** A property as a list shows it. Source: 03-real-estate.md, Property. */
export const propertyView = view('ListedProperty', common, (of: Property) => of)

/** A property as the API shows it alone. Source: 03-real-estate.md, Property; decisions.md §10, Fields. */
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
