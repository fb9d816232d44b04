import { right } from '../../failure.ts'
import { type DayRange, type InputOf, input, inQuery, notBefore } from '../../kernel/input/mod.ts'
import { eq, isIn, type Where } from '../../kernel/records/record.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { addDays, addMonths, type Day, dayOf } from '../../kernel/values/day.ts'
import {
  BOLEPIX_IN,
  BOLETO_IN,
  bookOf,
  CONFIRMED,
  type Entry,
  PIX_IN,
  PIX_OUT,
  TRANSFER_IN,
  type TransactionType,
} from '../ledger/ledger.ts'
import { type Actor, accountQuery, type PaymentsPorts } from '../payments-ports.ts'
import { dayBalances, dayBalancesOf, dayQueries, type Lines, linesIn, type Places } from './days.ts'
import { centsOf, type Magnitudes, type TypeSum, typeSums } from './entries.ts'
import { defaultDays, type EntryField, groupedDays, LAST_DAYS, onDays, sumsBy, typeFilters } from './filters.ts'

export const balanceSummaryQuery = input(
  'BalanceSummaryQuery',
  groupedDays({ from: 'Desde', to: 'Até' }),
  notBefore('to', 'from'),
)
export type BalanceSummaryQuery = InputOf<typeof balanceSummaryQuery>

/** The confirmed entries of a day, a month or the whole range, with their sums in cents. */
export interface PeriodSummary extends Magnitudes {
  /** `YYYY-MM-DD`, `YYYY-MM` or `total`. */
  readonly period: string
  readonly closingCents: number
  readonly income: Lines
  readonly expenses: Lines
}

export interface BalanceSummary {
  /** The periods with confirmed entries, the oldest first. */
  readonly periods: readonly PeriodSummary[]
  readonly total: PeriodSummary
}

export const summarizePeriods = accountQuery(
  balanceSummaryQuery,
  async ({ store }, accountId, { groupBy, from, to }): Promise<BalanceSummary> => {
    const read = dayBalancesOf(await store.read(dayQueries(accountId, { from, to })), groupBy)
    const entriesOf = (places: Places, direction: 'in' | 'out') =>
      linesIn(store, accountId, places, eq('status', CONFIRMED), eq('direction', direction))
    const summary = (of: Omit<PeriodSummary, 'income' | 'expenses'> & { readonly places: Places }): PeriodSummary => ({
      ...of,
      income: entriesOf(of.places, 'in'),
      expenses: entriesOf(of.places, 'out'),
    })
    const sum = (field: keyof Magnitudes) => read.days.reduce((total, day) => total + day[field], 0)
    return {
      periods: read.days.filter(({ incomeCount, expensesCount }) => incomeCount + expensesCount > 0).map(summary),
      total: summary({
        period: 'total',
        closingCents: read.closingCents,
        places: read.places,
        incomeCents: sum('incomeCents'),
        incomeCount: sum('incomeCount'),
        expensesCents: sum('expensesCents'),
        expensesCount: sum('expensesCount'),
      }),
    }
  },
)

const lastDays = defaultDays(LAST_DAYS, { from: 'start_date', to: 'end_date' })

export const salesQuery = input('SalesQuery', lastDays.fields, lastDays.notReversed)
export type SalesQuery = InputOf<typeof salesQuery>

/** The sums of a day's confirmed entries, in cents. */
export interface SalesDay {
  readonly day: Day
  /** At the end of the day. */
  readonly balanceCents: number
  readonly incomeCents: number
  /** Fees included, without a sign. */
  readonly expensesCents: number
  /** The income from boletos. */
  readonly boletoCents: number
}

/** Returns the days with confirmed entries, the oldest first. */
export const reportSales = accountQuery(
  salesQuery,
  async ({ store, clock }, accountId, query): Promise<readonly SalesDay[]> => {
    const { days } = await dayBalances(store, accountId, lastDays.of(query, dayOf(clock.steady())))
    return days
      .filter(({ types }) => types.length > 0)
      .map(({ period: day, closingCents: balanceCents, incomeCents, expensesCents, types }) => ({
        ...{ day, balanceCents, incomeCents, expensesCents },
        boletoCents: centsOfType(types, BOLETO_IN),
      }))
  },
)

const centsOfType = (types: readonly TypeSum[], { id }: TransactionType): number =>
  types.find(({ type }) => type.id === id)?.valueCents ?? 0

const MONTHS = 12
const MONTH_CHARS = 7
const CHARTED = [PIX_IN, BOLETO_IN, BOLEPIX_IN]

