import { nullIfAbsent } from '../../kernel/input/field.ts'
import { flag, instant, oneOf } from '../../kernel/input/scalars.ts'
import { guid, line } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Broker } from '../records/broker.ts'
import type { Client } from '../records/client.ts'
import { notes } from '../records/fields.ts'
import type { Property } from '../records/property.ts'
import { VISIT_STATUSES } from '../records/visit.ts'
import type { VisitDetail } from './visit-detail.ts'

const id = guid({ about: 'Identificador' })

const property = view(null, { id, code: line({ max: 50, about: 'Código' }) }, (of: Property) => of)
const client = view(
  null,
  { id, name: line({ max: 255, about: 'Nome' }), phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })) },
  (of: Client) => of,
)
const broker = view(null, { id, name: line({ max: 255, about: 'Nome' }) }, (of: Broker) => of)

/** A visit as the API shows it. Source: 03-real-estate.md, Visit. */
export const visitView = view(
  'Visit',
  {
    id,
    scheduledAt: instant({ about: 'Quando será' }),
    status: oneOf(VISIT_STATUSES, { about: 'Situação' }),
    checkinDone: flag({ about: 'Se o corretor registrou a chegada' }),
    checkinAt: nullIfAbsent(instant({ about: 'Quando o corretor registrou a chegada' })),
    notes,
    property: nullIfAbsent(output.view(property, { about: 'O imóvel' })),
    client: nullIfAbsent(output.view(client, { about: 'O cliente' })),
    broker: nullIfAbsent(output.view(broker, { about: 'O corretor' })),
    createdAt: instant({ about: 'Criação' }),
    updatedAt: instant({ about: 'Última alteração' }),
  },
  ({ visit, ...referred }: VisitDetail) => ({ ...visit, ...referred }),
)
