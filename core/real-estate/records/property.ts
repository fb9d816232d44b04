import {
  alphanumeric,
  decimal,
  email,
  guid,
  integer,
  line,
  list,
  money,
  nullIfAbsent,
  oneOf,
  taxId,
  text,
  url,
  withDefault,
} from '../../kernel/input/mod.ts'
import { stateMachine } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { ADDRESS_SEARCH, address, counter, resource, revisionFields, statusHistory } from './fields.ts'
import { brokers, clients, users } from './people.ts'

export const condominiumFields = {
  name: line({ max: 255, about: 'Nome' }),
  taxId: taxId({ kind: 'CNPJ', about: 'CNPJ, guardado sem pontuação; único na imobiliária' }),
  syndicId: guid({ about: 'Identificador do síndico, um usuário com o papel Syndic' }),
  email: nullIfAbsent(email({ about: 'E-mail' })),
  phone: nullIfAbsent(alphanumeric({ max: 20, about: 'Telefone, guardado sem pontuação' })),
  address,
}

/** A building of several properties, whose expenses are split. */
export const condominium = resource({
  one: 'condominium',
  many: 'condominiums',
  input: condominiumFields,
  internal: { linkedProperties: counter('Imóveis que são suas unidades') },
  unique: ['taxId'],
  search: ['name', 'taxId', 'phone'],
  filters: { syndicId: 'own' },
  references: { syndicId: [{ to: users, is: { role: 'Syndic' } }] },
  blockedBy: ['linkedProperties'],
})

export const condominiums = condominium.collection
export type Condominium = RecordOf<typeof condominium>

export const PROPERTY_STATUSES = ['Available', 'Reserved', 'Rented', 'Sold'] as const
export type PropertyStatus = (typeof PROPERTY_STATUSES)[number]

/** The moves that users make by hand; contracts also make others. */
export const propertyMoves = stateMachine<PropertyStatus>({
  Available: ['Reserved', 'Rented', 'Sold'],
  Reserved: ['Available', 'Rented', 'Sold'],
  Rented: ['Available'],
  Sold: [],
})

const MAX_ROOMS = 1_000
const MAX_AREA = 100_000_000
const MAX_IMAGES = 100

const area = (about: string) => nullIfAbsent(decimal({ min: 0, max: MAX_AREA, decimals: 4, about }))
const rooms = (about: string) => nullIfAbsent(integer({ min: 0, max: MAX_ROOMS, about }))

export const propertyFields = {
  code: line({ max: 50, about: 'Código; único na imobiliária' }),
  type: oneOf(['Apartment', 'House', 'CommercialRoom', 'Land', 'Warehouse'], { about: 'Tipo' }),
  purpose: oneOf(['Lease', 'Sale', 'Both'], { about: 'Para locação, venda ou ambas' }),
  description: nullIfAbsent(text({ max: 20_000, about: 'Descrição' })),
  address,
  bedrooms: rooms('Quartos'),
  bathrooms: rooms('Banheiros'),
  parkingSpots: rooms('Vagas de garagem'),
  privateArea: area('Área privativa, em m²'),
  totalArea: area('Área total, em m²'),
  rentPriceCents: nullIfAbsent(money({ wire: 'rentPrice', about: 'Aluguel' })),
  salePriceCents: nullIfAbsent(money({ wire: 'salePrice', about: 'Preço de venda' })),
  condoFeeCents: nullIfAbsent(money({ wire: 'condoFee', about: 'Condomínio' })),
  annualIptuCents: nullIfAbsent(money({ wire: 'annualIptu', about: 'IPTU do ano' })),
  brokerId: nullIfAbsent(guid({ about: 'Identificador do corretor' })),
  ownerId: guid({ about: 'Identificador do proprietário: um cliente, ou um usuário com o papel Owner' }),
  condominiumId: nullIfAbsent(guid({ about: 'Identificador do condomínio de que é unidade' })),
  images: withDefault(list(url(), { max: MAX_IMAGES, about: 'Endereços das fotos' }), []),
  floorPlanUrl: nullIfAbsent(url({ about: 'Endereço da planta' })),
  idealFraction: nullIfAbsent(decimal({ min: 0, max: 1_000_000, decimals: 8, about: 'Fração ideal no condomínio' })),
}

export const PROPERTY_TYPE_TEXTS: Readonly<Record<Property['type'], string>> = {
  Apartment: 'Apartamento',
  House: 'Casa',
  CommercialRoom: 'Sala comercial',
  Land: 'Terreno',
  Warehouse: 'Galpão',
}

/** A property to let or to sell. */
export const property = resource({
  one: 'property',
  many: 'properties',
  input: propertyFields,
  internal: {
    status: withDefault(oneOf(PROPERTY_STATUSES, { about: 'Situação' }), 'Available'),
    statusHistory: statusHistory(PROPERTY_STATUSES),
    /** Contracts of any type. */
    activeContracts: counter('Contratos ativos'),
    /** Leases and sales: at most one. */
    activeTenures: counter('Contratos ativos de locação ou venda'),
    openProposals: counter('Propostas em aberto'),
    /** Counts the visits that are created or rescheduled. The removal of a property guards it. */
    visitWrites: counter('Visitas que foram marcadas ou mudadas'),
    ...revisionFields,
  },
  unique: ['code'],
  search: ['code', ...ADDRESS_SEARCH],
  filters: {
    status: 'tally',
    type: 'tally',
    purpose: 'tally',
    brokerId: 'index',
    ownerId: 'index',
    condominiumId: 'index',
  },
  references: {
    brokerId: [{ to: brokers }],
    ownerId: [
      { to: clients, counts: 'ownedProperties' },
      { to: users, is: { role: 'Owner' } },
    ],
    condominiumId: [{ to: condominiums, counts: 'linkedProperties' }],
  },
  blockedBy: ['activeContracts', 'openProposals'],
  extra: { tallies: [{ by: ['companyId', 'brokerId', 'status'], sum: [], when: 'live' }] },
})

export const properties = property.collection
export type Property = RecordOf<typeof property>
