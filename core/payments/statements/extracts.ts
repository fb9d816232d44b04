import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { all, eq, gt, gte, lte } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { byId, groupOf, type PageOf, type Store } from '../../ports/store.ts'
import { PAYMENT_METHODS } from '../charges/charge.ts'
import {
  BOLEPIX_IN,
  BOLETO_IN,
  CONFIRMED,
  type Entry,
  entries,
  ledgerAccountId,
  ledgerAccounts,
  PIX_IN,
} from '../ledger/ledger.ts'
import { accountQuery, type PaymentsPorts } from '../payments-ports.ts'
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

/** Days are those of São Paulo, both ends included; by default the last 30. */
export const periodFilter = input('PeriodFilter', {
  created: inQuery.range('created_at', 'Lançamento (por padrão, os últimos 30 dias)'),
  search,
  ...typeFilters,
  ...paging,
})

export type PeriodFilter = InputOf<typeof periodFilter>

/** A page of the entries of a period, the newest first, with the figures of its days. */
export interface PeriodPage extends PageOf<Entry> {
  readonly figures: PeriodFigures
}

export const listPeriod = accountQuery(
  periodFilter,
  async ({ store, clock }, accountId, filter): Promise<PeriodPage> => {
    const days = periodOf(filter.created, dayOf(clock.steady()))
    const figures = await periodFigures(store, accountId, days)
    return { ...(await entryPage(store, accountId, { ...filter, days }, filter)), figures }
  },
)

export const confirmedFilter = input('ConfirmedFilter', { search, ...typeFilters, ...paging })

export type ConfirmedFilter = InputOf<typeof confirmedFilter>

export const listConfirmed = accountQuery(
  confirmedFilter,
  ({ store }, accountId, filter): Promise<PageOf<Entry>> =>
    entryPage(store, accountId, { ...filter, status: CONFIRMED }, filter),
)

/** The balances and confirmed sums of the days of a period. */
export interface PeriodFigures {
  readonly period: Period
  readonly receivedCents: number
  /** Without a sign. */
  readonly paidCents: number
  readonly initialCents: number
  readonly finalCents: number
  /** The balance now, not at the end of the period. */
  readonly currentCents: number
  /** The confirmed sums of the period by day, type and direction. */
  readonly rows: readonly GroupRow[]
}

/**
 * Reads the figures of a period in one read. Its balances are the current one less the later entries, so the cost does not grow
 * with the entries before the period.
 */
const periodFigures = async (store: Store, accountId: number, period: Period): Promise<PeriodFigures> => {
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

/** A day with confirmed entries: its closing balance and the change against the day before. */
export interface DayChange {
  readonly day: string
  readonly balanceCents: number
  readonly changeCents: number
}

/** Returns the days with confirmed entries and their closing balances, the oldest first. */
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

/** Days are those of São Paulo, both ends included; by default the last 30. */
export const periodReport = input('PeriodReport', { paid })

export type PeriodReport = InputOf<typeof periodReport>

const { typeId, typeIds } = typeFilters

/** Adds filters by type and status, by default the confirmed entries. */
export const dailyReport = input('DailyReport', { paid, typeId, typeIds, status: entryFilters.status })

export type DailyReport = InputOf<typeof dailyReport>

/** The sum of the entries of one type on one day, in cents. */
export interface DailyRow {
  readonly day: string
  readonly typeId: number
  readonly totalCents: number
}

const sumsOf = (
  { clock }: Pick<PaymentsPorts, 'clock'>,
  accountId: number,
  { days = {}, status = CONFIRMED, ...filter }: EntryFilter,
  by: readonly ('day' | 'typeId')[] = ['typeId'],
) => ({
  where: all<EntryField>(
    eq('accountId', accountId),
    ...conditionsOf({ ...filter, status }),
    ...onDays(periodOf(days, dayOf(clock.steady()))),
  ),
  by,
  sum: ['valueCents'] as const,
})

/** Returns the rows sorted by day and type id, without empty days. */
export const reportByDay = accountQuery(
  dailyReport,
  async (ports, accountId, { paid: days, ...filter }): Promise<readonly DailyRow[]> => {
    const sums = sumsOf(ports, accountId, { ...filter, days }, ['day', 'typeId'])
    return (await ports.store.group(groupOf(entries, sums)))
      .map(({ by, sums }) => ({ day: `${by.day}`, typeId: Number(by.typeId), totalCents: sums.valueCents ?? 0 }))
      .sort((a, b) => (a.day === b.day ? a.typeId - b.typeId : a.day < b.day ? -1 : 1))
  },
)

export const reportByType = accountQuery(
  periodReport,
  async (ports, accountId, { paid: days }): Promise<readonly TypeSum[]> =>
    typeSums(await ports.store.group(groupOf(entries, sumsOf(ports, accountId, { days })))),
)

/** The income from charges of one payment method, in cents. */
export interface MethodSum {
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number]
  readonly count: number
  readonly totalCents: number
}

/** The entry type of each payment method. Card sales are posted to the card balance, with another status. */
const METHOD_OF: ReadonlyMap<number, MethodSum['paymentMethod']> = new Map([
  [PIX_IN.id, 'PIX'],
  [BOLETO_IN.id, 'BOLETO'],
  [BOLEPIX_IN.id, 'BOLEPIX'],
])

export const reportByMethod = accountQuery(
  periodReport,
  async (ports, accountId, { paid: days }): Promise<readonly MethodSum[]> => {
    const { where, ...sums } = sumsOf(ports, accountId, { days })
    const income = { ...sums, where: all<EntryField>(where, eq('direction', 'in')), when: 'charged' }
    return typeSums(await ports.store.group(groupOf(entries, income)))
      .flatMap(({ type, count, valueCents: totalCents }) => {
        const paymentMethod = METHOD_OF.get(type.id)
        return paymentMethod ? [{ paymentMethod, count, totalCents }] : []
      })
      .sort(
        (a, b) =>
          b.count - a.count || PAYMENT_METHODS.indexOf(a.paymentMethod) - PAYMENT_METHODS.indexOf(b.paymentMethod),
      )
  },
)
