import { issue } from '../../failure.ts'
import { type Rule, rule } from '../../kernel/input/input.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'
import { WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { TitleMethod } from '../../ports/bank.ts'
import { latestBoletoDay } from '../boleto/barcode.ts'
import type { PaymentTerms, RateType } from './amount-due.ts'

/** Fails: `charge.discount` if the discount is at least the value. */
export const discountIssues = (
  valueCents: number,
  discountHundredths: number | null,
  typeDiscount: RateType | null,
) => {
  const whole = typeDiscount === 'ABSOLUTE' ? valueCents : WHOLE_PERCENT
  const isWhole = discountHundredths !== null && discountHundredths >= whole
  return isWhole ? [issue('discountHundredths', 'charge.discount')] : []
}

export interface Due {
  readonly paymentMethod: TitleMethod | 'CREDIT_CARD'
  readonly dueDate: Day
}

/** Returns the latest due day of a charge; null if there is no limit. */
export const latestDueDate = (method: Due['paymentMethod'], today: Day): Day | null =>
  method === 'BOLETO' || method === 'BOLEPIX' ? latestBoletoDay(today) : null

/** Fails: `boleto.reach` for a boleto whose due date is beyond the range of due factors. */
export const reachIssues = ({ paymentMethod, dueDate }: Due, today: Day) => {
  const latest = latestDueDate(paymentMethod, today)
  return latest !== null && dueDate > latest ? [issue('dueDate', 'boleto.reach', { latest })] : []
}

type Ruled = Pick<PaymentTerms, 'valueCents' | 'discountHundredths' | 'typeDiscount' | 'daysDiscount'> & Due

/**
 * The rules of every new charge: its due day and the last day of its discount are not past, a boleto is due within the window
 * of its due factor, and the discount leaves an amount to pay. Fails: `day.past`, `boleto.reach`, `charge.discount`.
 */
export const chargeRules: readonly Rule<Ruled, 'day.past' | 'boleto.reach' | 'charge.discount'>[] = [
  rule(['dueDate'], ({ dueDate }, today) => (isPast(dueDate, today) ? [issue('dueDate', 'day.past')] : [])),
  rule(['dueDate', 'paymentMethod'], (due, today) => (today === null ? [] : reachIssues(due, today))),
  rule(['dueDate', 'daysDiscount'], ({ dueDate, daysDiscount }, today) => {
    const days = daysDiscount ?? 0
    return days > 0 && isPast(addDays(dueDate, -days), today) ? [issue('daysDiscount', 'day.past')] : []
  }),
  rule(['valueCents', 'discountHundredths', 'typeDiscount'], ({ valueCents, discountHundredths, typeDiscount }) =>
    discountIssues(valueCents, discountHundredths, typeDiscount),
  ),
]

/** The rule of an optional due day: not past. Fails: `day.past`. */
export const dueDateRule: Rule<{ readonly dueDate?: Day }, 'day.past'> = rule(['dueDate'], ({ dueDate }, today) =>
  dueDate !== undefined && isPast(dueDate, today) ? [issue('dueDate', 'day.past')] : [],
)

/** Without a current day, the rule is not applied. */
const isPast = (day: Day, today: Day | null): boolean => today !== null && day < today
