import test from 'ava'
import fc from 'fast-check'
import { feedOf, listingOf } from '../../../core/real-estate/feed.ts'
import type { Property } from '../../../core/real-estate/records/property.ts'
import { anyText } from '../../any-text.ts'
import { aProperty } from './records.ts'

const listed = (over: Partial<Property> = {}) => listingOf(aProperty(over), null)
const at = (over: Partial<Property['address']>) => ({ address: { ...aProperty().address, ...over } })

/** The escaped content of an element, or null. */
const within = (xml: string, name: string): string | null =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1] ?? null

const isSpeakable = (character: string): boolean =>
  character >= ' ' ? !/[\uFFFE\uFFFF]|\p{Surrogate}/u.test(character) : '\t\n\r'.includes(character)

/** Reports whether XML is well-formed: elements nest, and all characters are allowed. */
const isWellFormed = (xml: string): boolean => {
  const open: string[] = []
  const rest = xml.replace(/^<\?xml [^>]*\?>\n/, '')
  for (const [, close, name, attributes, text] of rest.matchAll(
    /<(\/?)([A-Za-z]+)((?: [A-Za-z]+="[^"<]*")*)>([^<]*)/g,
  )) {
    if (close === '/' ? open.pop() !== name : open.push(name ?? '') === 0) return false
    if (/&(?!(amp|lt|gt|quot);)/.test(`${attributes}${text}`)) return false
  }
  const left = rest.replace(/<(\/?)([A-Za-z]+)((?: [A-Za-z]+="[^"<]*")*)>/g, '')
  return open.length === 0 && !/[<>]/.test(left) && [...xml].every(isSpeakable)
}

test('a listing has the prices of its property’s purpose', (t) => {
  const prices = (purpose: Property['purpose']) => {
    const xml = listed({ purpose, rentPriceCents: 250_050, salePriceCents: 50_000_000 })
    return [within(xml, 'TransactionType'), within(xml, 'ListPrice'), within(xml, 'RentalPrice')]
  }
  t.deepEqual(prices('Sale'), ['For Sale', '500000', null])
  t.deepEqual(prices('Lease'), ['For Rent', null, '2500.5'])
  t.deepEqual(prices('Both'), ['Sale/Rent', '500000', '2500.5'])
})

test('each type has its title, usage and VRSync type', (t) => {
  const told = (type: Property['type']) => {
    const xml = listed({ type, purpose: 'Sale' })
    return [within(xml, 'Title'), within(xml, 'UsageType'), within(xml, 'PropertyType')]
  }
  t.deepEqual(told('Apartment'), ['Apartamento à venda em Santos', 'Residential', 'Residential / Apartment'])
  t.deepEqual(told('House'), ['Casa à venda em Santos', 'Residential', 'Residential / Home'])
  t.deepEqual(told('CommercialRoom'), ['Sala comercial à venda em Santos', 'Commercial', 'Commercial / Office'])
  t.deepEqual(told('Land'), ['Terreno à venda em Santos', 'Residential', 'Residential / Land Lot'])
  t.deepEqual(told('Warehouse'), ['Galpão à venda em Santos', 'Commercial', 'Commercial / Industrial'])
})

test('a state is recognised by its letters or name', (t) => {
  for (const state of ['SP', 'sp', 'São Paulo', 'sao paulo'])
    t.true(listed(at({ state })).includes('<State abbreviation="SP">São Paulo</State>'), state)
  t.true(listed(at({ state: 'Nowhere' })).includes('<State>Nowhere</State>'))
})

test('for any text, a title has 10 to 100 characters and no tags, and the feed is well-formed', (t) => {
  const any = anyText({ minLength: 1, maxLength: 255 })
  const types = fc.constantFrom<Property['type']>('Apartment', 'House', 'CommercialRoom', 'Land', 'Warehouse')
  const typed = fc.record({ city: any, neighborhood: fc.option(any), description: any, type: types })
  fc.assert(
    fc.property(typed, ({ city, neighborhood, description, type }) => {
      const listing = listed({
        type,
        description,
        images: ['https://x.example/?a=1&b=2'],
        ...at({ city, neighborhood }),
      })
      const title = (within(listing, 'Title') ?? '').replace(/&(amp|lt|gt|quot);/g, '.')
      const length = [...title].length
      return length >= 10 && length <= 100 && isWellFormed(feedOf('A & B', [listing], '2026-11-23T13:05:09.123Z'))
    }),
  )
  t.pass()
})

test('a feed without listings is valid', (t) => {
  t.is(
    feedOf('Aurora', [], '2026-11-23T13:05:09.123Z'),
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListingDataFeed xmlns="http://www.vivareal.com/schemas/1.0/VRSync">' +
      '<Header><Provider>Aurora</Provider><PublishDate>2026-11-23T13:05:09Z</PublishDate></Header>' +
      '<Listings></Listings></ListingDataFeed>\n',
  )
})
