// Runs in test:long only.
// Runs alone.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, type Collection, insert } from '../../../core/kernel/records/record.ts'
import type { Due } from '../../../core/kernel/running/queue.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { events } from '../../../core/payments/events.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import type { Store } from '../../../core/ports/store.ts'
import { bundleOf } from '../../bundle.ts'
import { FULL, SEED } from '../../size.ts'
import { merchant } from '../payments/given/merchants.ts'
import { clientAt } from '../rows/wire.ts'
import { STORE_SECRETS } from '../store-url.ts'
import { folder } from './disk.ts'
import { logLine, type Started, start, startCommand } from './process.ts'
import { slow } from './slow.ts'

const main = await bundleOf('tests/apps/host/program.ts')
const slowMain = await bundleOf('tests/apps/host/slow-program.ts')

/** Simultaneous lanes, each with a number of starts and stops on one store. */
const LANES = FULL ? 2 : 1
const LIVES = FULL ? 6 : 2
const CLIENTS = 8
/** The number of answers before the stop of a process. */
const MOST_ANSWERS = 60
const GONE_MS = 10_000

/** The outcome of a request. */
interface Ended {
  readonly name: string
  /** The status of a complete answer, or the error. */
  readonly end: number | string
  /** True if the connection had answered a request before. */
  readonly reused: boolean
}

const askOnce = (agent: Agent, url: string, token: string, name: string, body: unknown): Promise<Ended> =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const asked = request(`${url}/invoices`, { method: body === null ? 'GET' : 'POST', headers, agent })
    const end = (how: number | string) => resolve({ name, end: how, reused: asked.reusedSocket })
    asked.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    asked.on('response', (answer) => {
      answer.resume()
      answer.on('end', () => end(answer.statusCode ?? 0))
      answer.on('error', () => end('broken'))
    })
    asked.end(body === null ? undefined : JSON.stringify(body))
  })

/** Sends requests without a pause until the port is closed. */
const client = async (ask: (agent: Agent, place: number) => Promise<Ended>): Promise<readonly Ended[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const all: Ended[] = []
  for (let place = 0; all.at(-1)?.end !== 'ECONNREFUSED'; place += 1) all.push(await ask(agent, place))
  agent.destroy()
  return all
}

