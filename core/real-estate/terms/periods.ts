import { addDays, addMonths, type Day, dayOf, daysBetween } from '../../kernel/values/day.ts'
import type { Contract } from '../records/contract.ts'

type DatedTerms = Pick<Contract, 'startDate' | 'endDate' | 'valueCents' | 'periods' | 'adjustments'>

/** The days of a contract with one value, first and last day included. */
interface ValueSpan {
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
}: Omit<DatedTerms, 'adjustments'>): readonly ValueSpan[] => {
  const former = periods.at(-1)
  const firstDay = former ? later(startDate, addDays(former.endDate, 1)) : startDate
  return [...periods, { startDate: firstDay, endDate, valueCents }]
}

/** A new value within a period, and the value before it. */
interface ValueStep {
  readonly from: Day
  readonly beforeCents: number
  readonly valueCents: number
}

/**
 * Returns the values of a period by its adjustments. A later adjustment replaces those that begin on its day or after;
 * one that begins with the period or before it sets the value of the first day.
 */
const stepsIn = ({ startDate }: ValueSpan, lastDay: Day | null, { adjustments }: DatedTerms): readonly ValueStep[] =>
  adjustments.reduce<readonly ValueStep[]>((steps, { adjustedFrom: from, valueCents, newValueCents }) => {
    if (from === null || (lastDay !== null && from > lastDay)) return steps
    if (from <= startDate) return []
    return [...steps.filter((step) => step.from < from), { from, beforeCents: valueCents, valueCents: newValueCents }]
  }, [])

/** Returns the values of a contract with their days: by period, and within a period by adjustment. */
export const valueSpansOf = (term: DatedTerms): readonly ValueSpan[] =>
  periodsOf(term).flatMap((period, index) => {
    const steps = stepsIn(period, index < term.periods.length ? period.endDate : null, term)
    const values = [
      { from: period.startDate, valueCents: steps[0]?.beforeCents ?? period.valueCents },
      ...steps.filter(({ from }) => from <= period.endDate),
    ]
    return values.map(({ from: startDate, valueCents }, at): ValueSpan => {
      const next = values[at + 1]
      return { startDate, endDate: next ? addDays(next.from, -1) : period.endDate, valueCents }
    })
  })

/** Returns the value on a day; before the contract the first value, after it the last. */
export const valueOn = (term: DatedTerms, day: Day): number => {
  const spans = valueSpansOf(term)
  return (spans.findLast(({ startDate }) => startDate <= day) ?? spans[0] ?? term).valueCents
}

/** Returns the first day of a contract, before all renewals. */
export const firstDayOf = ({ periods, startDate }: Pick<DatedTerms, 'periods' | 'startDate'>): Day =>
  periods[0]?.startDate ?? startDate

/** Reports whether the first day of a contract is in a month (`YYYY-MM`). */
export const beginsIn = (contract: Pick<DatedTerms, 'periods' | 'startDate'>, month: string): boolean =>
  firstDayOf(contract).startsWith(month)

/** Returns the first day of the current value, from which the twelve months of an index count. */
export const valueSince = ({ startDate, adjustments }: Pick<DatedTerms, 'startDate' | 'adjustments'>): Day =>
  later(startDate, adjustments.at(-1)?.adjustedFrom ?? startDate)

/** The days before its end from which a contract counts as about to end. */
const EXPIRY_DAYS = 30

/** Returns the range of last days, both included, of contracts that are about to end. */
export const expiringDays = (today: Day) => ({ from: today, to: addDays(today, EXPIRY_DAYS) })

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

const monthNumber = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/**
 * Returns the day on which a term of months expires: the day of the same number, or the day after the last of a month
 * that is too short (Código Civil, art. 132 §3).
 */
export const monthsAfter = (from: Day, months: number): Day => {
  const end = addMonths(from, months)
  return end.slice(8) < from.slice(8) ? addDays(end, 1) : end
}

/** Returns the whole months from a day that have expired by another. */
export const wholeMonths = (from: Day, to: Day): number => {
  const months = monthNumber(to) - monthNumber(from)
  return monthsAfter(from, months) <= to ? months : months - 1
}

/** A length of time: `parts / partsPerMonth` months. */
interface TermLength {
  readonly parts: number
  readonly partsPerMonth: number
}

/**
 * Returns the length of a term of a first and a last day, both included: 0 if it ends before it begins. A term that
 * ends on the day on which whole months expire, or on the day before, has lasted whole months.
 */
export const termLength = (first: Day, last: Day): TermLength => {
  if (last < first) return { parts: 0, partsPerMonth: 1 }
  const months = wholeMonths(first, last)
  if (months > 0 && monthsAfter(first, months) === last) return { parts: months, partsPerMonth: 1 }
  const whole = wholeMonths(first, addDays(last, 1))
  const rest = monthsAfter(first, whole)
  const days = daysBetween(rest, last) + 1
  // December 9999 has no next month; its length is that of every December.
  const partsPerMonth = days === 0 ? 1 : daysBetween(rest, monthsAfter(first, whole + 1)) || DECEMBER
  return { parts: whole * partsPerMonth + days, partsPerMonth }
}
