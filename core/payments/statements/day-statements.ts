import { type InputOf, input, inQuery, notBefore, pageFields, required } from '../../kernel/input/mod.ts'
import { all, eq } from '../../kernel/records/record.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf } from '../../kernel/values/day.ts'
import { byId, offsetOf, type PageOf } from '../../ports/store.ts'
import { accounts, isExisting } from '../accounts/account.ts'
import { type AccountDetail, accountDetail } from '../accounts/views.ts'
import { type Actor, accountQuery, type PaymentsPorts } from '../payments-ports.ts'
import {
  confirmedRows,
  type DayBalances,
  type DayStatement,
  dayBalances,
  dayBalancesOf,
  dayQueries,
  type Lines,
  linesIn,
  type Places,
  rowsByPeriod,
  seqWithin,
  spanOf,
  spanQueries,
  streamEntries,
} from './days.ts'
import { centsOf, countOf, magnitudesOf, type TypeSum, typeSums } from './entries.ts'
import {
  conditionsOf,
  defaultDays,
  entryFilters,
  LAST_DAYS,
  onDays,
  overlapOf,
  sumsBy,
  typeFilters,
} from './filters.ts'

const DEFAULT_LINES = 1_000
const MAX_LINES = 10_000
const MAX_EXTRACT_SEARCH = 255

const todayByDefault = defaultDays(0, { from: 'start_date', to: 'end_date', aliases: ['fromDate', 'toDate'] })

export const extractFilter = input(
  'ExtractFilter',
  {
    ...todayByDefault.fields,
    ...typeFilters,
    search: inQuery.text({ max: MAX_EXTRACT_SEARCH, about: 'Descrição, txid, endToEndId ou nome' }),
    page: inQuery.page({ about: 'Página, a partir de 1' }),
    perPage: inQuery.perPage({ default: DEFAULT_LINES, max: MAX_LINES, about: 'Registros por página' }),
  },
  todayByDefault.notReversed,
)
export type ExtractFilter = InputOf<typeof extractFilter>

/** A page of the matching entries of a range of days, with the sums of all matches, in cents. */
export interface Extract {
  /** The sums of the confirmed matches. */
  readonly types: readonly TypeSum[]
  /** The newest first, of every status. */
  readonly transactions: Lines
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly totals: {
    /** Of the confirmed matches, without a sign. */
    readonly incomeCents: number
    readonly expensesCents: number
    readonly count: number
    /** The account's balance at the end of the range. */
    readonly balanceCents: number
  }
  readonly from: Day
  readonly to: Day
}

export const extract = accountQuery(extractFilter, async ({ store, clock }, accountId, filter): Promise<Extract> => {
  const { page, perPage } = filter
  const range = todayByDefault.of(filter, dayOf(clock.steady()))
  const own = eq('accountId', accountId)
  const narrowed = conditionsOf(filter)
  const { listed, ...answers } = await store.read({
    ...spanQueries(accountId, range),
    listed: sumsBy(['status', 'typeId', 'direction'], accountId, ...narrowed, ...onDays(range)),
  })
  const { closingCents, places } = spanOf(answers)
  // Without other filters the page starts at a known `seq`; with them the store has to count the offset.
  const [skipped, offset] = narrowed.length > 0 ? [0, offsetOf(filter)] : [offsetOf(filter), 0]
  const { incomeCents, incomeCount, expensesCents, expensesCount } = magnitudesOf(confirmedRows(listed))
  return {
    types: typeSums(confirmedRows(listed)),
    transactions: streamEntries(store, {
      where: all(own, ...narrowed, ...seqWithin({ ...places, until: places.until - skipped })),
      dir: 'desc',
      offset,
      limit: perPage,
    }),
    page,
    perPage,
    total: countOf(listed),
    totals: { incomeCents, expensesCents, count: incomeCount + expensesCount, balanceCents: closingCents },
    ...range,
  }
})

export const dayExtractFilter = input(
  'DayExtractFilter',
  {
    from: required(inQuery.day({ wire: 'payment_date_start', about: 'Pagamento, desde' })),
    to: required(inQuery.day({ wire: 'payment_date_end', about: 'Pagamento, até' })),
    created: inQuery.range('created_at', 'Criação'),
    ...entryFilters,
  },
  notBefore('to', 'from'),
)
export type DayExtractFilter = InputOf<typeof dayExtractFilter>

