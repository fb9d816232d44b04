import { constants } from 'node:os'
import { StoreUnavailable, type Superseded } from '../../core/ports/store.ts'
import { CannotListen } from '../http/server.ts'
import { pinoLog } from '../http/telemetry.ts'
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
/** The limit of a stop: the process ends within 10 s of its signal. */
const MAX_STOP_MS = 9_500
const SAME_SIGNAL_MS = 1_000
const STOP_TIMED_OUT = `the stop took longer than ${MAX_STOP_MS / 1_000} s: the next start completes its work`
/** The time that apps have to complete their start after a signal. */
const MAX_START_MS = 500

/** Receives the addresses of the apps by their names. */
type Started = (urls: Readonly<Record<string, string>>, settings: PorticoSettings) => void

/**
 * Runs apps in this process on one store until a signal. Then requests in flight are finished, claimed work is
 * completed or released, and the store is closed. A second signal more than a second later ends the process at once,
 * and so does one before the apps serve. If the process cannot start, or a newer release takes the store over, it ends
 * with one line and exit code 1.
 */
export const run = (apps: readonly Startable[], started: Started, open?: HostOptions['open']): Promise<void> =>
  runProgram(async () => {
    const settings = readEnvironment(process.env, (read) => apps.flatMap((app) => app.missingSettings?.(read) ?? []))
    const log = pinoLog('portico', settings.LOG_LEVEL)
    for (const line of unknownVariables(process.env, VARIABLES)) log.warn(line)
    const { taken, superseded } = takeover()
    const stopping = new AbortController()
    const options: HostOptions = { superseded, stopping: stopping.signal, ...(open && { open }) }
    const host = await withDefaultSignals(() => openHost(settings, apps, log.warn, options))
    const signalled = firstSignal()
    const running = await orEndBySignal(startAll(host, apps), signalled)
    const urls = Object.fromEntries(apps.map(({ name }, index) => [name, running[index]?.url ?? '']))
    log.info('started', { version: VERSION, ...urls, store: storeKind(settings.STORE_URL) })
    started(urls, settings)
    const outcome = await Promise.race([signalled.then(() => 0), taken.then(() => 1)])
    stopping.abort()
    let code = 1
    setTimeout(() => {
      log.warn(STOP_TIMED_OUT)
      process.exit(code)
    }, MAX_STOP_MS).unref()
    // A process that has lost the store has logged why, and cannot release its work.
    await stopAll(host, running).catch((error: unknown) => {
      if (outcome === 0 || !(error instanceof StoreUnavailable)) throw error
    })
    code = outcome
    process.exitCode = code
    log.info('stopped')
  })

/** Returns the callback of the store for its takeover by a newer release, and a promise of that. */
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

/**
 * Ends the process as an unhandled signal does. The first process of a container gets no default handling of signals.
 */
const endBy = (signal: Signal): void => {
  if (process.pid === 1) process.exit(128 + constants.signals[signal])
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Does work during which signals end the process: a handler would wait for a migration that blocks the event loop. */
const withDefaultSignals = async <A>(work: () => Promise<A>): Promise<A> => {
  if (process.pid !== 1) return work()
  for (const signal of SIGNALS) process.on(signal, endBy)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, endBy)
  }
}

/**
 * Resolves at the first signal. Further signals within a second count as the same one: a terminal or a service manager
 * sends it to the whole process group, and npm forwards it again. A later signal ends the process.
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

/** Returns the started apps. After a signal, ends the process unless the start completes soon. */
const orEndBySignal = async <A>(starting: Promise<A>, signalled: Promise<Signal>): Promise<A> => {
  let isOver = false
  void signalled.then((signal) => setTimeout(() => isOver || endBy(signal), MAX_START_MS).unref())
  try {
    return await starting
  } finally {
    isOver = true
  }
}

/** Starts the apps one after the other. If one fails, stops the others. */
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

/** Runs a program. A fault that the operator can correct is printed as one line, with exit code 1. */
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
