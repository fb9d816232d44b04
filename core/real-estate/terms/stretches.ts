import { addDays, type Day } from '../../kernel/values/day.ts'
import type { Contract } from '../records/contract.ts'

type Term = Pick<Contract, 'startDate' | 'endDate' | 'valueCents' | 'periods' | 'adjustments'>

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
}: Omit<Term, 'adjustments'>): readonly Stretch[] => {
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
const stepsIn = ({ startDate }: Stretch, lastDay: Day | null, { adjustments }: Term): readonly Step[] =>
  adjustments.reduce<readonly Step[]>((steps, { adjustedFrom: from, valueCents, newValueCents }) => {
    if (from === null || (lastDay !== null && from > lastDay)) return steps
    if (from <= startDate) return []
    return [...steps.filter((step) => step.from < from), { from, beforeCents: valueCents, valueCents: newValueCents }]
  }, [])

/** The values of a contract and the days of each: by its periods, and within a period by the adjustments of the rent. */
export const stretchesOf = (term: Term): readonly Stretch[] =>
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
export const valueOn = (term: Term, day: Day): number => {
  const stretches = stretchesOf(term)
  return (stretches.findLast(({ startDate }) => startDate <= day) ?? stretches[0] ?? term).valueCents
}

/** The first day of a contract, before all its renewals. */
export const beginningOf = ({ periods, startDate }: Pick<Term, 'periods' | 'startDate'>): Day =>
  periods[0]?.startDate ?? startDate

/** The day since which the value is what it is: the twelve months before an index may adjust it count from it. */
export const valueSince = ({ startDate, adjustments }: Pick<Term, 'startDate' | 'adjustments'>): Day =>
  later(startDate, adjustments.at(-1)?.adjustedFrom ?? startDate)
