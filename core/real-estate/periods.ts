import { addDays, addMonths, type Day, dayOf, daysBetween } from '../kernel/values/day.ts'
import type { Contract } from './records/contract.ts'

type ContractTerms = Pick<Contract, 'startDate' | 'endDate' | 'valueCents' | 'periods' | 'adjustments'>

/** A span of days with one value, first and last day included. */
interface Stretch {
  readonly startDate: Day
  readonly endDate: Day
  readonly valueCents: number
}

export const later = (a: Day, b: Day): Day => (a > b ? a : b)

/** Returns the periods of a contract: those that renewals ended, and the current one, which may begin in the future. */
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
 * Returns the values of a period by its adjustments. A later adjustment replaces those that begin on its day or after;
 * one that begins with the period or before it sets the value of the first day.
 */
const stepsIn = ({ startDate }: Stretch, lastDay: Day | null, { adjustments }: ContractTerms): readonly Step[] =>
  adjustments.reduce<readonly Step[]>((steps, { adjustedFrom: from, valueCents, newValueCents }) => {
    if (from === null || (lastDay !== null && from > lastDay)) return steps
    if (from <= startDate) return []
    return [...steps.filter((step) => step.from < from), { from, beforeCents: valueCents, valueCents: newValueCents }]
  }, [])

/** Returns the values of a contract with their days: by period, and within a period by adjustment. */
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

/** Returns the value on a day; before the contract the first value, after it the last. */
export const valueOn = (term: ContractTerms, day: Day): number => {
  const stretches = stretchesOf(term)
  return (stretches.findLast(({ startDate }) => startDate <= day) ?? stretches[0] ?? term).valueCents
}

/** Returns the first day of a contract, before all renewals. */
export const beginningOf = ({ periods, startDate }: Pick<ContractTerms, 'periods' | 'startDate'>): Day =>
  periods[0]?.startDate ?? startDate

/** Returns the first day of the current value, from which the twelve months of an index count. */
export const valueSince = ({ startDate, adjustments }: Pick<ContractTerms, 'startDate' | 'adjustments'>): Day =>
  later(startDate, adjustments.at(-1)?.adjustedFrom ?? startDate)

/** Returns the day of termination or cancellation, if any. Release 0.10.0 stored it only in the history. */
export const endedOnOf = ({
  status,
  endedOn,
  statusHistory,
  updatedAt,
}: Pick<Contract, 'status' | 'endedOn' | 'statusHistory' | 'updatedAt'>): Day | null => {
  if (status !== 'Terminated' && status !== 'Cancelled') return null
  return endedOn ?? dayOf(statusHistory.findLast((each) => each.status === status)?.changedAt ?? updatedAt)
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
 * ends on the day on which whole months expire, or on the day before, has lasted whole months. The result is
 * `parts / of` of a month.
 */
export const termOf = (first: Day, last: Day): { readonly parts: number; readonly of: number } => {
  if (last < first) return { parts: 0, of: 1 }
  const months = wholeMonths(first, last)
  if (months > 0 && monthsAfter(first, months) === last) return { parts: months, of: 1 }
  const whole = wholeMonths(first, addDays(last, 1))
  const begun = monthsAfter(first, whole)
  const days = daysBetween(begun, last) + 1
  // December 9999 has no next month; its length is that of every December.
  const of = days === 0 ? 1 : daysBetween(begun, monthsAfter(first, whole + 1)) || DECEMBER
  return { parts: whole * of + days, of }
}