/** A receiver of webhooks that never answers; `calls` by the id of the webhook. */
const hanging = async (t: ExecutionContext) => {
  const calls: string[] = []
  const server = createServer((asked) => {
    calls.push(String(asked.headers['webhook-id']))
    asked.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls }
}

const stop = async ({ child, ended }: Started) => {
  const late = setTimeout(() => child.kill('SIGKILL'), GONE_MS)
  child.kill('SIGTERM')
  const how = await ended
  clearTimeout(late)
  return how
}

const storeIn = async (t: ExecutionContext) => {
  const DATA_DIR = await folder(t)
  const path = join(DATA_DIR, 'portico.db')
  return { path, env: { DATA_DIR, STORE_URL: `sqlite:${path}`, WEBHOOKS_ALLOW_PRIVATE: 'true' } }
}

const inMemory = async (t: ExecutionContext) => ({ DATA_DIR: await folder(t), STORE_URL: 'memory:' })

/** Returns the records of a queue that another process could not claim now. */
const leased = async <R extends Due>(store: Store, from: Collection<R>): Promise<readonly R[]> => {
  const now = new Date().toISOString()
  const found: R[] = []
  for await (const record of store.scan(from, always)) {
    if ((record.dueAt !== null && record.dueAt > now) || record.attempts > (record.dueAt === null ? 1 : 0))
      found.push(record)
  }
  return found
}

const left = async (path: string) => {
  const store = await sqliteStore(path, payments.collections)
  const names: string[] = []
  const ids: number[] = []
  for await (const { id, webhook } of store.scan(charges, always)) {
    names.push(new URL(webhook ?? '').searchParams.get('name') ?? '')
    ids.push(id)
  }
  const held = [...(await leased(store, deliveries)), ...(await leased(store, events))]
  await store.close()
  return { names: new Set(names), ids, held }
}

const random = seededRandom(SEED)
const below = (count: number): number => (random.bytes(1)[0] ?? 0) % count

for (let lane = 1; lane <= LANES; lane += 1)
  test(`SIGTERM under load, ${LIVES} times on one store, lane ${lane}: accepted requests are answered, and claims released`, async (t) => {
    t.timeout(LIVES * 60_000)
    t.log(`PORTICO_SEED=${SEED}`)
    const { path, env } = await storeIn(t)
    const receiver = await hanging(t)
    let token = ''
    for (let life = 1; life <= LIVES; life += 1) {
      const app = start(env, main)
      const { payments: url } = await app.ready
      token ||= (await merchant(clientAt(url, { connection: 'close' }))).token
      const enough = 1 + below(MOST_ANSWERS)
      let answered = 0
      const load = Array.from({ length: CLIENTS }, (_, number) =>
        client(async (agent, place) => {
          const name = `${life}-${number}-${place}`
          const webhook = `${receiver.url}?name=${name}`
          const payer = { name: 'Maria', email: 'm@example.com', document: '12345678909' }
          const body = { value: 10, payment_method: 'PIX', due_date: '2099-12-31', webhook, ...payer }
          const asked = await askOnce(agent, url, token, name, place % 3 === 2 ? null : body)
          answered += 1
          return asked
        }),
      )
      while (answered < enough) await new Promise((resolve) => setImmediate(resolve))
      const ended = await stop(app)
      const all = (await Promise.all(load)).flat()
      t.like(ended, { code: 0, signal: null, stderr: '' })

      const { names, ids, held } = await left(path)
      t.deepEqual(held, [], 'a lease was kept')
      t.is(Math.max(...ids), ids.length, 'an id was kept')
      for (const { name, end, reused } of all) {
        const about = `life ${life}, request ${name}: ${end}`
        if (typeof end === 'number') {
          t.is(end, 200, about)
          t.is(names.has(name), Number(name.split('-')[2]) % 3 !== 2, about)
        } else {
          // Connections that were pending at the close got no answer.
          t.false(reused, about)
          t.false(names.has(name), about)
        }
      }
    }
    const twice = receiver.calls.length - new Set(receiver.calls).size
    t.true(twice > 0, 'what was given back is taken up by the next life')
  })

const half = async (t: ExecutionContext, url: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.setEncoding('utf8')
  const head = 'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n'
  socket.write(`${head}Expect: 100-continue\r\n\r\n`)
  // The server requests the body: it has accepted the request.
  await once(socket, 'data')
  return socket
}

const refused = async (url: string): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${url}/health`, { headers: { connection: 'close' } }).catch(() => null)
    if (!answer) return
  }
}

test('answers a request after the signal that began before it', async (t) => {
  const app = start(await inMemory(t), main)
  const { payments: url } = await app.ready
  const socket = await half(t, url)
  // A process gets the signal twice if npm forwards its own.
  app.child.kill('SIGTERM')
  app.child.kill('SIGINT')
  await refused(url)
  socket.write('{}')
  t.regex(`${await once(socket, 'data')}`, /^HTTP\/1\.1 422 [\s\S]*\r\nConnection: close\r\n/)
  t.like(await app.ended, { code: 0, signal: null, stderr: '' })
})

const TWICE = [
  ['SIGTERM', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
] as const

for (const [first, second] of FULL ? TWICE : TWICE.slice(0, 1))
  test(`ends at once at a later signal: ${first}, then ${second}`, async (t) => {
    const app = start(await inMemory(t), main)
    const { payments: url } = await app.ready
    await half(t, url)
    app.child.kill(first)
    await refused(url)
    t.is(app.child.exitCode, null)
    // Within a second of the first it counts as the same signal.
    const again = setInterval(() => app.child.kill(second), 100)
    t.teardown(() => clearInterval(again))
    t.like(await app.ended, { code: null, signal: second })
  })

test('ends at a signal right after the start', async (t) => {
  const app = start(await inMemory(t), main)
  await app.ready
  app.child.kill('SIGINT')
  t.like(await app.ended, { code: 0, signal: null, stderr: '' })
})

const printedWord = ({ child }: Started, word: string): Promise<void> =>
  new Promise((resolve) => child.stdout?.on('data', (chunk) => `${chunk}`.includes(word) && resolve()))

test('ends a stop that takes too long, and logs that', async (t) => {
  const program = await bundleOf('tests/apps/host/hung-program.ts')
  const env = { ...(await inMemory(t)), LOG_LEVEL: 'warn' }
  const app = startCommand([process.execPath, program], env)
  t.teardown(() => app.child.kill('SIGKILL'))
  await printedWord(app, 'serving')
  app.child.kill('SIGTERM')
  const { code, stdout } = await app.ended
  t.is(code, 1)
  t.truthy(logLine(stdout, 'the stop took longer than 9.5 s: the next start completes its work'))
})

/** The environment of a start whose store never answers, and a promise of the connection to it. */
const waiting = async (t: ExecutionContext) => {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const STORE_URL = `mongodb://127.0.0.1:${port}/x?serverSelectionTimeoutMS=600000&connectTimeoutMS=600000`
  return { env: { ...(await storeIn(t)).env, ...STORE_SECRETS, STORE_URL }, connected: once(server, 'connection') }
}

for (const signal of FULL ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))
  test(`ends a start that waits for its store at ${signal}`, async (t) => {
    const { env, connected } = await waiting(t)
    const app = start(env, main)
    t.teardown(() => app.child.kill('SIGKILL'))
    await connected
    app.child.kill(signal)
    t.like(await app.ended, { code: null, signal, stdout: '', stderr: '' })
  })

/** Runs a command as the first process of a container. */
const CONTAINED = ['/usr/bin/unshare', '--pid', '--fork', '--kill-child'] as const

test('ends at SIGTERM as the first process of a container, which has no default handling of signals', async (t) => {
  const [unshare, ...options] = CONTAINED
  if (spawnSync(unshare, [...options, 'true']).status !== 0) {
    t.log('SKIPPED: this user may not create a namespace of processes')
    return t.pass()
  }
  const { env, connected } = await waiting(t)
  const app = startCommand([...CONTAINED, process.execPath, main], env)
  t.teardown(() => app.child.kill('SIGKILL'))
  await connected
  const { pid } = app.child
  process.kill(Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')), 'SIGTERM')
  t.like(await app.ended, { code: 128 + constants.signals.SIGTERM, stdout: '', stderr: '' })
})

test('ends at SIGTERM during a migration, which blocks the event loop', async (t) => {
  const { path, env } = await storeIn(t)
  const begun = startCommand([process.execPath, slowMain], env)
  await printedWord(begun, 'starting')
  const store = await sqliteStore(path, [slow])
  await store.commit([insert(slow, { id: 'x' })])
  await store.close()
  // The store is open, and the start hangs.
  begun.child.kill('SIGTERM')
  t.like(await begun.ended, { code: null, signal: 'SIGTERM', stderr: '' })

  const app = startCommand([process.execPath, slowMain], { ...env, MIGRATE: 'true' })
  t.teardown(() => app.child.kill('SIGKILL'))
  await printedWord(app, 'migrating')
  app.child.kill('SIGTERM')
  t.like(await app.ended, { code: null, signal: 'SIGTERM', stderr: '' })
})
