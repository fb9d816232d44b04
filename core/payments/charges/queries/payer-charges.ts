import { failure, invalid, isLeft, issue, left, right, throttled } from '../../../failure.ts'
import {
  alphanumeric,
  type DecodedOf,
  email,
  type InputOf,
  input,
  inQuery,
  nullIfAbsent,
  pageFields,
  rule,
  secret,
  taxId,
} from '../../../kernel/input/mod.ts'
import { all, any, eq, isIn } from '../../../kernel/records/record.ts'
import { newestQuery, scanNewestFirst } from '../../../kernel/running/slices.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { secondsBetween } from '../../../kernel/values/day.ts'
import { MAX_PAGE } from '../../../limits.ts'
import type { Origin } from '../../../office/audit.ts'
import { byId, listOf, NEWEST_FIRST, offsetOf, type PageOf, type Store } from '../../../ports/store.ts'
import { codeTryCounts, countTry, isLimitReached, networkOfTry, TRIES_FROM_ADDRESS } from '../../access/code-tries.ts'
import { withoutDeletedAccounts } from '../../accounts/account.ts'
import { type Client, clients } from '../../customers/client.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Charge, charges } from '../charge.ts'
import { type ChargeDetail, detailsOf, isPayerVeiled } from '../detail.ts'

export const publicChargeFilter = input('PublicChargeFilter', {
  client: inQuery.of(taxId({ about: 'CPF ou CNPJ de quem deve; sem ele, nada é listado' })),
  ...pageFields,
})
export type PublicChargeFilter = InputOf<typeof publicChargeFilter>

const UNKNOWN = invalid([issue('client', 'unknown')])

/** Without a document the page is empty, and no try is counted. */
export const listPublicCharges =
  (ports: PaymentsPorts) =>
  (sent: PublicChargeFilter, origin: Origin | null = null) =>
    withValidInput(ports, publicChargeFilter, sent, (filter) =>
      useCaseOf<PageOf<ChargeDetail>>()(async () => {
        const { client: document, page, perPage } = filter
        if (document === undefined) return right({ page, perPage, records: [], total: 0 })
        const payers = await payersOf(ports.store, document)
        const tried = await countTryFrom(ports, origin, 'public-charges', 'document.throttled', payers.length > 0)
        if (isLeft(tried)) return tried
        return tried.right ? right(await readOpenCharges(ports, payers, filter)) : left(UNKNOWN)
      }),
    )

/** Counts a wrong try of an address. Fails with `code` after too many of them, also for a right try. */
const countTryFrom = <const C extends string>(
  ports: PaymentsPorts,
  origin: Origin | null,
  kind: string,
  code: C,
  isRight: boolean,
) => {
  const id = `${kind}|${networkOfTry(origin)}`
  return useCase(
    ports,
    (store) => store.find(byId(codeTryCounts, id)),
    (known, { steady }) => {
      if (isLimitReached(known, TRIES_FROM_ADDRESS, steady))
        return left(throttled(code, secondsBetween(steady, known.expiresAt)))
      return isRight ? accept(true) : accept(false, ...countTry(known, id, TRIES_FROM_ADDRESS, steady))
    },
  )()
}

/** Finds the clients of a document in accounts that exist; removed clients too, whose charges stay. */
const payersOf = async (store: Store, document: string): Promise<readonly Client[]> => {
  const { records } = await store.list(
    listOf(clients, { where: eq('document', document), sort: NEWEST_FIRST, limit: MAX_PAGE }),
  )
  return withoutDeletedAccounts(store, records)
}

/** The open charges of a client whose payer is not hidden: `isPayerVeiled` as a query. */
const openChargesOf = ({ id, accountId, createdAt, updatedAt }: Client) => ({
  from: charges,
  where: all(
    eq('accountId', accountId),
    eq('clientId', id),
    isIn('status', ['pending', 'expired']),
    updatedAt === createdAt ? any(eq('linkId', null), eq('isVeiled', false)) : eq('linkId', null),
  ),
  when: 'listed',
})

