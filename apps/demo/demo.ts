import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../adapters/node/settings.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import { readEnvironment } from '../host/environment.ts'
import { type Host, openHost, type Startable } from '../host/host.ts'
import { runProgram, startAll, stopAll } from '../host/run.ts'

/** Runs a story on the addresses of apps, which use a temporary store. */
export const onFreshStore = (
  apps: readonly Startable[],
  env: Environment,
  story: (...urls: readonly string[]) => Promise<void>,
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
      await serveDuring(story, await openHost(settings, apps, say), apps)
    } finally {
      await rm(directory, { recursive: true })
    }
  })

const serveDuring = async (
  story: (...urls: readonly string[]) => Promise<void>,
  host: Host,
  apps: readonly Startable[],
): Promise<void> => {
  const running = await startAll(host, apps)
  try {
    say(`Portico on a fresh store in ${host.settings.DATA_DIR}\n`)
    await story(...running.map(({ url }) => url))
  } finally {
    await stopAll(host, running)
  }
}

/** Prints a line. */
export const say = (line = '') => process.stdout.write(`${line}\n`)

/** Formats a value of an API. */
export const reais = (value: number) => formatReais(Math.round(value * 100))

/** Throws if the story differs from the expected one. */
export const expect = (holds: boolean, fault: string): void => {
  if (!holds) throw new Error(fault)
}

interface RequestOptions {
  /** By default GET, or POST with a body. */
  readonly method?: string
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Record<string, string>
}

/** Sends requests to an app. Throws if one fails. */
export const apiClient =
  (url: string) =>
  async <A>(
    path: string,
    { body, method = body === undefined ? 'GET' : 'POST', token, headers }: RequestOptions = {},
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
