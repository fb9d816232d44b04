import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { setClock } from '../../adapters/clock/set-clock.ts'
import { digest } from '../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../adapters/crypto/random.ts'
import { readEnvironment } from '../../apps/host/environment.ts'
import { collectionsOf, type Host, type Startable, watchedStore } from '../../apps/host/host.ts'
import { openFiles, openStore } from '../../apps/host/open-store.ts'
import { secretsOf } from '../../apps/host/secrets.ts'
import { serve } from '../../apps/http/server.ts'
import type { Collection, Rec } from '../../core/kernel/records/record.ts'
import { idPool } from '../../core/kernel/running/ids.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Tracing } from '../../core/ports/tracer.ts'
import { NOW } from '../core/payments/world.ts'
import { everyRecord } from '../every-record.ts'
import { nextSeed } from '../seed.ts'
import { freshStore } from './fresh-store.ts'
import { type Answer, type Reply, type Sent, type Wire, wireTo } from './rows/wire.ts'
import { STORE_SECRETS } from './store-url.ts'

type Test = Pick<ExecutionContext, 'teardown'>

export interface TestHostOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The time of its clock. */
  readonly now?: string
  /** Opens the store; by default a fresh one. */
  readonly open?: typeof openStore
  readonly tracing?: Tracing
}

/**
 * Opens the shared resources of an app on a fresh store, with a set clock. They close with the test, also if no app
 * starts.
 */
export const openTestHost = async (
  t: Test,
  app: Startable,
  { env = {}, now = NOW, open, tracing }: TestHostOptions,
) => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-test-'))
  const fresh = await freshStore(directory)
  const settings = readEnvironment({
    ...{ DATA_DIR: directory, STORE_URL: fresh.url, LOG_LEVEL: 'silent', PAYMENTS_PORT: '0', REAL_ESTATE_PORT: '0' },
    ...STORE_SECRETS,
    ...env,
  })
  const isUsual = open === undefined && settings.STORE_URL === fresh.url
  const openAsAsked = () => (open ?? openStore)(settings.STORE_URL, collectionsOf([app]))
  const store = watchedStore(await (isUsual ? fresh.open() : openAsAsked()))
  t.teardown(async () => {
    await store.close()
    await fresh.remove()
    await rm(directory, { recursive: true, force: true })
  })
  const clock = setClock(now)
  const secrets = await secretsOf(store, [app], settings)
  const shared = { store, files: openFiles(store, settings), ids: idPool(store) }
  const random = seededRandom(nextSeed())
  return { settings, secrets, ...shared, clock, random, digest, tracing, close: () => store.close() } satisfies Host
}

/** An app with a worker. */
interface TestApp {
  readonly api: Parameters<typeof serve>[0] & { readonly worker: { prepare(): Promise<unknown> } }
  close?(): Promise<void>
}

/** Serves an app until the test ends. */
export const serveTestApp = async (t: Test, app: TestApp): Promise<{ readonly url: string; readonly wire: Wire }> => {
  await app.api.worker.prepare()
  const serving = await serve(app.api, { host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await serving.stop()
    await app.close?.()
  })
  return { url: serving.url, wire: wireTo(t, serving) }
}

/** Returns a header of a reply, or null. */
export const headerIn = ({ headers }: Reply, name: string): string | null =>
  headers[name.toLowerCase()]?.toString() ?? null

/** Returns a client that sends JSON with a token. `checked` may throw for a reply. */
export const apiClient =
  (wire: Wire, checked: (method: string, target: string, reply: Reply) => void = () => {}) =>
  async (method: string, target: string, { token, body, headers }: Sent = {}): Promise<Answer> => {
    const reply = await wire({
      method,
      target,
      headers: {
        'user-agent': 'teste',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    })
    checked(method, target, reply)
    const isJson = reply.headers['content-type']?.includes('json')
    return { ...reply, headers: { get: (name) => headerIn(reply, name) }, body: isJson ? reply.body : null }
  }

/** Returns functions that read the store of an app. */
export const storedRecords = (store: Store, app: Startable) => {
  const every = <R extends Rec>(from: Collection<R>) => everyRecord(store, from)
  return {
    every,
    async everything() {
      const all: Record<string, readonly Rec[]> = {}
      for (const each of collectionsOf([app])) all[each.name] = await every(each as Collection<Rec>)
      return all
    },
  }
}
