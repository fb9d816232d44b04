import { addDays, formatDay, nextBusinessDay } from '../../../kernel/values/day.ts'
import { formatReais } from '../../../kernel/values/money.ts'
import { amountDue } from '../../terms/amount-due.ts'
import { type Charge, lastPayableDay } from '../charge.ts'
import { discountUntil, termsOf } from '../charge-view.ts'

const A_MONTH = 30

const discountOf = (charge: Charge): readonly string[] => {
  const lastDay = discountUntil(charge)
  const { discountCents } = amountDue(termsOf(charge), lastDay)
  return discountCents > 0 ? [`DESCONTO DE ${formatReais(discountCents)} ATÉ ${formatDay(lastDay)}`] : []
}

/**
 * Interest of a day and of thirty, since the amount of each day is truncated. A charge that accepts no payment after the day
 * from which interest counts never asks for any.
 */
const interestOf = (charge: Charge): readonly string[] => {
  const from = nextBusinessDay(charge.dueDate)
  const lastDay = lastPayableDay(charge)
  if (lastDay !== null && lastDay <= from) return []
  const after = (days: number) => amountDue(termsOf(charge), addDays(from, days)).interestCents
  const [aDay, aMonth] = [after(1), after(A_MONTH)]
  if (aMonth === 0) return []
  const [daily, monthly] = [formatReais(aDay), formatReais(aMonth)]
  const told = aDay === 0 ? `${monthly} A CADA 30 DIAS DE ATRASO` : `${daily} POR DIA DE ATRASO`
  const inAll = aDay === 0 || aMonth === aDay * A_MONTH ? '' : ` (${monthly} EM 30 DIAS)`
  return [`APÓS ${formatDay(from)}, JUROS DE ${told}${inAll}`]
}

/** A boleto always states its last day, a Pix only if it differs from the due day. */
const lastDayOf = (charge: Charge): readonly string[] => {
  const lastDay = lastPayableDay(charge)
  if (lastDay === null) return []
  if (charge.boleto) return [`NÃO RECEBER APÓS ${formatDay(lastDay)}`]
  return lastDay > charge.dueDate ? [`PAGÁVEL ATÉ ${formatDay(lastDay)}`] : []
}

/** The instructions of a printed charge: its discount, interest and last day, then its issuer's own text. */
export const instructionsOf = (charge: Charge): readonly string[] => [
  ...discountOf(charge),
  ...interestOf(charge),
  ...lastDayOf(charge),
  ...(charge.instructions === null ? [] : [charge.instructions]),
]
