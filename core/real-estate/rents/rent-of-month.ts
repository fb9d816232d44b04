import { type Either, left, right } from '../../fp.ts'
import { addMonths, type Day, daysBetween, lastOfMonth } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import type { Contract } from '../records/contract.ts'
import { beginningOf, stretchesOf } from '../terms/stretches.ts'

/** Why the rent of a month is not made: for programs. */
export const SKIPPED = ['rent.billed', 'lease.ended', 'lease.not-begun', 'rent.worthless'] as const
export type Skipped = (typeof SKIPPED)[number]

type Lease = Pick<Contract, 'startDate' | 'endDate' | 'dueDay' | 'valueCents' | 'periods'>

/** What is owed for a month, and when. */
interface Rent {
  readonly valueCents: number
  readonly dueDate: Day
}

const earlier = (a: Day, b: Day): Day => (a < b ? a : b)
const later = (a: Day, b: Day): Day => (a > b ? a : b)
const daysOf = (from: Day, to: Day): number => Math.max(0, daysBetween(from, to) + 1)

/** The days of a month (`YYYY-MM`). */
const monthOf = (period: string) => {
  const first = `${period}-01`
  const last = lastOfMonth(first)
  return { first, last, days: daysOf(first, last) }
}

/**
 * The rent of a month under a lease: of a month in part its value times the days over those of the month, half up; of one in
 * which it was renewed, each value for its own days. It is due on the lease's day of the month, never before the lease begins.
 * Source: decisions.md §6, Contracts.
 */
export const rentOfMonth = (lease: Lease, period: string): Either<Skipped, Rent> => {
  const { first, last, days } = monthOf(period)
  if (lease.endDate < first) return left('lease.ended')
  const begun = beginningOf(lease)
  if (begun > last) return left('lease.not-begun')
  const owed = stretchesOf(lease).reduce((sum, { startDate, endDate, valueCents }) => {
    const part = daysOf(later(startDate, first), earlier(endDate, last))
    return sum + BigInt(valueCents) * BigInt(part)
  }, 0n)
  const valueCents = halfUpRatio(owed, days)
  if (valueCents < 1) return left('rent.worthless')
  const dueDate = later(`${period}-${`${lease.dueDay}`.padStart(2, '0')}`, begun)
  return right({ valueCents, dueDate })
}

/** The month whose rents a monthly run on this day of the month makes: where nobody ran it on its day, still that month's. */
export const monthOfRun = (today: Day, runDay: number): string => {
  const isBefore = Number(today.slice(8)) < runDay
  return (isBefore ? addMonths(`${today.slice(0, 7)}-01`, -1) : today).slice(0, 7)
}
