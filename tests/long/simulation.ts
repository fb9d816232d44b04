import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { withReplicaSet } from '../adapters/mongodb/server.ts'
import { bundleOf } from '../bundle.ts'
import {
  type Batch,
  KINDS,
  PARTIAL_EVENTS,
  type PlaceName,
  REFUND_KINDS,
  type Seen,
  STATUSES,
  together,
} from '../simulation/seeds.ts'

/** The number of seeds of a place, and of seeds a process: a process starts in half a second. */
interface Size {
  readonly seeds: number
  readonly batch: number
}

/** `PORTICO_SEEDS` sets the number in memory. */
const SIZES: Readonly<Record<PlaceName, Size>> = {
  memory: { seeds: Number(process.env.PORTICO_SEEDS ?? 500), batch: 50 },
  sqlite: { seeds: 50, batch: 10 },
  mongodb: { seeds: 50, batch: 10 },
}

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

export interface Simulated {
  readonly place: PlaceName
  readonly done: number
  /** The description of the failure, if any. */
  readonly faults: readonly string[]
}

const simulated = async (place: PlaceName, firstSeed: number, url = ''): Promise<Simulated> => {
  const { seeds, batch } = SIZES[place]
  const seen: Seen[] = []
  const faults: string[] = []
  let begun = 0
  let done = 0
  const lane = async (): Promise<void> => {
    while (begun < seeds && faults.length === 0) {
      const count = Math.min(batch, seeds - begun)
      const first = firstSeed + begun
      begun += count
      const { replay, seen: ofBatch } = await elsewhere(place, first, first + count - 1, url)
      if (replay !== null) faults.push(`${place}: ${replay}`)
      seen.push(ofBatch)
      done += count
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
  const all = together(seen)
  if (place === 'memory' && faults.length === 0)
    faults.push(
      ...[...KINDS, ...PARTIAL_EVENTS, ...REFUND_KINDS, ...STATUSES]
        .filter((kind) => !all.get(kind))
        .map((kind) => `${kind} never happened`),
    )
  return { place, done, faults }
}

/** With a server of its own, which ends with it. */
const onMongodb = async (firstSeed: number): Promise<Simulated> => {
  const done = await withReplicaSet((server) => simulated('mongodb', firstSeed, server.getUri()))
  if (done) return done
  console.log('SKIPPED: the simulation on MongoDB, since MONGOMS_SYSTEM_BINARY names no mongod')
  return { place: 'mongodb', done: 0, faults: [] }
}

/** The simulation of payments on each store, by seeds that begin anywhere: what fails names its own. */
export const simulation = async (firstSeed: number): Promise<readonly Simulated[]> => [
  await simulated('memory', firstSeed),
  await simulated('sqlite', firstSeed),
  await onMongodb(firstSeed),
]
