import { issue } from '../../failure.ts'
import type { RuleCode } from '../../kernel/input/field.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import { allOrNone, type Rule, rule } from '../../kernel/input/rules.ts'
import { daysBetween } from '../../kernel/values/day.ts'

/** How far apart the ends of a range of payment dates may be. Source: decisions.md §11, Sums. */
const MAX_PAYMENT_DAYS = 45

const notTooLong: Rule<DayRange, 'range.max'> = rule(['from', 'to'], ({ from, to }) =>
  from && to && daysBetween(from, to) > MAX_PAYMENT_DAYS ? [issue('to', 'range.max', { max: MAX_PAYMENT_DAYS })] : [],
)

/** The days on which something was paid: both ends, or none. Fails: as a range does, `required`, `range.max`. */
export const paidRange = inQuery.range<RuleCode | 'range.max'>(
  'payment_date',
  `Pagamento (as duas datas ou nenhuma, com no máximo ${MAX_PAYMENT_DAYS} dias entre elas)`,
  allOrNone('from', 'to'),
  notTooLong,
)
