import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../root.ts'
import { built } from './built.ts'
import { type Failures, failuresIn } from './failures.ts'
import { processesOf } from './processes.ts'
import { testFiles, usualTests } from './selection.ts'

let product: Promise<unknown> | undefined

/** Builds the product once for all runs of this process, if one of the files needs it. */
const buildProduct = async (files: readonly string[]): Promise<void> => {
  if (!files.some((file) => /^tests\/(apps|package)\//.test(file))) return
  product ??= promisify(execFile)(process.execPath, ['apps/start.mjs', 'build'], { cwd: ROOT })
  await product
}

interface Options extends Pick<SpawnOptions, 'env' | 'stdio'> {
  /** AVA's own. */
  readonly flags?: readonly string[]
  /** Set if short files share a process. */
  readonly isTogether?: boolean
}

/** The configuration of AVA, except the files and their order. */
const CONFIG = {
  // Each test leaves an app behind: a larger young generation is collected less often.
  nodeArguments: ['--max-semi-space-size=64'],
  workerThreads: false,
  timeout: '2m',
  // One more than there are processors: the browser tests and those of processes wait for much of their time.
  concurrency: availableParallelism() + 1,
}

/**
 * Positions in the sources cost each process a second: only runs of few files have them, such as the repeat of failed
 * ones.
 */
const MOST_MAPPED = 20

/** A file for AVA to read: only in one can it be told an order. */
const configured = async (names: readonly string[], home: string, isMapped: boolean): Promise<string> => {
  const files = names.map((name) => `${home}/${name}.js`)
  const config = join(home, 'ava.config.js')
  const nodeArguments = isMapped ? [...CONFIG.nodeArguments, '--enable-source-maps'] : CONFIG.nodeArguments
  const order = `const order = ${JSON.stringify(files)}
const placeOf = (file) => order.findIndex((each) => file.endsWith(each))
`
  const told = `export default { ...${JSON.stringify({ ...CONFIG, nodeArguments, files })}, sortTestFiles: (a, b) => placeOf(a) - placeOf(b) }
`
  await writeFile(join(ROOT, config), order + told)
  return config
}

let runs = 0

/**
 * Builds these test files and starts AVA over them: to find and compile hundreds of sources in each of its processes
 * takes longer than most tests. What is built is of this run alone, and goes with it.
 */
export const startAva = async (
  files: readonly string[],
  { flags = [], isTogether = false, ...options }: Options = {},
) => {
  runs += 1
  const home = `build/${process.pid}-${runs}`
  process.once('exit', () => rmSync(join(ROOT, home), { recursive: true, force: true }))
  const processes = processesOf(files, isTogether)
  const isMapped = files.length <= MOST_MAPPED
  await Promise.all([built(processes, home, isMapped), buildProduct(files)])
  const config = await configured(
    processes.map(({ name }) => name),
    home,
    isMapped,
  )
  const args = [join(ROOT, 'node_modules/ava/entrypoints/cli.mjs'), '--config', config, ...flags]
  const programs = join(ROOT, home, 'programs')
  await mkdir(programs)
  const env = { ...(options.env ?? process.env), TEST_PROGRAMS: programs }
  const ava = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', ...options, env })
  // This process ends after it, so that it can clear what was built.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ava.kill(signal))
  return { ava, processes }
}

export const exitCode = (child: ChildProcess): Promise<number> =>
  new Promise((done) => child.on('close', (code) => done(code ?? 1)))

/** All of it takes a third of this on a slow machine. */
const LONGEST_MS = 30 * 60_000

/**
 * Returns the exit code of AVA. AVA waits forever for a process that a failed test keeps alive (a worker not stopped),
 * and drops its own limit if a test has asked for more time: after `longestMs` it is interrupted and names the files.
 */
export const endOf = (ava: ChildProcess, longestMs = LONGEST_MS): Promise<number> => {
  const late = setTimeout(() => {
    console.error(`AVA is still running after ${longestMs / 60_000} minutes, and is stopped.`)
    ava.kill('SIGINT')
  }, longestMs)
  return exitCode(ava).finally(() => clearTimeout(late))
}

const isWithin =
  (file: string) =>
  (place: string): boolean =>
    file === place || file.startsWith(`${place.replace(/\/$/, '')}/`)

/** The result of a run of AVA. */
export interface Ran {
  readonly code: number
  readonly passed: number
  readonly failures: Failures
}

const PASSED = /^ *✔ /

/** Starts AVA, passes on what it prints, and reads it. */
export const ranAva = async (files: readonly string[], options: Options, longestMs?: number): Promise<Ran> => {
  const { ava, processes } = await startAva(files, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  ava.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    process.stdout.write(piece)
    printed += piece
  })
  const code = await endOf(ava, longestMs)
  const passed = printed.split('\n').filter((line) => PASSED.test(line)).length
  return { code, passed, failures: code === 0 ? new Map() : failuresIn(printed, processes) }
}

/** If more files fail than this, they are not run again. */
const MOST_AGAIN = 20

/** The result of a run that repeats failed files. */
export interface Outcome {
  readonly code: number
  readonly passed: number
  readonly failed: number
  /** A line for each test that failed and passed when its file ran once more by itself. */
  readonly flaky: readonly string[]
}

/** Runs test files, and those that failed once more by themselves, one after the other. */
const ranTwice = async (files: readonly string[], options: Options): Promise<Outcome> => {
  const first = await ranAva(files, options)
  const again = [...first.failures.keys()]
  const count = [...first.failures.values()].flat().length
  if (first.code === 0 || again.length === 0 || again.length > MOST_AGAIN)
    return { code: first.code, passed: first.passed, failed: count, flaky: [] }
  console.log(`\n${again.length} files failed, and run once more by themselves.\n`)
  const flags = [...(options.flags ?? []), '--concurrency', '1']
  const second = await ranAva(again, { ...options, flags, isTogether: false })
  // It failed, and says of no file that it did: nothing is known to have passed.
  const isUnknown = second.code !== 0 && second.failures.size === 0
  const flaky = isUnknown ? [] : again.filter((file) => !second.failures.has(file))
  const failed = again.filter((file) => !flaky.includes(file)).flatMap((file) => first.failures.get(file) ?? [])
  return {
    code: second.code,
    passed: first.passed,
    failed: failed.length,
    flaky: flaky.flatMap((file) => (first.failures.get(file) ?? []).map((title) => `FLAKY ${file}: ${title}`)),
  }
}

/**
 * Runs what a command line asks for: files and folders of `tests/` choose; where there are none, all that is neither
 * checked nor of the long run. The rest is AVA's.
 */
export const runAva = async (asked: readonly string[], env = process.env): Promise<Outcome> => {
  const places = asked.filter((each) => each.startsWith('tests/'))
  const unknown = places.filter((place) => !existsSync(join(ROOT, place)))
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(' and no ')}`)
  const files = places.length === 0 ? usualTests() : testFiles().filter((file) => places.some(isWithin(file)))
  const flags = asked.filter((each) => !places.includes(each))
  // A pattern is of titles as they are in their files.
  const isTogether = !flags.some((flag) => /^(-m|--match)/.test(flag))
  return ranTwice(files, { flags, env, isTogether })
}
