import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { stop } from '../adapters/mongodb/stop.ts'
import { bundleOf } from '../bundle.ts'
import type { PlaceName } from '../simulation/places.ts'
import type { Batch } from '../simulation/seeds.ts'
import { KINDS, type Seen, together } from '../simulation/seen.ts'

/** How many seeds are wanted of a place, and how many there must be: between them the time decides. Source: reliability.md, R4. */
interface Size {
  readonly wanted: number
  readonly least: number
  readonly mostMs: number
  /** So many to a process: it takes half a second to begin. */
  readonly batch: number
}

const MINUTE_MS = 60_000

const SIZES: Readonly<Record<PlaceName, Size>> = {
  memory: { wanted: 10_000, least: 1_000, mostMs: 7 * MINUTE_MS, batch: 100 },
  sqlite: { wanted: 500, least: 10, mostMs: 2 * MINUTE_MS, batch: 10 },
  mongodb: { wanted: 500, least: 10, mostMs: 2 * MINUTE_MS, batch: 10 },
}

const STATUSES = ['pending', 'paid', 'paidwithpix', 'cancelled', 'expired', 'failed', 'DELETED', 'outside', 'embedded']

/** In a process of its own, of one file: that runs a quarter faster, and one on each core. */
const elsewhere = async (place: PlaceName, first: number, last: number, url: string): Promise<Batch> => {
  const program = await bundleOf('tests/simulation/seeds-program.ts')
  const env = { ...process.env, TEST_MONGODB_URL: url }
  const child = spawn(process.execPath, [program, place, `${first}`, `${last}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { replay, seen } = JSON.parse(await text(child.stdout))
  return { replay, seen: new Map(seen) }
}

/** What came of a place. */
export interface Simulated {
  readonly place: PlaceName
  readonly done: number
  readonly wanted: number
  /** What is wrong, for people; nothing where all went well. */
  readonly faults: readonly string[]
}

const simulated = async (place: PlaceName, url = ''): Promise<Simulated> => {
  const { wanted, least, mostMs, batch } = SIZES[place]
  const until = performance.now() + mostMs
  const seen: Seen[] = []
  const faults: string[] = []
  let begun = 0
  let done = 0
  const lane = async (): Promise<void> => {
    while (begun < wanted && faults.length === 0 && (performance.now() < until || begun < least)) {
      const first = begun + 1
      begun = Math.min(begun + batch, wanted)
      const last = begun
      const { replay, seen: ofBatch } = await elsewhere(place, first, last, url)
      if (replay !== null) faults.push(`${place}: ${replay}`)
      seen.push(ofBatch)
      done += last - first + 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
  const all = together(seen)
  if (place === 'memory' && faults.length === 0)
    faults.push(...[...KINDS, ...STATUSES].filter((kind) => !all.get(kind)).map((kind) => `${kind} never happened`))
  return { place, done, wanted, faults }
}

/** With a server of its own, which ends with it. */
const onMongodb = async (): Promise<Simulated> => {
  const binary = process.env.MONGOMS_SYSTEM_BINARY
  if (binary === undefined || !existsSync(binary)) {
    console.log('SKIPPED: the simulation on MongoDB, since MONGOMS_SYSTEM_BINARY names no mongod')
    return { place: 'mongodb', done: 0, wanted: 0, faults: [] }
  }
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  try {
    return await simulated('mongodb', server.getUri())
  } finally {
    await stop(server)
  }
}

/** The simulation of payments with as many seeds as there is time for, on each store. */
export const simulation = async (): Promise<readonly Simulated[]> => [
  await simulated('memory'),
  await simulated('sqlite'),
  await onMongodb(),
]
