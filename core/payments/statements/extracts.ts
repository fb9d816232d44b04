import { right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { all, eq, gt, gte, lte } from '../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { byId, groupOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { PAYMENT_METHODS } from '../charges/charge.ts'
import { CONFIRMED, type Entry, entries, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { BOLEPIX_IN, BOLETO_IN, PIX_IN } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { entryPage, magnitudesOf, type TypeSum, typeSums } from './entries.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  entryFilters,
  onDays,
  type Period,
  periodOf,
  typeFilters,
} from './filters.ts'

const { search } = entryFilters
const paging = {
  perPage: inQuery.perPage({ about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
}

/** Days are São Paulo days, both ends included; the last thirty where none are named. Source: 02-billing.md, Statements. */
export const periodFilter = input('PeriodFilter', {
  created: inQuery.range('created_at', 'Lançamento (por padrão, os últimos 30 dias)'),
  search,
  ...typeFilters,
  ...paging,
})

export type PeriodFilter = InputOf<typeof periodFilter>

/** A page of the entries of a period, the newest first, with what its days came to. */
export interface PeriodPage extends PageOf<Entry> {
  readonly figures: PeriodFigures
}

/**
 * A page of a period's entries, and its figures, which follow the days alone.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const listPeriod =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: PeriodFilter) =>
    withValidInput(ports, periodFilter, given, (filter) => pageOf(ports, accountId, filter))

const pageOf =
  (
    { store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>,
    accountId: number,
    filter: DecodedOf<typeof periodFilter>,
  ): UseCase<PeriodPage, never> =>
  async () => {
    const days = periodOf(filter.created, dayOf(clock.steady()))
    const figures = await periodFigures(store, accountId, days)
    return right({ ...(await entryPage(store, accountId, { ...filter, days }, filter)), figures })
  }

/** Source: 02-billing.md, Statements (GET /consolidation/v2/extract). */
export const confirmedFilter = input('ConfirmedFilter', { search, ...typeFilters, ...paging })

export type ConfirmedFilter = InputOf<typeof confirmedFilter>

/**
 * A page of all that is confirmed, the newest first.
 * Fails: `fields`. Source: 02-billing.md, Statements.
 */
export const listConfirmed =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: ConfirmedFilter) =>
    withValidInput(
      ports,
      confirmedFilter,
      given,
      (filter): UseCase<PageOf<Entry>, never> =>
        async () =>
          right(await entryPage(ports.store, accountId, { ...filter, status: CONFIRMED }, filter)),
    )

/** What the days of a period came to, whatever else a list is narrowed by. Totals count what is confirmed. */
export interface PeriodFigures {
  readonly period: Period
  readonly receivedCents: number
  /** A magnitude. */
  readonly paidCents: number
  readonly initialCents: number
  readonly finalCents: number
  /** At this instant, whenever the period ended. */
  readonly currentCents: number
  /** By day, type and direction: the confirmed movements of the period. */
  readonly rows: readonly GroupRow[]
}

/**
 * The figures of a period at one instant. The balance at its ends is that of now less what came after: a period that ends today
 * costs no more for what lies before it.
 */
export const periodFigures = async (store: Store, accountId: number, period: Period): Promise<PeriodFigures> => {
  const own = [eq<EntryField>('accountId', accountId), eq<EntryField>('status', CONFIRMED)]
  const { book, rows, after } = await store.read({
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    rows: groupOf(entries, {
      where: all<EntryField>(...own, gte('day', period.from), lte('day', period.to)),
      by: ['day', 'typeId', 'direction'],
      sum: ['valueCents'],
    }),
    after: groupOf(entries, { where: all<EntryField>(...own, gt('day', period.to)), by: [], sum: ['valueCents'] }),
  })
  const { incomeCents: receivedCents, expensesCents: paidCents } = magnitudesOf(rows)
  const currentCents = book?.balanceCents ?? 0
  const finalCents = currentCents - (after[0]?.sums.valueCents ?? 0)
  return {
    period,
    receivedCents,
    paidCents,
    initialCents: finalCents - receivedCents + paidCents,
    finalCents,
    currentCents,
    rows,
  }
}

/** A day on which something moved: what it left, and by how much it changed that. */
export interface DayChange {
  readonly day: string
  readonly balanceCents: number
  readonly changeCents: number
}

/** The days with movement, from the first: each with its closing balance. */
export const dailyChanges = ({
  rows,
  initialCents,
}: Pick<PeriodFigures, 'rows' | 'initialCents'>): readonly DayChange[] => {
  const changes = new Map<string, number>()
  for (const { by, sums } of rows) changes.set(`${by.day}`, (changes.get(`${by.day}`) ?? 0) + (sums.valueCents ?? 0))
  let balanceCents = initialCents
  return [...changes.keys()].sort().map((day) => {
    const changeCents = changes.get(day) ?? 0
    balanceCents += changeCents
    return { day, balanceCents, changeCents }
  })
}

const paid = inQuery.range('payment_date', 'Pagamento (por padrão, os últimos 30 dias)')

/** Days are São Paulo days, both ends included; the last thirty where none are named. Source: 02-billing.md, Statements. */
export const periodReport = input('PeriodReport', { paid })

export type PeriodReport = InputOf<typeof periodReport>

const { typeId, typeIds } = typeFilters

/** The same, of some types and of a status: what is confirmed where none is named. */
export const dailyReport = input('DailyReport', { paid, typeId, typeIds, status: entryFilters.status })

export type DailyReport = InputOf<typeof dailyReport>

/** The movements of one type on one day, in cents. */
export interface DailyRow {
  readonly day: string
  readonly typeId: number
  readonly totalCents: number
}

type Reader = Pick<PaymentsPorts, 'store' | 'clock'>
type By = 'day' | 'typeId'

const rowsOf = (
  { store, clock }: Reader,
  accountId: number,
  { days = {}, status = CONFIRMED, ...filter }: EntryFilter,
  by: readonly By[],
  more: { readonly when?: string } & { readonly direction?: Entry['direction'] } = {},
): Promise<readonly GroupRow[]> => {
  const { when, direction } = more
  return store.group(
    groupOf(entries, {
      where: all<EntryField>(
        eq('accountId', accountId),
        ...conditionsOf({ ...filter, status }),
        ...(direction ? [eq<EntryField>('direction', direction)] : []),
        ...onDays(periodOf(days, dayOf(clock.steady()))),
      ),
      ...(when !== undefined && { when }),
      by,
      sum: ['valueCents'],
    }),
  )
}

/**
 * What moved on each day by each type, signed; days without movement are left out.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const reportByDay =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: DailyReport) =>
    withValidInput(
      ports,
      dailyReport,
      given,
      ({ paid: days, ...filter }): UseCase<readonly DailyRow[], never> =>
        async () =>
          right(dailyRows(await rowsOf(ports, accountId, { ...filter, days }, ['day', 'typeId']))),
    )

/** In the order of the days, and of the types' ids. */
export const dailyRows = (rows: readonly GroupRow[]): readonly DailyRow[] =>
  rows
    .map(({ by, sums }) => ({ day: `${by.day}`, typeId: Number(by.typeId), totalCents: sums.valueCents ?? 0 }))
    .sort((a, b) => (a.day === b.day ? a.typeId - b.typeId : a.day < b.day ? -1 : 1))

/**
 * What moved by each type, signed: what is confirmed.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const reportByType =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: PeriodReport) =>
    withValidInput(
      ports,
      periodReport,
      given,
      ({ paid: days }): UseCase<readonly TypeSum[], never> =>
        async () =>
          right(typeSums(await rowsOf(ports, accountId, { days }, ['typeId']))),
    )

/** What came in for the charges of one payment method, in cents. */
export interface MethodSum {
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number]
  readonly count: number
  readonly totalCents: number
}

/** As what a charge of a method is posted. Cards are posted beside the balance, and are not confirmed. */
const METHOD_OF: ReadonlyMap<number, MethodSum['paymentMethod']> = new Map([
  [PIX_IN.id, 'PIX'],
  [BOLETO_IN.id, 'BOLETO'],
  [BOLEPIX_IN.id, 'BOLEPIX'],
])

/**
 * What came in by each payment method of charges, the one most used first; what came for no charge has none.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const reportByMethod =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: PeriodReport) =>
    withValidInput(
      ports,
      periodReport,
      given,
      ({ paid: days }): UseCase<readonly MethodSum[], never> =>
        async () =>
          right(methodSums(await rowsOf(ports, accountId, { days }, ['typeId'], { when: 'charged', direction: 'in' }))),
    )

export const methodSums = (rows: readonly GroupRow[]): readonly MethodSum[] =>
  typeSums(rows)
    .flatMap(({ type, count, valueCents: totalCents }) => {
      const paymentMethod = METHOD_OF.get(type.id)
      return paymentMethod ? [{ paymentMethod, count, totalCents }] : []
    })
    .sort(
      (a, b) =>
        b.count - a.count || PAYMENT_METHODS.indexOf(a.paymentMethod) - PAYMENT_METHODS.indexOf(b.paymentMethod),
    )
