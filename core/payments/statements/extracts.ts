import { type InputOf, input, inQuery, pageFields, pick } from '../../kernel/input/mod.ts'
import { eq, gt, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { PageOf, Store } from '../../ports/store.ts'
import { PAYMENT_METHODS } from '../charges/charge.ts'
import { BOLEPIX_IN, BOLETO_IN, bookOf, CONFIRMED, type Entry, PIX_IN } from '../ledger/ledger.ts'
import { accountQuery, type PaymentsPorts } from '../payments-ports.ts'
import { rowsByPeriod } from './days.ts'
import { centsOf, entryPage, magnitudesOf, type TypeSum, typeSums } from './entries.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  entryFilters,
  onDays,
  type Period,
  periodOf,
  sumsBy,
  typeFilters,
} from './filters.ts'

const { search } = entryFilters
const paging = pick(pageFields, 'perPage', 'page')

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
 * Reads the figures of a period in one read. Its balances are the current one less the later entries, so the cost does
 * not grow with the entries before the period.
 */
const periodFigures = async (store: Store, accountId: number, period: Period): Promise<PeriodFigures> => {
  const confirmed = eq('status', CONFIRMED)
  const { book, rows, after } = await store.read({
    book: bookOf(accountId),
    rows: sumsBy(['day', 'typeId', 'direction'], accountId, confirmed, ...onDays(period)),
    after: sumsBy([], accountId, confirmed, gt('day', period.to)),
  })
  const { incomeCents: receivedCents, expensesCents: paidCents } = magnitudesOf(rows)
  const currentCents = book?.balanceCents ?? 0
  const finalCents = currentCents - centsOf(after)
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
  let balanceCents = initialCents
  return rowsByPeriod(rows).map(([day, of]) => {
    const changeCents = centsOf(of)
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

const conditionsIn = (
  { clock }: Pick<PaymentsPorts, 'clock'>,
  { days = {}, status = CONFIRMED, ...filter }: EntryFilter,
): readonly Where<EntryField>[] => [
  ...conditionsOf({ ...filter, status }),
  ...onDays(periodOf(days, dayOf(clock.steady()))),
]

/** Returns the rows sorted by day and type id, without empty days. */
export const reportByDay = accountQuery(
  dailyReport,
  async (ports, accountId, { paid: days, ...filter }): Promise<readonly DailyRow[]> => {
    const conditions = conditionsIn(ports, { ...filter, days })
    return (await ports.store.group(sumsBy(['day', 'typeId'], accountId, ...conditions)))
      .map(({ by, sums }) => ({ day: `${by.day}`, typeId: Number(by.typeId), totalCents: sums.valueCents ?? 0 }))
      .sort((a, b) => (a.day === b.day ? a.typeId - b.typeId : a.day < b.day ? -1 : 1))
  },
)

export const reportByType = accountQuery(
  periodReport,
  async (ports, accountId, { paid: days }): Promise<readonly TypeSum[]> =>
    typeSums(await ports.store.group(sumsBy(['typeId'], accountId, ...conditionsIn(ports, { days })))),
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
    const income = sumsBy(['typeId'], accountId, ...conditionsIn(ports, { days }), eq('direction', 'in'))
    return typeSums(await ports.store.group({ ...income, when: 'charged' }))
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
