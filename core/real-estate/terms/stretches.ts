import { addDays, type Day } from '../../kernel/values/day.ts'
import type { Contract } from '../records/contract.ts'

type Term = Pick<Contract, 'startDate' | 'endDate' | 'valueCents' | 'periods'>

/** A time during which a contract has had one value, its first and last day included. */
export interface Stretch {
  readonly startDate: Day
  readonly endDate: Day
  readonly valueCents: number
}

/**
 * Which value a contract has from when to when: the periods that a renewal ended, and the one after them, which may be yet to
 * come: who renews ahead stays in the former one until its end.
 */
export const stretchesOf = ({ periods, startDate, endDate, valueCents }: Term): readonly Stretch[] => {
  const ended = periods.at(-1)
  return [...periods, { startDate: ended ? addDays(ended.endDate, 1) : startDate, endDate, valueCents }]
}

/** The first day of a contract, before all its renewals. */
export const beginningOf = ({ periods, startDate }: Pick<Term, 'periods' | 'startDate'>): Day =>
  periods[0]?.startDate ?? startDate
