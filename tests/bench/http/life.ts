import { inTurns, median } from '../rates.ts'
import type { Figure } from '../table.ts'
import { closedLoad } from './load.ts'
import { residentMb, rested, type Server, startApp, startBare } from './servers.ts'
import { inDirectory, type Side, type Stage } from './stage.ts'

const STARTS = 3
const START_MS = 600
export const MEMORY_MB = 180
const LOAD_MS = 2_000
const LOOK_EVERY_MS = 250

/** From start to ready, on an empty store. */
export const startFigure = async (): Promise<Figure> => {
  const timed = (start: (directory: string) => Promise<Server>) => () =>
    inDirectory(async (directory) => {
      const server = await start(directory)
      await server.stop()
      return server.startMs
    })
  const taken = await inTurns(STARTS, timed(startApp), timed(startBare))
  const [ours, floor] = [median(taken.ours), median(taken.floor)]
  return { name: 'start to ready', unit: 'ms', ours, floor, of: 'the bare server', aim: { under: START_MS } }
}

/** Resident memory of servers that were not asked for much yet, of those that are issuing charges, and afterwards. */
export const memoryFigures = async ({ ours, floor }: Stage): Promise<readonly Figure[]> => {
  const [a, b] = [await memoryOf(ours), await memoryOf(floor)]
  const of = 'the bare server'
  const figure = (when: keyof Memory): Figure => ({
    name: `resident memory, ${when}`,
    unit: 'MB',
    ours: a[when],
    floor: b[when],
    of,
    aim: when === 'after it' ? { under: MEMORY_MB } : null,
  })
  return [figure('idle'), figure('under load, at most'), figure('after it')]
}

interface Memory {
  readonly idle: number
  readonly 'under load, at most': number
  readonly 'after it': number
}

const memoryOf = async ({ server, issue, show }: Side): Promise<Memory> => {
  const idle = residentMb(server)
  let most = idle
  const looking = setInterval(() => {
    most = Math.max(most, residentMb(server))
  }, LOOK_EVERY_MS)
  for (const requests of [issue, show]) await closedLoad(server.url, requests)(performance.now() + LOAD_MS / 2)
  clearInterval(looking)
  await rested(server)
  return { idle, 'under load, at most': most, 'after it': residentMb(server) }
}