const readOpenCharges = async (
  ports: PaymentsPorts,
  payers: readonly Client[],
  filter: DecodedOf<typeof publicChargeFilter>,
): Promise<PageOf<ChargeDetail>> => {
  const { page, perPage } = filter
  const counts = await Promise.all(
    payers.map(
      async (payer) =>
        (await ports.store.list({ ...newestQuery(openChargesOf(payer)), limit: 1, total: true })).total ?? 0,
    ),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [from, to] = [offsetOf(filter), offsetOf(filter) + perPage]
  const payersById = new Map(payers.map((payer) => [payer.id, payer]))
  const records = from >= total ? [] : (await readNewest(ports.store, payers, to)).slice(from)
  return { page, perPage, total, records: detailsOf(ports, records, payersById, ports.clock.steady()) }
}

/** Reads the newest charges of several payers, at most `count` of each. */
const readNewest = async (store: Store, payers: readonly Client[], count: number): Promise<readonly Charge[]> => {
  const newest: Charge[] = []
  for (const payer of payers) {
    let left = count
    for await (const slice of scanNewestFirst(store, openChargesOf(payer))) {
      newest.push(...slice.slice(0, left))
      left -= slice.length
      if (left <= 0) break
    }
  }
  return newest
    .sort((a, b) => (a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, count)
}

/** Limits of a search: the clients with one document, and the boletos of each, newest first. */
const MAX_CLIENTS = 100
const MAX_BOLETOS = 500

type SearchKeys = { readonly [K in 'document' | 'email' | 'nossoNumero']: string | null }

const needed = (field: 'document' | 'email') =>
  rule(['nossoNumero', field], (search: SearchKeys) =>
    search.nossoNumero === null && search[field] === null ? [issue(field, 'required')] : [],
  )

/** The input of a search for boletos: by document and e-mail, or by nosso número. */
export const boletoSearch = input(
  'BoletoSearch',
  {
    code: secret({ about: 'Código de acesso à busca' }),
    document: nullIfAbsent(alphanumeric({ max: 14, about: 'CPF ou CNPJ de quem paga' })),
    email: nullIfAbsent(email({ about: 'E-mail de quem paga' })),
    nossoNumero: nullIfAbsent(alphanumeric({ max: 20, about: 'Nosso número, no lugar do documento e do e-mail' })),
  },
  needed('document'),
  needed('email'),
)
export type BoletoSearch = InputOf<typeof boletoSearch>

/** All callers share one code that does not change, so wrong ones are counted by address. */
export const searchBoletos =
  (ports: PaymentsPorts) =>
  (sent: BoletoSearch, origin: Origin | null = null) =>
    withValidInput(ports, boletoSearch, sent, (search) =>
      useCaseOf<readonly ChargeDetail[]>()(async () => {
        const { boletoSearchCode } = ports.settings
        const isRight = boletoSearchCode !== null && ports.digest.equal(search.code, boletoSearchCode)
        const tried = await countTryFrom(ports, origin, 'boleto-search', 'code.throttled', isRight)
        if (isLeft(tried)) return tried
        return tried.right ? right(await findBoletos(ports, search)) : left(WRONG_CODE)
      }),
    )

const WRONG_CODE = failure('forbidden', 'boleto.search-code')

const findBoletos = async (
  ports: PaymentsPorts,
  search: DecodedOf<typeof boletoSearch>,
): Promise<readonly ChargeDetail[]> => {
  const { nossoNumero } = search
  const pairs = nossoNumero === null ? await findByPayer(ports, search) : await findByNumber(ports, nossoNumero)
  const [asOf, { publicUrl }] = [ports.clock.steady(), ports.settings]
  return pairs.toSorted(laterFirst).map((pair) => ({ ...pair, asOf, publicUrl }))
}

type Pair = Pick<ChargeDetail, 'charge' | 'client'>

const laterFirst = ({ charge: a }: Pair, { charge: b }: Pair): number =>
  a.dueDate === b.dueDate ? b.id - a.id : a.dueDate < b.dueDate ? 1 : -1

/** Finds boletos by nosso número, which banks of several accounts may assign alike. */
const findByNumber = async ({ store }: PaymentsPorts, nossoNumero: string): Promise<readonly Pair[]> => {
  const { records } = await store.list(
    listOf(charges, { where: eq('nossoNumero', nossoNumero), when: 'registered', sort: LATEST, limit: MAX_BOLETOS }),
  )
  const shown = (await withoutDeletedAccounts(store, records)).filter(({ status }) => status !== 'DELETED')
  const pairs = shown.map(async (charge) => ({ charge, client: await store.find(byId(clients, charge.clientId)) }))
  return (await Promise.all(pairs)).flatMap(({ charge, client }) => (client ? [{ charge, client }] : []))
}

const LATEST = { by: 'dueDate', dir: 'desc' } as const

const findByPayer = async (
  { store }: PaymentsPorts,
  { document, email: address }: SearchKeys,
): Promise<readonly Pair[]> => {
  const { records } = await store.list(
    listOf(clients, { where: eq('document', document), sort: NEWEST_FIRST, limit: MAX_CLIENTS }),
  )
  const named = records.filter((client) => client.email !== null && client.email === address)
  const payers = await withoutDeletedAccounts(store, named)
  return (await Promise.all(payers.map((client) => boletosOf(store, client)))).flat()
}

const boletosOf = async (store: PaymentsPorts['store'], client: Client): Promise<readonly Pair[]> => {
  const { records } = await store.list(
    listOf(charges, {
      where: all(
        eq('accountId', client.accountId),
        eq('clientId', client.id),
        isIn('paymentMethod', ['BOLETO', 'BOLEPIX']),
      ),
      when: 'listed',
      sort: NEWEST_FIRST,
      limit: MAX_BOLETOS,
    }),
  )
  return records
    .map((charge) => ({ charge, client }))
    .filter((found) => found.charge.boleto !== null && !isPayerVeiled(found))
}
