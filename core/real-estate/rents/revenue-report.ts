import { issue } from '../../failure.ts'
import { right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { rule } from '../../kernel/input/rules.ts'
import { month } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { all, eq, gte, lte } from '../../kernel/records/where.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addMonths, type Day, dayOf } from '../../kernel/values/day.ts'
import { groupOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Payment, payments } from '../records/payment.ts'

type In = Pick<Actor, 'companyId'>
type PaymentField = keyof Payment & string

/** More than any agency is old. */
const MOST_MONTHS = 1_200

/** Which months of revenue are reported. Source: 03-real-estate.md, GET /api/payments/report/revenue; decisions.md §10, Figures. */
export const revenuePeriod = input(
  'RevenuePeriod',
  {
    periodFrom: inQuery.month({ about: 'Primeiro mês; onze antes do último, se ausente' }),
    periodTo: inQuery.month({ about: 'Último mês; o corrente, se ausente' }),
  },
  rule(['periodFrom', 'periodTo'], (given, today) => {
    if (today === null) return []
    const { from, to } = monthsOf(given, today)
    if (from > to) return [issue('periodTo', 'not-before', { other: 'periodFrom' })]
    return monthsBetween(from, to) > MOST_MONTHS ? [issue('periodFrom', 'period.long', { max: MOST_MONTHS })] : []
  }),
)

export type RevenuePeriod = InputOf<typeof revenuePeriod>

interface Months {
  readonly periodFrom?: string
  readonly periodTo?: string
}

const monthOf = (day: Day): string => day.slice(0, 7)
const plusMonths = (period: string, count: number): string => monthOf(addMonths(`${period}-01`, count))

const monthsOf = ({ periodFrom, periodTo }: Months, today: Day) => {
  const to = periodTo ?? monthOf(today)
  return { from: periodFrom ?? plusMonths(to, -11), to }
}

const monthsBetween = (from: string, to: string): number => {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + toMonth - fromMonth + 1
}

/** What came in, month by month; cents. */
export interface Revenue {
  readonly totalRevenueCents: number
  readonly byMonth: readonly { readonly period: string; readonly valueCents: number }[]
}

const monthView = view(
  'RevenueOfMonth',
  { period: month({ about: 'Mês' }), valueCents: output.money({ wire: 'value', about: 'Recebido no mês' }) },
  (of: Revenue['byMonth'][number]) => of,
)

export const revenueView = view(
  'RevenueReport',
  {
    totalRevenueCents: output.money({ wire: 'totalRevenue', about: 'Recebido no período' }),
    byMonth: output.views(monthView, { about: 'Mês a mês, também os sem receita' }),
  },
  (of: Revenue) => of,
)

/** The revenue of these months, of what a tally says of each. */
export const revenueOf = (rows: readonly GroupRow[], from: string, to: string): Revenue => {
  const sums = new Map(rows.map(({ by, sums: of }) => [by.paidMonth, of.paidValueCents ?? 0]))
  const byMonth = Array.from({ length: monthsBetween(from, to) }, (_, index) => {
    const period = plusMonths(from, index)
    return { period, valueCents: sums.get(period) ?? 0 }
  })
  return { totalRevenueCents: byMonth.reduce((sum, { valueCents }) => sum + valueCents, 0), byMonth }
}

/**
 * What was paid, by the São Paulo month in which it was; cents. Twelve months up to the current one unless asked.
 * Fails: `fields` (`not-before`, `period.long`).
 * Source: 03-real-estate.md, Payments; decisions.md §10, Figures.
 */
export const reportRevenue =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: RevenuePeriod = {}) =>
    withValidInput(ports, revenuePeriod, given, (period) =>
      useCaseOf<Revenue>()(async () => {
        const { store, clock } = ports
        const { from, to } = monthsOf(period, dayOf(clock.steady()))
        const where = all<PaymentField>(
          eq('companyId', companyId),
          eq('status', 'Paid'),
          gte('paidMonth', from),
          lte('paidMonth', to),
        )
        const rows = await store.group(
          groupOf(payments, { where, when: 'live', by: ['paidMonth'], sum: ['paidValueCents'] }),
        )
        return right(revenueOf(rows, from, to))
      }),
    )
