import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { salePlaces, type Upto, withdrawnOf } from './sale-places.ts'

/** Days are São Paulo days, both ends included. Source: 02-billing.md, Statements. */
export const cardSummaryFilter = input('CardSummaryFilter', { paid: inQuery.range('payment_date', 'Pagamento') })

export type CardSummaryFilter = InputOf<typeof cardSummaryFilter>

/** What the sales by card came to, and what of them was withdrawn, in cents. */
export interface CardSummary {
  readonly total: Upto & { readonly grossCents: number; readonly feeCents: number }
  readonly pending: Upto
  readonly withdrawn: Upto
}

/**
 * What the account's sales by card of some days came to.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §4.
 */
export const sumCardTransactions =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: CardSummaryFilter) =>
    withValidInput(
      ports,
      cardSummaryFilter,
      given,
      ({ paid }): UseCase<CardSummary, never> =>
        async () => {
          const places = await salePlaces(ports.store, accountId, paid)
          const { count = 0, sums: { grossCents = 0, feeCents = 0, netCents = 0 } = {} } = places.sums ?? {}
          const withdrawn = withdrawnOf(places)
          return right({
            total: { count, grossCents, feeCents, netCents },
            pending: { count: count - withdrawn.count, netCents: netCents - withdrawn.netCents },
            withdrawn,
          })
        },
    )

const count = output.count({ about: 'Quantas vendas' })
const netCents = output.money({ wire: 'net', about: 'O que resta delas' })

const uptoView = view('CardSales', { count, netCents }, (sales: Upto) => sales)

const totalView = view(
  'CardSalesTotal',
  {
    count,
    grossCents: output.money({ wire: 'gross', about: 'Valor das vendas' }),
    feeCents: output.money({ wire: 'fee', about: 'Tarifas' }),
    netCents,
  },
  (total: CardSummary['total']) => total,
)

/** Source: 02-billing.md, Statements (GET /consolidation/card-transactions/summary). */
export const cardSummaryView = view(
  'CardSummary',
  {
    total: output.view(totalView, { about: 'Todas' }),
    pending: output.view(uptoView, { about: 'As que não foram sacadas' }),
    withdrawn: output.view(uptoView, { about: 'As sacadas' }),
  },
  (summary: CardSummary) => summary,
)
