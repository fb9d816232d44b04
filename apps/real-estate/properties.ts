import { input, inQuery, output, required, view } from '../../core/kernel/input/mod.ts'
import type { Feed } from '../../core/real-estate/feed.ts'
import { newProperty, propertyDetailView, propertyMove, propertyView } from '../../core/real-estate/properties.ts'
import { property } from '../../core/real-estate/records/property.ts'
import { json } from '../http/replies/json-reply.ts'
import { revalidatedText } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { AGENCY_CRUD, crud, route } from './api.ts'
import { EXAMPLE_ADDRESS, EXAMPLE_COMPANY, EXAMPLE_MOMENT, EXAMPLE_USER, exampleId, SENT_ADDRESS } from './examples.ts'

const basic = {
  code: 'AP-101',
  type: 'Apartment',
  purpose: 'Both',
  address: SENT_ADDRESS,
  bedrooms: 2,
  bathrooms: 1,
  parkingSpots: 1,
  privateArea: 60.5,
  totalArea: 80,
  rentPrice: 2500,
  salePrice: 500_000,
  condoFee: 600.5,
  annualIptu: 1200,
  brokerId: exampleId(30),
  ownerId: exampleId(10),
  condominiumId: exampleId(40),
  images: ['https://fotos.aurora.example/ap-101/sala.jpg'],
  idealFraction: 0.0125,
}
const detail = {
  description: 'Apartamento claro, perto do metrô.',
  floorPlanUrl: 'https://fotos.aurora.example/ap-101/planta.png',
}
const sent = { ...basic, ...detail }

const listed = {
  id: exampleId(20),
  ...basic,
  address: EXAMPLE_ADDRESS,
  status: 'Available',
  createdAt: EXAMPLE_MOMENT,
  updatedAt: EXAMPLE_MOMENT,
}
const created = { status: 'Available', changedAt: EXAMPLE_MOMENT, changedBy: EXAMPLE_USER, reason: null }
const shown = {
  ...listed,
  ...detail,
  broker: { id: basic.brokerId, name: 'Bruno Lima', creci: 'CRECI-SP 123456' },
  owner: { id: basic.ownerId, name: 'Maria da Silva' },
  statusHistory: [created],
}

const area = 'Imóveis'
const feed = { area, dialect: 'estate' } as const
const token = `${EXAMPLE_COMPANY}.tq3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oX`

const linkView = view('FeedLink', {
  url: output.text({ about: 'O endereço privado que se dá aos portais; só aqui ele é mostrado' }),
})

/** Properties, and their feed for portals. */
export const propertyRows: readonly AnyRow[] = [
  ...crud({
    ...AGENCY_CRUD,
    module: 'properties',
    resource: { ...property, createInput: newProperty },
    view: propertyDetailView,
    listed: { view: propertyView, shown: listed },
    area,
    paths: ['/api/properties'],
    permissions: { read: 'properties:read', write: 'properties:write', remove: 'properties:remove' },
    noun: { one: 'imóvel', many: 'imóveis', gender: 'm' },
    words: {
      list: { summary: 'Lista os imóveis, do mais novo ao mais antigo; um proprietário vê os seus' },
      show: { summary: 'Mostra um imóvel, com corretor, proprietário e histórico' },
      update: { summary: 'Substitui o que se sabe de um imóvel, menos a situação' },
      remove: { summary: 'Exclui um imóvel sem contratos ativos, propostas em aberto nem visitas por vir' },
    },
    errors: { update: { 'property.purpose': {}, 'property.owner.let': {} } },
    example: { begin: 'listable', sent, change: { ...sent, rentPrice: 2600 }, shown },
  }),
  route({
    name: 'properties.move',
    summary: 'Muda a situação de um imóvel',
    area,
    dialect: 'estate',
    auth: 'member',
    methods: ['PATCH'],
    paths: ['/api/properties/:id/status'],
    permission: 'properties:move',
    record: ({ core, actor, request }) => core.properties.read(actor, request.params.id ?? ''),
    input: { body: propertyMove },
    run: ({ core, actor, record }, { body }) => core.properties.move(actor, record.id, body),
    reply: json({ view: propertyDetailView }),
    errors: { 'property.unknown': {}, 'property.move': {}, 'property.purpose': {}, 'property.leased': {} },
    example: {
      given: 'property',
      request: { params: { id: shown.id }, body: { status: 'Reserved', reason: 'Sinal pago' } },
      reply: {
        ...shown,
        status: 'Reserved',
        statusHistory: [created, { ...created, status: 'Reserved', reason: 'Sinal pago' }],
      },
    },
  }),
  route({
    ...feed,
    name: 'properties.feed-token',
    summary: 'Cria o endereço privado do feed de imóveis para portais; o anterior deixa de valer',
    methods: ['POST'],
    paths: ['/api/properties/feed-token'],
    auth: 'member',
    // A reply stored under an idempotency key would contain the token.
    key: false,
    permission: 'properties:feed',
    run: ({ core, actor }) => core.feed.createLink(actor),
    reply: json({ status: 201, view: linkView }),
    example: {
      given: 'admin',
      request: { body: {} },
      reply: { url: `https://imoveis.example.com/api/properties/feed.xml?token=${token}` },
    },
  }),
  route({
    ...feed,
    name: 'properties.feed',
    summary: 'Os imóveis disponíveis da imobiliária, em XML VRSync, para portais',
    paths: ['/api/properties/feed.xml'],
    auth: 'public',
    input: { query: input(null, { token: required(inQuery.text({ max: 100, about: 'O que abre o feed' })) }) },
    run: ({ core }, { query }) => core.feed.read(query.token),
    reply: revalidatedText<Feed>({
      type: 'application/xml; charset=utf-8',
      tag: ({ tag }) => tag,
      view: ({ xml }) => xml,
    }),
    errors: { 'feed.unknown': {} },
    example: { given: 'feed', request: { query: { token } }, reply: '<ListingDataFeed>' },
  }),
]
