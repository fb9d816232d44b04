import { reaisFromCents } from '../../kernel/values/money.ts'
import { codePoints, fold } from '../../kernel/values/text.ts'
import type { Broker } from '../records/broker.ts'
import type { Property } from '../records/property.ts'

/** Source: reference/real-estate.md, 3.12. */
const NAMESPACE = 'http://www.vivareal.com/schemas/1.0/VRSync'
const MAX_TITLE = 100
const MAX_DESCRIPTION = 3_000

/** A property that portals are told of, and whom they name for it. */
export interface Advertised {
  readonly property: Property
  readonly broker: Pick<Broker, 'name' | 'email' | 'phone'> | null
}

const KINDS = {
  Apartment: { name: 'Apartamento', usage: 'Residential', type: 'Residential / Apartment' },
  House: { name: 'Casa', usage: 'Residential', type: 'Residential / Home' },
  CommercialRoom: { name: 'Sala comercial', usage: 'Commercial', type: 'Commercial / Office' },
  Land: { name: 'Terreno', usage: 'Residential', type: 'Residential / Land Lot' },
  Warehouse: { name: 'Galpão', usage: 'Commercial', type: 'Commercial / Industrial' },
} as const satisfies Readonly<Record<Property['type'], object>>

const PURPOSES = {
  Lease: { words: 'para alugar', transaction: 'For Rent' },
  Sale: { words: 'à venda', transaction: 'For Sale' },
  Both: { words: 'à venda ou para alugar', transaction: 'Sale/Rent' },
} as const satisfies Readonly<Record<Property['purpose'], object>>

const STATES: Readonly<Record<string, string>> = {
  ...{ AC: 'Acre', AL: 'Alagoas', AP: 'Amapá', AM: 'Amazonas', BA: 'Bahia', CE: 'Ceará', DF: 'Distrito Federal' },
  ...{ ES: 'Espírito Santo', GO: 'Goiás', MA: 'Maranhão', MT: 'Mato Grosso', MS: 'Mato Grosso do Sul' },
  ...{ MG: 'Minas Gerais', PA: 'Pará', PB: 'Paraíba', PR: 'Paraná', PE: 'Pernambuco', PI: 'Piauí' },
  ...{ RJ: 'Rio de Janeiro', RN: 'Rio Grande do Norte', RS: 'Rio Grande do Sul', RO: 'Rondônia', RR: 'Roraima' },
  ...{ SC: 'Santa Catarina', SP: 'São Paulo', SE: 'Sergipe', TO: 'Tocantins' },
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** What XML 1.0 has no place for. Source: XML 1.0, 2.2. */
const UNSPEAKABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escaped = (text: string): string =>
  text.replace(UNSPEAKABLE, '').replace(/[&<>"]/g, (mark) => ESCAPED[mark] ?? mark)

type Attributes = Readonly<Record<string, string>>

const opened = (name: string, attributes: Attributes): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}>`

/** An element of a text; nothing where there is none. */
const leaf = (name: string, value: string | number | null, attributes: Attributes = {}): string =>
  value === null || value === '' ? '' : `${opened(name, attributes)}${escaped(`${value}`)}</${name}>`

/** An element of others. */
const node = (name: string, within: readonly string[], attributes: Attributes = {}): string =>
  `${opened(name, attributes)}${within.join('')}</${name}>`

const cut = (text: string, most: number): string =>
  codePoints(text) <= most ? text : [...text].slice(0, most).join('').trimEnd()

/** 10 to 100 characters, and no tags. */
const titleOf = ({ type, purpose, address }: Property): string => {
  const place = [address.neighborhood, address.city].filter((each) => each !== null).join(', ')
  return cut(`${KINDS[type].name} ${PURPOSES[purpose].words} em ${place}`.replace(/[<>]/g, ''), MAX_TITLE)
}

const BRL = { currency: 'BRL' }
const SQUARE_METRES = { unit: 'square metres' }

const price = (name: string, cents: number | null, attributes: Attributes = BRL): string =>
  leaf(name, cents === null ? null : reaisFromCents(cents), attributes)

const detailsOf = (of: Property, title: string): string => {
  const { usage, type } = KINDS[of.type]
  return node('Details', [
    leaf('UsageType', usage),
    leaf('PropertyType', type),
    leaf('Description', cut(of.description ?? title, MAX_DESCRIPTION)),
    of.purpose === 'Lease' ? '' : price('ListPrice', of.salePriceCents),
    of.purpose === 'Sale' ? '' : price('RentalPrice', of.rentPriceCents, { ...BRL, period: 'Monthly' }),
    price('PropertyAdministrationFee', of.condoFeeCents),
    price('Iptu', of.annualIptuCents, { ...BRL, period: 'Yearly' }),
    leaf('LivingArea', of.privateArea, SQUARE_METRES),
    leaf('LotArea', of.totalArea, SQUARE_METRES),
    leaf('Bedrooms', of.bedrooms),
    leaf('Bathrooms', of.bathrooms),
    leaf('Garage', of.parkingSpots, { type: 'Parking Space' }),
  ])
}

/** A state by its two letters, however it was written; as it stands where it is none. */
const stateOf = (written: string): string => {
  const found = Object.entries(STATES).find(([letters, name]) =>
    [fold(letters), fold(name)].includes(fold(written.trim())),
  )
  return found ? leaf('State', found[1], { abbreviation: found[0] }) : leaf('State', written)
}

const locationOf = ({ address }: Property): string =>
  node(
    'Location',
    [
      leaf('Country', 'Brasil', { abbreviation: 'BR' }),
      stateOf(address.state),
      leaf('City', address.city),
      leaf('Neighborhood', address.neighborhood),
      leaf('Address', address.street),
      leaf('StreetNumber', address.number),
      leaf('Complement', address.complement),
      leaf('PostalCode', address.zipCode),
    ],
    { displayAddress: 'All' },
  )

const mediaOf = (images: readonly string[]): string =>
  images.length === 0
    ? ''
    : node(
        'Media',
        images.map((image, index) =>
          leaf('Item', image, { medium: 'image', ...(index === 0 ? { primary: 'true' } : {}) }),
        ),
      )

/** A property as portals take it: its code is its id there. Source: reference/real-estate.md, 3.12. */
export const listingOf = ({ property, broker }: Advertised): string => {
  const title = titleOf(property)
  const contact = broker
    ? [leaf('Name', broker.name), leaf('Email', broker.email), leaf('Telephone', broker.phone)]
    : null
  return node('Listing', [
    leaf('ListingID', property.code),
    leaf('Title', title),
    leaf('TransactionType', PURPOSES[property.purpose].transaction),
    mediaOf(property.images),
    detailsOf(property, title),
    locationOf(property),
    contact ? node('ContactInfo', contact) : '',
  ])
}

/** The whole feed; it is published when what it tells of last changed, so that the same is told in the same words. */
export const feedOf = (provider: string, listings: readonly string[], publishedAt: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${node(
    'ListingDataFeed',
    [
      node('Header', [leaf('Provider', provider), leaf('PublishDate', publishedAt.replace(/\.\d+/, ''))]),
      node('Listings', listings),
    ],
    { xmlns: NAMESPACE },
  )}\n`
