import { issue } from '../../failure.ts'
import { type Rule, rule } from '../../kernel/input/rules.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'
import { WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { PaymentTerms, RateType } from './amount-due.ts'

/** Fails: `charge.discount` where a discount leaves nothing to be paid. */
export const discountIssues = (
  valueCents: number,
  discountHundredths: number | null,
  typeDiscount: RateType | null,
) => {
  const whole = typeDiscount === 'ABSOLUTE' ? valueCents : WHOLE_PERCENT
  const isWhole = discountHundredths !== null && discountHundredths >= whole
  return isWhole ? [issue('discountHundredths', 'charge.discount')] : []
}

type Ruled = Pick<PaymentTerms, 'valueCents' | 'discountHundredths' | 'typeDiscount' | 'daysDiscount'> & {
  readonly dueDate: Day
}

/**
 * What any charge must be, whoever issues it: neither its due day nor the last day of its discount is past, and something
 * is left to be paid. Fails: `day.past`, `charge.discount`. Source: 02-billing.md, Charge creation body.
 */
export const chargeRules: readonly Rule<Ruled, 'day.past' | 'charge.discount'>[] = [
  rule(['dueDate'], ({ dueDate }, today) => (isPast(dueDate, today) ? [issue('dueDate', 'day.past')] : [])),
  rule(['dueDate', 'daysDiscount'], ({ dueDate, daysDiscount }, today) => {
    const days = daysDiscount ?? 0
    return days > 0 && isPast(addDays(dueDate, -days), today) ? [issue('daysDiscount', 'day.past')] : []
  }),
  rule(['valueCents', 'discountHundredths', 'typeDiscount'], ({ valueCents, discountHundredths, typeDiscount }) =>
    discountIssues(valueCents, discountHundredths, typeDiscount),
  ),
]

/** The same of a due day that may be left out. */
export const dueDateRule: Rule<{ readonly dueDate?: Day }, 'day.past'> = rule(['dueDate'], ({ dueDate }, today) =>
  dueDate !== undefined && isPast(dueDate, today) ? [issue('dueDate', 'day.past')] : [],
)

/** Who decodes without a day asks for no such rule. */
const isPast = (day: Day, today: Day | null): boolean => today !== null && day < today
