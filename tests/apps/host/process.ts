import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../root.ts'
import { STORE_SECRETS } from '../store-url.ts'

const NODE = process.execPath
/** The apps as `npm start` runs them: from `LOG_LEVEL` info on they say where they listen. */
export const AS_IT_SHIPS = [NODE, 'apps/start.mjs'] as const
const FROM_SOURCE = [NODE, '--import=./apps/packaging/sources.mjs', 'tests/apps/host/program.ts'] as const

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcess
  /** Resolves with the addresses once both apps listen; rejects where the process ended before. */
  readonly ready: Promise<{ readonly payments: string; readonly estate: string }>
  readonly ended: Promise<Ended>
}

/** The first line of a log that has this message, or null where there is none (yet). */
export const logLine = (stdout: string, message: string): Readonly<Record<string, unknown>> | null => {
  const lines = stdout.split('\n').slice(0, -1)
  const line = lines.find((each) => each.endsWith(`"msg":"${message}"}`))
  return line === undefined ? null : JSON.parse(line)
}

/**
 * Both apps in a process of their own; or a bundle of them, which starts sooner. They log errors alone, and say where
 * they listen. Only what `env` says is in its environment.
 */
export const start = (env: Readonly<Record<string, string>>, bundle: string | null = null): Started =>
  startCommand(bundle === null ? FROM_SOURCE : [NODE, bundle], { LOG_LEVEL: 'error', ...env })

/** Starts both apps by a command. */
export const startCommand = (
  [command, ...args]: readonly [string, ...(readonly string[])],
  env: Readonly<Record<string, string>>,
  cwd = ROOT,
): Started => {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, PAYMENTS_PORT: '0', REAL_ESTATE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  const ready = new Promise<{ payments: string; estate: string }>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      stdout += chunk
      const line = logLine(stdout, 'started')
      if (line === null) return
      resolve({ payments: String(line.payments), estate: String(line['real-estate']) })
      // Under load it says much: what came later is not looked through.
      child.stdout.off('data', look)
      child.stdout.on('data', (more) => {
        stdout += more
      })
    }
    child.stdout.on('data', look)
    void ended.then(({ code }) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)))
  })
  // A test that only awaits the end need not handle this.
  ready.catch(() => {})
  return { child, ready, ended }
}

/** The exit code and output of a command of `portico`. */
export interface Printed {
  readonly code: number | null
  readonly out: readonly string[]
  readonly err: string
}

/** An empty DATA_DIR, so that tests do not use the one of the project's folder. */
const NOWHERE = join(tmpdir(), `portico-printed-${process.pid}`)

/**
 * The words of a command of `portico`, the URL of its store, and the rest of its environment: by default the tests'
 * secrets.
 */
export type Command = readonly [words: readonly string[], storeUrl: string, env?: Readonly<Record<string, string>>]

const environmentOf = ([, STORE_URL, env = STORE_SECRETS]: Command) => ({ STORE_URL, DATA_DIR: NOWHERE, ...env })

const linesOf = ({ code, stdout, stderr }: Pick<Ended, 'code' | 'stdout' | 'stderr'>): Printed => ({
  code,
  out: stdout.trim().split('\n'),
  err: stderr,
})

/** Runs a command of `portico` on a store in its own process. */
export const printed = async (...command: Command): Promise<Printed> => {
  const ended = await startCommand([...AS_IT_SHIPS, ...command[0]], environmentOf(command)).ended
  await rm(NOWHERE, { recursive: true, force: true })
  return linesOf(ended)
}

/** Imports the built program of each command; a zero byte follows its output, and its exit code the last line. */
const IN_TURN = `
for (const [at, { words, env }] of JSON.parse(process.argv[1]).entries()) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(1, Infinity, 'portico', ...words)
  process.exitCode = 0
  await import(process.cwd() + '/dist/' + words[0] + '.js?' + at)
  process.stdout.write('\\0' + process.exitCode + '\\0')
  process.stderr.write('\\0')
}
process.exitCode = 0`

/**
 * Runs commands of `portico` one after the other in one process: to load the build takes longer than most of them.
 * Throws if one does not end by itself.
 */
export const printedInTurn = async (commands: readonly Command[]): Promise<readonly Printed[]> => {
  const words = commands.map((command) => ({ words: command[0], env: environmentOf(command) }))
  const program = ['--input-type=module', '--eval', IN_TURN, JSON.stringify(words)]
  const { code, stdout, stderr } = await startCommand([NODE, ...program], {}).ended
  await rm(NOWHERE, { recursive: true, force: true })
  if (code !== 0) throw new Error(stderr)
  const [outs, errs] = [stdout.split('\0'), stderr.split('\0')]
  return commands.map((_, at) =>
    linesOf({ code: Number(outs[2 * at + 1]), stdout: outs[2 * at] ?? '', stderr: errs[at] ?? '' }),
  )
}
