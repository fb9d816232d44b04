import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { appMetrics } from '../../../adapters/telemetry/metrics.ts'
import { createRates, httpRates, MAX_SHARES, RATE_SECONDS, sliceOf } from '../../../apps/http/rates.ts'
import type { HttpRequest } from '../../../apps/http/request.ts'
import { left, right } from '../../../core/failure.ts'
import { always } from '../../../core/kernel/records/record.ts'
import { sweepAll, sweepOf } from '../../../core/kernel/running/jobs.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { failing } from '../../core/kernel/running/tasks.ts'
import { openToy, type serveToy } from './toy-api.ts'
import { notes, payments } from './toy-core.ts'
import { toyRows } from './toy-rows.ts'

const START = '2026-11-21T13:05:09.123Z'

const testRates = () => {
  const plain = memoryStore([httpRates])
  const clock = setClock(START)
  let commits = 0
  const store: Store = {
    ...plain,
    commit: (...args) => {
      commits += 1
      return plain.commit(...args)
    },
  }
  return {
    store,
    clock,
    commits: () => commits,
    process: (on = store) => createRates({ store: on, clock, random: seededRandom(1) }),
  }
}

type Process = ReturnType<typeof createRates>

const countAllowed = async (rates: Process, times: number, perMinute: number, id = 'a'): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: times }, () => rates.take({ id, perMinute })))
  return answers.filter((answer) => answer === null).length
}

test('one process allows exactly the limit, one by one or at once', async (t) => {
  for (const perMinute of [1, 2, 7, 39, 60, 1_000]) {
    const { process } = testRates()
    const oneByOne = process()
    let allowed = 0
    for (let count = 0; count < perMinute + 20; count += 1) allowed += await countAllowed(oneByOne, 1, perMinute)
    t.is(allowed, perMinute)
    t.is(await countAllowed(process(), perMinute + 20, perMinute, 'b'), perMinute)
  }
})

test('rejects requests over the limit until the minute is over, with the time that is left', async (t) => {
  const { clock, process } = testRates()
  const rates = process()
  t.is(await countAllowed(rates, 3, 3), 3)
  clock.advance(20.5)
  t.deepEqual(await rates.take({ id: 'a', perMinute: 3 }), {
    tag: 'throttled',
    code: 'rate.limited',
    retryAfterSeconds: 40,
  })
  clock.advance(39.499)
  t.like(await rates.take({ id: 'a', perMinute: 3 }), { retryAfterSeconds: 1 })
  clock.advance(0.001)
  t.is(await countAllowed(rates, 10, 3), 3)
})

test('counts addresses and scopes separately', async (t) => {
  const rates = testRates().process()
  t.is(await countAllowed(rates, 5, 2, 'a'), 2)
  t.is(await countAllowed(rates, 5, 2, 'b'), 2)
})

test('processes share small limits exactly', async (t) => {
  const { process } = testRates()
  const [one, other] = [process(), process()]
  t.is(await countAllowed(one, 12, 20), 12)
  t.is(await countAllowed(other, 20, 20), 8)
  t.is(await countAllowed(one, 1, 20), 0)
})

test('processes never exceed a shared limit, and lose less than a slice each', async (t) => {
  const asks = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), asks, async (perMinute, bursts) => {
      const { process } = testRates()
      const processes = [process(), process(), process(), process()]
      const counts = await Promise.all(
        bursts.map(([at, times]) => countAllowed(processes[at] ?? process(), times, perMinute)),
      )
      const allowed = counts.reduce((sum, count) => sum + count, 0)
      const requests = bursts.reduce((sum, [, times]) => sum + times, 0)
      t.true(allowed <= Math.min(perMinute, requests))
      // Requests that wait together reserve more than a slice, and use all of it.
      t.true(allowed >= Math.min(perMinute, requests) - processes.length * (sliceOf(perMinute) - 1))
    }),
    { numRuns: 60 },
  )
})

test('a busy address costs about twenty commits a minute with any limit; rejections cost none', async (t) => {
  for (const perMinute of [60, 600, 6_000]) {
    const { process, commits } = testRates()
    const rates = process()
    for (let count = 0; count < perMinute; count += 1) await rates.take({ id: 'a', perMinute })
    t.true(commits() <= 21, `${commits()} commits`)
    const spent = commits()
    await countAllowed(rates, 1, perMinute)
    const [allowed, reads] = [await countAllowed(rates, 500, perMinute), commits() - spent]
    t.deepEqual([allowed, reads], [0, 0])
  }
})

