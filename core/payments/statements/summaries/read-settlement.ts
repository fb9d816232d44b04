import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf } from '../../../kernel/values/day.ts'
import type { Actor } from '../../actor.ts'
import { PIX_IN, TRANSFER_IN } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { centsOf } from '../type-sum.ts'
import { confirmedSums } from './confirmed-sums.ts'

/** Source: 02-billing.md, Statements and reports (get-settlement-statement). */
export const settlementQuery = input('SettlementQuery', {
  startDate: inQuery.day({ about: 'Desde; sem ela, o último dia do mês passado' }),
})

export type SettlementQuery = InputOf<typeof settlementQuery>

/** What was received since a day, that day included: by Pix and by transfer, in cents. */
export interface Settlement {
  readonly totalReceivedCents: number
  readonly startDate: Day
}

/** Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11, Sums. */
export const readSettlement =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: SettlementQuery) =>
    withValidInput(
      ports,
      settlementQuery,
      given,
      ({ startDate = endOfLastMonth(dayOf(ports.clock.steady())) }): UseCase<Settlement, never> =>
        async () => {
          const typeIds = [PIX_IN.id, TRANSFER_IN.id]
          const sums = await ports.store.group(confirmedSums(accountId, { from: startDate }, { typeIds }))
          return right({ totalReceivedCents: centsOf(sums), startDate })
        },
    )

const endOfLastMonth = (today: Day): Day => addDays(`${today.slice(0, 7)}-01`, -1)
