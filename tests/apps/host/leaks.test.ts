// Runs in test:long only.
// Runs alone.
import { createHook } from 'node:async_hooks'
import { request } from 'node:http'
import { join } from 'node:path'
import test from 'ava'
import { readEnvironment } from '../../../apps/host/environment.ts'
import { openHost } from '../../../apps/host/host.ts'
import { startAll, stopAll } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { FULL } from '../../size.ts'
import { folder } from './disk.ts'

const ROUNDS = FULL ? 10 : 3
/** Longer than the timer that looks for slow clients, which a stopped app leaves behind once. */
const QUIET_MS = 5_500
const APPS = [payments, realEstate]

/** Active timers, including those that do not keep the process alive. */
const timers = new Set<number>()
createHook({
  init: (id, type) => void (type === 'Timeout' && timers.add(id)),
  destroy: (id) => void timers.delete(id),
}).enable()

const left = (): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = { timers: timers.size }
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  for (const event of process.eventNames()) counts[`on ${String(event)}`] = process.listenerCount(event)
  return counts
}

const leftInQuiet = async () => {
  for (let [before, now] = ['', JSON.stringify(left())]; before !== now; ) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    before = now
    now = JSON.stringify(left())
  }
  return left()
}

const ask = (method: string, url: string, body?: unknown, token = ''): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const asked = request(url, { method, headers, agent: false }, async (answer) => {
      let text = ''
      for await (const piece of answer) text += piece
      resolve({ status: answer.statusCode ?? 0, text })
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })

const busy = async ([pay = '', estate = '']: readonly string[], round: number): Promise<readonly number[]> => {
  const secret = { password: 'segredo-123', password_confirmation: 'segredo-123' }
  const person = { name: 'Ana', email: `ana${round}@example.com`, ...secret }
  const registered = await ask('POST', `${pay}/v1/auth/register`, person)
  if (registered.status !== 201) throw new Error(registered.text)
  const token: string = JSON.parse(registered.text).data.access_token
  const answers = [
    registered,
    await ask('GET', `${pay}/metrics`),
    await ask('GET', `${estate}/metrics`),
    await ask('GET', `${estate}/health`),
    await ask('GET', `${pay}/v1/organizations`, undefined, token),
    await ask('GET', `${pay}/nowhere`),
  ]
  return answers.map(({ status }) => status)
}

const fail = (line: string): never => {
  throw new Error(line)
}

const live = async (directory: string, round: number): Promise<readonly number[]> => {
  const url = `sqlite:${join(directory, 'portico.db')}`
  const env = { DATA_DIR: directory, STORE_URL: url, PAYMENTS_PORT: '0', REAL_ESTATE_PORT: '0', LOG_LEVEL: 'silent' }
  const settings = readEnvironment({ ...env, RATE_LIMIT_PER_MINUTE: '100000' })
  const host = await openHost(settings, APPS, fail)
  const running = await startAll(host, APPS)
  try {
    return await busy(
      running.map((app) => app.url),
      round,
    )
  } finally {
    await stopAll(host, running)
  }
}

test(`both apps leave no resource behind after ${ROUNDS} starts and stops in one process`, async (t) => {
  t.timeout(300_000)
  const directory = await folder(t)
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))

  // The first round starts resources that the process keeps.
  await live(directory, 0)
  const before = await leftInQuiet()
  for (let round = 1; round <= ROUNDS; round += 1) {
    t.deepEqual(await live(directory, round), [201, 200, 200, 200, 200, 404])
  }
  // A leak of each round grows with the rounds.
  const after = await leftInQuiet()
  const grown = Object.entries(after).filter(([kind, count]) => count - (before[kind] ?? 0) >= ROUNDS / 2)
  t.deepEqual(grown, [])
  t.deepEqual(rejections, [])
})
