import { endOf, startAva } from '../ava/run.ts'
import { addingAResource } from './adding-a-resource.ts'
import { linted } from './linters.ts'
import { longTests } from './long-tests.ts'
import { MOST_GROWTH_MB, memory } from './memory.ts'
import { runtimes, tableOf } from './runtimes.ts'

// `npm run test:long` runs all parts, `npm run test:long -- memory runtimes` those.

/** With memory and runtimes, which take some minutes, all of it ends within three quarters of an hour. */
const TESTS_MS = 36 * 60_000
/** Longer than the longest test says nothing. */
const IDLE = '15m'

/** What came of a part, and how much it was. */
interface Outcome {
  readonly isGood: boolean
  readonly count: string
}

const say = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

const inFull = async (): Promise<Outcome> => {
  const files = longTests()
  say(...files, '')
  const env = { ...process.env, PORTICO_FULL: '1' }
  const ava = await startAva(files, { flags: ['--timeout', IDLE], env, stdio: ['ignore', 'pipe', 'inherit'] })
  let end = ''
  ava.stdout?.on('data', (piece: Buffer) => {
    process.stdout.write(piece)
    end = (end + piece).slice(-2_000)
  })
  const code = await endOf(ava, TESTS_MS)
  const counts = [...end.matchAll(/^ +(\d+ tests? \w+|\d+ uncaught \w+|.*timeout.*)$/gm)].map(([, count]) => count)
  return { isGood: code === 0, count: [`${files.length} files`, ...counts].join(', ') }
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

const PARTS: Readonly<Record<string, () => Promise<Outcome>>> = {
  tests: inFull,
  memory: inMemory,
  runtimes: onRuntimes,
  resource: addingAResource,
  openapi: onDocuments,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) throw new Error(`no part ${unknown.join()}: there are ${Object.keys(PARTS).join()}`)

const results: string[] = []
const from = performance.now()
const secondsSince = (start: number): string => `${Math.round((performance.now() - start) / 1_000)} s`
for (const [name, run] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  say('', `== ${name}`)
  const start = performance.now()
  const { isGood, count } = await run().catch((error: unknown) => ({ isGood: false, count: String(error) }))
  results.push(`${isGood ? 'passed' : 'FAILED'}  ${name.padEnd(8)}  ${secondsSince(start).padStart(6)}  ${count}`)
  if (!isGood) process.exitCode = 1
}
say('', ...results, `in all ${secondsSince(from)}`)
