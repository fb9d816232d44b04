import { right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../kernel/input/query.ts'
import { all, eq } from '../../kernel/records/where.ts'
import { searchIn } from '../../kernel/resources/list-queries.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../kernel/values/page.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Withdrawal, withdrawals } from './withdrawal.ts'

/** Source: 02-billing.md, GET /recipients. */
export const withdrawalFilter = input('WithdrawalFilter', {
  ...pageFields,
  search: inQuery.text({ about: 'Nome, documento, txid ou endToEndId' }),
})

export type WithdrawalFilter = InputOf<typeof withdrawalFilter>

/** A page of withdrawals, and what was searched for. */
export interface PageOfWithdrawals extends PageOf<Withdrawal> {
  readonly search: string | null
}

/**
 * A page of what was handed to the bank, the newest first. Fails: `fields`.
 * Source: 02-billing.md, GET /recipients; decisions.md §11, Withdrawals.
 */
export const listWithdrawals =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: WithdrawalFilter = {}) =>
    withValidInput(
      ports,
      withdrawalFilter,
      given,
      (filter): UseCase<PageOfWithdrawals, never> =>
        async () => {
          const { page, perPage, search } = filter
          const { records, total } = await ports.store.list(
            listOf(withdrawals, {
              where: all<keyof Withdrawal & string>(
                eq('accountId', accountId),
                ...(search ? [searchIn<keyof Withdrawal & string>('search', search)] : []),
              ),
              when: 'handed',
              sort: { by: 'handedAt', dir: 'desc' },
              limit: perPage,
              offset: offsetOf(filter),
              total: true,
            }),
          )
          return right({ page, perPage, records, total: total ?? 0, search: search ?? null })
        },
    )
