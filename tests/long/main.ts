import { spawn } from 'node:child_process'
import { exitCode, ranAva } from '../ava/run.ts'
import { marked, testsInFull } from '../ava/selection.ts'
import { keepTemporaryInMemory } from '../ava/temporary.ts'
import { ROOT } from '../root.ts'
import { addingAResource } from './adding-a-resource.ts'
import { container } from './container.ts'
import { linted } from './linters.ts'
import { MOST_GROWTH_MB, memory } from './memory.ts'
import { runtimes, tableOf } from './runtimes.ts'
import { simulation } from './simulation.ts'

// `npm run test:long` runs all parts, `npm run test:long -- memory runtimes` those.

/** They take half of this, and as long only on a slow machine: what hangs ends. */
const TESTS_MS = 50 * 60_000
/** Longer than the longest test says nothing. */
const IDLE = '15m'
const MOST_LINES = 60

/** Drawn once, and told to all that it starts. */
const seed = Number(process.env.PORTICO_SEED ?? Date.now() % 2 ** 31)
process.env.PORTICO_FULL = '1'
process.env.PORTICO_SEED = `${seed}`

/** The result of a part, and its size. */
interface Outcome {
  readonly isGood: boolean
  readonly count: string
  /** The failures, repeated at the end: CI keeps only the last lines. */
  readonly failures?: readonly string[]
}

const say = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

const inFull = async (): Promise<Outcome> => {
  const files = [...marked('long'), ...testsInFull()]
  say(...files, '')
  const { code, passed, failures } = await ranAva(files, { flags: ['--timeout', IDLE] }, TESTS_MS)
  const failed = [...failures].flatMap(([file, titles]) => titles.map((title) => `${file}: ${title}`))
  return {
    isGood: code === 0,
    count: `${files.length} files, ${passed} passed, ${failed.length} failed`,
    failures: failed.slice(0, MOST_LINES),
  }
}

const inMemory = async (): Promise<Outcome> => {
  const { requests, samples, residentGrowthMb, heapGrowthMb } = await memory()
  const shown = samples
    .filter((_, at) => at % 5 === 4)
    .map(({ residentMb, heapMb }) => `${residentMb.toFixed(0)}/${heapMb.toFixed(0)}`)
  say(
    `resident and heap, in MB, over ${requests.toLocaleString('en')} requests: ${shown.join(' ')}`,
    `more in the last quarter than in the second: ${residentGrowthMb.toFixed(1)} and ${heapGrowthMb.toFixed(1)} MB, at most ${MOST_GROWTH_MB}`,
  )
  const isGood = residentGrowthMb <= MOST_GROWTH_MB && heapGrowthMb <= MOST_GROWTH_MB
  return { isGood, count: `${requests.toLocaleString('en')} requests` }
}

const onRuntimes = async (): Promise<Outcome> => {
  const trials = await runtimes()
  const { table, count } = tableOf(trials)
  say(...table)
  return { isGood: trials.every(({ result }) => result !== 'failed'), count }
}

const onDocuments = async (): Promise<Outcome> => {
  const findings = await linted()
  say(...findings)
  return { isGood: findings.length === 0, count: `${findings.length} findings of spectral` }
}

/** Named here, they run all of their rows; `npm test` draws some of them. */
const ROWS = marked('mongodb').filter((file) => file.includes('/rows/'))

const onMongodb = async (): Promise<Outcome> => {
  const files = [...marked('longMongodb'), ...ROWS]
  const run = ['--import', './apps/packaging/sources.mjs', 'tests/on-mongodb.ts', ...files]
  const code = await exitCode(spawn(process.execPath, run, { cwd: ROOT, stdio: 'inherit' }))
  return { isGood: code === 0, count: `${files.length} files` }
}

const onSeeds = async (): Promise<Outcome> => {
  const places = await simulation(seed)
  const failures = places.flatMap(({ faults }) => faults)
  say(...failures)
  const count = places.map(({ place, done }) => `${place} ${done} seeds`).join(', ')
  return { isGood: failures.length === 0, count, failures }
}

const PARTS: Readonly<Record<string, () => Promise<Outcome>>> = {
  tests: inFull,
  mongodb: onMongodb,
  simulation: onSeeds,
  memory: inMemory,
  runtimes: onRuntimes,
  resource: addingAResource,
  openapi: onDocuments,
  container,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) throw new Error(`no part ${unknown.join()}: there are ${Object.keys(PARTS).join()}`)

keepTemporaryInMemory()
say(`PORTICO_SEED=${seed}`)
const results: string[] = []
const failed: string[] = []
const from = performance.now()
const secondsSince = (start: number): string => `${Math.round((performance.now() - start) / 1_000)} s`
for (const [name, run] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  say('', `== ${name}`)
  const start = performance.now()
  const {
    isGood,
    count,
    failures = [],
  } = await run().catch((error: unknown): Outcome => ({ isGood: false, count: String(error) }))
  failed.push(...failures)
  results.push(`${isGood ? 'passed' : 'FAILED'}  ${name.padEnd(8)}  ${secondsSince(start).padStart(6)}  ${count}`)
  if (!isGood) process.exitCode = 1
}
say('', ...failed, '', ...results, `in all ${secondsSince(from)}`)
