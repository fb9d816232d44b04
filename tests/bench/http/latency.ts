import { inTurns } from '../rates.ts'
import type { Figure } from '../table.ts'
import type { Capacity } from './charges.ts'
import { openLoad } from './load.ts'
import { rested } from './servers.ts'
import type { Side, Stage } from './stage.ts'

const ROUNDS = 4
const FOR_MS = 1_200
const HALF = 0.5
const MOST_TIMES_BARE = 5

/** How long requests take that arrive at a fixed rate, half of what each server can do. */
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
