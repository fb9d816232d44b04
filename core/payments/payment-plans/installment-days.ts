import { addDays, addMonths, type Day } from '../../kernel/values/day.ts'

export const INTERVAL_TYPES = ['months', 'weeks', 'days'] as const
type IntervalType = (typeof INTERVAL_TYPES)[number]

/** When the parts of a plan are due, beside the first of them. */
export interface Schedule {
  readonly interval: number
  readonly intervalType: IntervalType
  readonly installmentsCount: number
}

const MAX_MONTHS = 360
/** Thirty years have as many, or one less. */
const MAX_DAYS = 10_958
const DAYS_A_WEEK = 7

/** The most that one plan makes. Source: decisions.md §9, Others. */
export const MAX_PLAN_INSTALLMENTS = 120

const later: Readonly<Record<IntervalType, (day: Day, n: number) => Day>> = {
  months: addMonths,
  weeks: (day, n) => addDays(day, n * DAYS_A_WEEK),
  days: addDays,
}

/**
 * The due days of a plan's parts, the first one given: months keep its day, or end on their last.
 * Source: decisions.md §9, Charges (with-plan).
 */
export const installmentDays = ({ interval, intervalType, installmentsCount }: Schedule, first: Day): readonly Day[] =>
  Array.from({ length: installmentsCount }, (_, index) => later[intervalType](first, index * interval))

/** The last day on which a part may be due. Source: decisions.md §9, Others. */
export const latestDueDay = (today: Day): Day => addMonths(today, MAX_MONTHS)

/** The longest interval: as far apart as the first and the last part may be. */
export const longestInterval: Readonly<Record<IntervalType, number>> = {
  months: MAX_MONTHS,
  weeks: Math.floor(MAX_DAYS / DAYS_A_WEEK),
  days: MAX_DAYS,
}

/** How many parts there may be at most, so far apart, whenever the first is due. */
export const mostInstallments = ({ interval, intervalType }: Omit<Schedule, 'installmentsCount'>): number =>
  Math.floor(longestInterval[intervalType] / interval) + 1
