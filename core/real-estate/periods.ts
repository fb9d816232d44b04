import { addDays, addMonths, type Day, daysBetween } from '../kernel/values/day.ts'
import type { Contract } from './records/contract.ts'

type ContractTerms = Pick<Contract, 'startDate' | 'endDate' | 'valueCents' | 'periods' | 'adjustments'>

/** A time during which a contract has one value, its first and last day included. */
export interface Stretch {
  readonly startDate: Day
  readonly endDate: Day
  readonly valueCents: number
}

const later = (a: Day, b: Day): Day => (a > b ? a : b)

/** The periods of a contract: those that a renewal ended, and the current one, which may be yet to come. */
export const periodsOf = ({
  periods,
  startDate,
  endDate,
  valueCents,
}: Omit<ContractTerms, 'adjustments'>): readonly Stretch[] => {
  const former = periods.at(-1)
  const beginning = former ? later(startDate, addDays(former.endDate, 1)) : startDate
  return [...periods, { startDate: beginning, endDate, valueCents }]
}

interface Step {
  readonly from: Day
  readonly beforeCents: number
  readonly valueCents: number
}

/**
 * Returns the values of a period by its adjustments. An adjustment that is recorded later replaces those that were to begin on
 * its day or after; the value of one that begins with the period, or before it, is that of its first day.
 */
const stepsIn = ({ startDate }: Stretch, lastDay: Day | null, { adjustments }: ContractTerms): readonly Step[] =>
  adjustments.reduce<readonly Step[]>((steps, { adjustedFrom: from, valueCents, newValueCents }) => {
    if (from === null || (lastDay !== null && from > lastDay)) return steps
    if (from <= startDate) return []
    return [...steps.filter((step) => step.from < from), { from, beforeCents: valueCents, valueCents: newValueCents }]
  }, [])

/** The values of a contract and the days of each: by its periods, and within a period by the adjustments of the rent. */
export const stretchesOf = (term: ContractTerms): readonly Stretch[] =>
  periodsOf(term).flatMap((period, index) => {
    const steps = stepsIn(period, index < term.periods.length ? period.endDate : null, term)
    const values = [
      { from: period.startDate, valueCents: steps[0]?.beforeCents ?? period.valueCents },
      ...steps.filter(({ from }) => from <= period.endDate),
    ]
    return values.map(({ from: startDate, valueCents }, at): Stretch => {
      const next = values[at + 1]
      return { startDate, endDate: next ? addDays(next.from, -1) : period.endDate, valueCents }
    })
  })

/** The value on a day: before the first day of a contract its first value, after the last one its last. */
export const valueOn = (term: ContractTerms, day: Day): number => {
  const stretches = stretchesOf(term)
  return (stretches.findLast(({ startDate }) => startDate <= day) ?? stretches[0] ?? term).valueCents
}

/** The first day of a contract, before all its renewals. */
export const beginningOf = ({ periods, startDate }: Pick<ContractTerms, 'periods' | 'startDate'>): Day =>
  periods[0]?.startDate ?? startDate

/** The day since which the value is what it is: the twelve months before an index may adjust it count from it. */
export const valueSince = ({ startDate, adjustments }: Pick<ContractTerms, 'startDate' | 'adjustments'>): Day =>
  later(startDate, adjustments.at(-1)?.adjustedFrom ?? startDate)

/** A time in months as the calendar has them: `parts / of` of a month. */
export interface MonthCount {
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
export const termOf = (first: Day, last: Day): MonthCount => {
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
