import { issue, right } from '../../failure.ts'
import { type InputOf, input, inQuery, month, output, rule, view } from '../../kernel/input/mod.ts'
import { all, any, eq, gte, lte, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { newestFirst } from '../../kernel/running/slices.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addMonths, type Day, dayOf, previousBusinessDay } from '../../kernel/values/day.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Payment, payments } from '../records/payment.ts'
import { entriesByMonth } from '../records/receipt-entry.ts'
import { paymentView } from './read-payment.ts'

type In = Pick<Actor, 'companyId'>
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

export const defaultedView = view(
  'DefaultedReport',
  {
    totalDefaulted: output.count({ about: 'Pagamentos em atraso' }),
    totalValueCents: output.money({ wire: 'totalValue', about: 'Valor em atraso' }),
    payments: output.stream(paymentView, { about: 'Os pagamentos, do mais novo ao mais antigo' }),
  },
  (of: Defaulted) => of,
)

const defaulted = eq('status', 'Defaulted')
/** Pending, and past the business day to which its due date moves. */
const late = (today: Day) => all(eq('status', 'Pending'), lte('dueDate', previousBusinessDay(today)))

type Narrowed = (...parts: readonly Where<PaymentField>[]) => Where<PaymentField>

/** Reads the totals: marked payments from a tally, late ones from an index. */
const totalsOf = async (store: Store, narrowed: Narrowed, today: Day) => {
  const total = { by: [], sum: ['valueCents'] } as const
  const rows = await store.read({
    defaulted: groupOf(payments, { where: narrowed(defaulted), when: 'live', ...total }),
    late: groupOf(payments, { where: narrowed(late(today)), when: 'pending', ...total }),
  })
  const all = [...rows.defaulted, ...rows.late]
  return {
    totalDefaulted: all.reduce((sum, { count }) => sum + count, 0),
    totalValueCents: all.reduce((sum, { sums }) => sum + (sums.valueCents ?? 0), 0),
  }
}

export const reportDefaulted =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: DefaultedFilter = {}) =>
    withValidInput(ports, defaultedFilter, given, ({ period, contractId }) =>
      useCaseOf<Defaulted>()(async () => {
        const { store, clock } = ports
        const narrowed: Narrowed = (...parts) =>
          all(
            eq('companyId', companyId),
            ...parts,
            ...(period === undefined ? [] : [eq('period', period)]),
            ...(contractId === undefined ? [] : [eq('contractId', contractId)]),
          )
        const today = dayOf(clock.steady())
        // Open payments of a company, and payments of a contract, are few.
        const listed = {
          from: payments,
          where: narrowed(any(defaulted, late(today))),
          when: contractId === undefined ? 'open' : 'live',
        }
        return right({ ...(await totalsOf(store, narrowed, today)), payments: newestFirst(store, listed) })
      }),
    )

const MOST_MONTHS = 1_200

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

const monthOf = (day: Day): string => day.slice(0, 7)
const plusMonths = (period: string, count: number): string => monthOf(addMonths(`${period}-01`, count))

const monthsOf = (
  { periodFrom, periodTo }: { readonly periodFrom?: string; readonly periodTo?: string },
  today: Day,
) => {
  const to = periodTo ?? monthOf(today)
  return { from: periodFrom ?? plusMonths(to, -11), to }
}

const monthsBetween = (from: string, to: string): number => {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + toMonth - fromMonth + 1
}

/** The revenue by month; cents. */
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

const monthsOfRange = (from: string, to: string): readonly string[] =>
  Array.from({ length: monthsBetween(from, to) }, (_, index) => plusMonths(from, index))

const revenueOf = (rows: readonly GroupRow[], entries: readonly GroupRow[], months: readonly string[]): Revenue => {
  const sums = new Map(rows.map(({ by, sums: of }) => [by.paidMonth, of.paidValueCents ?? 0]))
  const returned = new Map(entries.map(({ by, sums: of }) => [by.month, of.valueCents ?? 0]))
  const byMonth = months.map((period) => ({
    period,
    valueCents: (sums.get(period) ?? 0) + (returned.get(period) ?? 0),
  }))
  return { totalRevenueCents: byMonth.reduce((sum, { valueCents }) => sum + valueCents, 0), byMonth }
}

export const reportRevenue =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: RevenuePeriod = {}) =>
    withValidInput(ports, revenuePeriod, given, (period) =>
      useCaseOf<Revenue>()(async () => {
        const { store, clock } = ports
        const { from, to } = monthsOf(period, dayOf(clock.steady()))
        const where = all(
          eq('companyId', companyId),
          eq('status', 'Paid'),
          gte('paidMonth', from),
          lte('paidMonth', to),
        )
        const months = monthsOfRange(from, to)
        const { rows, entries } = await store.read({
          rows: groupOf(payments, { where, when: 'live', by: ['paidMonth'], sum: ['paidValueCents'] }),
          entries: entriesByMonth(companyId, months),
        })
        return right(revenueOf(rows, entries, months))
      }),
    )