test('requests that wait together share one commit', async (t) => {
  const { process, commits } = testRates()
  t.is(await countAllowed(process(), 30, 30), 30)
  t.true(commits() <= 3, `${commits()} commits`)
})

test('fails with store.unavailable, and reads the store again for the next request', async (t) => {
  const { store, process } = testRates()
  let isDown = true
  const rates = process({
    ...store,
    find: (ask) => (isDown ? Promise.reject(new StoreUnavailable('down')) : store.find(ask)),
  })
  t.like(await rates.take({ id: 'a', perMinute: 5 }), { tag: 'unavailable', code: 'store.unavailable' })
  isDown = false
  t.is(await rates.take({ id: 'a', perMinute: 5 }), null)
})

test('rejects again for each request after an internal error', async (t) => {
  const { process } = testRates()
  const broken = memoryStore([])
  const rates = process(broken)
  for (let times = 0; times < 2; times += 1) {
    await t.throwsAsync(async () => rates.take({ id: 'a', perMinute: 5 }), { message: /http\.rates/ })
  }
})

test('releaseUnused releases the unused reservations of the current minute only', async (t) => {
  const { store, clock, process } = testRates()
  const [one, other] = [process(), process()]
  t.is(await countAllowed(one, 3, 1_000), 3)
  t.is(await countAllowed(one, 3, 1_000, 'b'), 3)
  clock.advance(RATE_SECONDS / 2)
  t.is(await countAllowed(one, 1, 1_000, 'c'), 1)
  t.like(await store.find(byId(httpRates, 'a')), { taken: sliceOf(1_000) })
  clock.advance(RATE_SECONDS / 2)
  t.is(await countAllowed(other, 5, 1_000, 'b'), 5)
  await one.releaseUnused()
  t.like(await store.find(byId(httpRates, 'a')), { taken: sliceOf(1_000) })
  t.like(await store.find(byId(httpRates, 'b')), { taken: sliceOf(1_000) })
  t.like(await store.find(byId(httpRates, 'c')), { taken: 1 })
  t.is(await countAllowed(other, 2_000, 1_000, 'c'), 999)
  await other.releaseUnused()
  t.like(await store.find(byId(httpRates, 'c')), { taken: 1_000 })
})

test('deletes the oldest shares beyond the limit', async (t) => {
  const { store, process } = testRates()
  let reads = 0
  const find: typeof store.find = (ask) => {
    reads += 1
    return store.find(ask)
  }
  const rates = process({ ...store, find })
  for (let address = 0; address < MAX_SHARES + 2; address += 1) await countAllowed(rates, 1, 50, `${address}`)
  reads = 0
  await countAllowed(rates, 1, 50, `${MAX_SHARES + 1}`)
  t.is(reads, 0)
  await countAllowed(rates, 1, 50, '0')
  t.is(reads, 1)
})

test('sweeps expired records', async (t) => {
  const { store, clock, process } = testRates()
  const rates = process()
  await countAllowed(rates, 1, 5, 'a')
  clock.advance(RATE_SECONDS)
  await countAllowed(rates, 1, 5, 'b')
  await sweepAll(store, [sweepOf(httpRates)], { steady: clock.steady(), cursor: null, report: failing })
  t.is(await store.find(byId(httpRates, 'a')), null)
  t.like(await store.find(byId(httpRates, 'b')), { taken: 1 })
  t.is((await store.list(listOf(httpRates, { where: always, limit: 10 }))).records.length, 1)
})

const limited = (t: ExecutionContext, over: Parameters<typeof serveToy>[0]) =>
  openToy(t, { store: memoryStore([notes, payments, idempotencyKeys, httpRates]), ...over })

test('returns 429 in the dialect of the row, before authentication', async (t) => {
  const { ask } = await limited(t, { ratePerMinute: 2 })
  t.is((await ask('/')).status, 200)
  t.is((await ask('/notes', { token: null })).status, 401)
  const v1 = await ask('/notes', { token: null })
  t.is(v1.status, 429)
  t.is(v1.headers.get('retry-after'), '60')
  t.deepEqual(v1.body, {
    code: 429,
    success: false,
    message: 'Muitas requisições. Tente novamente mais tarde.',
    error_code: 'rate.limited',
  })
  const estate = await ask('/estate/notes')
  t.is(estate.status, 429)
  t.is(estate.headers.get('content-type'), 'application/problem+json')
  t.like(estate.body, { type: 'urn:portico:problem:rate.limited', status: 429 })
  t.is((await ask('/docs')).status, 429)
  t.is((await ask('/openapi.json')).status, 429)
})

