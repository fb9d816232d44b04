import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../adapters/node/settings.ts'
import { readEnvironment } from '../host/environment.ts'
import { type Host, openHost, type Startable } from '../host/host.ts'
import { runProgram } from '../host/program.ts'
import { startAll, stopAll } from '../host/run.ts'
import { say } from './telling.ts'

/** Runs apps on a store that is there for a story alone, and has it told with their addresses, in their order. */
export const onFreshStore = (
  apps: readonly Startable[],
  env: Environment,
  tell: (...urls: readonly string[]) => Promise<void>,
): Promise<void> =>
  runProgram(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'portico-demo-'))
    try {
      const settings = readEnvironment({
        DATA_DIR: directory,
        STORE_URL: `sqlite:${join(directory, 'portico.db')}`,
        PAYMENTS_PORT: '0',
        REAL_ESTATE_PORT: '0',
        LOG_LEVEL: 'silent',
        ...env,
      })
      await telling(await openHost(settings, apps, say), apps, async (...urls) => {
        say(`Portico on a fresh store in ${directory}`)
        say()
        await tell(...urls)
      })
    } finally {
      await rm(directory, { recursive: true })
    }
  })

const telling = async (
  host: Host,
  apps: readonly Startable[],
  tell: (...urls: readonly string[]) => Promise<void>,
): Promise<void> => {
  const running = await startAll(host, apps)
  try {
    await tell(...running.map(({ url }) => url))
  } finally {
    await stopAll(host, running)
  }
}
