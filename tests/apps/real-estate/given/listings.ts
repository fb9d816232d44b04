import { storedIn } from '../stored.ts'
import type { EstateTestApi, Person } from '../test-api.ts'
import { aClient, type Fixture, HOME, next, post } from './basics.ts'

type Over = Readonly<Record<string, unknown>>

export const { neighborhood: _, ...PLACE } = HOME

const pad = (): string => `${next()}`.padStart(8, '0')

const checkDigit = (digits: string): string => {
  const sum = [...digits].reverse().reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0)
  const rest = sum % 11
  return `${rest < 2 ? 0 : 11 - rest}`
}

/** A CNPJ with right check digits that no earlier call gave. */
export const aTaxId = (): string => {
  const base = `${pad()}0001`
  const first = checkDigit(base)
  return `${base}${first}${checkDigit(`${base}${first}`)}`
}

/** A broker that an admin makes. */
export const aBroker = (api: EstateTestApi, admin: Person, over: Over = {}) => {
  const number = next()
  const own = { name: 'Bruno Lima', creci: `CRECI-SP ${number}`, email: `bruno${number}@example.com` }
  return post(api, admin, '/api/brokers', { ...own, status: 'Active', ...over })
}

/** A condominium that an admin makes, with a syndic of its own. */
export const aCondominium = async (api: EstateTestApi, admin: Person, over: Over = {}) => {
  const syndicId = over.syndicId ?? (await api.colleague(admin, 'Syndic')).userId
  const own = { name: 'Edifício Aurora', taxId: aTaxId(), address: PLACE }
  return post(api, admin, '/api/condominiums', { ...own, syndicId, ...over })
}

/** A property that an admin makes, of an owner of its own. */
export const aProperty = async (api: EstateTestApi, admin: Person, over: Over = {}) => {
  const ownerId = over.ownerId ?? (await aClient(api, admin)).id
  const own = { code: `AP-${next()}`, type: 'Apartment', purpose: 'Both', rentPrice: 2500, salePrice: 500_000 }
  return post(api, admin, '/api/properties', { ...own, address: PLACE, ownerId, ...over })
}

const syndic: Fixture = async (api) => {
  const by = await api.agency()
  return { token: by.token, body: { syndicId: (await api.colleague(by, 'Syndic')).userId } }
}

const leasedUnit: Fixture = async (api) => {
  const by = await api.agency()
  const { id } = await aCondominium(api, by)
  const { propertyOf, contractOf } = storedIn(api, by)
  const unit = await propertyOf({ condominiumId: id })
  await contractOf({ propertyId: unit.id, propertyCode: unit.code, clientId: (await aClient(api, by)).id })
  return { token: by.token, params: { id } }
}

/** What a property names. */
const named = async (api: EstateTestApi, by: Person) => ({
  ownerId: (await aClient(api, by)).id,
  brokerId: (await aBroker(api, by)).id,
  condominiumId: (await aCondominium(api, by)).id,
})

const listable: Fixture = async (api) => {
  const by = await api.agency()
  return { token: by.token, body: await named(api, by) }
}

/** All that may be told of a property. */
const TOLD = {
  address: HOME,
  bedrooms: 2,
  bathrooms: 1,
  parkingSpots: 1,
  privateArea: 60.5,
  totalArea: 80,
  condoFee: 600.5,
  annualIptu: 1200,
  images: ['https://fotos.aurora.example/ap-101/sala.jpg'],
  idealFraction: 0.0125,
  description: 'Apartamento claro, perto do metrô.',
  floorPlanUrl: 'https://fotos.aurora.example/ap-101/planta.png',
}

const property: Fixture = async (api) => {
  const by = await api.agency()
  const body = await named(api, by)
  const { id } = await aProperty(api, by, { ...TOLD, ...body })
  return { token: by.token, params: { id }, body }
}

const feed: Fixture = async (api) => {
  const by = await api.agency()
  const { url } = await post(api, by, '/api/properties/feed-token', {})
  return { query: { token: new URL(url).searchParams.get('token') ?? '' } }
}

export const listings: Readonly<Record<string, Fixture>> = {
  ...{ syndic, listable, property, feed },
  'leased-unit': leasedUnit,
}
