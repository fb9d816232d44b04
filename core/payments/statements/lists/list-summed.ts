import { right } from '../../../fp.ts'
import { withDefault } from '../../../kernel/input/field.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../../kernel/input/query.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Actor } from '../../actor.ts'
import { CONFIRMED } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { overlapOf, rangeNamed } from '../entry-filter.ts'
import { entryPage, type TransactionPage } from '../entry-page.ts'

/** Source: 02-billing.md, Statements and reports (transactions-v2). */
export const summedFilter = input('SummedTransactionFilter', {
  status: withDefault(inQuery.integer({ about: 'Situação; -1 são todas' }), CONFIRMED),
  moments: rangeNamed('datetime_start_date', 'datetime_end_date', 'Lançamento'),
  created: rangeNamed('created_start_date', 'created_end_date', 'Criação'),
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
