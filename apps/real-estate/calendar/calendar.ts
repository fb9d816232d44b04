import { digest } from '../../../adapters/crypto/digest.ts'
import { required } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import { type CalendarAddress, newCalendarLink } from '../../../core/real-estate/calendar.ts'
import { json } from '../../http/replies/json-reply.ts'
import { revalidatedText } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { exampleId } from '../examples.ts'

const about = { area: 'Visitas', dialect: 'estate' } as const
const token = 'tq3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oX'

const linkView = view(
  'CalendarLink',
  { url: output.text({ about: 'O endereço que se assina num programa de agenda; quem o tem vê as visitas' }) },
  (of: CalendarAddress) => of,
)

/** Source: RFC 5545. */
export const calendarRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'visits.calendar-token',
    summary: 'Cria o endereço privado da agenda de um corretor; o anterior deixa de valer',
    methods: ['POST'],
    paths: ['/api/visits/calendar-token'],
    auth: 'member',
    // An answer that is kept for its key would keep the token.
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
    ...about,
    name: 'visits.calendar',
    summary: 'A agenda de visitas de um corretor, em iCalendar',
    methods: ['GET'],
    paths: ['/api/visits/calendar.ics'],
    auth: 'public',
    input: { query: input(null, { token: required(inQuery.text({ max: 100, about: 'O que abre a agenda' })) }) },
    run: ({ core }, { query }) => core.calendar.read(query.token),
    reply: revalidatedText<string>({
      type: 'text/calendar; charset=utf-8',
      tag: digest.sha256,
      view: (calendar) => calendar,
    }),
    errors: { 'calendar.unknown': {} },
    example: { given: 'calendar', request: { query: { token } }, reply: 'BEGIN:VCALENDAR' },
  }),
]
