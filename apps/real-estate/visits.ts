import { digest } from '../../adapters/crypto/cipher.ts'
import { input, inQuery, output, required, view } from '../../core/kernel/input/mod.ts'
import { newCalendarLink } from '../../core/real-estate/calendar.ts'
import { visit } from '../../core/real-estate/records/visit.ts'
import { visitChange, visitFilter, visitMove, visitView } from '../../core/real-estate/visits.ts'
import { json, page } from '../http/replies/json-reply.ts'
import { empty, revalidatedText } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { type MemberCall, route } from './api.ts'
import { EXAMPLE_MOMENT, exampleId } from './examples.ts'

const BASE = '/api/visits'
const common = { area: 'Visitas', dialect: 'estate', auth: 'member' } as const
const withRecord = {
  ...common,
  record: ({ core, actor, request }: MemberCall) => core.visits.read(actor, request.params.id ?? ''),
} as const

const shown = {
  id: exampleId(70),
  scheduledAt: '2030-11-25T17:00:00.000Z',
  status: 'Scheduled',
  checkinDone: false,
  checkinAt: null,
  notes: 'O cliente vem de carro.',
  property: { id: exampleId(20), code: 'AP-101' },
  client: { id: exampleId(10), name: 'Maria da Silva', phone: '11988880000' },
  broker: { id: exampleId(30), name: 'Bruno Lima' },
  createdAt: EXAMPLE_MOMENT,
  updatedAt: EXAMPLE_MOMENT,
}
const { scheduledAt, notes } = shown
const sent = {
  propertyId: shown.property.id,
  clientId: shown.client.id,
  brokerId: shown.broker.id,
  scheduledAt,
  notes,
}
const params = { id: shown.id }

const calendar = { area: common.area, dialect: common.dialect } as const
const token = 'tq3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oX'

const linkView = view('CalendarLink', {
  url: output.text({ about: 'O endereço que se assina num programa de agenda; quem o tem vê as visitas' }),
})

/** Visits, and the calendars of brokers in iCalendar (RFC 5545). */
export const visitRows: readonly AnyRow[] = [
  route({
    ...common,
    name: 'visits.list',
    summary: 'Lista as visitas, da mais nova à mais antiga',
    paths: [BASE],
    permission: 'visits:read',
    input: { query: visitFilter },
    run: ({ core, actor }, { query }) => core.visits.list(actor, query),
    reply: page({ view: visitView }),
    example: {
      given: 'visit',
      data: shown,
    },
  }),
  route({
    ...common,
    name: 'visits.create',
    summary: 'Agenda uma visita',
    methods: ['POST'],
    paths: [BASE],
    permission: 'visits:write',
    input: { body: visit.createInput },
    run: ({ core, actor }, { body }) => core.visits.create(actor, body),
    reply: json({ status: 201, view: visitView }),
    example: { given: 'visitable', request: { body: sent }, reply: shown },
  }),
  route({
    ...withRecord,
    name: 'visits.show',
    summary: 'Mostra uma visita, com imóvel, cliente e corretor',
    paths: [`${BASE}/:id`],
    permission: 'visits:read',
    run: ({ core, actor, record }) => core.visits.read(actor, record.visit.id),
    reply: json({ view: visitView }),
    errors: { 'visit.unknown': {} },
    example: { given: 'visit', request: { params }, reply: shown },
  }),
  route({
    ...withRecord,
    name: 'visits.update',
    summary: 'Remarca uma visita que ainda não foi feita nem cancelada',
    methods: ['PUT'],
    paths: [`${BASE}/:id`],
    permission: 'visits:write',
    input: { body: visitChange },
    run: ({ core, actor, record }, { body }) => core.visits.replace(actor, record.visit.id, body),
    reply: json({ view: visitView }),
    errors: { 'visit.unknown': {}, 'visit.closed': {} },
    example: { given: 'visit', request: { params, body: { scheduledAt, notes } }, reply: shown },
  }),
  route({
    ...withRecord,
    name: 'visits.move',
    summary: 'Muda a situação de uma visita',
    methods: ['PATCH'],
    paths: [`${BASE}/:id/status`],
    permission: 'visits:write',
    input: { body: visitMove },
    run: ({ core, actor, record }, { body }) => core.visits.move(actor, record.visit.id, body),
    reply: json({ view: visitView }),
    errors: { 'visit.unknown': {}, 'visit.move': {}, 'visit.checkin-missing': {} },
    example: {
      given: 'visit',
      request: { params, body: { status: 'Confirmed' } },
      reply: { ...shown, status: 'Confirmed' },
    },
  }),
  route({
    ...withRecord,
    name: 'visits.remove',
    summary: 'Exclui uma visita',
    methods: ['DELETE'],
    paths: [`${BASE}/:id`],
    permission: 'visits:remove',
    run: ({ core, actor, record }) => core.visits.remove(actor, record.visit.id),
    reply: empty(),
    errors: { 'visit.unknown': {} },
    example: { given: 'visit', request: { params }, reply: null },
  }),
  route({
    ...calendar,
    name: 'visits.calendar-token',
    summary: 'Cria o endereço privado da agenda de um corretor; o anterior deixa de valer',
    methods: ['POST'],
    paths: ['/api/visits/calendar-token'],
    auth: 'member',
    // A reply stored under an idempotency key would contain the token.
    key: false,
    permission: 'visits:read',
    input: { body: newCalendarLink },
    run: ({ core, actor }, { body }) => core.calendar.createLink(actor, body),
    reply: json({ status: 201, view: linkView }),
    errors: { 'calendar.brokerless': {}, 'calendar.not-own': {} },
    example: {
      given: 'visitable',
      request: { body: { brokerId: exampleId(30) } },
      reply: { url: `https://imoveis.example.com/api/visits/calendar.ics?token=${token}` },
    },
  }),
  route({
    ...calendar,
    name: 'visits.calendar',
    summary: 'A agenda de visitas de um corretor, em iCalendar',
    paths: ['/api/visits/calendar.ics'],
    auth: 'public',
    input: { query: input(null, { token: required(inQuery.text({ max: 100, about: 'O que abre a agenda' })) }) },
    run: ({ core }, { query }) => core.calendar.read(query.token),
    reply: revalidatedText<string>({
      type: 'text/calendar; charset=utf-8',
      tag: digest.sha256,
      view: (text) => text,
    }),
    errors: { 'calendar.unknown': {} },
    example: { given: 'calendar', request: { query: { token } }, reply: 'BEGIN:VCALENDAR' },
  }),
]
