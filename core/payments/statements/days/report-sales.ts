import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../../kernel/values/day.ts'
import type { Actor } from '../../actor.ts'
import { BOLETO_IN } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { LAST_DAYS, usualDays } from '../usual-days.ts'
import { dayBalances } from './day-balances.ts'

const lastDays = usualDays(LAST_DAYS, { from: 'start_date', to: 'end_date' })

/** Source: 02-billing.md, Statements and reports (sales-per-month). */
export const salesQuery = input('SalesQuery', lastDays.fields, lastDays.notReversed)

export type SalesQuery = InputOf<typeof salesQuery>

/** What a day's confirmed lines come to, in cents. */
export interface SalesDay {
  readonly day: Day
  /** At its end. */
  readonly balanceCents: number
  readonly incomeCents: number
  /** Fees too; a magnitude. */
  readonly expensesCents: number
  /** Of what came in, by boleto. */
  readonly boletoCents: number
}

/**
 * The days on which something came in or went out, the oldest first.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11, Sums.
 */
export const reportSales =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: SalesQuery) =>
    withValidInput(
      ports,
      salesQuery,
      given,
      (query): UseCase<readonly SalesDay[], never> =>
        async () => {
          const { days } = await dayBalances(ports.store, accountId, lastDays.of(query, dayOf(ports.clock.steady())))
          return right(
            days
              .filter(({ types }) => types.length > 0)
              .map(({ period, closingCents, incomeCents, expensesCents, types }) => ({
                day: period,
                balanceCents: closingCents,
                incomeCents,
                expensesCents,
                boletoCents: types.find(({ type }) => type.id === BOLETO_IN.id)?.valueCents ?? 0,
              })),
          )
        },
    )
