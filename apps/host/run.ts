import type { AnyCollection } from '../../core/kernel/collection.ts'
import { CannotListen } from '../http/serve.ts'
import { CannotStart, readEnvironment } from './environment.ts'
import { type Host, openHost, type Running } from './host.ts'

/** One app of a process. */
export interface Startable {
  readonly name: string
  readonly collections: readonly AnyCollection[]
  start(host: Host): Promise<Running>
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs apps in this process on one store until a signal ends it: requests in flight are finished, then the store is
 * closed. What keeps it from starting is one line and exit code 1.
 */
export const run = async (apps: readonly Startable[], started: (urls: Record<string, string>) => void) => {
  try {
    const host = await openHost(
      readEnvironment(process.env),
      apps.flatMap(({ collections }) => collections),
    )
    const running = await startAll(host, apps)
    started(Object.fromEntries(apps.map(({ name }, index) => [name, running[index]?.url ?? ''])))
    await new Promise((resolve) => {
      for (const signal of SIGNALS) process.once(signal, resolve)
    })
    await Promise.all(running.map((app) => app.stop()))
    await host.close()
  } catch (error) {
    if (!(error instanceof CannotStart || error instanceof CannotListen)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

const startAll = async (host: Host, apps: readonly Startable[]): Promise<readonly Running[]> => {
  const running: Running[] = []
  try {
    for (const app of apps) running.push(await app.start(host))
    return running
  } catch (error) {
    await Promise.all(running.map((app) => app.stop()))
    await host.close()
    throw error
  }
}
