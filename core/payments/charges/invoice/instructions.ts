import { addDays, dayOf, formatDay, nextBusinessDay } from '../../../kernel/values/day.ts'
import { formatReais } from '../../../kernel/values/money.ts'
import { amountDue, discountLastDay } from '../../terms/amount-due.ts'
import type { Charge } from '../charge.ts'
import { termsOf } from '../charge-view.ts'

const A_MONTH = 30

const discountOf = (charge: Charge): readonly string[] => {
  const terms = termsOf(charge)
  const lastDay = discountLastDay(terms)
  const { discountCents } = amountDue(terms, lastDay)
  return discountCents > 0 ? [`DESCONTO DE ${formatReais(discountCents)} ATÉ ${formatDay(lastDay)}`] : []
}

/** Interest of a day, and of thirty, since what is truncated every day is not thirty times what it is on the first. */
const interestOf = (charge: Charge): readonly string[] => {
  const from = nextBusinessDay(charge.dueDate)
  const after = (days: number) => amountDue(termsOf(charge), addDays(from, days)).interestCents
  const [aDay, aMonth] = [after(1), after(A_MONTH)]
  if (aMonth === 0) return []
  const [daily, monthly] = [formatReais(aDay), formatReais(aMonth)]
  const told = aDay === 0 ? `${monthly} A CADA 30 DIAS DE ATRASO` : `${daily} POR DIA DE ATRASO`
  const inAll = aDay === 0 || aMonth === aDay * A_MONTH ? '' : ` (${monthly} EM 30 DIAS)`
  return [`APÓS ${formatDay(from)}, JUROS DE ${told}${inAll}`]
}

const lastDayOf = ({ boleto, lapsesAt }: Charge): readonly string[] =>
  boleto && lapsesAt !== null ? [`NÃO RECEBER APÓS ${formatDay(addDays(dayOf(lapsesAt), -1))}`] : []

/**
 * What changes the amount of a charge, as amounts and days, and what its issuer says of it.
 * Source: pix-boleto.md §3.8.
 */
export const instructionsOf = (charge: Charge): readonly string[] => [
  ...discountOf(charge),
  ...interestOf(charge),
  ...lastDayOf(charge),
  ...(charge.instructions === null ? [] : [charge.instructions]),
]
