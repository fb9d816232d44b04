import { invalid, issue } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { taxId } from '../../kernel/input/fields/texts.ts'
import { type Checked, type GivenFor, input } from '../../kernel/input/input.ts'
import { pageFields } from '../../kernel/input/paging.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { all, eq, isIn } from '../../kernel/records/where.ts'
import { checked } from '../../kernel/running/checked.ts'
import { newestFirst, newestOf } from '../../kernel/running/newest-first.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/listing.ts'
import { offsetOf } from '../../kernel/values/page.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listOf, type Store } from '../../ports/store.ts'
import { ofAccountsThere } from '../accounts/of-accounts-there.ts'
import { type Client, clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges } from './charge.ts'
import { type ChargeDetail, detailsOf } from './find-charge.ts'

/** Source: 02-billing.md, Public payer routes. */
export const publicChargeFilter = input('PublicChargeFilter', {
  client: inQuery.of(taxId({ about: 'CPF ou CNPJ de quem deve; sem ele, nada é listado' })),
  ...pageFields,
})

export type PublicChargeFilter = GivenFor<typeof publicChargeFilter>

type Field = keyof Charge & string

const UNKNOWN = invalid([issue('client', 'unknown')])

/**
 * A page of what somebody owes, whomever they owe it to: pending and expired charges, the newest first. Without a document it
 * is empty.
 * Fails: `fields` (`unknown` where nobody has that document). Source: decisions.md §9, Exposure.
 */
export const listPublicCharges = (ports: PaymentsPorts) => (given: PublicChargeFilter) =>
  checked(ports, publicChargeFilter, given, (filter) =>
    useCaseOf<PageOf<ChargeDetail>>()(async () => {
      const { client: document, page, perPage } = filter
      if (document === undefined) return right({ page, perPage, records: [], total: 0 })
      const payers = await payersOf(ports.store, document)
      return payers.length === 0 ? left(UNKNOWN) : right(await owedBy(ports, payers, filter))
    }),
  )

/** Who has a document, account by account that is there; those who were removed too: their charges stay. */
const payersOf = async (store: Store, document: string): Promise<readonly Client[]> => {
  const sort = { by: 'createdAt', dir: 'desc' } as const
  const { records } = await store.list(listOf(clients, { where: eq('document', document), sort, limit: MAX_PAGE }))
  return ofAccountsThere(store, records)
}

const owed = ({ id, accountId }: Client) => ({
  from: charges,
  where: all<Field>(eq('accountId', accountId), eq('clientId', id), isIn('status', ['pending', 'expired'])),
  when: 'listed',
})

const owedBy = async (
  ports: PaymentsPorts,
  payers: readonly Client[],
  filter: Checked<typeof publicChargeFilter>,
): Promise<PageOf<ChargeDetail>> => {
  const { page, perPage } = filter
  const counts = await Promise.all(
    payers.map(
      async (payer) => (await ports.store.list({ ...newestOf(owed(payer)), limit: 1, total: true })).total ?? 0,
    ),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [from, to] = [offsetOf(filter), offsetOf(filter) + perPage]
  const records = from >= total ? [] : (await newestOfAll(ports.store, payers, to)).slice(from)
  return { page, perPage, total, records: detailsOf(ports, records, payers, ports.clock.steady()) }
}

/** The first of all that some payers owe: of each no more is read than may be among them. */
const newestOfAll = async (store: Store, payers: readonly Client[], count: number): Promise<readonly Charge[]> => {
  const found: Charge[] = []
  for (const payer of payers) {
    let left = count
    for await (const slice of newestFirst(store, owed(payer))) {
      found.push(...slice.slice(0, left))
      left -= slice.length
      if (left <= 0) break
    }
  }
  return found
    .sort((a, b) => (a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, count)
}
