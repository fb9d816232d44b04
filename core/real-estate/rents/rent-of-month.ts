import { type Either, left, right } from '../../failure.ts'
import { addMonths, type Day, daysBetween, lastOfMonth } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import { beginningOf, later, stretchesOf } from '../periods.ts'
import type { Contract } from '../records/contract.ts'

/** The reasons for skipping a lease, for programs. */
export const SKIPPED = ['rent.billed', 'lease.ended', 'lease.not-begun', 'lease.not-let', 'rent.worthless'] as const
export type Skipped = (typeof SKIPPED)[number]

const earlier = (a: Day, b: Day): Day => (a < b ? a : b)
const daysOf = (from: Day, to: Day): number => Math.max(0, daysBetween(from, to) + 1)

/** The days of a month (`YYYY-MM`). */
const monthOf = (period: string) => {
  const first = `${period}-01`
  const last = lastOfMonth(first)
  return { first, last, days: daysOf(first, last) }
}

/**
 * Returns the rent of a month under a lease. The rent of a part of the month is the value times its days over those of the
 * month, half up; of several values each counts for its own days. It is due on the lease's day of the month, never before the
 * lease begins. `letUntil` is the last day of a lease that has ended within its term.
 */
export const rentOfMonth = (
  lease: Pick<Contract, 'startDate' | 'endDate' | 'dueDay' | 'valueCents' | 'periods' | 'adjustments'>,
  period: string,
  letUntil: Day | null = null,
): Either<Skipped, { readonly valueCents: number; readonly dueDate: Day }> => {
  const { first, last, days } = monthOf(period)
  const lastDay = earlier(lease.endDate, letUntil ?? lease.endDate)
  if (lastDay < first) return left('lease.ended')
  const begun = beginningOf(lease)
  if (begun > last) return left('lease.not-begun')
  const parts = stretchesOf(lease).map(({ startDate, endDate, valueCents }) => ({
    valueCents,
    days: daysOf(later(startDate, first), earlier(earlier(endDate, last), lastDay)),
  }))
  if (parts.every((part) => part.days === 0)) return left('lease.not-let')
  const owed = parts.reduce((sum, part) => sum + BigInt(part.valueCents) * BigInt(part.days), 0n)
  const valueCents = halfUpRatio(owed, days)
  if (valueCents < 1) return left('rent.worthless')
  const dueDate = later(`${period}-${`${lease.dueDay}`.padStart(2, '0')}`, begun)
  return right({ valueCents, dueDate })
}

/** Returns the month of a run: before the run day of a month still the previous month. */
export const monthOfRun = (today: Day, runDay: number): string => {
  const isBefore = Number(today.slice(8)) < runDay
  return (isBefore ? addMonths(`${today.slice(0, 7)}-01`, -1) : today).slice(0, 7)
}
