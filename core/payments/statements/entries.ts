import { right } from '../../fp.ts'
import { withDefault } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { type DayRange, inQuery, pageFields } from '../../kernel/input/query.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { all, any, eq, gt, lt, lte, type Where } from '../../kernel/records/where.ts'
import { readUseCase, type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { offsetOf, type Page, type PageOf } from '../../kernel/values/page.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { CONFIRMED, type Entry, entries, ledgerAccountId, ledgerAccounts, paidRange } from '../ledger/ledger.ts'
import { type TransactionType, transactionType } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  entryFilters,
  namedRange,
  onDays,
  overlapOf,
} from './filters.ts'

const fields = {
  created: inQuery.range('created_at', 'Criação'),
  paid: paidRange,
  ...entryFilters,
  perPage: inQuery.perPage({ about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
}

/** Days are São Paulo days, both ends included. Source: 02-billing.md, Statements and reports. */
export const transactionFilter = input('TransactionFilter', fields)

/** The same by days that have a name of their own, too (transactionsV2). */
export const datedTransactionFilter = input('DatedTransactionFilter', {
  ...fields,
  between: namedRange('fromDate', 'toDate', 'Lançamento'),
})

export type TransactionFilter = InputOf<typeof datedTransactionFilter>

/**
 * A page of the account's statement, newest first.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const listTransactions =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: TransactionFilter) =>
    withValidInput(
      ports,
      datedTransactionFilter,
      given,
      (filter): UseCase<TransactionPage, never> =>
        async () => {
          const days = overlapOf(filter.created, filter.paid, filter.between)
          return right(await entryPage(ports.store, accountId, { ...filter, days }, filter))
        },
    )

/** Source: 02-billing.md, Statements and reports (transactions-v2). */
export const summedFilter = input('SummedTransactionFilter', {
  status: withDefault(inQuery.integer({ about: 'Situação; -1 são todas' }), CONFIRMED),
  moments: namedRange('datetime_start_date', 'datetime_end_date', 'Lançamento'),
  created: namedRange('created_start_date', 'created_end_date', 'Criação'),
  ...pageFields,
})

export type SummedFilter = InputOf<typeof summedFilter>

/**
 * A page of the account's confirmed lines, or of those of another status, newest first, with the sums of all that match by type.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11, Sums.
 */
export const listSummed =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: SummedFilter) =>
    withValidInput(
      ports,
      summedFilter,
      given,
      (filter): UseCase<TransactionPage, never> =>
        async () => {
          const { status = CONFIRMED } = filter
          const days = overlapOf(filter.moments, filter.created)
          return right(await entryPage(ports.store, accountId, { status, days }, filter))
        },
    )

/** A line of the account's own statement. Fails: `transaction.unknown`. Source: 02-billing.md, Statements and reports. */
export const readTransaction =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number | string) =>
    readUseCase('transaction.unknown', async () => {
      const entryId = parseId(`${id}`)
      const entry = entryId === null ? null : await store.find(byId(entries, entryId))
      return entry?.accountId === accountId ? entry : null
    })

/** What an account has at this instant. */
export interface Balance {
  readonly balanceCents: number
}

/** The account's balance in cents: the sum of its confirmed entries. Source: decisions.md §4; never cached. */
export const readBalance =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<Balance, never> =>
  async () => {
    const book = await ports.store.find(byId(ledgerAccounts, ledgerAccountId(accountId, 'main')))
    return right({ balanceCents: book?.balanceCents ?? 0 })
  }

/** Source: 02-billing.md, Statements and reports. */
export const balanceView = view(
  'Balance',
  { balanceCents: output.money({ wire: 'balance', about: 'Saldo' }) },
  (balance: Balance) => balance,
)

/** A page of entries, newest first, with the sums of all that match. */
export interface TransactionPage extends PageOf<Entry> {
  /** Of all that match, not of the page. Both are magnitudes. */
  readonly incomeCents: number
  readonly expensesCents: number
  /** The same by type, signed. */
  readonly types: readonly TypeSum[]
}

