import { right } from '../../fp.ts'
import { all, contains, eq, gte, isIn, lte, type Where } from '../../kernel/records/where.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import type { Day } from '../../kernel/values/day.ts'
import type { PageOf } from '../../kernel/values/listing.ts'
import { offsetOf, type Page } from '../../kernel/values/page.ts'
import { fold } from '../../kernel/values/text.ts'
import { groupOf, listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type Entry, entries } from '../ledger/entry.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** Days are São Paulo days, both ends included; a type is one of `typeIds`. */
export interface TransactionFilter extends Page {
  readonly search?: string | undefined
  readonly typeIds?: readonly number[] | undefined
  /** Null for every status. */
  readonly status: number | null
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

export interface TransactionPage extends PageOf<Entry> {
  /** Of all that match, not of the page. Both are magnitudes. */
  readonly incomeCents: number
  readonly expensesCents: number
}

type Field = keyof Entry & string

/** A page of the account's statement, newest first. Source: 02-billing.md, Statements; decisions.md §11, Sums. */
export const listTransactions =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, filter: TransactionFilter): UseCase<TransactionPage, never> =>
  async () => {
    const where = all<Field>(eq('accountId', accountId), ...conditionsOf(filter))
    const { page, sums } = await ports.store.read({
      page: listOf(entries, {
        where,
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

const conditionsOf = (filter: TransactionFilter): readonly Where<Field>[] => [
  ...(filter.search ? [contains<Field>('search', fold(filter.search))] : []),
  ...(filter.typeIds ? [oneOrMany(filter.typeIds)] : []),
  ...(filter.status === null ? [] : [eq<Field>('status', filter.status)]),
  ...(filter.from ? [gte<Field>('day', filter.from)] : []),
  ...(filter.to ? [lte<Field>('day', filter.to)] : []),
]

// One type is an equality, which an index row serves.
const oneOrMany = (ids: readonly number[]): Where<Field> => {
  const [first] = ids
  return ids.length === 1 && first !== undefined ? eq('typeId', first) : isIn('typeId', ids)
}
