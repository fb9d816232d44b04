import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Store, StoreUnavailable, type Superseded } from '../../core/ports/store.ts'
import { CannotListen } from '../http/server.ts'
import { type Log, pinoLog } from '../http/telemetry.ts'
import {
  CannotStart,
  type PorticoSettings,
  readEnvironment,
  storeKind,
  unknownVariables,
  VARIABLES,
} from './environment.ts'
import { type Host, type HostOptions, openHost, type Running, type Startable } from './host.ts'
import { whyOf } from './open-store.ts'
import { VERSION } from './version.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
type Signal = (typeof SIGNALS)[number]
/** What hangs is left to the next start: a process that was told to end is gone within 10 s. */
const GONE_MS = 9_500
const SAME_SIGNAL_MS = 1_000
const NOT_OVER = `the stop is not over after ${GONE_MS / 1_000} s: what hangs is left to the next start`
/** What has begun to start may be about to serve; after this long it hangs, and nobody is served yet. */
const ABANDONED_MS = 500

/** Told where the apps listen, by their names. */
type Started = (urls: Readonly<Record<string, string>>, settings: PorticoSettings) => void

/**
 * Runs apps in this process on one store until a signal ends it: requests in flight are finished, what the worker has in
 * hand is ended or given back, then the store is closed. A signal more than a second later ends it at once, and so does one
 * that comes before the apps serve: nothing was taken yet. What keeps it from starting is one line and exit code 1, and so it ends as well
 * where a newer release takes the store over.
 */
export const run = (apps: readonly Startable[], started: Started, open?: HostOptions['open']): Promise<void> =>
  runProgram(async () => {
    const settings = readEnvironment(process.env, (read) => apps.flatMap((app) => app.lacks?.(read) ?? []))
    const log = pinoLog('portico', settings.LOG_LEVEL)
    for (const line of unknownVariables(process.env, VARIABLES)) log.warn(line)
    const { taken, superseded } = takeover()
    const stopping = new AbortController()
    const options: HostOptions = { superseded, stopping: stopping.signal, ...(open && { open }) }
    const host = await unheard(() => openHost(settings, apps, log.warn, options))
    const signalled = firstSignal()
    const running = await unlessAbandoned(startAll(host, apps), signalled)
    const urls = Object.fromEntries(apps.map(({ name }, index) => [name, running[index]?.url ?? '']))
    log.info('started', { version: VERSION, ...urls, store: storeKind(settings.STORE_URL) })
    started(urls, settings)
    void tellMaking(host.store, log, () => stopping.signal.aborted).catch(() => {})
    const outcome = await Promise.race([signalled.then(() => 0), taken.then(() => 1)])
    stopping.abort()
    let code = 1
    setTimeout(() => {
      log.warn(NOT_OVER)
      process.exit(code)
    }, GONE_MS).unref()
    // Who has lost the store has said why, and cannot give back what is in it.
    await stopAll(host, running).catch((error: unknown) => {
      if (outcome === 0 || !(error instanceof StoreUnavailable)) throw error
    })
    code = outcome
    process.exitCode = code
    log.info('stopped')
  })

/** What hears that a newer release has the store, and what waits for that. */
const takeover = (): { readonly taken: Promise<void>; readonly superseded: Superseded } => {
  let end = (): void => {}
  const taken = new Promise<void>((resolve) => {
    end = resolve
  })
  const superseded = (line: string): void => {
    process.stderr.write(`STORE_URL: ${line}\n`)
    end()
  }
  return { taken, superseded }
}

/** Ends this process as a signal does that nobody listens to. The first one of a container is spared what others are not. */
const endBy = (signal: Signal): void => {
  if (process.pid === 1) process.exit(128 + constants.signals[signal])
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Does work in whose midst signals end the process: listened to, they would wait for a migration that keeps the loop. */
const unheard = async <A>(work: () => Promise<A>): Promise<A> => {
  if (process.pid !== 1) return work()
  for (const signal of SIGNALS) process.on(signal, endBy)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, endBy)
  }
}

/**
 * Resolves at the first signal. For a second after it, further signals are the same one: a terminal or a service manager sends
 * it to the whole process group, and npm forwards its own to the server. A later signal does what it does to any process.
 */
const firstSignal = (): Promise<Signal> =>
  new Promise((resolve) => {
    let isFirst = true
    const onSignal = (signal: Signal): void => {
      if (!isFirst) return
      isFirst = false
      resolve(signal)
      setTimeout(() => {
        for (const each of SIGNALS) process.off(each, onSignal)
      }, SAME_SIGNAL_MS).unref()
    }
    for (const signal of SIGNALS) process.on(signal, onSignal)
  })

/** What has been started; a signal ends the process where that does not come about soon. */
const unlessAbandoned = async <A>(starting: Promise<A>, signalled: Promise<Signal>): Promise<A> => {
  let isOver = false
  void signalled.then((signal) => setTimeout(() => isOver || endBy(signal), ABANDONED_MS).unref())
  try {
    return await starting
  } finally {
    isOver = true
  }
}

/** Starts the apps one after the other; where one cannot, those that did are stopped. */
export const startAll = async (host: Host, apps: readonly Startable[]): Promise<readonly Running[]> => {
  const running: Running[] = []
  try {
    for (const app of apps) running.push(await app.start(host))
    return running
  } catch (error) {
    await stopAll(host, running)
    throw error
  }
}

export const stopAll = async (host: Host, running: readonly Running[]): Promise<void> => {
  await Promise.all(running.map((app) => app.stop()))
  await host.close()
}

/** Runs a program to its end; what an operator can mend and keeps it from its work is one line and exit code 1. */
export const runProgram = async (program: () => Promise<void>): Promise<void> => {
  try {
    await program()
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`)
    process.exitCode = 1
  }
}

const lineOf = (error: unknown): string => {
  if (error instanceof CannotStart || error instanceof CannotListen) return error.message
  if (error instanceof StoreUnavailable) return `STORE_URL: ${whyOf(error)}`
  throw error
}

/** Longer than a store takes that has all it needs. */
const AT_ONCE_MS = 200

/**
 * Tells an operator that a store of an earlier release is still being made what this one needs, and when that is done: until
 * then some answers are 503. Says nothing where nothing is to be made, nor once the process ends.
 */
export const tellMaking = async (
  { settled }: Pick<Store, 'settled'>,
  log: Pick<Log, 'info'>,
  isEnding: () => boolean,
): Promise<void> => {
  if (!settled) return
  const since = performance.now()
  const made = settled().then(() => true)
  if (await Promise.race([made, sleep(AT_ONCE_MS, false, { ref: false })])) return
  log.info('the store is being made what this release needs, beside what is served')
  await made
  if (!isEnding()) log.info('store ready', { seconds: Math.round((performance.now() - since) / 1_000) })
}
