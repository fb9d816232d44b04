import { type Issue, issue } from '../../failure.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'
import type { RateType } from './amount-due.ts'

/** What any charge must be, whoever issues it. Source: 02-billing.md, Charge creation body. */

const when = <C extends string>(isWrong: boolean, found: Issue<C>) => (isWrong ? [found] : [])

/** Fails: `day.past`. */
export const dueDateIssues = (dueDate: Day, today: Day) => when(dueDate < today, issue('due_date', 'day.past'))

/** The discount's last day is not past either. Fails: `day.past`. */
export const discountDayIssues = (dueDate: Day, daysDiscount: number | null, today: Day) => {
  const days = daysDiscount ?? 0
  return when(days > 0 && addDays(dueDate, -days) < today, issue('days_discount', 'day.past'))
}

/** Something is left to be paid. Fails: `charge.discount`. */
export const discountIssues = (
  valueCents: number,
  discountHundredths: number | null,
  typeDiscount: RateType | null,
) => {
  const whole = typeDiscount === 'ABSOLUTE' ? valueCents : WHOLE_PERCENT
  return when(discountHundredths !== null && discountHundredths >= whole, issue('discount', 'charge.discount'))
}

/** 100% in hundredths of a percent. */
const WHOLE_PERCENT = 10_000
