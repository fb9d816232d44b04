import { right } from '../../fp.ts'
import { all, any, contains, eq, gte, isIn, lte, not, type Where } from '../../kernel/records/where.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import type { Day, Instant } from '../../kernel/values/day.ts'
import type { PageOf } from '../../kernel/values/listing.ts'
import { offsetOf, type Page } from '../../kernel/values/page.ts'
import { documentIn } from '../../kernel/values/tax-id.ts'
import { fold } from '../../kernel/values/text.ts'
import { MAX_BANK_CALLS, MAX_PAGE } from '../../limits.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, type ChargeStatus, charges, type PaymentMethod } from './charge.ts'
import type { ChargeDetail } from './find-charge.ts'
import { syncTitle } from './titles/bank-notifications.ts'

export interface DayRange {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** Days are São Paulo days, both ends included. */
export interface ChargeFilter extends Page {
  readonly search?: string | undefined
  readonly statuses?: readonly ChargeStatus[] | undefined
  readonly methods?: readonly PaymentMethod[] | undefined
  readonly clientId?: number | undefined
  readonly created: DayRange
  readonly due: DayRange
  readonly paid: DayRange
  readonly orderBy: 'createdAt' | 'dueDate' | 'paymentDate' | 'id'
  readonly orderDir: 'asc' | 'desc'
}

type Field = keyof Charge & string

/**
 * A page of the account's charges, with their clients. A search for a document asks the bank first for the state of
 * that payer's open titles. Source: 02-billing.md, Charges; decisions.md §3 and §9.
 */
export const listCharges =
  (ports: PaymentsPorts) =>
  ({ accountId }: Actor, filter: ChargeFilter): UseCase<PageOf<ChargeDetail>, never> =>
  async () => {
    const document = documentIn(filter.search ?? '')
    if (document !== null) await syncPayer(ports, accountId, document)
    const asOf = ports.clock.now()
    const where = [
      ...conditionsOf({ ...filter, search: document ?? filter.search }),
      ...(await statusFilter(ports, accountId, filter, asOf)),
    ]
    const { records, total } = await ports.store.list(
      listOf(charges, {
        where: all<Field>(eq('accountId', accountId), ...where),
        // Deleted charges are shown only to who asks for them by status.
        ...(filter.statuses?.includes('DELETED') ? {} : { when: 'listed' }),
        sort: { by: filter.orderBy, dir: filter.orderDir },
        limit: filter.perPage,
        offset: offsetOf(filter),
        total: true,
      }),
    )
    const { page, perPage } = filter
    return right({ records: await withClients(ports, records, asOf), page, perPage, total: total ?? 0 })
  }

const conditionsOf = (filter: ChargeFilter): readonly Where<Field>[] => [
  ...(filter.search ? [contains<Field>('search', fold(filter.search))] : []),
  ...(filter.methods ? [oneOrMany('paymentMethod', filter.methods)] : []),
  ...(filter.clientId === undefined ? [] : [eq<Field>('clientId', filter.clientId)]),
  ...within('createdDay', filter.created),
  ...within('dueDate', filter.due),
  ...within('paymentDate', filter.paid),
]

// One word is an equality, which an index row serves.
const oneOrMany = (field: Field, words: readonly string[]): Where<Field> => {
  const [first] = words
  return words.length === 1 && first !== undefined ? eq(field, first) : isIn(field, words)
}

const within = (field: Field, { from, to }: DayRange): readonly Where<Field>[] => [
  ...(from ? [gte(field, from)] : []),
  ...(to ? [lte(field, to)] : []),
]

/** The statuses that are asked for, as they stand now: the worker may not have moved yet what has run out. */
const statusFilter = async (
  { store }: Pick<PaymentsPorts, 'store'>,
  accountId: number,
  { statuses }: Pick<ChargeFilter, 'statuses'>,
  asOf: Instant,
): Promise<readonly Where<Field>[]> => {
  if (!statuses) return []
  const asked = oneOrMany('status', statuses)
  if (statuses.includes('pending') === statuses.includes('expired')) return [asked]
  const lapsed = lte<Field>('lapsesAt', asOf)
  const { records } = await store.list(
    listOf(charges, {
      where: all<Field>(eq('accountId', accountId), lapsed),
      when: 'lapsing',
      sort: { by: 'lapsesAt', dir: 'asc' },
      limit: 1,
    }),
  )
  // Mostly there is none, and an equality is what an index row serves.
  if (records.length === 0) return [asked]
  const overdue = all<Field>(eq('status', 'pending'), lapsed)
  return [statuses.includes('expired') ? any(asked, overdue) : all(asked, not(overdue))]
}

const withClients = async (
  ports: PaymentsPorts,
  records: readonly Charge[],
  asOf: Instant,
): Promise<readonly ChargeDetail[]> => {
  const ids = [...new Set(records.map(({ clientId }) => clientId))]
  if (ids.length === 0) return []
  const { records: payers } = await ports.store.list(listOf(clients, { where: isIn('id', ids), limit: ids.length }))
  const byId = new Map(payers.map((client) => [client.id, client]))
  return records.flatMap((charge) => {
    const client = byId.get(charge.clientId)
    return client ? [{ charge, client, asOf }] : []
  })
}

const syncPayer = async (ports: PaymentsPorts, accountId: number, document: string): Promise<void> => {
  const { records } = await ports.store.list(
    listOf(charges, {
      where: all<Field>(eq('accountId', accountId), eq('status', 'pending'), contains('search', fold(document))),
      when: 'listed',
      sort: { by: 'createdAt', dir: 'desc' },
      limit: MAX_PAGE,
    }),
  )
  for (let first = 0; first < records.length; first += MAX_BANK_CALLS) {
    await Promise.all(records.slice(first, first + MAX_BANK_CALLS).map((charge) => syncTitle(ports)(charge)))
  }
}
