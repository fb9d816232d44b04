import { apiClient } from '../../../apps/demo/demo.ts'
import { rates } from '../rates.ts'
import type { Figure } from '../table.ts'
import { burst, closedLoad, type Requests, requestOf } from './load.ts'
import { rested } from './servers.ts'
import type { Side, Stage } from './stage.ts'

const TURNS = { rounds: 5, roundMs: 1_000 }
/** Uncounted requests of each kind, so that the engine has compiled the code. */
const WARM_UP = 2_000

interface Pair {
  readonly ours: number
  readonly floor: number
}

export interface Capacity {
  readonly issue: Pair
  readonly show: Pair
}

/** Measures charges issued, shown and listed: their rates. `budget` measures the processor time of one. */
export const chargeFigures = async ({
  ours,
  floor,
  byHand,
  token,
}: Stage): Promise<{ readonly figures: readonly Figure[]; readonly capacity: Capacity }> => {
  const kinds = [
    { kind: 'show', name: 'GET of a charge', aim: { atLeast: 0.4 }, byHandAim: { atLeast: 1 } },
    { kind: 'list', name: 'GET of a page of 15 with its total', aim: { atLeast: 0.5 }, byHandAim: { atLeast: 1.1 } },
    { kind: 'issue', name: 'POST of a charge', aim: { atLeast: 0.5 }, byHandAim: { atLeast: 1.2 } },
  ] as const
  const of = 'bare Koa, router, body parser and one statement'
  const figures: Figure[] = []
  const capacity = { issue: NOTHING, show: NOTHING, list: NOTHING }
  for (const { kind, name, aim, byHandAim } of kinds) {
    capacity[kind] = await measure(ours, floor, kind)
    figures.push({ name, unit: '/s', ...capacity[kind], of, aim })
    figures.push({ name, unit: '/s', ...(await measure(ours, byHand, kind)), of: 'the same by hand', aim: byHandAim })
  }
  const pages = await measure({ ...ours, show: await payPages(ours, token) }, floor, 'show')
  figures.push({ name: 'page on which a charge is paid', unit: '/s', ...pages, of, aim: { atLeast: 0.4 } })
  return { figures, capacity }
}

const CHARGES_SEEN = 100

const payPages = async ({ server }: Side, token: string): Promise<Requests> => {
  const { data } = await apiClient(server.url)<{ data: readonly { readonly code: string }[] }>(
    `/invoices?per_page=${CHARGES_SEEN}`,
    { token },
  )
  const pages = data.map(({ code }) => requestOf('GET', `/pay/charge/${code}`, null))
  return (number) => pages[number % pages.length] ?? Buffer.alloc(0)
}

const NOTHING: Pair = { ours: 0, floor: 0 }

/** Measures two sides under full load, in turns: their rates per second. */
export const measure = async (ours: Side, floor: Side, kind: 'issue' | 'show' | 'list'): Promise<Pair> => {
  for (const side of [ours, floor]) await burst(side.server.url, WARM_UP, side[kind])
  await rested(ours.server)
  const loadOf = (side: Side) => closedLoad(side.server.url, side[kind])
  return rates(loadOf(ours), loadOf(floor), TURNS)
}
