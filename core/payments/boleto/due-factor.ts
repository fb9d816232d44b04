import { addDays, type Day, daysBetween } from '../../kernel/values/day.ts'

const FIRST_DAY = '1997-10-07'
const LAST_FACTOR = 9_999
/** After 9999 (2025-02-21) the count began anew at 1000, and does so every 9,000 days. */
const CYCLE_DAYS = 9_000
const CYCLE_START = 1_000
/** How far a bar code's due day may lie before and after the day it is read: less than one cycle in all. */
const MOST_DAYS_PAST = 3_000
const MOST_DAYS_AHEAD = 5_500

/** The last day on which a boleto issued on a day may be due: from the next on, its due factor names another day. */
export const latestBoletoDay = (today: Day): Day => addDays(today, MOST_DAYS_AHEAD)

/**
 * The four digits by which a bar code names a due day.
 * Fails: throws a RangeError on a day before the count began.
 * Source: FEBRABAN, Manual do Fator de Vencimento; pix-boleto.md §3.2.
 */
export const dueFactor = (dueDate: Day): string => {
  const days = daysBetween(FIRST_DAY, dueDate)
  if (days < 0) throw new RangeError(`${dueDate} is before the first day that a bar code can name`)
  const factor = days <= LAST_FACTOR ? days : ((days - LAST_FACTOR - 1) % CYCLE_DAYS) + CYCLE_START
  return String(factor).padStart(4, '0')
}

/**
 * The due day that a factor names when it is read on a day; null for 0000 (none), and where no day near enough has it:
 * such a boleto is not payable. Source: pix-boleto.md §3.2.
 */
export const dueDayOf = (factor: string, today: Day): Day | null => {
  const days = Number(factor)
  if (days === 0) return null
  const isNear = (day: Day) => {
    const ahead = daysBetween(today, day)
    return ahead >= -MOST_DAYS_PAST && ahead <= MOST_DAYS_AHEAD
  }
  const first = addDays(FIRST_DAY, days)
  // Factors under 1000 belong to the days before the first cycle alone.
  if (days < CYCLE_START) return isNear(first) ? first : null
  const cycles = Math.max(0, Math.ceil((daysBetween(first, today) - MOST_DAYS_PAST) / CYCLE_DAYS))
  const nearest = addDays(first, cycles * CYCLE_DAYS)
  return isNear(nearest) ? nearest : null
}
