import { right } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { id, oneOf } from '../../../kernel/input/scalars.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { all, eq, gt, isIn, lte } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../../kernel/values/page.ts'
import { listOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type CardTransaction, cardTransactions } from '../../cards/card-transaction.ts'
import { charges } from '../../charges/charge.ts'
import { chargeView } from '../../charges/charge-view.ts'
import type { ChargeDetail } from '../../charges/find-charge.ts'
import { withClients } from '../../charges/list-charges.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type SaleField, type SalePlaces, salePlaces } from './sale-places.ts'

/** Source: 02-billing.md, Card transaction. */
const CARD_TRANSACTION_STATUSES = ['PENDING', 'WITHDRAWN'] as const

/** Days are São Paulo days, both ends included. Source: 02-billing.md, Statements. */
export const cardTransactionFilter = input('CardTransactionFilter', {
  status: inQuery.oneOf(CARD_TRANSACTION_STATUSES, { about: 'Se já foram sacadas' }),
  paid: inQuery.range('payment_date', 'Pagamento'),
  perPage: inQuery.perPage({ about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
})

export type CardTransactionFilter = InputOf<typeof cardTransactionFilter>

/** A sale by card with its charge, and whether it was withdrawn by now. */
export interface ShownCardTransaction {
  readonly sale: CardTransaction
  readonly detail: ChargeDetail
  readonly status: (typeof CARD_TRANSACTION_STATUSES)[number]
}

/**
 * A page of the account's sales by card, the newest first: those count as withdrawn, from the oldest, whose nets all that was
 * withdrawn covers.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §4 and §11.
 */
export const listCardTransactions =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: CardTransactionFilter) =>
    withValidInput(ports, cardTransactionFilter, given, (filter) => pageOf(ports, accountId, filter))

type Filter = DecodedOf<typeof cardTransactionFilter>

/** After which place, and up to which one, those lie that are asked for. */
export const spanOf = ({ before, until, withdrawn }: Omit<SalePlaces, 'sums'>, status: Filter['status']) => {
  const after = status === 'PENDING' ? Math.max(before.count, withdrawn.count) : before.count
  const upto = status === 'WITHDRAWN' ? Math.min(until.count, withdrawn.count) : until.count
  return { after, upto: Math.max(after, upto) }
}

const pageOf =
  (ports: PaymentsPorts, accountId: number, filter: Filter): UseCase<PageOf<ShownCardTransaction>, never> =>
  async () => {
    const places = await salePlaces(ports.store, accountId, filter.paid)
    const { after, upto } = spanOf(places, filter.status)
    // No place is left out: a page is as many of them, wherever it lies.
    const last = upto - offsetOf(filter)
    const { page, perPage } = filter
    const { records } = await ports.store.list(
      listOf(cardTransactions, {
        where: all<SaleField>(
          eq('accountId', accountId),
          gt('place', Math.max(after, last - perPage)),
          lte('place', last),
        ),
        sort: { by: 'place', dir: 'desc' },
        limit: perPage,
      }),
    )
    return right({ records: await withCharges(ports, records, places), page, perPage, total: upto - after })
  }

const withCharges = async (
  ports: PaymentsPorts,
  sales: readonly CardTransaction[],
  { withdrawn }: Pick<SalePlaces, 'withdrawn'>,
): Promise<readonly ShownCardTransaction[]> => {
  if (sales.length === 0) return []
  const ids = sales.map((sale) => sale.id)
  const sold = await ports.store.list(listOf(charges, { where: isIn('id', ids), limit: ids.length }))
  const details = await withClients(ports, sold.records, ports.clock.steady())
  const detailOf = new Map(details.map((detail) => [detail.charge.id, detail]))
  return sales.flatMap((sale) => {
    const detail = detailOf.get(sale.id)
    return detail ? [{ sale, detail, status: sale.place <= withdrawn.count ? 'WITHDRAWN' : 'PENDING' }] : []
  })
}

/** Source: 02-billing.md, Card transaction. */
export const cardTransactionView = view(
  'CardTransaction',
  {
    id: id({ about: 'Identificador' }),
    charge: output.view(chargeView, { about: 'A cobrança, com quem a pagou' }),
    grossCents: output.money({ wire: 'gross_amount', about: 'Valor da venda' }),
    feeCents: output.money({ wire: 'fee_amount', about: 'Tarifa' }),
    netCents: output.money({ wire: 'net_amount', about: 'O que resta dela' }),
    status: oneOf(CARD_TRANSACTION_STATUSES, { about: 'Se já foi sacada' }),
    paymentDate: output.text({ about: 'Dia do pagamento' }),
  },
  ({ sale, detail, status }: ShownCardTransaction) => ({ ...sale, charge: detail, status }),
)
