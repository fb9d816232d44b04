import { right } from '../../failure.ts'
import {
  type DayRange,
  type InputOf,
  input,
  inQuery,
  output,
  pageFields,
  pick,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, any, eq, gt, lt, lte, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { groupOf, listOf, offsetOf, type Page, type PageOf, type QueryResults, type Store } from '../../ports/store.ts'
import {
  bookOf,
  CONFIRMED,
  type Entry,
  entries,
  paidRange,
  type TransactionType,
  transactionType,
} from '../ledger/ledger.ts'
import { type Actor, accountQuery, accountRead, findOwn, type PaymentsPorts } from '../payments-ports.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  entryFilters,
  namedRange,
  onDays,
  overlapOf,
  sumsBy,
} from './filters.ts'

const fields = {
  created: inQuery.range('created_at', 'Criação'),
  paid: paidRange,
  ...entryFilters,
  ...pick(pageFields, 'perPage', 'page'),
}

/** Days are those of São Paulo, both ends included. */
export const transactionFilter = input('TransactionFilter', fields)

/** Adds `fromDate` and `toDate`, which the route transactionsV2 accepts. */
export const datedTransactionFilter = input('DatedTransactionFilter', {
  ...fields,
  between: namedRange('fromDate', 'toDate', 'Lançamento'),
})
export type TransactionFilter = InputOf<typeof datedTransactionFilter>

export const listTransactions = accountQuery(datedTransactionFilter, ({ store }, accountId, filter) =>
  entryPage(store, accountId, { ...filter, days: overlapOf(filter.created, filter.paid, filter.between) }, filter),
)

export const summedFilter = input('SummedTransactionFilter', {
  status: withDefault(inQuery.integer({ about: 'Situação; -1 são todas' }), CONFIRMED),
  moments: namedRange('datetime_start_date', 'datetime_end_date', 'Lançamento'),
  created: namedRange('created_start_date', 'created_end_date', 'Criação'),
  ...pageFields,
})
export type SummedFilter = InputOf<typeof summedFilter>

export const listSummed = accountQuery(summedFilter, ({ store }, accountId, filter) =>
  entryPage(
    store,
    accountId,
    { status: filter.status ?? CONFIRMED, days: overlapOf(filter.moments, filter.created) },
    filter,
  ),
)

export const readTransaction = accountRead('transaction.unknown', ({ store }, accountId, id: number | string) =>
  findOwn(store, entries, accountId, parseId(`${id}`)),
)

export interface Balance {
  readonly balanceCents: number
}

export const readBalance =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<Balance, never> =>
  async () => {
    const book = await ports.store.find(bookOf(accountId))
    return right({ balanceCents: book?.balanceCents ?? 0 })
  }

/** The parts of an account's money. */
export interface Balances extends Balance {
  /** The balance without the reserved amount. */
  readonly availableCents: number
  /** The amount that withdrawals, refunds and fees in progress reserve. */
  readonly reservedCents: number
  /** The proceeds of card sales, until they are withdrawn to the balance. */
  readonly cardCents: number
}

export const readBalances =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<Balances, never> =>
  async () => {
    const { main, card } = await ports.store.read({ main: bookOf(accountId), card: bookOf(accountId, 'card') })
    const { balanceCents = 0, availableCents = 0 } = main ?? {}
    return right({
      balanceCents,
      availableCents,
      reservedCents: balanceCents - availableCents,
      cardCents: card?.balanceCents ?? 0,
    })
  }

export const balancesView = view('Balances', {
  balanceCents: output.money({ wire: 'balance', about: 'Saldo' }),
  availableCents: output.money({ wire: 'available', about: 'Quanto do saldo está livre' }),
  reservedCents: output.money({
    wire: 'reserved',
    about: 'Quanto do saldo está reservado: saques, devoluções e tarifas em andamento',
  }),
  cardCents: output.money({ wire: 'card', about: 'Saldo de cartão, ainda não sacado' }),
})

export const balanceView = view('Balance', { balanceCents: output.money({ wire: 'balance', about: 'Saldo' }) })

/** A page of entries, the newest first, with the sums of all matching entries. */
export interface TransactionPage extends PageOf<Entry> {
  /** Income and expenses, both without a sign. */
  readonly incomeCents: number
  readonly expensesCents: number
  /** Signed. */
  readonly types: readonly TypeSum[]
}

