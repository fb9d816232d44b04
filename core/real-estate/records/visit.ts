import { flag, guid, instant, nullIfAbsent, oneOf, withDefault } from '../../kernel/input/mod.ts'
import { stateMachine } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { counter, notes, resource, searched } from './fields.ts'
import { brokers, clients } from './people.ts'
import { properties } from './property.ts'

export const VISIT_STATUSES = ['Scheduled', 'Confirmed', 'Done', 'Cancelled'] as const
export type VisitStatus = (typeof VISIT_STATUSES)[number]

export const visitMoves = stateMachine<VisitStatus>({
  Scheduled: ['Confirmed', 'Cancelled'],
  Confirmed: ['Done', 'Cancelled'],
  Done: [],
  Cancelled: [],
})

export const visitFields = {
  propertyId: guid({ about: 'Identificador do imóvel' }),
  clientId: guid({ about: 'Identificador do cliente' }),
  brokerId: guid({ about: 'Identificador do corretor' }),
  scheduledAt: instant({ about: 'Quando será' }),
  notes,
}

/** A visit of a client to a property. */
export const visit = resource({
  one: 'visit',
  many: 'visits',
  input: visitFields,
  internal: {
    status: withDefault(oneOf(VISIT_STATUSES, { about: 'Situação' }), 'Scheduled'),
    checkinDone: withDefault(flag({ about: 'Se o corretor registrou a chegada' }), false),
    checkinAt: nullIfAbsent(instant({ about: 'Quando o corretor registrou a chegada' })),
    /** Counts the changes: calendars keep the event with the highest number. */
    sequence: counter('Mudanças'),
    propertyCode: searched,
    clientName: searched,
  },
  search: ['propertyCode', 'clientName'],
  filters: { status: 'tally', brokerId: 'index', propertyId: 'index', clientId: 'index', scheduledAt: 'instants' },
  references: { propertyId: [{ to: properties }], clientId: [{ to: clients }], brokerId: [{ to: brokers }] },
  extra: {
    indexes: [
      { sort: 'scheduledAt', when: 'live' },
      // Calendars also receive removed visits.
      { eq: 'brokerId', sort: 'scheduledAt' },
    ],
    tallies: [{ by: ['companyId', 'brokerId', 'status'], sum: [], when: 'live' }],
  },
})

export const visits = visit.collection
export type Visit = RecordOf<typeof visit>
