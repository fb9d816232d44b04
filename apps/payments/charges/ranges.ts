import { issue } from '../../../core/failure.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import { notBefore, type Rule, rule, together } from '../../../core/kernel/input/rules.ts'
import { daysBetween } from '../../../core/kernel/values/day.ts'

/** How far apart the ends of a range of payment dates may be. Source: decisions.md §11, Sums. */
const MAX_PAYMENT_DAYS = 45

/** The two filters of creation days, each of which may come alone. */
export const createdRange = { created_at_start: inQuery.day(), created_at_end: inQuery.day() }

/** The two filters of payment days, which come as a pair. */
export const paidRange = { payment_date_start: inQuery.day(), payment_date_end: inQuery.day() }

interface Ranges {
  readonly created_at_start?: string
  readonly created_at_end?: string
  readonly payment_date_start?: string
  readonly payment_date_end?: string
}

/** What both ranges must be. Fails: `not-before`, `required`, `range.max`. */
export const rangeRules = <A extends Ranges>(): readonly Rule<A>[] => [
  notBefore('created_at_end', 'created_at_start'),
  notBefore('payment_date_end', 'payment_date_start'),
  together('payment_date_start', 'payment_date_end'),
  rule(['payment_date_start', 'payment_date_end'], ({ payment_date_start: from, payment_date_end: to }) =>
    from && to && daysBetween(from, to) > MAX_PAYMENT_DAYS
      ? [issue('payment_date_end', 'range.max', { max: MAX_PAYMENT_DAYS })]
      : [],
  ),
]