/** Reads a page of the account's entries, the newest first. Its cost does not grow with the number of older entries. */
export const entryPage = async (
  store: Store,
  accountId: number,
  filter: EntryFilter,
  paging: Page,
): Promise<TransactionPage> => {
  const { days = {} } = filter
  const others = conditionsOf(filter)
  const inDays = (await seqOnDays(store, accountId, days)) ?? onDays(days)
  const { page, sums } = await store.read({
    page: listOf(entries, {
      where: all(eq('accountId', accountId), ...others, ...inDays),
      sort: { by: 'seq', dir: 'desc' },
      limit: paging.perPage,
      offset: offsetOf(paging),
    }),
    sums: sumsBy(['typeId', 'direction'], accountId, ...others, ...onDays(days)),
  })
  const { incomeCents, expensesCents } = magnitudesOf(sums)
  return {
    records: page.records,
    page: paging.page,
    perPage: paging.perPage,
    total: countOf(sums),
    incomeCents,
    expensesCents,
    types: typeSums(sums),
  }
}

/**
 * Returns the `seq` range of the entries of these days; null without days, if no entry of these days or later exists
 * yet, and while the tallies are incomplete.
 */
const seqOnDays = async (
  store: Store,
  accountId: number,
  days: DayRange,
): Promise<readonly Where<EntryField>[] | null> => {
  if (!days.from && !days.to) return null
  const { total, before, until, isComplete } = seqCountsOf(await store.read(seqQueries(accountId, days)))
  if (!isComplete) return null
  // No entry of these days exists yet: one that is posted after the count may have an earlier day.
  if (before === total) return null
  // If later days have entries, `to` is over: an entry that is posted after the count has a higher `seq`.
  return [gt('seq', before), ...(until === total ? [] : [lte('seq', until)])]
}

/** Returns the queries that `seqCountsOf` needs, to be read together with those of the caller. */
export const seqQueries = (accountId: number, { from, to }: DayRange) => {
  const counted = (...parts: readonly Where<EntryField>[]) =>
    groupOf(entries, { where: all(eq('accountId', accountId), ...parts), by: [], sum: [] })
  return {
    whole: counted(),
    before: from ? counted(lt('day', from)) : counted(any()),
    until: to ? counted(lte('day', to)) : counted(),
    book: bookOf(accountId),
  }
}

/**
 * Counts the account's entries: all, those before a range of days, and those until its end. The `seq` of an account has
 * no gaps and its days never decrease, so a count is also the last `seq` of the counted entries, if the tallies are
 * complete.
 */
export const seqCountsOf = ({ whole, before, until, book }: QueryResults<ReturnType<typeof seqQueries>>) => ({
  total: countOf(whole),
  before: countOf(before),
  until: countOf(until),
  isComplete: countOf(whole) === (book?.seq ?? 0),
})

/** The sum of the entries of one type. */
export interface TypeSum {
  readonly type: TransactionType
  readonly count: number
  /** Signed: an expense is negative. */
  readonly valueCents: number
}

/** Sums rows that are grouped by type, and possibly by other fields, by type; sorted by the types' ids. */
export const typeSums = (rows: readonly GroupRow[]): readonly TypeSum[] => {
  const sums = new Map<number, TypeSum>()
  for (const { by, count, sums: of } of rows) {
    const type = transactionType(`${by.typeId}`)
    if (!type) continue
    const before = sums.get(type.id) ?? { type, count: 0, valueCents: 0 }
    sums.set(type.id, { type, count: before.count + count, valueCents: before.valueCents + (of.valueCents ?? 0) })
  }
  return [...sums.values()].sort((a, b) => a.type.id - b.type.id)
}

/** Income and expenses, both without a sign. */
export interface Magnitudes {
  readonly incomeCents: number
  readonly incomeCount: number
  readonly expensesCents: number
  readonly expensesCount: number
}

/** Sums rows that are grouped by direction, and possibly by other fields. */
export const magnitudesOf = (rows: readonly GroupRow[]): Magnitudes => {
  const sumOf = (direction: 'in' | 'out') => {
    const those = rows.filter(({ by }) => by.direction === direction)
    return { cents: centsOf(those), count: countOf(those) }
  }
  const [income, expenses] = [sumOf('in'), sumOf('out')]
  return {
    incomeCents: income.cents,
    incomeCount: income.count,
    expensesCents: Math.abs(expenses.cents),
    expensesCount: expenses.count,
  }
}

export const centsOf = (rows: readonly GroupRow[]): number =>
  rows.reduce((cents, { sums }) => cents + (sums.valueCents ?? 0), 0)

export const countOf = (rows: readonly GroupRow[]): number => rows.reduce((total, { count }) => total + count, 0)
