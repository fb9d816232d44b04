import { nullIfAbsent, withDefault } from '../../../../core/kernel/input/field.ts'
import { pick } from '../../../../core/kernel/input/input.ts'
import { guid, integer, line, money, oneOf, timestamp } from '../../../../core/kernel/input/scalars.ts'
import { view } from '../../../../core/kernel/input/view.ts'
import { resourcesOf } from '../../../../core/kernel/resources/resource.ts'

/** Resources with GUIDs, a company as tenant, PUT that replaces, and brokers limited to their own records. */
export const resource = resourcesOf({
  ...{ name: 'agency', tenant: 'companyId', ids: 'text', coded: false },
  shown: {
    id: guid({ about: 'Identificador' }),
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Alteração' }),
  },
})

export const broker = resource({
  one: 'broker',
  many: 'brokers',
  input: { name: line({ max: 40, about: 'Nome' }), creci: line({ max: 10, about: 'CRECI' }) },
  internal: {},
  unique: ['creci'],
})

const given = {
  code: line({ max: 10, about: 'Código' }),
  purpose: oneOf(['Lease', 'Sale', 'Both'], { about: 'Finalidade' }),
  rentCents: nullIfAbsent(money({ wire: 'rentPrice', about: 'Aluguel' })),
  brokerId: nullIfAbsent(guid({ about: 'Corretor' })),
}

export const property = resource({
  one: 'property',
  many: 'properties',
  input: given,
  internal: {
    status: withDefault(oneOf(['Available', 'Rented'], { about: 'Situação' }), 'Available'),
    openVisits: withDefault(integer({ min: 0 }), 0),
  },
  unique: ['code'],
  search: ['code'],
  filters: { purpose: 'scan', brokerId: 'own' },
  references: { brokerId: [{ to: broker.collection }] },
  blockedBy: ['openVisits'],
})

export const visit = resource({
  one: 'visit',
  many: 'visits',
  input: {
    propertyId: nullIfAbsent(guid({ about: 'Imóvel' })),
    notes: nullIfAbsent(line({ max: 20, about: 'Notas' })),
  },
  internal: {},
  references: { propertyId: [{ to: property.collection, counts: 'openVisits' }] },
})

export type Property = NonNullable<Awaited<ReturnType<typeof property.find>>>

export const propertyView = view(
  'Property',
  {
    id: guid({ about: 'Identificador' }),
    ...given,
    ...pick(property.spec.internal, 'status'),
    createdAt: timestamp({ about: 'Criação' }),
  },
  (of: Property) => of,
)

export const agencyCollections = [broker.collection, property.collection, visit.collection]
