import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { AS_IT_SHIPS, startCommand } from '../../apps/host/process.ts'
import { freePort } from '../../listening.ts'
import { ROOT } from '../../root.ts'

export interface Server {
  readonly url: string
  readonly pid: number
  /** From the start until it listens. */
  readonly startMs: number
  stop(): Promise<void>
}

const BARE = 'tests/bench/bare-server.ts'
const BY_HAND = 'tests/bench/http/by-hand-server.ts'

export const databaseIn = (directory: string): string => join(directory, 'portico.db')

type App = 'payments' | 'estate'

/**
 * Starts the built apps as `npm start` does, on SQLite in this directory, with `env` added; returns the one to measure.
 * They log only errors.
 */
export const startApp = async (
  directory: string,
  app: App = 'payments',
  env: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const [payments, estate] = [await freePort(), await freePort()]
  const begun = performance.now()
  const { child, ended } = startCommand(AS_IT_SHIPS, {
    DATA_DIR: directory,
    STORE_URL: `sqlite:${databaseIn(directory)}`,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'error',
    PAYMENTS_PORT: `${payments}`,
    REAL_ESTATE_PORT: `${estate}`,
    ...env,
  })
  const url = `http://127.0.0.1:${app === 'payments' ? payments : estate}`
  while (!(await isServing(url))) await sleep(LOOK_FOR_START_MS)
  return serverOf(child, ended, url, performance.now() - begun)
}

const LOOK_FOR_START_MS = 5

const isServing = async (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

/** The floor of the HTTP figures; `added` are the fields of its documents besides the sent ones. */
export const startBare = (directory: string, added: object = {}): Promise<Server> =>
  startFloor(BARE, join(directory, 'bare.db'), JSON.stringify(added))

/** Starts the hand-written rows for charges on a copy of the app's file, so that its tokens are valid there. */
export const startByHand = async (directory: string): Promise<Server> => {
  const file = join(directory, 'by-hand.db')
  const database = await openDatabase(databaseIn(directory))
  database.prepare('VACUUM INTO ?').run(file)
  database.close()
  return startFloor(BY_HAND, file, readFileSync(join(directory, 'jwt-secret'), 'utf8'))
}

const startFloor = async (program: string, ...given: readonly string[]): Promise<Server> => {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--import=./apps/packaging/sources.mjs', program, ...given], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  return serverOf(child, ended, String(line).trim(), performance.now() - begun)
}

const serverOf = (child: ChildProcess, ended: Promise<unknown>, url: string, startMs: number): Server => ({
  url,
  pid: child.pid ?? 0,
  startMs,
  stop: async () => {
    child.kill('SIGTERM')
    await ended
  },
})

export const residentMb = ({ pid }: Server): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1_024

/** Linux counts a process's time in ticks of 10 ms. */
const TICK_MS = 10
const [USER_TICKS, SYSTEM_TICKS] = [11, 12]

/** Returns the processor time in milliseconds, which does not depend on other load; null except on Linux. */
export const usedMs = ({ pid }: Server): number | null => {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return null
  // The name before the bracket may contain spaces.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS
}

const LOOK_EVERY_MS = 250
const MOST_LOOKS = 60
/** The most processor time of an idle server between two looks. */
const IDLE_MS = 25
const UNCOUNTED_REST_MS = 2_000

/** Resolves when a server is idle, so that its background work is not measured with the next task. */
export const rested = async (server: Server): Promise<void> => {
  let before = usedMs(server)
  // Without the processor time, a fixed rest.
  if (before === null) return sleep(UNCOUNTED_REST_MS)
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await sleep(LOOK_EVERY_MS)
    const now = usedMs(server) ?? 0
    if (now - before < IDLE_MS) return
    before = now
  }
}
