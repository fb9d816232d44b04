import { rates } from '../rates.ts'
import type { Figure } from '../table.ts'
import { burst, closedLoad, type Requests } from './load.ts'
import { rested, usedMs } from './servers.ts'
import type { Side, Stage } from './stage.ts'

const TURNS = { rounds: 5, roundMs: 1_000 }
/** Requests of each kind before any counts: by then the engine has compiled what they run through. */
const WARM_UP = 2_000

interface Pair {
  readonly ours: number
  readonly floor: number
}

/** What each side does per second when it is asked for as much as it can. */
export interface Capacity {
  readonly issue: Pair
  readonly show: Pair
}

interface Measured {
  readonly perSecond: Pair
  /** Processor time of a request, with all that is done for it afterwards; null where nobody counts it. */
  readonly usedMs: Pair | null
}

/** Charges issued, shown and listed: per second, and what each takes. */
export const chargeFigures = async ({
  ours,
  floor,
}: Stage): Promise<{ readonly figures: readonly Figure[]; readonly capacity: Capacity }> => {
  const kinds = [
    { kind: 'show', name: 'GET of a charge', aim: { atLeast: 0.6 } },
    { kind: 'list', name: 'GET of a page of 15 with its total', aim: { atLeast: 0.5 } },
    { kind: 'issue', name: 'POST of a charge', aim: { atLeast: 0.5 } },
  ] as const
  const of = 'bare Koa, router, body parser and one statement'
  const figures: Figure[] = []
  const capacity = { issue: NOTHING, show: NOTHING, list: NOTHING }
  for (const { kind, name, aim } of kinds) {
    const measured = await measure(ours, floor, kind)
    capacity[kind] = measured.perSecond
    figures.push({ name, unit: '/s', ...measured.perSecond, of, aim })
    if (measured.usedMs)
      figures.push({ name: `${name}, processor time`, unit: 'ms', ...measured.usedMs, of, aim: null })
  }
  return { figures, capacity }
}

const NOTHING: Pair = { ours: 0, floor: 0 }

const measure = async (ours: Side, floor: Side, kind: 'issue' | 'show' | 'list'): Promise<Measured> => {
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

/** The requests of one side, with what each has taken of its server's time up to now. */
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