/** A page of the account's entries, the newest first: its cost does not grow with what lies behind it. */
export const entryPage = async (
  store: Store,
  accountId: number,
  filter: EntryFilter,
  paging: Page,
): Promise<TransactionPage> => {
  const { days = {} } = filter
  const own = eq<EntryField>('accountId', accountId)
  const others = conditionsOf(filter)
  const where = all<EntryField>(own, ...others, ...onDays(days))
  const places = await placesOn(store, accountId, days)
  const { page, sums } = await store.read({
    page: listOf(entries, {
      where: places ? all<EntryField>(own, ...others, ...places) : where,
      sort: { by: 'seq', dir: 'desc' },
      limit: paging.perPage,
      offset: offsetOf(paging),
    }),
    sums: groupOf(entries, { where, by: ['typeId', 'direction'], sum: ['valueCents'] }),
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
 * The places of what was entered on these days: no place is left out and days do not run backwards, so that what came before
 * is as many as it counts. Null where no day is asked for, where nothing is of these days yet, and where tallies that are still
 * being made count something else.
 */
const placesOn = async (
  store: Store,
  accountId: number,
  { from, to }: DayRange,
): Promise<readonly Where<EntryField>[] | null> => {
  if (!from && !to) return null
  const counted = (...parts: readonly Where<EntryField>[]) =>
    groupOf(entries, { where: all<EntryField>(eq('accountId', accountId), ...parts), by: [], sum: [] })
  const { whole, before, until, book } = await store.read({
    whole: counted(),
    before: from ? counted(lt('day', from)) : counted(any()),
    until: to ? counted(lte('day', to)) : counted(),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
  })
  const [count, first, last] = [whole, before, until].map(([row]) => row?.count ?? 0)
  if (count === undefined || count !== book?.seq) return null
  // Nothing is of these days yet: what comes meanwhile may still be of earlier ones.
  if (first === count) return null
  // What comes meanwhile is of a later day than one that is over, and has a later place.
  return [gt<EntryField>('seq', first ?? 0), ...(last === count ? [] : [lte<EntryField>('seq', last ?? 0)])]
}

/** What the entries of one type come to. */
export interface TypeSum {
  readonly type: TransactionType
  readonly count: number
  /** Signed: what went out is negative. */
  readonly valueCents: number
}

/** Entries counted by type and whatever else, as they come to by type: in the order of the types' ids. */
export const typeSums = (rows: readonly GroupRow[]): readonly TypeSum[] => {
  const sums = new Map<number, TypeSum>()
  for (const { by, count, sums: of } of rows) {
    const type = transactionType(`${by.typeId}`)
    if (!type) continue
    const before = sums.get(type.id) ?? { type, count: 0, valueCents: 0 }
    sums.set(type.id, {
      type,
      count: before.count + count,
      valueCents: before.valueCents + (of.valueCents ?? 0),
    })
  }
  return [...sums.values()].sort((a, b) => a.type.id - b.type.id)
}

/** What came in and what went out, both as magnitudes. */
export interface Magnitudes {
  readonly incomeCents: number
  readonly incomeCount: number
  readonly expensesCents: number
  readonly expensesCount: number
}

/** Entries counted by direction and whatever else, as they come to each way. */
export const magnitudesOf = (rows: readonly GroupRow[]): Magnitudes => {
  const went = (direction: 'in' | 'out') => {
    const those = rows.filter(({ by }) => by.direction === direction)
    return { cents: centsOf(those), count: countOf(those) }
  }
  const [income, expenses] = [went('in'), went('out')]
  return {
    incomeCents: income.cents,
    incomeCount: income.count,
    // Of none it is zero, and not minus zero.
    expensesCents: Math.abs(expenses.cents),
    expensesCount: expenses.count,
  }
}

export const centsOf = (rows: readonly GroupRow[]): number =>
  rows.reduce((cents, { sums }) => cents + (sums.valueCents ?? 0), 0)

export const countOf = (rows: readonly GroupRow[]): number => rows.reduce((total, { count }) => total + count, 0)
