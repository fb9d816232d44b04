import { addDays, addMonths, type Day, daysBetween } from '../../kernel/values/day.ts'

/** A time in months as the calendar has them: `parts / of` of a month. */
export interface Term {
  readonly parts: number
  readonly of: number
}

const DECEMBER = 31

const monthOf = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/**
 * Returns the day on which a term of months expires: the day of the same number, or the day after the last of a month that
 * is too short (Código Civil, art. 132 §3).
 */
export const monthsAfter = (from: Day, months: number): Day => {
  const end = addMonths(from, months)
  return end.slice(8) < from.slice(8) ? addDays(end, 1) : end
}

/** Returns the whole months from a day that have expired by another. */
export const wholeMonths = (from: Day, to: Day): number => {
  const most = monthOf(to) - monthOf(from)
  return monthsAfter(from, most) <= to ? most : most - 1
}

/**
 * Returns the length of a term of a first and a last day, both included: nothing if it ends before it begins. A term that
 * ends on the day on which whole months expire, or on the day before, has lasted whole months.
 */
export const termOf = (first: Day, last: Day): Term => {
  if (last < first) return { parts: 0, of: 1 }
  const months = wholeMonths(first, last)
  if (months > 0 && monthsAfter(first, months) === last) return { parts: months, of: 1 }
  const whole = wholeMonths(first, addDays(last, 1))
  const begun = monthsAfter(first, whole)
  const days = daysBetween(begun, last) + 1
  // No month comes after December of 9999, which is as long as they all are.
  const of = days === 0 ? 1 : daysBetween(begun, monthsAfter(first, whole + 1)) || DECEMBER
  return { parts: whole * of + days, of }
}
