import { inTurns, median } from '../rates.ts'
import type { Figure } from '../table.ts'
import type { Capacity } from './charges.ts'
import { burst, openLoad, requestOf, type Wire, wire } from './load.ts'
import { rested } from './servers.ts'
import { merchant, type Side, type Stage } from './stage.ts'

const ROUNDS = 4
const FOR_MS = 1_200
const HALF = 0.5
const MOST_TIMES_BARE = 5

/** Measures the latency of requests at half of the capacity of each server. */
export const latencyFigures = async ({ ours, floor }: Stage, capacity: Capacity): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const [name, kind] of [
    ['POST', 'issue'],
    ['GET', 'show'],
  ] as const) {
    const load = (side: Side, perSecond: number) => async () => {
      await rested(ours.server)
      return openLoad(side.server.url, side[kind], { perSecond: perSecond * HALF, forMs: FOR_MS })
    }
    const taken = await inTurns(ROUNDS, load(ours, capacity[kind].ours), load(floor, capacity[kind].floor))
    figures.push(...figuresOf(name, spread(taken.ours.flat()), spread(taken.floor.flat())))
  }
  return figures
}

type Spread = readonly (readonly [name: string, ms: number])[]

const spread = (tookMs: readonly number[]): Spread => {
  const sorted = [...tookMs].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return [
    ['p50', at(0.5)],
    ['p99', at(0.99)],
    ['worst', at(1)],
  ]
}

const figuresOf = (name: string, ours: Spread, floor: Spread): readonly Figure[] =>
  ours.map(([share, ms], index) => ({
    name: `${name} at half of capacity, ${share}`,
    unit: 'ms',
    ours: ms,
    floor: floor[index]?.[1] ?? null,
    of: 'the bare server at half of its own',
    aim: share === 'p99' ? { atMost: MOST_TIMES_BARE } : null,
  }))

const CLIENTS = 2_000
const LISTS = 400
const ALONE = 300

/** Repeats a request until `isOver`; returns the durations. */
const timesOf = async (one: Wire, request: Buffer, isOver: (asked: number) => boolean): Promise<readonly number[]> => {
  const times: number[] = []
  while (!isOver(times.length)) {
    const start = performance.now()
    const { status } = await one.ask(request)
    if (status !== 200) throw new Error(`the measured request was answered ${status}`)
    times.push(performance.now() - start)
  }
  return times
}

/** Requests all clients of an account 400 times at once. */
const wholeLists = async (url: string, token: string): Promise<void> => {
  const list = async (): Promise<void> => {
    const answer = await fetch(`${url}/v1/clients`, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`a whole list was answered ${answer.status}`)
  }
  await Promise.all(Array.from({ length: LISTS }, list))
}

/** Measures the requests of others while one account requests all its clients 400 times at once. */
export const fairFigures = async ({ ours: { server }, token }: Stage): Promise<readonly Figure[]> => {
  const { url } = server
  await burst(url, CLIENTS, (number) => requestOf('POST', '/v1/clients', token, { name: `Maria da Silva ${number}` }))
  const other = await merchant(url)
  const asked = {
    '/health': requestOf('GET', '/health', null),
    "another's page of clients": requestOf('GET', '/v1/clients?page=1&per_page=15', other),
  }
  const one = await wire(url)
  const figures: Figure[] = []
  for (const [name, request] of Object.entries(asked)) {
    const alone = await timesOf(one, request, (count) => count === ALONE)
    let isOver = false
    const lists = wholeLists(url, token).finally(() => {
      isOver = true
    })
    const beside = await timesOf(one, request, () => isOver)
    await lists
    figures.push({
      name: `fair: ${name} beside 400 whole lists of 2,000, median`,
      unit: 'ms',
      ours: median(beside),
      floor: median(alone),
      of: 'the same alone',
      aim: { atMost: 3, orMoreByMs: 20 },
    })
  }
  one.close()
  return figures
}
