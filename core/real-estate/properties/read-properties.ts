import { right } from '../../failure.ts'
import { type InputCode, nullIfAbsent } from '../../kernel/input/field.ts'
import { type Paging, paging } from '../../kernel/input/query.ts'
import { guid, instant, line } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { recordsById } from '../../kernel/resources/list-queries.ts'
import { plainUseCases, type ResourceFilter, scopeOf } from '../../kernel/resources/plain-use-cases.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Listing, Page, Store } from '../../ports/store.ts'
import { ownerIds, readPage } from '../reads.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Broker, brokers, clients, users } from '../records/people.ts'
import { type Property, properties, property, propertyFields } from '../records/property.ts'

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

export const listProperties =
  (ports: RealEstatePorts) =>
  (actor: Actor, page: Paging | null, filter: ResourceFilter = {}): UseCase<Listing<Property>, 'fields', InputCode> => {
    const { companyId, role } = actor
    if (role !== 'Owner') return plainUseCases(property)(ports).list({ companyId }, page, filter)
    const { store } = ports
    const of = { from: properties, where: scope.where({ companyId }, filter), when: 'live' }
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
