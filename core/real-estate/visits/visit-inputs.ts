import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { notBefore } from '../../kernel/input/rules.ts'
import { flag, oneOf } from '../../kernel/input/scalars.ts'
import { pageFields } from '../paging.ts'
import { VISIT_STATUSES, visitFields } from '../records/visit.ts'

/** What moves a visit to another time. Source: 03-real-estate.md, Visits; decisions.md §10, Fields. */
export const visitChange = input('VisitChange', { scheduledAt: visitFields.scheduledAt, notes: visitFields.notes })

/** What becomes of a visit; whether the broker was there counts only where it is Done. */
export const visitMove = input('VisitMove', {
  status: oneOf(VISIT_STATUSES, { about: 'Nova situação' }),
  checkinDone: nullIfAbsent(flag({ about: 'Se o corretor registrou a chegada; preciso para Done' })),
})

/** Which visits; days are those of São Paulo, both included. Source: decisions.md §10, Lists. */
export const visitFilter = input(
  'VisitFilter',
  {
    ...pageFields,
    search: inQuery.text({ about: 'Código do imóvel ou nome do cliente' }),
    status: inQuery.oneOf(VISIT_STATUSES, { about: 'Situação' }),
    brokerId: inQuery.guid({ about: 'Identificador do corretor' }),
    propertyId: inQuery.guid({ about: 'Identificador do imóvel' }),
    dateFrom: inQuery.day({ about: 'Marcadas desde este dia' }),
    dateTo: inQuery.day({ about: 'Marcadas até este dia' }),
  },
  notBefore('dateTo', 'dateFrom'),
)

export type VisitChange = InputOf<typeof visitChange>
export type VisitMove = InputOf<typeof visitMove>
export type VisitFilter = InputOf<typeof visitFilter>
