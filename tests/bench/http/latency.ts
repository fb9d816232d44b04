import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inTurns, median } from '../rates.ts'
import type { Figure } from '../table.ts'
import type { Capacity } from './charges.ts'
import { burst, openLoad, requestOf, type Wire, wire } from './load.ts'
import { rested } from './servers.ts'
import { merchant, type Side, type Stage } from './stage.ts'

const ROUNDS = 4
const FOR_MS = 1_200
const HALF = 0.5
/** The most that a latency may be of the bare server's: the median of a POST, and the 99th percentile. */
const MEDIAN_OF_POST = 8
const P99 = 2
const P99_BESIDE_LOAD = 5

/** Runs a function beside a program that keeps one core busy. */
const besideLoad = async <A>(act: () => Promise<A>): Promise<A> => {
  const program = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  const ended = once(program, 'exit')
  try {
    return await act()
  } finally {
    program.kill('SIGKILL')
    await ended
  }
}

/** Measures the latency of requests at half of the capacity of each server, also beside a busy program. */
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
    const measure = () => inTurns(ROUNDS, load(ours, capacity[kind].ours), load(floor, capacity[kind].floor))
    const figure = (what: string, share: number, taken: Awaited<ReturnType<typeof measure>>, atMost: number): void => {
      const [own, bare] = [atShare(taken.ours.flat(), share), atShare(taken.floor.flat(), share)]
      figures.push({
        name: `${name} at half of capacity${what}`,
        unit: 'ms',
        ours: own,
        floor: bare,
        of: OF,
        aim: { atMost },
      })
    }
    const alone = await measure()
    if (kind === 'issue') figure(', p50', 0.5, alone, MEDIAN_OF_POST)
    figure(', p99', 0.99, alone, P99)
    figure(' beside a busy program, p99', 0.99, await besideLoad(measure), P99_BESIDE_LOAD)
  }
  return figures
}

const OF = 'the bare server at half of its own'

const atShare = (tookMs: readonly number[], share: number): number =>
  tookMs.toSorted((a, b) => a - b)[Math.min(tookMs.length - 1, Math.floor(tookMs.length * share))] ?? 0

const CLIENTS = 2_000
const LISTS = 400
const ALONE = 300

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
