import type { GroupRow } from '../../kernel/records/tally.ts'
import type { Day, Instant } from '../../kernel/values/day.ts'
import { shareOf } from '../brokers/broker-figures.ts'
import { type CountedFigures, type ShownBroker, shownMonths } from './read-figures.ts'

/** The figures of an agency at a moment; money is cents. Source: 03-real-estate.md, Dashboard. */
export interface Dashboard {
  readonly properties: Readonly<Record<'total' | 'available' | 'reserved' | 'rented' | 'sold', number>>
  readonly contracts: Readonly<Record<'active' | 'expiringSoon' | 'terminated' | 'cancelled', number>>
  readonly financial: Financial
  readonly brokers: readonly ShownBroker[]
  readonly proposals: Readonly<Record<'underReview' | 'negotiating' | 'approved' | 'rejected', number>>
  readonly visits: Readonly<Record<'scheduled' | 'confirmed' | 'done' | 'cancelled', number>>
  readonly revenueByMonth: readonly MonthlyRevenue[]
  readonly generatedAt: Instant
}

export interface Financial {
  readonly monthlyRevenueCents: number
  readonly pendingPayments: number
  readonly pendingValueCents: number
  readonly defaultedPayments: number
  readonly defaultedValueCents: number
  /** Of what is due this month, how much is not paid; 4 decimals, 0 when nothing is. */
  readonly defaultRate: number
}

export interface MonthlyRevenue {
  /** `YYYY-MM`. */
  readonly period: string
  readonly valueCents: number
}

const countOf = (rows: readonly GroupRow[], status: string): number =>
  rows.reduce((sum, { by, count }) => sum + (by.status === status ? count : 0), 0)

const sumOf = (rows: readonly GroupRow[], field: string, is: string, summed: string): number =>
  rows.reduce((sum, { by, sums }) => sum + (by[field] === is ? (sums[summed] ?? 0) : 0), 0)

const totalOf = (rows: readonly GroupRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** The dashboard of what was counted. */
export const dashboardOf = (
  counted: CountedFigures,
  brokers: readonly ShownBroker[],
  today: Day,
  generatedAt: Instant,
): Dashboard => {
  const { properties, contracts, expiring, proposals, visits, owed, revenue } = counted
  const revenueByMonth = shownMonths(today).map((period) => ({
    period,
    valueCents: sumOf(revenue, 'paidMonth', period, 'paidValueCents'),
  }))
  const monthlyRevenueCents = revenueByMonth.at(-1)?.valueCents ?? 0
  const defaultedValueCents = sumOf(owed, 'status', 'Defaulted', 'valueCents')
  return {
    properties: {
      total: totalOf(properties),
      available: countOf(properties, 'Available'),
      reserved: countOf(properties, 'Reserved'),
      rented: countOf(properties, 'Rented'),
      sold: countOf(properties, 'Sold'),
    },
    contracts: {
      active: countOf(contracts, 'Active'),
      expiringSoon: totalOf(expiring),
      terminated: countOf(contracts, 'Terminated'),
      cancelled: countOf(contracts, 'Cancelled'),
    },
    financial: {
      monthlyRevenueCents,
      pendingPayments: countOf(owed, 'Pending'),
      pendingValueCents: sumOf(owed, 'status', 'Pending', 'valueCents'),
      defaultedPayments: countOf(owed, 'Defaulted'),
      defaultedValueCents,
      defaultRate: shareOf(defaultedValueCents, monthlyRevenueCents + defaultedValueCents),
    },
    brokers,
    proposals: {
      underReview: countOf(proposals, 'UnderReview'),
      negotiating: countOf(proposals, 'Negotiating'),
      approved: countOf(proposals, 'Approved'),
      rejected: countOf(proposals, 'Rejected'),
    },
    visits: {
      scheduled: countOf(visits, 'Scheduled'),
      confirmed: countOf(visits, 'Confirmed'),
      done: countOf(visits, 'Done'),
      cancelled: countOf(visits, 'Cancelled'),
    },
    revenueByMonth,
    generatedAt,
  }
}
