import { apiClient } from '../../../apps/demo/demo.ts'
import { isLuhn } from '../../../core/kernel/values/card-number.ts'
import { rates } from '../rates.ts'
import type { Figure } from '../table.ts'
import { burst, closedLoad, type Requests, requestOf } from './load.ts'
import { rested, usedMs } from './servers.ts'
import { issuing, type Side, type Stage } from './stage.ts'

const TURNS = { rounds: 5, roundMs: 1_000 }
/** Uncounted requests of each kind, so that the engine has compiled the code. */
const WARM_UP = 2_000

interface Pair {
  readonly ours: number
  readonly floor: number
}

/** The rates of each side under full load, per second. */
export interface Capacity {
  readonly issue: Pair
  readonly show: Pair
}

interface Measured {
  readonly perSecond: Pair
  /** Processor time of a request, its background work included; null if the system does not count it. */
  readonly usedMs: Pair | null
}

/** Measures charges issued, shown and listed: rates and processor time. */
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
    const measured = await measure(ours, floor, kind)
    capacity[kind] = measured.perSecond
    figures.push({ name, unit: '/s', ...measured.perSecond, of, aim })
    if (measured.usedMs)
      figures.push({ name: `${name}, processor time`, unit: 'ms', ...measured.usedMs, of, aim: null })
    const { perSecond } = await measure(ours, byHand, kind)
    figures.push({ name, unit: '/s', ...perSecond, of: 'the same by hand', aim: byHandAim })
  }
  const { perSecond: pages } = await measure({ ...ours, show: await payPages(ours, token) }, floor, 'show')
  figures.push({ name: 'page on which a charge is paid', unit: '/s', ...pages, of, aim: { atLeast: 0.4 } })
  for (const [name, more] of METHODS) {
    const requests = issuing(token, more)
    const { perSecond } = await measure({ ...ours, issue: requests }, floor, 'issue')
    figures.push({ name: `POST of a charge by ${name}`, unit: '/s', ...perSecond, of, aim: null })
  }
  return { figures, capacity }
}

const ADDRESS = { street: 'Rua A', number: '1', district: 'Centro', city: 'Recife', state: 'PE', zipcode: '50000000' }
const CARD = {
  ...{ brand: 'visa', cvv: '123', expiry_month: 12, expiry_year: 2099 },
  ...{ cardholder_name: 'MARIA DA SILVA', document: '12345678909' },
}

/** Each payer has a card: at most `DECLINED_TRIES.card` tries of one card are undecided, and further ones wait. */
const cardOf = (payer: number) => {
  const digits = `41111111${`${payer}`.padStart(7, '0')}`
  const numbers = [...'0123456789'].map((check) => digits + check)
  return { card_number: numbers.find(isLuhn), ...CARD }
}

/** The other payment methods, with their fields. */
const METHODS: readonly (readonly [name: string, more: (payer: number) => object])[] = [
  ['boleto', () => ({ payment_method: 'BOLETO' })],
  ['bolepix', () => ({ payment_method: 'BOLEPIX' })],
  ['card', (payer) => ({ payment_method: 'CREDIT_CARD', address: ADDRESS, card: cardOf(payer) })],
]

const CHARGES_SEEN = 100

/** Returns the requests for the payment pages of some charges. */
const payPages = async ({ server }: Side, token: string): Promise<Requests> => {
  const { data } = await apiClient(server.url)<{ data: readonly { readonly code: string }[] }>(
    `/invoices?per_page=${CHARGES_SEEN}`,
    { token },
  )
  const pages = data.map(({ code }) => requestOf('GET', `/pay/charge/${code}`, null))
  return (number) => pages[number % pages.length] ?? Buffer.alloc(0)
}

const NOTHING: Pair = { ours: 0, floor: 0 }

/** Measures two sides under full load, in turns. */
export const measure = async (ours: Side, floor: Side, kind: 'issue' | 'show' | 'list'): Promise<Measured> => {
  for (const side of [ours, floor]) await burst(side.server.url, WARM_UP, side[kind])
  await rested(ours.server)
  const [a, b] = [counted(ours, kind), counted(floor, kind)]
  const perSecond = await rates(
    closedLoad(ours.server.url, a.requests),
    closedLoad(floor.server.url, b.requests),
    TURNS,
  )
  await rested(ours.server)
  const [ourMs, floorMs] = [a.usedMs(), b.usedMs()]
  return { perSecond, usedMs: ourMs === null || floorMs === null ? null : { ours: ourMs, floor: floorMs } }
}

/** Returns the requests of one side, and the mean processor time of one. */
const counted = (side: Side, kind: 'issue' | 'show' | 'list') => {
  const before = usedMs(side.server)
  let asked = 0
  const requests: Requests = (number) => {
    asked += 1
    return side[kind](number)
  }
  return {
    requests,
    usedMs: (): number | null => {
      const after = usedMs(side.server)
      return before === null || after === null ? null : (after - before) / asked
    },
  }
}
