import { group } from '../../kernel/input/input.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import { notBefore } from '../../kernel/input/rules.ts'
import { output, view } from '../../kernel/input/view.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'

/** Days with both their ends, which are in it. */
export interface Period {
  readonly from: Day
  readonly to: Day
}

/** How many days before its end a period begins whose start nobody names. */
const DAYS_BEFORE = 30

/** The last thirty days, or as far as somebody says: from thirty days before its end, to today. Source: decisions.md §11. */
export const lastDays = ({ from, to }: DayRange, today: Day): Period => {
  const until = to ?? (from !== undefined && from > today ? from : today)
  return { from: from ?? addDays(until < today ? until : today, -DAYS_BEFORE), to: until }
}

/** Days that a query names `start_date` and `end_date`. Fails: as days do, `not-before`. */
export const startAndEnd = group(
  {
    from: inQuery.day({ wire: 'start_date', about: 'Desde este dia' }),
    to: inQuery.day({ wire: 'end_date', about: 'Até este dia' }),
  },
  notBefore<DayRange>('to', 'from'),
)

/** Source: 02-billing.md, Statements and reports. */
export const periodView = view(
  'Period',
  {
    from: output.text({ wire: 'start_date', about: 'O primeiro dia' }),
    to: output.text({ wire: 'end_date', about: 'O último dia' }),
  },
  (period: Period) => period,
)
