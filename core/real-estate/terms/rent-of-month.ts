import { type Either, left, right } from '../../failure.ts'
import { addDays, type Day, formatDay, lastOfMonth } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import type { Contract } from '../records/contract.ts'
import { monthOf, shiftMonth } from '../records/fields.ts'
import type { Payment } from '../records/payment.ts'
import { firstDayOf, later, valueSpansOf } from './periods.ts'

const earlier = (a: Day, b: Day): Day => (a < b ? a : b)

/** The reasons for skipping a lease, for programs. */
export const SKIPPED = [
  'rent.billed',
  'rent.overbilled',
  'rent.received',
  'lease.ended',
  'lease.not-begun',
  'lease.not-let',
  'rent.worthless',
] as const
export type Skipped = (typeof SKIPPED)[number]

/** The days of a month that a rent bills, from the first to the last. */
export type BilledDays = NonNullable<Payment['billedDays']>[number]

/** The rent of the days of a month that no rent has billed. */
export interface RentOfMonth {
  readonly valueCents: number
  readonly dueDate: Day
  readonly billedDays: readonly BilledDays[]
}

type Lease = Pick<Contract, 'startDate' | 'endDate' | 'dueDay' | 'valueCents' | 'periods' | 'adjustments'>

interface LetDay {
  readonly day: Day
  readonly valueCents: number
}

/** Returns the days of a month (`YYYY-MM`). */
const daysOfMonth = (period: string): readonly Day[] => {
  const count = Number(lastOfMonth(`${period}-01`).slice(8))
  return Array.from({ length: count }, (_, index) => `${period}-${`${index + 1}`.padStart(2, '0')}`)
}

const isWithin = (day: Day, spans: readonly BilledDays[]): boolean =>
  spans.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)

/** Joins days in order to spans without a gap. */
const spansOf = (days: readonly Day[]): readonly BilledDays[] => {
  const begins = (day: Day | undefined, at: number): boolean => day === undefined || days[at - 1] !== addDays(day, -1)
  const lastDays = days.filter((_, at) => begins(days[at + 1], at + 1))
  return days.filter(begins).map((firstDay, at) => ({ firstDay, lastDay: lastDays[at] ?? firstDay }))
}

/** Returns the rent of days: their values over the days of their month, half up. */
const rentOfDays = (days: readonly LetDay[], daysInMonth: number): number =>
  halfUpRatio(
    days.reduce((sum, { valueCents }) => sum + valueCents, 0),
    daysInMonth,
  )

/** Returns the days of a month on which a lease let its property, with the value of each. */
const letDaysOf = (lease: Lease, month: readonly Day[], lastDay: Day): readonly LetDay[] => {
  const spans = valueSpansOf(lease)
  return month.flatMap((day) => {
    const span = spans.find(({ startDate, endDate }) => startDate <= day && day <= endDate)
    return span && day <= lastDay ? [{ day, valueCents: span.valueCents }] : []
  })
}

/**
 * Returns the rent of the days of a month that a lease let until a day: of the days that a rent has billed, or of all.
 */
const rentUntil = (
  lease: Lease,
  { period, billedDays }: Pick<Payment, 'period' | 'billedDays'>,
  lastDay: Day,
): Pick<RentOfMonth, 'valueCents' | 'billedDays'> => {
  const month = daysOfMonth(period)
  const days = letDaysOf(lease, month, earlier(lease.endDate, lastDay)).filter(
    ({ day }) => billedDays === null || isWithin(day, billedDays),
  )
  return { valueCents: rentOfDays(days, month.length), billedDays: spansOf(days.map(({ day }) => day)) }
}

/** The fields of a rent that change when its lease ends before all its days were let. */
type ReducedRent = Pick<Payment, 'valueCents' | 'billedDays' | 'notes'>

/**
 * Returns a rent reduced to the days until the end of its lease, in proportion to the rent of all its days; null if
 * none of them was let, and for a payment that is no rent. A rent of days outside the term, which no run creates, stays
 * as it is.
 */
export const reducedRent = (rent: Payment, lease: Contract, end: Day): ReducedRent | null => {
  const { type, period, valueCents, billedDays, notes } = rent
  if (type !== 'Rent' || lease.type !== 'Lease' || period > monthOf(end)) return null
  const whole = rentUntil(lease, rent, lease.endDate)
  const part = rentUntil(lease, rent, end)
  if (part.valueCents === whole.valueCents) return { valueCents, billedDays, notes }
  if (part.valueCents === 0) return null
  return {
    valueCents: Math.max(1, halfUpRatio(BigInt(valueCents) * BigInt(part.valueCents), whole.valueCents)),
    billedDays: billedDays && part.billedDays,
    notes: notes ?? `Valor dos dias até o fim do contrato, em ${formatDay(end)}.`,
  }
}

/**
 * Returns the rent of a month under a lease, for the days that its rents have not billed yet. The rent of a part of the
 * month is the value times its days over those of the month, half up; each of several values counts for its own days.
 * The rents of one month add up to the rent of all their days. It is due on the lease's due day, never before the first
 * day that it bills. `letUntil` is the last day of a lease that has ended within its term.
 */
export const rentOfMonth = (
  lease: Lease,
  period: string,
  letUntil: Day | null = null,
  billed: readonly BilledDays[] = [],
): Either<Skipped, RentOfMonth> => {
  const month = daysOfMonth(period)
  const [first = '', last = ''] = [month[0], month.at(-1)]
  const lastDay = earlier(lease.endDate, letUntil ?? lease.endDate)
  const letDays = letDaysOf(lease, month, lastDay)
  const billedLetDays = letDays.filter(({ day }) => isWithin(day, billed))
  const unbilledDays = letDays.filter(({ day }) => !isWithin(day, billed)).map(({ day }) => day)
  const [firstDay] = unbilledDays
  // A rent bills days on which the property was not let under the lease: the difference is settled by hand.
  if (month.filter((day) => isWithin(day, billed)).length > billedLetDays.length) return left('rent.overbilled')
  if (firstDay === undefined && billed.length > 0) return left('rent.billed')
  if (lastDay < first) return left('lease.ended')
  if (firstDayOf(lease) > last) return left('lease.not-begun')
  if (firstDay === undefined) return left('lease.not-let')
  const valueCents = rentOfDays(letDays, month.length) - rentOfDays(billedLetDays, month.length)
  if (valueCents < 1) return left('rent.worthless')
  const dueDate = later(`${period}-${`${lease.dueDay}`.padStart(2, '0')}`, firstDay)
  return right({ valueCents, dueDate, billedDays: spansOf(unbilledDays) })
}

/** Returns the days of a rent for people, as `11/12/2026 a 31/12/2026`. */
export const daysText = (spans: readonly BilledDays[]): string =>
  spans
    .map(({ firstDay, lastDay }) =>
      firstDay === lastDay ? formatDay(firstDay) : `${formatDay(firstDay)} a ${formatDay(lastDay)}`,
    )
    .join(', ')

/** Returns the month of a run: before the run day of a month still the previous month. */
export const monthOfRun = (today: Day, runDay: number): string =>
  shiftMonth(monthOf(today), Number(today.slice(8)) < runDay ? -1 : 0)
