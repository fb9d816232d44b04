import { right } from '../../failure.ts'
import { withDefault } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import { all, any, eq, gte, isIn, lte, not, type Where } from '../../kernel/records/record.ts'
import { searchIn } from '../../kernel/resources/queries.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { parseTaxId } from '../../kernel/values/tax-id.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listOf, listPage, type PageOf } from '../../ports/store.ts'
import { paidRange } from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { CHARGE_STATUSES, type Charge, charges, PAYMENT_METHODS } from './charge.ts'
import { type ChargeDetail, withClients } from './detail.ts'
import { syncTitle } from './notifications.ts'
import { inBatches } from './write.ts'

/** Days are those of São Paulo; ranges include both ends. */
export const chargeFilter = input('ChargeFilter', {
  search: inQuery.text({ about: 'Código, txid, nosso número, documento ou nome' }),
  statuses: inQuery.positions(CHARGE_STATUSES, { wire: 'status_id', about: 'Situações' }),
  methods: inQuery.words(PAYMENT_METHODS, { wire: 'payment_method', about: 'Meios de pagamento' }),
  clientId: inQuery.integer({ min: 1, about: 'Cliente' }),
  perPage: inQuery.perPage({ about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  orderBy: withDefault(
    inQuery.field(['createdAt', 'dueDate', 'paymentDate', 'id'], { about: 'Campo que ordena' }),
    'createdAt',
  ),
  orderDir: withDefault(inQuery.oneOf(['asc', 'desc'], { about: 'Sentido da ordem' }), 'desc'),
  created: inQuery.range('created_at', 'Criação'),
  due: inQuery.range('due_date', 'Vencimento'),
  paid: paidRange,
})

export type ChargeFilter = InputOf<typeof chargeFilter>

type Asked = DecodedOf<typeof chargeFilter>

type Field = keyof Charge & string

/** Lists charges. A search for a document first reads that payer's open titles from the bank. */
export const listCharges =
  (ports: PaymentsPorts) =>
  ({ accountId }: Actor, sent: ChargeFilter) =>
    withValidInput(ports, chargeFilter, sent, (filter) => pageOf(ports, accountId, filter))

const pageOf =
  (ports: PaymentsPorts, accountId: number, filter: Asked): UseCase<PageOf<ChargeDetail>, never> =>
  async () => {
    const document = parseTaxId(filter.search ?? '')
    if (document !== null) await syncPayer(ports, accountId, document)
    const asOf = ports.clock.steady()
    const where = [...conditionsOf(filter), ...(await statusFilter(ports, accountId, filter, asOf))]
    const listed = await listPage(ports.store, charges, filter, {
      where: all<Field>(eq('accountId', accountId), ...where),
      // Deleted charges are listed only if the filter names their status.
      ...(filter.statuses?.includes('DELETED') ? {} : { when: 'listed' }),
      sort: { by: filter.orderBy, dir: filter.orderDir },
    })
    return right({ ...listed, records: await withClients(ports, listed.records, asOf) })
  }

const conditionsOf = (filter: Asked): readonly Where<Field>[] => [
  ...(filter.search ? [searchIn<Field>('search', filter.search)] : []),
  ...(filter.methods ? [oneOrMany('paymentMethod', filter.methods)] : []),
  ...(filter.clientId === undefined ? [] : [eq<Field>('clientId', filter.clientId)]),
  ...within('createdDay', filter.created),
  ...within('dueDate', filter.due),
  ...within('paymentDate', filter.paid),
]

// An index row serves an equality.
const oneOrMany = (field: Field, words: readonly string[]): Where<Field> => {
  const [first] = words
  return words.length === 1 && first !== undefined ? eq(field, first) : isIn(field, words)
}

const within = (field: Field, { from, to }: DayRange): readonly Where<Field>[] => [
  ...(from ? [gte(field, from)] : []),
  ...(to ? [lte(field, to)] : []),
]

/** Filters by current status: pending charges past `lapsesAt` that the job has not moved count as expired. */
const statusFilter = async (
  { store }: Pick<PaymentsPorts, 'store'>,
  accountId: number,
  { statuses }: Pick<Asked, 'statuses'>,
  asOf: Instant,
): Promise<readonly Where<Field>[]> => {
  if (!statuses) return []
  const byStatus = oneOrMany('status', statuses)
  if (statuses.includes('pending') === statuses.includes('expired')) return [byStatus]
  const lapsed = lte<Field>('lapsesAt', asOf)
  const { records } = await store.list(
    listOf(charges, {
      where: all<Field>(eq('accountId', accountId), lapsed),
      when: 'lapsing',
      sort: { by: 'lapsesAt', dir: 'asc' },
      limit: 1,
    }),
  )
  // Usually there is none, and an index row serves the equality.
  if (records.length === 0) return [byStatus]
  const overdue = all<Field>(eq('status', 'pending'), lapsed)
  return [statuses.includes('expired') ? any(byStatus, overdue) : all(byStatus, not(overdue))]
}

const syncPayer = async (ports: PaymentsPorts, accountId: number, document: string): Promise<void> => {
  const { records } = await ports.store.list(
    listOf(charges, {
      where: all<Field>(eq('accountId', accountId), eq('status', 'pending'), searchIn('search', document)),
      when: 'listed',
      sort: { by: 'createdAt', dir: 'desc' },
      limit: MAX_PAGE,
    }),
  )
  await inBatches(records, syncTitle(ports))
}
