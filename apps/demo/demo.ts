import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../adapters/node/settings.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import { readEnvironment } from '../host/environment.ts'
import { type Host, openHost, type Startable } from '../host/host.ts'
import { runProgram, startAll, stopAll } from '../host/run.ts'

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

/** Tells a line of a story. */
export const say = (line = '') => process.stdout.write(`${line}\n`)

/** A value as an API shows it, for people. */
export const reais = (value: number) => formatReais(Math.round(value * 100))

/** Ends a story that does not go as it must. */
export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise)
}

interface Asked {
  /** GET, or POST where there is a body, unless it says otherwise. */
  readonly method?: string
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Record<string, string>
}

/** Asks the running app as every client does; stops the demo where it says no. */
export const apiClient =
  (url: string) =>
  async <A>(
    path: string,
    { body, method = body === undefined ? 'GET' : 'POST', token, headers }: Asked = {},
  ): Promise<A> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer as A
  }
