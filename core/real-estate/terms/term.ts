import { addDays, addMonths, type Day, daysBetween } from '../../kernel/values/day.ts'

/** A time in months as the calendar has them: `parts / of` of a month. */
export interface Term {
  readonly parts: number
  readonly of: number
}

const DECEMBER = 31

const monthOf = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** Whole months from a day on that are over by another. */
export const wholeMonths = (from: Day, to: Day): number => {
  const most = monthOf(to) - monthOf(from)
  return addMonths(from, most) <= to ? most : most - 1
}

/**
 * How long something lasts that has a first and a last day; nothing where it ends before it begins. What ends on the day of
 * the month on which it began has lasted whole months, as what ends on the day before has.
 * Source: Código Civil, art. 132 §3 (terms of months expire on the day of the same number).
 */
export const termOf = (first: Day, last: Day): Term => {
  if (last < first) return { parts: 0, of: 1 }
  const months = wholeMonths(first, last)
  if (months > 0 && addMonths(first, months) === last) return { parts: months, of: 1 }
  const whole = wholeMonths(first, addDays(last, 1))
  const begun = addMonths(first, whole)
  const days = daysBetween(begun, last) + 1
  // No month comes after December of 9999, which is as long as they all are.
  const of = days === 0 ? 1 : daysBetween(begun, addMonths(first, whole + 1)) || DECEMBER
  return { parts: whole * of + days, of }
}
