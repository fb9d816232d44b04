import { invalid, issue, throttled } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../kernel/input/query.ts'
import { taxId } from '../../kernel/input/texts.ts'
import { all, any, eq, isIn } from '../../kernel/records/where.ts'
import { newestQuery, scanNewestFirst } from '../../kernel/running/slices.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { offsetOf, type PageOf } from '../../kernel/values/page.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Origin } from '../../office/audit.ts'
import { byId, listOf, type Store } from '../../ports/store.ts'
import {
  type CodeTries,
  codeTryCounts,
  countTry,
  isReached,
  networkOfTry,
  TRIES_FROM_ADDRESS,
} from '../access/code-tries.ts'
import { ofAccountsThere } from '../accounts/account.ts'
import { type Client, clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges } from './charge.ts'
import { type ChargeDetail, detailsOf } from './find-charge.ts'

/** Source: 02-billing.md, Public payer routes. */
export const publicChargeFilter = input('PublicChargeFilter', {
  client: inQuery.of(taxId({ about: 'CPF ou CNPJ de quem deve; sem ele, nada é listado' })),
  ...pageFields,
})

export type PublicChargeFilter = InputOf<typeof publicChargeFilter>

type Field = keyof Charge & string

const UNKNOWN = invalid([issue('client', 'unknown')])

/**
 * Lists what a document owes, in whichever account: pending and expired charges, newest first. Without a document the page is empty.
 * Charges whose payer a payment link's caller named are left out. An unknown document is a wrong try of its address.
 * Fails: `document.throttled` (after a hundred wrong tries, for known documents too), `fields` (`unknown` for a document that no client
 * has).
 */
export const listPublicCharges =
  (ports: PaymentsPorts) =>
  (given: PublicChargeFilter, origin: Origin | null = null) =>
    withValidInput(ports, publicChargeFilter, given, (filter) =>
      useCaseOf<PageOf<ChargeDetail>>()(async () => {
        const { client: document, page, perPage } = filter
        if (document === undefined) return right({ page, perPage, records: [], total: 0 })
        const payers = await payersOf(ports.store, document)
        const id = `public-charges|${networkOfTry(origin)}`
        const tried = await useCase(
          ports,
          (store) => store.find(byId(codeTryCounts, id)),
          (known, { steady }) => decideTry(known, id, payers.length > 0, steady),
        )()
        if (isLeft(tried)) return tried
        return tried.right ? right(await owedBy(ports, payers, filter)) : left(UNKNOWN)
      }),
    )

const decideTry = (known: CodeTries | null, id: string, isKnown: boolean, now: Instant) => {
  if (isReached(known, TRIES_FROM_ADDRESS, now))
    return left(throttled('document.throttled', secondsBetween(now, known.expiresAt)))
  return isKnown ? accept(true) : accept(false, ...countTry(known, id, TRIES_FROM_ADDRESS, now))
}

/** Finds the clients of a document in accounts that exist; removed clients too, whose charges stay. */
const payersOf = async (store: Store, document: string): Promise<readonly Client[]> => {
  const sort = { by: 'createdAt', dir: 'desc' } as const
  const { records } = await store.list(listOf(clients, { where: eq('document', document), sort, limit: MAX_PAGE }))
  return ofAccountsThere(store, records)
}

/** The open charges of a client whose payer is not hidden: `isPayerVeiled` as a query. */
const owed = ({ id, accountId, createdAt, updatedAt }: Client) => ({
  from: charges,
  where: all<Field>(
    eq('accountId', accountId),
    eq('clientId', id),
    isIn('status', ['pending', 'expired']),
    updatedAt === createdAt ? any(eq('linkId', null), eq('isVeiled', false)) : eq('linkId', null),
  ),
  when: 'listed',
})

const owedBy = async (
  ports: PaymentsPorts,
  payers: readonly Client[],
  filter: DecodedOf<typeof publicChargeFilter>,
): Promise<PageOf<ChargeDetail>> => {
  const { page, perPage } = filter
  const counts = await Promise.all(
    payers.map(
      async (payer) => (await ports.store.list({ ...newestQuery(owed(payer)), limit: 1, total: true })).total ?? 0,
    ),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [from, to] = [offsetOf(filter), offsetOf(filter) + perPage]
  const records = from >= total ? [] : (await newestOfAll(ports.store, payers, to)).slice(from)
  return { page, perPage, total, records: detailsOf(ports, records, payers, ports.clock.steady()) }
}

/** Reads the newest charges of several payers: of each no more than may be among them. */
const newestOfAll = async (store: Store, payers: readonly Client[], count: number): Promise<readonly Charge[]> => {
  const found: Charge[] = []
  for (const payer of payers) {
    let left = count
    for await (const slice of scanNewestFirst(store, owed(payer))) {
      found.push(...slice.slice(0, left))
      left -= slice.length
      if (left <= 0) break
    }
  }
  return found
    .sort((a, b) => (a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, count)
}
