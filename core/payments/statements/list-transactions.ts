import { right } from '../../fp.ts'
import type { DayRange } from '../../kernel/input/filters.ts'
import { type Checked, type GivenFor, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { all, any, contains, eq, gt, gte, isIn, lt, lte, type Where } from '../../kernel/records/where.ts'
import { checked } from '../../kernel/running/checked.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import type { Day } from '../../kernel/values/day.ts'
import type { PageOf } from '../../kernel/values/listing.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import { fold } from '../../kernel/values/text.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type Entry, entries } from '../ledger/entry.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger-account.ts'
import { paidRange } from '../ledger/paid-range.ts'
import { transactionType, transactionTypes } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** The status that is every one. */
const EVERY = -1

const types = transactionTypes.flatMap(({ id, slug }) => [String(id), slug])

/**
 * Days are São Paulo days, both ends included. Types are named by id or slug, each way on its own or all of them together.
 * Source: 02-billing.md, Statements and reports.
 */
export const transactionFilter = input('TransactionFilter', {
  created: inQuery.range('created_at', 'Criação'),
  paid: paidRange,
  types: inQuery.words(types, { wire: 'type', about: 'Tipos, por id ou nome' }),
  typeId: inQuery.integers({ about: 'Tipos, por id' }),
  typeIds: inQuery.integers({ also: ['type_ids[]'], about: 'Tipos, por id' }),
  search: inQuery.text({ about: 'Descrição, txid, endToEndId ou nome' }),
  status: inQuery.integer({ about: 'Situação; -1 são todas' }),
  perPage: inQuery.perPage({ about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
})

export type TransactionFilter = GivenFor<typeof transactionFilter>

type Asked = Checked<typeof transactionFilter>

export interface TransactionPage extends PageOf<Entry> {
  /** Of all that match, not of the page. Both are magnitudes. */
  readonly incomeCents: number
  readonly expensesCents: number
}

type Field = keyof Entry & string

/**
 * A page of the account's statement, newest first.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const listTransactions =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: TransactionFilter) =>
    checked(ports, transactionFilter, given, (filter) => pageOf(ports, accountId, filter))

const pageOf =
  ({ store }: Pick<PaymentsPorts, 'store'>, accountId: number, filter: Asked): UseCase<TransactionPage, never> =>
  async () => {
    const own = eq<Field>('accountId', accountId)
    const days = daysOf(filter)
    const others = conditionsOf(filter)
    const where = all<Field>(own, ...others, ...onDays(days))
    const places = await placesOn(store, accountId, days)
    const { page, sums } = await store.read({
      page: listOf(entries, {
        where: places ? all<Field>(own, ...others, ...places) : where,
        sort: { by: 'seq', dir: 'desc' },
        limit: filter.perPage,
        offset: offsetOf(filter),
      }),
      sums: groupOf(entries, { where, by: ['direction'], sum: ['valueCents'] }),
    })
    const of = (direction: Entry['direction']) => sums.find(({ by }) => by.direction === direction)
    return right({
      records: page.records,
      page: filter.page,
      perPage: filter.perPage,
      total: sums.reduce((total, { count }) => total + count, 0),
      incomeCents: of('in')?.sums.valueCents ?? 0,
      expensesCents: Math.abs(of('out')?.sums.valueCents ?? 0),
    })
  }

/**
 * The places in the book of what was entered on these days: no place is left out and days do not run backwards, so that what
 * came before is as many as it counts. Null where no day is asked for, and where the account's entries are not those of one
 * book.
 */
const placesOn = async (
  store: Store,
  accountId: number,
  { from, to }: DayRange,
): Promise<readonly Where<Field>[] | null> => {
  if (!from && !to) return null
  const counted = (...parts: readonly Where<Field>[]) =>
    groupOf(entries, { where: all<Field>(eq('accountId', accountId), ...parts), by: [], sum: [] })
  const { whole, before, until, book } = await store.read({
    whole: counted(),
    before: from ? counted(lt('day', from)) : counted(any()),
    until: to ? counted(lte('day', to)) : counted(),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
  })
  const [count, first, last] = [whole, before, until].map(([row]) => row?.count ?? 0)
  if (count === undefined || count !== book?.seq) return null
  // What comes meanwhile is of a later day than one that is over, and has a later place.
  return [gt<Field>('seq', first ?? 0), ...(last === count ? [] : [lte<Field>('seq', last ?? 0)])]
}

// An entry is made on the day that it is paid, so that both ranges are about the same day.
const daysOf = ({ created, paid }: Asked): DayRange => {
  const { from, to } = overlap(created, paid)
  return { ...(from && { from }), ...(to && { to }) }
}

const onDays = ({ from, to }: DayRange): readonly Where<Field>[] => [
  ...(from ? [gte<Field>('day', from)] : []),
  ...(to ? [lte<Field>('day', to)] : []),
]

const conditionsOf = (filter: Asked): readonly Where<Field>[] => {
  const typeIds = typeIdsOf(filter)
  const { search, status = EVERY } = filter
  return [
    ...(search ? [contains<Field>('search', fold(search))] : []),
    ...(typeIds ? [oneOrMany(typeIds)] : []),
    ...(status === EVERY ? [] : [eq<Field>('status', status)]),
  ]
}

/** All the types that are named; null where none is. */
const typeIdsOf = ({ types, typeId, typeIds }: Asked): readonly number[] | null => {
  if (!types && !typeId && !typeIds) return null
  const named = types?.flatMap((word) => transactionType(word)?.id ?? []) ?? []
  return [...new Set([...named, ...(typeId ?? []), ...(typeIds ?? [])])]
}

const overlap = (a: DayRange, b: DayRange) => ({ from: inOrder(a.from, b.from).at(-1), to: inOrder(a.to, b.to).at(0) })

const inOrder = (...days: readonly (Day | undefined)[]): readonly Day[] =>
  days.filter((day) => day !== undefined).sort()

// One type is an equality, which an index row serves.
const oneOrMany = (ids: readonly number[]): Where<Field> => {
  const [first] = ids
  return ids.length === 1 && first !== undefined ? eq('typeId', first) : isIn('typeId', ids)
}
