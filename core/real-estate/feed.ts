import { all, always, type Collection, eq, insert, patch, record, t } from '../kernel/records/record.ts'
import { recordsById } from '../kernel/resources/queries.ts'
import { serialByName } from '../kernel/running/concurrency.ts'
import { scanNewestFirst } from '../kernel/running/slices.ts'
import { accept, randomCode, readUseCase, useCase } from '../kernel/running/use-case.ts'
import { reaisFromCents } from '../kernel/values/money.ts'
import { codePoints, fold } from '../kernel/values/text.ts'
import { byId } from '../ports/store.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { type Broker, brokers, type Company, companies } from './records/people.ts'
import { PROPERTY_TYPE_TEXTS, type Property, properties } from './records/property.ts'

const feedLink = record({
  /** The id of the company. */
  id: t.string,
  /** The digest of the token that opens the feed; the token itself is not stored. */
  tokenDigest: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

/** The links to the feeds of companies, one each. */
export const feedLinks: Collection<t.TypeOf<typeof feedLink>> = {
  name: 'estate.feed-links',
  ids: 'text',
  codec: feedLink,
  owner: null,
}

/** Properties written without a break; between such slices other requests run. */
const AT_ONCE = 25

const SECRET_LENGTH = 40
const TOKEN = /^(?<companyId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9A-Za-z]+$/

/** The available properties of a company for portals. */
export interface Feed {
  readonly xml: string
  /** The ETag: it changes with the content. */
  readonly tag: string
}

const composeFeed = async ({ store, digest }: RealEstatePorts, company: Company, since: string): Promise<Feed> => {
  const { id: companyId } = company
  const where = all(eq('companyId', companyId), eq('status', 'Available'))
  const listings: string[] = []
  let publishedAt = since
  for await (const slice of scanNewestFirst(store, { from: properties, where, when: 'live' }, AT_ONCE)) {
    const brokerIds = slice.map(({ brokerId }) => brokerId)
    const agents = await recordsById(store, brokers, companyId, brokerIds)
    for (const property of slice) {
      listings.push(listingOf(property, agents.get(property.brokerId ?? '') ?? null))
      if (property.updatedAt > publishedAt) publishedAt = property.updatedAt
    }
  }
  const xml = feedOf(company.legalName ?? 'Portico', listings, publishedAt)
  return { xml, tag: digest.sha256(xml) }
}

/** Writes one feed at a time, since a feed is large. Requests for a feed that is being written share it. */
const feedWriter = (ports: RealEstatePorts) => {
  const inSequence = serialByName()
  const running = new Map<string, Promise<Feed>>()
  return (company: Company, since: string): Promise<Feed> => {
    const current = running.get(company.id)
    if (current) return current
    const writing = inSequence('feed', () => composeFeed(ports, company, since)).finally(() =>
      running.delete(company.id),
    )
    running.set(company.id, writing)
    return writing
  }
}

/** Returns the feed of a token. The token names the company; its digest must be that of the current link. */
const feedAt = async (
  { store, digest }: RealEstatePorts,
  write: ReturnType<typeof feedWriter>,
  token: string,
): Promise<Feed | null> => {
  const companyId = TOKEN.exec(token)?.groups?.companyId
  const link = companyId === undefined ? null : await store.find(byId(feedLinks, companyId))
  if (!digest.equal(digest.sha256(token), link?.tokenDigest ?? '') || !link) return null
  const company = await store.find(byId(companies, link.id))
  return company && write(company, link.createdAt)
}

/** Publishes the properties of a company to portals. */
export const feed = {
  collections: [feedLinks],
  useCases: (ports: RealEstatePorts, write = feedWriter(ports)) => ({
    /**
     * Creates the address of the company's feed and invalidates the former one. The token is not stored: only this call
     * returns it.
     */
    createLink: ({ companyId }: Pick<Actor, 'companyId'>) =>
      useCase(
        ports,
        (store) => store.find(byId(feedLinks, companyId)),
        (link, fresh) => {
          const { now } = fresh
          const token = `${companyId}.${randomCode(fresh, SECRET_LENGTH)}`
          const tokenDigest = ports.digest.sha256(token)
          const change = link
            ? patch(feedLinks, companyId, { set: { tokenDigest, updatedAt: now }, when: always })
            : insert(feedLinks, { id: companyId, tokenDigest, createdAt: now, updatedAt: now })
          return accept({ url: `${ports.settings.publicUrl}/api/properties/feed.xml?token=${token}` }, change)
        },
      ),
    /**
     * Returns the feed of a token: the company's Available properties as VRSync XML, newest first.
     * Fails: `feed.unknown`.
     */
    read: (token: string) => readUseCase('feed.unknown', () => feedAt(ports, write, token)),
  }),
} satisfies RealEstateModule

const NAMESPACE = 'http://www.vivareal.com/schemas/1.0/VRSync'
const MAX_TITLE = 100
const MAX_DESCRIPTION = 3_000

const KINDS = {
  Apartment: { usage: 'Residential', type: 'Residential / Apartment' },
  House: { usage: 'Residential', type: 'Residential / Home' },
  CommercialRoom: { usage: 'Commercial', type: 'Commercial / Office' },
  Land: { usage: 'Residential', type: 'Residential / Land Lot' },
  Warehouse: { usage: 'Commercial', type: 'Commercial / Industrial' },
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
/** Characters that XML 1.0 does not allow (2.2). */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN_CHARACTERS, '').replace(/[&<>"]/g, (mark) => ESCAPED[mark] ?? mark)

type Attributes = Readonly<Record<string, string>>

const openTag = (name: string, attributes: Attributes): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')}>`

/** Returns an element with a text; an empty text without a value. */
const leaf = (name: string, value: string | number | null, attributes: Attributes = {}): string =>
  value === null || value === '' ? '' : `${openTag(name, attributes)}${escapeXml(`${value}`)}</${name}>`

const node = (name: string, children: readonly string[], attributes: Attributes = {}): string =>
  `${openTag(name, attributes)}${children.join('')}</${name}>`

const cut = (text: string, max: number): string =>
  codePoints(text) <= max ? text : [...text].slice(0, max).join('').trimEnd()

/** Returns a title of at most 100 characters, without tags. */
const titleOf = ({ type, purpose, address }: Property): string => {
  const place = [address.neighborhood, address.city].filter((each) => each !== null).join(', ')
  return cut(`${PROPERTY_TYPE_TEXTS[type]} ${PURPOSES[purpose].words} em ${place}`.replace(/[<>]/g, ''), MAX_TITLE)
}

const BRL = { currency: 'BRL' }
const SQUARE_METRES = { unit: 'square metres' }

const price = (name: string, cents: number | null, attributes: Attributes = BRL): string =>
  leaf(name, cents === null ? null : reaisFromCents(cents), attributes)

const detailsOf = (property: Property, title: string): string => {
  const { purpose } = property
  const { usage, type } = KINDS[property.type]
  return node('Details', [
    leaf('UsageType', usage),
    leaf('PropertyType', type),
    leaf('Description', cut(property.description ?? title, MAX_DESCRIPTION)),
    purpose === 'Lease' ? '' : price('ListPrice', property.salePriceCents),
    purpose === 'Sale' ? '' : price('RentalPrice', property.rentPriceCents, { ...BRL, period: 'Monthly' }),
    price('PropertyAdministrationFee', property.condoFeeCents),
    price('Iptu', property.annualIptuCents, { ...BRL, period: 'Yearly' }),
    leaf('LivingArea', property.privateArea, SQUARE_METRES),
    leaf('LotArea', property.totalArea, SQUARE_METRES),
    leaf('Bedrooms', property.bedrooms),
    leaf('Bathrooms', property.bathrooms),
    leaf('Garage', property.parkingSpots, { type: 'Parking Space' }),
  ])
}

/** Returns the element of a state, recognised by its letters or name; any other text stays as it is. */
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

/** Returns the listing of a property, with the property's code as its id. */
export const listingOf = (property: Property, broker: Pick<Broker, 'name' | 'email' | 'phone'> | null): string => {
  const title = titleOf(property)
  return node('Listing', [
    leaf('ListingID', property.code),
    leaf('Title', title),
    leaf('TransactionType', PURPOSES[property.purpose].transaction),
    mediaOf(property.images),
    detailsOf(property, title),
    locationOf(property),
    broker
      ? node('ContactInfo', [leaf('Name', broker.name), leaf('Email', broker.email), leaf('Telephone', broker.phone)])
      : '',
  ])
}

/**
 * Returns the whole feed. Its publishing date is that of the last change, so that an unchanged feed has the same text.
 */
export const feedOf = (provider: string, listings: readonly string[], publishedAt: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${node(
    'ListingDataFeed',
    [
      node('Header', [leaf('Provider', provider), leaf('PublishDate', publishedAt.replace(/\.\d+/, ''))]),
      node('Listings', listings),
    ],
    { xmlns: NAMESPACE },
  )}\n`
