import { pinoLog } from '../http/log.ts'
import { type PorticoSettings, readEnvironment, storeKind, VARIABLES } from './environment.ts'
import { type Host, openHost, type Running, type Startable } from './host.ts'
import { runProgram } from './program.ts'
import { unknownVariables } from './unknown-variables.ts'
import { VERSION } from './version.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** What hangs is left to the next start: a process that was told to end is gone within 10 s. */
const GONE_MS = 9_500

/** Told where the apps listen, by their names. */
type Started = (urls: Readonly<Record<string, string>>, settings: PorticoSettings) => void

/**
 * Runs apps in this process on one store until a signal ends it: requests in flight are finished, what the worker has in
 * hand is ended or given back, then the store is closed. A second signal ends it at once. What keeps it from starting is
 * one line and exit code 1.
 */
export const run = (apps: readonly Startable[], started: Started): Promise<void> =>
  runProgram(async () => {
    const signalled = firstSignal()
    const settings = readEnvironment(process.env)
    const log = pinoLog('portico', settings.LOG_LEVEL)
    for (const line of unknownVariables(process.env, VARIABLES)) log.warn(line)
    const host = await openHost(settings, apps, log.warn)
    const running = await startAll(host, apps)
    const urls = Object.fromEntries(apps.map(({ name }, index) => [name, running[index]?.url ?? '']))
    log.info('started', { version: VERSION, ...urls, store: storeKind(settings.STORE_URL) })
    started(urls, settings)
    await signalled
    let code = 1
    setTimeout(() => process.exit(code), GONE_MS).unref()
    await stopAll(host, running)
    code = 0
    log.info('stopped')
  })

/** Resolves at the first signal; the next one does what it does to any process. */
const firstSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const heard = (): void => {
      for (const signal of SIGNALS) process.off(signal, heard)
      resolve()
    }
    for (const signal of SIGNALS) process.on(signal, heard)
  })

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
