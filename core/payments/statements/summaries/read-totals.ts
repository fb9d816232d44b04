import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { BOLEPIX_IN, BOLETO_IN, PIX_IN, PIX_OUT, type TransactionType } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { typeSums } from '../type-sum.ts'
import { LAST_DAYS, usualDays } from '../usual-days.ts'
import { confirmedSums } from './confirmed-sums.ts'

const lastDays = usualDays(LAST_DAYS, { from: 'start_date', to: 'end_date' })

/** Source: 02-billing.md, Statements and reports (transactions/totals). */
export const totalsQuery = input('TotalsQuery', lastDays.fields, lastDays.notReversed)

export type TotalsQuery = InputOf<typeof totalsQuery>

/** What came in and went out on some days, fees apart, in cents; and what the account has now. */
export interface Totals {
  readonly pixInCents: number
  readonly boletoInCents: number
  readonly bolepixInCents: number
  /** A magnitude. */
  readonly pixOutCents: number
  readonly balanceCents: number
}

/** Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11, Sums. */
export const readTotals =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: TotalsQuery) =>
    withValidInput(
      ports,
      totalsQuery,
      given,
      (query): UseCase<Totals, never> =>
        async () => {
          const { sums, book } = await ports.store.read({
            sums: confirmedSums(accountId, lastDays.of(query, dayOf(ports.clock.steady()))),
            book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
          })
          const types = typeSums(sums)
          const of = ({ id }: TransactionType) => types.find(({ type }) => type.id === id)?.valueCents ?? 0
          return right({
            pixInCents: of(PIX_IN),
            boletoInCents: of(BOLETO_IN),
            bolepixInCents: of(BOLEPIX_IN),
            pixOutCents: Math.abs(of(PIX_OUT)),
            balanceCents: book?.balanceCents ?? 0,
          })
        },
    )
