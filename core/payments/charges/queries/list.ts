import {
  type DecodedOf,
  type InputOf,
  input,
  inQuery,
  optional,
  output,
  pageFields,
  pick,
  view,
  withDefault,
} from '../../../kernel/input/mod.ts'
import { all, any, eq, gt, lte, not, type Where } from '../../../kernel/records/record.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { inRange, isOneOf, searchIn } from '../../../kernel/resources/queries.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { parseTaxId } from '../../../kernel/values/tax-id.ts'
import { MAX_PAGE } from '../../../limits.ts'
import { groupOf, listOf, listPage, NEWEST_FIRST, type PageOf } from '../../../ports/store.ts'
import { paidRange } from '../../ledger/ledger.ts'
import { accountQuery, type PaymentsPorts } from '../../payments-ports.ts'
import {
  CHARGE_STATUSES,
  type Charge,
  type ChargeStatus,
  chargeFields,
  chargeStatusView,
  charges,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '../charge.ts'
import { type ChargeDetail, withClients } from '../detail.ts'
import { syncTitle } from '../notifications.ts'
import { inBatches } from '../write.ts'

/** Days are those of São Paulo; ranges include both ends. */
const filterFields = {
  search: inQuery.text({ about: 'Código, txid, nosso número, documento ou nome' }),
  statuses: inQuery.positions(CHARGE_STATUSES, { wire: 'status_id', about: 'Situações' }),
  methods: inQuery.words(PAYMENT_METHODS, { wire: 'payment_method', about: 'Meios de pagamento' }),
  clientId: inQuery.integer({ min: 1, about: 'Cliente' }),
  ...pick(pageFields, 'perPage', 'page'),
  orderBy: withDefault(
    inQuery.field(['createdAt', 'dueDate', 'paymentDate', 'id'], { about: 'Campo que ordena' }),
    'createdAt',
  ),
  orderDir: withDefault(inQuery.oneOf(['asc', 'desc'], { about: 'Sentido da ordem' }), 'desc'),
  created: inQuery.range('created_at', 'Criação'),
  due: inQuery.range('due_date', 'Vencimento'),
  paid: paidRange,
}

export const chargeFilter = input('ChargeFilter', filterFields)

/** The filters of the list, for its sums and its export. */
export const chargeSummaryFields = pick(
  filterFields,
  'search',
  'statuses',
  'methods',
  'clientId',
  'created',
  'due',
  'paid',
)

export const chargeSummaryFilter = input('ChargeSummaryFilter', chargeSummaryFields)

export type ChargeFilter = InputOf<typeof chargeFilter>
export type ChargeSummaryFilter = InputOf<typeof chargeSummaryFilter>

type SummaryFilter = DecodedOf<typeof chargeSummaryFilter>

type Field = keyof Charge & string

/** A search for a document first reads that payer's open titles from the bank. */
export const listCharges = accountQuery(
  chargeFilter,
  async (ports, accountId, filter): Promise<PageOf<ChargeDetail>> => {
    const document = parseTaxId(filter.search ?? '')
    if (document !== null) await syncPayer(ports, accountId, document)
    const asOf = ports.clock.steady()
    const listed = await listPage(ports.store, charges, filter, {
      ...(await matchingCharges(ports, accountId, filter, asOf)),
      sort: { by: filter.orderBy, dir: filter.orderDir },
    })
    return { ...listed, records: await withClients(ports, listed.records, asOf) }
  },
)

/** Returns the query of the charges that a filter matches; deleted ones only if the filter names their status. */
export const matchingCharges = async (
  ports: Pick<PaymentsPorts, 'store'>,
  accountId: number,
  filter: SummaryFilter,
  asOf: Instant,
) => {
  const where = [...conditionsOf(filter), ...(await statusFilter(ports, accountId, filter, asOf))]
  return {
    where: all(eq('accountId', accountId), ...where),
    ...(filter.statuses?.includes('DELETED') ? {} : { when: 'listed' }),
  }
}

const conditionsOf = (filter: SummaryFilter): readonly Where<Field>[] => [
  ...(filter.search ? [searchIn<Field>('search', filter.search)] : []),
  ...(filter.methods ? [isOneOf('paymentMethod', filter.methods)] : []),
  ...(filter.clientId === undefined ? [] : [eq('clientId', filter.clientId)]),
  ...inRange('createdDay', filter.created),
  ...inRange('dueDate', filter.due),
  ...inRange('paymentDate', filter.paid),
]

/** Filters by current status: pending charges past `lapsesAt` that the job has not moved count as expired. */
const statusFilter = async (
  { store }: Pick<PaymentsPorts, 'store'>,
  accountId: number,
  { statuses }: Pick<SummaryFilter, 'statuses'>,
  asOf: Instant,
): Promise<readonly Where<Field>[]> => {
  if (!statuses) return []
  const byStatus = isOneOf('status', statuses)
  if (statuses.includes('pending') === statuses.includes('expired')) return [byStatus]
  const lapsed = lte('lapsesAt', asOf)
  const { records } = await store.list(
    listOf(charges, {
      where: all(eq('accountId', accountId), lapsed),
      when: 'lapsing',
      sort: { by: 'lapsesAt', dir: 'asc' },
      limit: 1,
    }),
  )
  // Usually there is none, and an index row serves the equality.
  if (records.length === 0) return [byStatus]
  const overdue = all(eq('status', 'pending'), lapsed)
  return [statuses.includes('expired') ? any(byStatus, overdue) : all(byStatus, not(overdue))]
}

const syncPayer = async (ports: PaymentsPorts, accountId: number, document: string): Promise<void> => {
  const { records } = await ports.store.list(
    listOf(charges, {
      where: all(eq('accountId', accountId), eq('status', 'pending'), searchIn('search', document)),
      when: 'listed',
      sort: NEWEST_FIRST,
      limit: MAX_PAGE,
    }),
  )
  await inBatches(records, syncTitle(ports))
}

interface Figures {
  readonly count: number
  readonly valueCents: number
  readonly amountPaidCents: number
  /** The part of the value that partial payments have paid of pending charges. */
  readonly valuePaidCents: number
}

/** The charges of one status and payment method. */
export interface ChargeGroupFigures extends Figures {
  readonly status: ChargeStatus
  readonly paymentMethod: PaymentMethod
}

/** The sums of the charges that a filter matches, by status and payment method, and in all. */
export interface ChargeSummary extends Figures {
  readonly groups: readonly ChargeGroupFigures[]
}

/** Sums the charges that a filter matches, by a tally if one serves the filter. */
export const summaryOf = async (
  { store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>,
  accountId: number,
  filter: SummaryFilter,
): Promise<ChargeSummary> => {
  const where = all(eq('accountId', accountId), ...conditionsOf(filter))
  const sum = ['valueCents', 'amountPaidCents'] as const
  const asOf = clock.steady()
  const { rows, lapsed, parts } = await store.read({
    rows: groupOf(charges, { where, by: ['status', 'paymentMethod'], sum }),
    // Pending charges that the job has not expired yet.
    lapsed: groupOf(charges, { where: all(where, lte('lapsesAt', asOf)), when: 'lapsing', by: ['paymentMethod'], sum }),
    parts: groupOf(charges, {
      where: all(where, gt('valuePaidCents', 0), gt('lapsesAt', asOf)),
      when: 'lapsing',
      by: ['paymentMethod'],
      sum: ['valuePaidCents'],
    }),
  })
  const { statuses = CHARGE_STATUSES.filter((status) => status !== 'DELETED') } = filter
  const groups = statuses.flatMap((status) =>
    PAYMENT_METHODS.flatMap((paymentMethod): readonly ChargeGroupFigures[] => {
      const stored = figuresOf(rows.find(({ by }) => by.status === status && by.paymentMethod === paymentMethod))
      const late = figuresOf(lapsed.find(({ by }) => by.paymentMethod === paymentMethod))
      const figures = addFigures(stored, late, LAPSED_SIGN[status] ?? 0)
      const part = status === 'pending' ? parts.find(({ by }) => by.paymentMethod === paymentMethod) : undefined
      const valuePaidCents = part?.sums.valuePaidCents ?? 0
      return figures.count === 0 ? [] : [{ status, paymentMethod, ...figures, valuePaidCents }]
    }),
  )
  const total = groups.reduce<Figures>((before, group) => addFigures(before, group, 1), NO_FIGURES)
  return { ...total, groups }
}

export const summarizeCharges = accountQuery(chargeSummaryFilter, summaryOf)

/** Lapsed charges count as expired instead of pending. */
const LAPSED_SIGN: { readonly [S in ChargeStatus]?: number } = { pending: -1, expired: 1 }

const NO_FIGURES: Figures = { count: 0, valueCents: 0, amountPaidCents: 0, valuePaidCents: 0 }

const figuresOf = (row: GroupRow | undefined): Figures => {
  if (!row) return NO_FIGURES
  const { count, sums } = row
  return { ...NO_FIGURES, count, valueCents: sums.valueCents ?? 0, amountPaidCents: sums.amountPaidCents ?? 0 }
}

const addFigures = (one: Figures, other: Figures, sign: number): Figures => ({
  count: one.count + sign * other.count,
  valueCents: one.valueCents + sign * other.valueCents,
  amountPaidCents: one.amountPaidCents + sign * other.amountPaidCents,
  valuePaidCents: one.valuePaidCents + sign * other.valuePaidCents,
})

const figureFields = {
  count: output.count({ about: 'Quantas cobranças' }),
  valueCents: output.money({ wire: 'value', about: 'Total cobrado' }),
  amountPaidCents: output.money({ wire: 'amount_paid', about: 'Total pago' }),
  valuePaidCents: optional(
    output.money({
      wire: 'value_paid',
      about: 'Quanto já foi pago do valor das pendentes; só onde houve pagamento em parte',
    }),
  ),
}

const shownFigures = <F extends Figures>({ valuePaidCents, ...figures }: F) =>
  valuePaidCents === 0 ? figures : { ...figures, valuePaidCents }

const groupView = view(
  'ChargeGroupFigures',
  {
    status: output.view(chargeStatusView, { about: 'Situação' }),
    paymentMethod: chargeFields.paymentMethod,
    ...figureFields,
  },
  (group: ChargeGroupFigures) => shownFigures(group),
)

export const chargeSummaryView = view(
  'ChargeSummary',
  {
    ...figureFields,
    groups: output.views(groupView, { about: 'As mesmas cobranças, por situação e meio de pagamento' }),
  },
  (summary: ChargeSummary) => shownFigures(summary),
)
