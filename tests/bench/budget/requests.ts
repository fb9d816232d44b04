import { apiClient } from '../../../apps/demo/demo.ts'
import { PAGES } from '../agency/figures.ts'
import { requestOf } from '../http/load.ts'
import { chargeBody } from '../http/stage.ts'
import { withdrawalsOf } from '../http/withdrawals.ts'

export type Kind = 'GET' | 'list' | 'POST' | 'keyed POST' | 'confirmation' | 'page' | 'properties' | 'dashboard'

export interface Prepared {
  readonly url: string
  /** Does what precedes the requests and returns their bytes. */
  readonly prepare: (count: number) => Promise<readonly [Buffer, ...Buffer[]]>
}

interface Caller {
  readonly url: string
  readonly token: string
}

/** The apps with a merchant who has issued charges, and with the Admin of an agency that has a history. */
interface Callers {
  readonly payments: Caller
  readonly estate: Caller
}

const PAGE = 15
const FIRST = Buffer.alloc(0)

const inTurn = (requests: readonly Buffer[]) => async (count: number) =>
  Array.from({ length: count }, (_, index) => requests[index % requests.length] ?? FIRST) as [Buffer, ...Buffer[]]

export const requestsOf = async ({ payments, estate }: Callers): Promise<ReadonlyMap<Kind, Prepared>> => {
  const { url, token } = payments
  const { data } = await apiClient(url)<{ data: readonly { readonly id: number; readonly code: string }[] }>(
    `/invoices?per_page=${PAGE}`,
    { token },
  )
  const get = (path: string): Buffer => requestOf('GET', path, token)
  const look = await withdrawalsOf(url)
  const confirmations = async (count: number) => {
    const requests: Buffer[] = []
    while (requests.length < count) requests.push(await look())
    return requests as [Buffer, ...Buffer[]]
  }
  let keys = 0
  const keyed = async (count: number) =>
    Array.from({ length: count }, () => {
      keys += 1
      return requestOf('POST', '/invoices', token, chargeBody(keys), { 'Idempotency-Key': `bench-${keys}` })
    }) as [Buffer, ...Buffer[]]
  const posts = Array.from({ length: 100 }, (_, index) => requestOf('POST', '/invoices', token, chargeBody(index)))
  const [properties, dashboard] = PAGES.map(({ path }) => requestOf('GET', path, estate.token))
  return new Map<Kind, Prepared>([
    ['GET', { url, prepare: inTurn(data.map(({ id }) => get(`/invoices/${id}`))) }],
    ['list', { url, prepare: inTurn([1, 2, 3].map((page) => get(`/invoices?per_page=${PAGE}&page=${page}`))) }],
    ['POST', { url, prepare: inTurn(posts) }],
    ['keyed POST', { url, prepare: keyed }],
    ['confirmation', { url, prepare: confirmations }],
    ['page', { url, prepare: inTurn(data.map(({ code }) => requestOf('GET', `/pay/charge/${code}`, null))) }],
    ['properties', { url: estate.url, prepare: inTurn([properties ?? FIRST]) }],
    ['dashboard', { url: estate.url, prepare: inTurn([dashboard ?? FIRST]) }],
  ])
}
