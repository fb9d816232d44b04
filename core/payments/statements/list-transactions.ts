import { right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import { paidRange } from '../ledger/paid-range.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { entryFilters, overlapOf, rangeNamed } from './entry-filter.ts'
import { entryPage, type TransactionPage } from './entry-page.ts'

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
  between: rangeNamed('fromDate', 'toDate', 'Lançamento'),
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
