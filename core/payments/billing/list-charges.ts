import { right } from '../../fp.ts'
import type { Day } from '../../kernel/day.ts'
import { MAX_BANK_CALLS } from '../../kernel/limits.ts'
import { offsetOf, type Page } from '../../kernel/page.ts'
import { isTaxId, normalizeTaxId } from '../../kernel/tax-id.ts'
import { fold } from '../../kernel/text.ts'
import type { UseCase } from '../../kernel/use-case.ts'
import { all, contains, eq, gte, isIn, lte, type Where } from '../../kernel/where.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { clients } from '../clients/client.ts'
import type { PageOf } from '../listing.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, type ChargeStatus, charges, type PaymentMethod } from './charge.ts'
import type { ChargeDetail } from './find-charge.ts'
import { syncTitle } from './sync-title.ts'

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
  ({ accountId }: Actor, filter: ChargeFilter): UseCase<PageOf<ChargeDetail>> =>
  async () => {
    await syncPayer(ports, accountId, filter.search)
    const asked = filter.statuses !== undefined
    const { records, total } = await ports.store.list(
      listOf(charges, {
        where: all(eq('accountId', accountId), ...conditionsOf(filter)),
        // Deleted charges are shown only to who asks for them by status.
        ...(asked ? {} : { when: 'listed' }),
        sort: { by: filter.orderBy, dir: filter.orderDir },
        limit: filter.perPage,
        offset: offsetOf(filter),
        total: true,
      }),
    )
    const { page, perPage } = filter
    return right({ records: await withClients(ports, records), page, perPage, total: total ?? 0 })
  }

const conditionsOf = (filter: ChargeFilter): readonly Where<Field>[] => [
  ...(filter.search ? [contains<Field>('search', fold(filter.search))] : []),
  ...(filter.statuses ? [oneOrMany('status', filter.statuses)] : []),
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

const withClients = async (ports: PaymentsPorts, records: readonly Charge[]): Promise<readonly ChargeDetail[]> => {
  const ids = [...new Set(records.map(({ clientId }) => clientId))]
  if (ids.length === 0) return []
  const { records: payers } = await ports.store.list(listOf(clients, { where: isIn('id', ids), limit: ids.length }))
  const asOf = ports.clock.now()
  const byId = new Map(payers.map((client) => [client.id, client]))
  return records.flatMap((charge) => {
    const client = byId.get(charge.clientId)
    return client ? [{ charge, client, asOf }] : []
  })
}

const syncPayer = async (ports: PaymentsPorts, accountId: number, search: string | undefined): Promise<void> => {
  const document = search === undefined ? '' : normalizeTaxId(search)
  if (!isTaxId(document)) return
  const { records } = await ports.store.list(
    listOf(charges, {
      where: all(eq('accountId', accountId), eq('status', 'pending'), contains('search', fold(document))),
      sort: { by: 'createdAt', dir: 'desc' },
      limit: MAX_BANK_CALLS,
    }),
  )
  await Promise.all(records.map((charge) => syncTitle(ports)(charge)))
}