/** A day with its matching entries. */
export interface ExtractDay {
  readonly day: Day
  readonly transactions: Lines
  readonly count: number
  /** The sum of the confirmed matches. */
  readonly totalCents: number
  /** The account's balance at the end of the day, independent of the filter. */
  readonly closingCents: number
}

export interface DayExtract {
  /** The days with matches, the oldest first. */
  readonly days: readonly ExtractDay[]
  readonly summary: {
    /** The account's balance at the end of the range. */
    readonly balanceCents: number
    readonly total: number
    /** The sums of the confirmed matches. */
    readonly types: readonly TypeSum[]
  }
}

export const extractDays = accountQuery(dayExtractFilter, async ({ store }, accountId, filter): Promise<DayExtract> => {
  const { from, to, created } = filter
  const narrowed = [...conditionsOf(filter), ...onDays(created)]
  const { listed, ...answers } = await store.read({
    ...dayQueries(accountId, { from, to }),
    listed: sumsBy(
      ['day', 'status', 'typeId', 'direction'],
      accountId,
      ...conditionsOf(filter),
      ...onDays(overlapOf({ from, to }, created)),
    ),
  })
  const { days, closingCents } = dayBalancesOf(answers)
  const byDay = new Map(rowsByPeriod(listed))
  return {
    days: days.flatMap(({ period, closingCents: endOfDay, places }) => {
      const rows = byDay.get(period)
      if (!rows) return []
      const transactions = linesIn(store, accountId, places, ...narrowed)
      const totalCents = centsOf(confirmedRows(rows))
      return [{ day: period, transactions, count: countOf(rows), totalCents, closingCents: endOfDay }]
    }),
    summary: { balanceCents: closingCents, total: countOf(listed), types: typeSums(confirmedRows(listed)) },
  }
})

// Today is the last of the 30 days.
const lastDays = defaultDays(LAST_DAYS - 1, { from: 'created_at_start', to: 'created_at_end' }, 'Criação')

export const statementDaysFilter = input(
  'StatementDaysFilter',
  { ...lastDays.fields, page: pageFields.page, perPage: inQuery.perPage({ about: 'Dias por página' }) },
  lastDays.notReversed,
)
export type StatementDaysFilter = InputOf<typeof statementDaysFilter>

export const listStatementDays = accountQuery(
  statementDaysFilter,
  async ({ store, clock }, accountId, filter): Promise<PageOf<DayStatement>> => {
    const { page, perPage } = filter
    const { days } = await dayBalances(store, accountId, lastDays.of(filter, dayOf(clock.steady())))
    const first = offsetOf(filter)
    const records = days
      .slice(first, first + perPage)
      .map((day) => ({ ...day, transactions: linesIn(store, accountId, day.places) }))
    return { records, page, perPage, total: days.length }
  },
)

const BALANCE_DAYS = 30

/** A day with its closing balance, in cents, and its entries, the oldest first. */
export interface BalanceDay {
  readonly day: Day
  readonly balanceCents: number
  readonly transactions: Lines
}

export interface AccountDays extends AccountDetail {
  readonly days: readonly BalanceDay[]
}

export const listBalanceDays =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'permissions' | 'passwordRecentUntil'>) =>
    readUseCase('account.unknown', async (): Promise<AccountDays | null> => {
      const { store } = ports
      const { accountId } = actor
      const to = dayOf(ports.clock.steady())
      const from = addDays(to, 1 - BALANCE_DAYS)
      const { account, ...answers } = await store.read({
        ...dayQueries(accountId, { from, to }),
        account: byId(accounts, accountId),
      })
      if (!isExisting(account)) return null
      const days = everyDay(from, dayBalancesOf(answers)).map(({ places, ...day }) => ({
        ...day,
        transactions: linesIn(store, accountId, places),
      }))
      return { ...accountDetail(ports, account, actor), days }
    })

interface EmptyDay {
  readonly day: Day
  readonly balanceCents: number
  readonly places: Places
}

/** Adds the days without entries: each closes with the balance of the day before. */
const everyDay = (from: Day, { openingCents, places, days }: DayBalances): readonly EmptyDay[] => {
  const moved = new Map(days.map((day) => [day.period, day]))
  let [balanceCents, until] = [openingCents, places.after]
  return Array.from({ length: BALANCE_DAYS }, (_, at) => {
    const day = addDays(from, at)
    const after = until
    const known = moved.get(day)
    balanceCents = known?.closingCents ?? balanceCents
    until = known?.places.until ?? until
    return { day, balanceCents, places: { after, until } }
  })
}