/** The monthly income by type, in cents. */
export interface SalesChart {
  /** `YYYY-MM`, the oldest first; the current month is the last. */
  readonly months: readonly string[]
  /** One sum for each month. */
  readonly series: readonly { readonly type: TransactionType; readonly cents: readonly number[] }[]
}

export const chartSales =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<SalesChart, never> =>
  async () => {
    const today = dayOf(ports.clock.steady())
    const thisMonth = `${today.slice(0, MONTH_CHARS)}-01`
    const firsts = Array.from({ length: MONTHS }, (_, at) => addMonths(thisMonth, at + 1 - MONTHS))
    const range = { from: firsts[0] ?? thisMonth, to: today }
    const typeIds = CHARTED.map(({ id }) => id)
    const rows = await ports.store.group(confirmedSums(accountId, range, { typeIds, by: ['day'] }))
    const sums = new Map<string, number>()
    for (const { by, sums: of } of rows) {
      const key = `${by.typeId} ${`${by.day}`.slice(0, MONTH_CHARS)}`
      sums.set(key, (sums.get(key) ?? 0) + (of.valueCents ?? 0))
    }
    const months = firsts.map((first) => first.slice(0, MONTH_CHARS))
    const series = CHARTED.map((type) => ({ type, cents: months.map((month) => sums.get(`${type.id} ${month}`) ?? 0) }))
    return right({ months, series })
  }

export const totalsQuery = input('TotalsQuery', lastDays.fields, lastDays.notReversed)
export type TotalsQuery = InputOf<typeof totalsQuery>

/** Income and expenses of a range of days, without fees, in cents, and the current balance. */
export interface Totals {
  readonly pixInCents: number
  readonly boletoInCents: number
  readonly bolepixInCents: number
  /** Without a sign. */
  readonly pixOutCents: number
  readonly balanceCents: number
}

export const readTotals = accountQuery(totalsQuery, async ({ store, clock }, accountId, query): Promise<Totals> => {
  const { sums, book } = await store.read({
    sums: confirmedSums(accountId, lastDays.of(query, dayOf(clock.steady()))),
    book: bookOf(accountId),
  })
  const types = typeSums(sums)
  return {
    pixInCents: centsOfType(types, PIX_IN),
    boletoInCents: centsOfType(types, BOLETO_IN),
    bolepixInCents: centsOfType(types, BOLEPIX_IN),
    pixOutCents: Math.abs(centsOfType(types, PIX_OUT)),
    balanceCents: book?.balanceCents ?? 0,
  }
})

export const typeSumsQuery = input(
  'TypeSumsQuery',
  {
    from: inQuery.day({ wire: 'start_date', about: 'Período, desde' }),
    to: inQuery.day({ wire: 'end_date', about: 'Período, até' }),
    typeId: typeFilters.typeId,
  },
  notBefore('to', 'from'),
)
export type TypeSumsQuery = InputOf<typeof typeSumsQuery>

export const sumByType = accountQuery(
  typeSumsQuery,
  async ({ store }, accountId, { from, to, typeId }): Promise<readonly TypeSum[]> => {
    const days = { ...(from && { from }), ...(to && { to }) }
    return typeSums(await store.group(confirmedSums(accountId, days, { typeIds: typeId })))
  },
)

export const settlementQuery = input('SettlementQuery', {
  startDate: inQuery.day({ about: 'Desde; sem ela, o último dia do mês passado' }),
})
export type SettlementQuery = InputOf<typeof settlementQuery>

/** The amount received by Pix and by transfer from a day on, in cents. */
export interface Settlement {
  readonly totalReceivedCents: number
  readonly startDate: Day
}

export const readSettlement = accountQuery(
  settlementQuery,
  async ({ store, clock }, accountId, query): Promise<Settlement> => {
    const { startDate = endOfLastMonth(dayOf(clock.steady())) } = query
    const typeIds = [PIX_IN.id, TRANSFER_IN.id]
    const sums = await store.group(confirmedSums(accountId, { from: startDate }, { typeIds }))
    return { totalReceivedCents: centsOf(sums), startDate }
  },
)

const endOfLastMonth = (today: Day): Day => addDays(`${today.slice(0, 7)}-01`, -1)

/** Returns the query of confirmed sums by type and, if given, further fields. A tally serves it. */
const confirmedSums = (
  accountId: number,
  days: DayRange,
  {
    typeIds,
    by = [],
  }: { readonly typeIds?: readonly number[] | undefined; readonly by?: readonly (keyof Entry & string)[] } = {},
) => {
  const types: readonly Where<EntryField>[] = typeIds ? [isIn('typeId', typeIds)] : []
  return sumsBy(['typeId', ...by], accountId, eq('status', CONFIRMED), ...types, ...onDays(days))
}