test('does not limit health and metrics, nor count requests without a route', async (t) => {
  const { ask } = await limited(t, { ratePerMinute: 1, metrics: appMetrics('toy') })
  for (let times = 0; times < 3; times += 1) {
    t.is((await ask('/health')).status, 200)
    t.is((await ask('/metrics')).status, 200)
    t.is((await ask('/nowhere')).status, 404)
    t.is((await ask('/notes', { method: 'DELETE' })).status, 405)
    t.is((await ask('/notes', { method: 'OPTIONS' })).status, 204)
  }
  t.is((await ask('/')).status, 200)
  t.is((await ask('/')).status, 429)
  t.is((await ask('/health')).status, 200)
})

test('counts by the forwarded address of a trusted proxy only', async (t) => {
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const proxied = await limited(t, { ratePerMinute: 1, trustProxy: true })
  t.is((await proxied.ask('/', from('203.0.113.1'))).status, 200)
  t.is((await proxied.ask('/', from('203.0.113.1'))).status, 429)
  t.is((await proxied.ask('/', from('6.6.6.6, 203.0.113.2'))).status, 200)
  const plain = await limited(t, { ratePerMinute: 1 })
  t.is((await plain.ask('/', from('203.0.113.1'))).status, 200)
  t.is((await plain.ask('/', from('203.0.113.2'))).status, 429)
})

test('applies and documents the limit of a row, for all its paths together', async (t) => {
  const rows = toyRows.map((row) => (row.name === 'open.echo' ? { ...row, rate: { perMinute: 2 } } : row))
  const { ask, mounted } = await limited(t, { rows })
  const echo = (path = '/public/echo') => ask(path, { method: 'POST', token: null, body: { title: 'a', value: 1 } })
  t.is((await echo()).status, 200)
  t.is((await echo('/api/public/echo')).status, 200)
  t.is((await echo()).status, 429)
  t.is((await echo('/api/public/echo')).status, 429)
  t.is((await ask('/')).status, 200)
  const responses = (path: string, method: string) =>
    (mounted.document().paths as Record<string, Record<string, { responses: object }>>)[path]?.[method]?.responses ?? {}
  t.true('429' in responses('/public/echo', 'post'))
  t.false('429' in responses('/notes', 'post'))
})

test('runs throttle before authentication and the body', async (t) => {
  const refusal = { tag: 'throttled', code: 'toy.throttled', retryAfterSeconds: 7 } as const
  const throttle =
    ({ request }: { readonly request: HttpRequest }) =>
    async () =>
      request.address === '203.0.113.1' ? left(refusal) : right(null)
  const rows = toyRows.map((row) =>
    row.name === 'notes.add' ? { ...row, throttle, errors: { 'toy.throttled': {} } } : row,
  )
  const { ask, mounted } = await limited(t, { rows, trustProxy: true })
  const from = (address: string, sent: Parameters<typeof ask>[1] = {}) =>
    ask('/notes', { method: 'POST', ...sent, headers: { 'X-Forwarded-For': address } })
  for (const sent of [{ token: null }, { body: '{broken' }, { body: {} }, { body: { title: 'a', value: 1 } }]) {
    const refused = await from('203.0.113.1', sent)
    t.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '7'])
    t.not((await from('203.0.113.2', sent)).status, 429)
  }
  const { responses } = (mounted.document().paths as Record<string, Record<string, { responses: object }>>)['/notes']
    ?.post ?? { responses: {} }
  t.true('429' in responses)
})

test('counts two apps of one store separately, and two processes of one app together', async (t) => {
  const store = memoryStore([notes, payments, idempotencyKeys, httpRates])
  const one = await limited(t, { store, ratePerMinute: 3 })
  const other = await limited(t, { store, ratePerMinute: 3 })
  const app = await limited(t, { store, ratePerMinute: 3, name: 'another' })
  const statuses: number[] = []
  for (const { ask } of [one, other, one, other, one, app]) statuses.push((await ask('/')).status)
  t.deepEqual(statuses, [200, 200, 200, 429, 429, 200])
})

test('stores nothing without a limit', async (t) => {
  const { ask, store } = await limited(t, {})
  for (let times = 0; times < 5; times += 1) await ask('/')
  t.is((await store.list(listOf(httpRates, { where: always, limit: 10 }))).records.length, 0)
})
