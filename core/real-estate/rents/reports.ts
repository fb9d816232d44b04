import { issue, right } from '../../failure.ts'
import { type Decoded, type InputOf, input, inQuery, month, output, rule, view } from '../../kernel/input/mod.ts'
import { all, any, eq, gte, lte, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { newestFirst } from '../../kernel/running/slices.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, previousBusinessDay } from '../../kernel/values/day.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { monthOf, shiftMonth } from '../records/fields.ts'
import { type Payment, payments } from '../records/payment.ts'
import { entriesByMonth } from '../records/receipt-entry.ts'
import { paymentView } from './read-payment.ts'

type PaymentField = keyof Payment & string

export const defaultedFilter = input('DefaultedFilter', {
  period: inQuery.month({ about: 'Mês de referência' }),
  contractId: inQuery.guid({ about: 'Identificador do contrato' }),
})

export type DefaultedFilter = InputOf<typeof defaultedFilter>

/** The overdue payments, which are read while they are sent. */
export interface Defaulted {
  readonly totalDefaulted: number
  readonly totalValueCents: number
  readonly payments: AsyncIterable<Payment>
}

export const defaultedView = view('DefaultedReport', {
  totalDefaulted: output.count({ about: 'Pagamentos em atraso' }),
  totalValueCents: output.money({ wire: 'totalValue', about: 'Valor em atraso' }),
  payments: output.stream(paymentView, { about: 'Os pagamentos, do mais novo ao mais antigo' }),
})

const isDefaulted = eq('status', 'Defaulted')
/** Pending, and past the business day to which its due date moves. */
const isLate = (today: Day) => all(eq('status', 'Pending'), lte('dueDate', previousBusinessDay(today)))

/** Adds the filter of a report to a condition. */
type WithFilter = (condition: Where<PaymentField>) => Where<PaymentField>

/** Reads the totals in two queries: without a filter, a tally serves that of the marked payments. */
const readTotals = async (store: Store, withFilter: WithFilter, today: Day) => {
  const total = { by: [], sum: ['valueCents'] } as const
  const { defaulted, late } = await store.read({
    defaulted: groupOf(payments, { where: withFilter(isDefaulted), when: 'live', ...total }),
    late: groupOf(payments, { where: withFilter(isLate(today)), when: 'pending', ...total }),
  })
  const rows = [...defaulted, ...late]
  return {
    totalDefaulted: rows.reduce((sum, { count }) => sum + count, 0),
    totalValueCents: rows.reduce((sum, { sums }) => sum + (sums.valueCents ?? 0), 0),
  }
}

export const reportDefaulted =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, submitted: DefaultedFilter = {}) =>
    withValidInput(ports, defaultedFilter, submitted, ({ period, contractId }) =>
      useCaseOf<Defaulted>()(async () => {
        const { store, clock } = ports
        const withFilter: WithFilter = (condition) =>
          all(
            eq('companyId', companyId),
            condition,
            ...(period === undefined ? [] : [eq('period', period)]),
            ...(contractId === undefined ? [] : [eq('contractId', contractId)]),
          )
        const today = dayOf(clock.steady())
        // Open payments of a company, and payments of a contract, are few.
        const query = {
          from: payments,
          where: withFilter(any(isDefaulted, isLate(today))),
          when: contractId === undefined ? 'open' : 'live',
        }
        return right({ ...(await readTotals(store, withFilter, today)), payments: newestFirst(store, query) })
      }),
    )

const MAX_MONTHS = 1_200

export const revenuePeriod = input(
  'RevenuePeriod',
  {
    periodFrom: inQuery.month({ about: 'Primeiro mês; onze antes do último, se ausente' }),
    periodTo: inQuery.month({ about: 'Último mês; o corrente, se ausente' }),
  },
  rule(['periodFrom', 'periodTo'], (period, today) => {
    if (today === null) return []
    const { from, to } = rangeOf(period, today)
    if (from > to) return [issue('periodTo', 'not-before', { other: 'periodFrom' })]
    return countMonths(from, to) > MAX_MONTHS ? [issue('periodFrom', 'period.long', { max: MAX_MONTHS })] : []
  }),
)

export type RevenuePeriod = InputOf<typeof revenuePeriod>

const rangeOf = (
  { periodFrom, periodTo }: { readonly periodFrom?: string; readonly periodTo?: string },
  today: Day,
) => {
  const to = periodTo ?? monthOf(today)
  return { from: periodFrom ?? shiftMonth(to, -11), to }
}

const countMonths = (from: string, to: string): number => {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + toMonth - fromMonth + 1
}

export const monthFields = {
  period: month({ about: 'Mês' }),
  valueCents: output.money({ wire: 'value', about: 'Recebido no mês' }),
}

/** The revenue of a month, `YYYY-MM`, in cents. */
export type MonthlyRevenue = Decoded<typeof monthFields>

/** The revenue by month; cents. */
export interface Revenue {
  readonly totalRevenueCents: number
  readonly byMonth: readonly MonthlyRevenue[]
}

const monthView = view('RevenueOfMonth', monthFields)

export const revenueView = view('RevenueReport', {
  totalRevenueCents: output.money({ wire: 'totalRevenue', about: 'Recebido no período' }),
  byMonth: output.views(monthView, { about: 'Mês a mês, também os sem receita' }),
})

const monthsIn = (from: string, to: string): readonly string[] =>
  Array.from({ length: countMonths(from, to) }, (_, index) => shiftMonth(from, index))

/** Returns the revenue of months: the sums of payments by month of payment, and those of receipt entries. */
export const revenueOf = (
  rows: readonly GroupRow[],
  entries: readonly GroupRow[],
  months: readonly string[],
): Revenue => {
  const sums = new Map(rows.map(({ by, sums: of }) => [by.paidMonth, of.paidValueCents ?? 0]))
  const stated = new Map(entries.map(({ by, sums: of }) => [by.month, of.valueCents ?? 0]))
  const byMonth = months.map((period) => ({
    period,
    valueCents: (sums.get(period) ?? 0) + (stated.get(period) ?? 0),
  }))
  return { totalRevenueCents: byMonth.reduce((sum, { valueCents }) => sum + valueCents, 0), byMonth }
}

export const reportRevenue =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, submitted: RevenuePeriod = {}) =>
    withValidInput(ports, revenuePeriod, submitted, (period) =>
      useCaseOf<Revenue>()(async () => {
        const { store, clock } = ports
        const { from, to } = rangeOf(period, dayOf(clock.steady()))
        const where = all(
          eq('companyId', companyId),
          eq('status', 'Paid'),
          gte('paidMonth', from),
          lte('paidMonth', to),
        )
        const months = monthsIn(from, to)
        const { rows, entries } = await store.read({
          rows: groupOf(payments, { where, when: 'live', by: ['paidMonth'], sum: ['paidValueCents'] }),
          entries: entriesByMonth(companyId, months),
        })
        return right(revenueOf(rows, entries, months))
      }),
    )
