import test, { type ExecutionContext } from 'ava'
import { appMetrics } from '../../../adapters/telemetry/metrics.ts'
import { isLoopback, pinoLog } from '../../../apps/http/telemetry.ts'
import { reading } from '../../metrics.ts'
import { listening, openToy, type serveToy, toyApi } from './toy-api.ts'

const recordLines = () => {
  const lines: Readonly<Record<string, unknown>>[] = []
  return { lines, to: { write: (line: string) => void lines.push(JSON.parse(line)) } }
}

test('logs a request as one JSON line', (t) => {
  const { lines, to } = recordLines()
  const line = { id: 'r', method: 'GET', route: 'notes.list', status: 200, ms: 1.5, address: '::1' }
  pinoLog('toy', 'info', to).request(line)
  t.is(lines.length, 1)
  t.like(lines[0], { level: 30, name: 'toy', msg: 'request', ...line })
})

test('logs an error with its stack and code, without the fields that a driver attached', (t) => {
  const { lines, to } = recordLines()
  const error = Object.assign(new TypeError('broken'), { code: 11000, keyValue: { pin: 'segredo' } })
  pinoLog('toy', 'info', to).failure({ id: 'r', route: null }, error)
  t.like(lines[0], { level: 50, id: 'r', error: { name: 'TypeError', message: 'broken', code: '11000' } })
  t.regex(JSON.stringify(lines[0]), /TypeError: broken\\n +at /)
  t.notRegex(JSON.stringify(lines[0]), /segredo/)
  pinoLog('toy', 'info', to).failure({ id: null, route: null }, 'a text')
  t.like(lines[1], { error: { message: 'a text' } })
})

test('logs a warning with its facts', (t) => {
  const { lines, to } = recordLines()
  const log = pinoLog('toy', 'info', to)
  log.warn('a payment notice was refused', { code: 'fields', fields: 'valueCents' })
  log.warn('alone')
  t.like(lines[0], { level: 40, msg: 'a payment notice was refused', code: 'fields', fields: 'valueCents' })
  t.like(lines[1], { level: 40, msg: 'alone' })
})

test('logs only lines of the level or above', (t) => {
  const { lines, to } = recordLines()
  const log = pinoLog('toy', 'warn', to)
  log.info('no')
  log.warn('yes')
  const msgs = lines.map(({ msg }) => msg)
  t.deepEqual(msgs, ['yes'])
})

const withMetrics = (t: ExecutionContext, over: Parameters<typeof serveToy>[0] = {}) =>
  openToy(t, { metrics: appMetrics('toy'), ...over })

test('counts answers by route and status, never by path', async (t) => {
  const { ask } = await withMetrics(t)
  for (const path of ['/', '/notes/1', '/notes/2', '/nowhere/secret', '/nowhere/else']) await ask(path)
  await ask('/notes', { method: 'POST', body: { title: 'a' } })
  const { status, headers, text } = await ask('/metrics', { token: null })
  t.is(status, 200)
  t.is(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.is(headers.get('cache-control'), 'no-store')
  const count = (route: string, code: number) =>
    reading(text, `http_requests_total{route="${route}",status="${code}",app="toy"}`)
  t.is(count('open.ok', 200), 1)
  t.is(count('notes.read', 404), 2)
  t.is(count('notes.add', 422), 1)
  t.is(count('none', 404), 2)
  t.is(reading(text, 'http_request_duration_seconds_count{app="toy",route="notes.read"}'), 2)
  t.notRegex(text, /secret/)
  t.is((await ask('/metrics', { method: 'HEAD' })).text, '')
})

test('documents no metrics route, serves no other method, and has no route without metrics', async (t) => {
  const { ask, mounted } = await withMetrics(t)
  t.notRegex(JSON.stringify(mounted.document()), /metrics/)
  const unknown = await ask('/nowhere')
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, text } = await ask('/metrics', { method })
    t.deepEqual([status, text], [404, unknown.text])
  }
  const bare = await openToy(t)
  t.is((await bare.ask('/metrics')).status, 404)
})

test('returns 404 for proxied requests, with and without a trusted proxy', async (t) => {
  for (const trustProxy of [false, true]) {
    const { ask } = await withMetrics(t, { trustProxy })
    t.is((await ask('/metrics')).status, 200)
    for (const forwarded of ['203.0.113.9', '127.0.0.1', '']) {
      t.is((await ask('/metrics', { headers: { 'X-Forwarded-For': forwarded } })).status, 404, forwarded)
    }
    for (const headers of [{ Forwarded: 'for=203.0.113.9' }, { 'X-Real-IP': '203.0.113.9' }, { Via: '1.1 proxy' }]) {
      t.is((await ask('/metrics', { headers })).status, 404, JSON.stringify(headers))
    }
  }
})

/** Serves the toy API on sockets with this remote address. */
const servedTo = async (t: ExecutionContext, remoteAddress: string | undefined, trustProxy: boolean) => {
  const { mounted } = toyApi({ metrics: appMetrics('toy'), trustProxy })
  const { port } = await listening(t, (req, res) => {
    Object.defineProperty(req.socket, 'remoteAddress', { value: remoteAddress })
    mounted.handle(req, res)
  })
  return async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close', ...headers } })
    return [response.status, await response.text()] as const
  }
}

test('is an unknown route for callers on other machines, with any headers', async (t) => {
  for (const address of ['203.0.113.9', '10.0.0.1', '::ffff:192.168.0.1', '2001:db8::127.0.0.1', undefined]) {
    for (const trustProxy of [false, true]) {
      const get = await servedTo(t, address, trustProxy)
      const unknown = await get('/nowhere')
      t.is(unknown[0], 404)
      for (const headers of [
        {},
        { 'x-forwarded-for': '127.0.0.1' },
        { forwarded: 'for=127.0.0.1', host: 'localhost' },
      ]) {
        t.deepEqual(await get('/metrics', headers), unknown, address)
      }
    }
  }
  t.is((await (await servedTo(t, '::1', false))('/metrics'))[0], 200)
})

test('recognises loopback addresses', (t) => {
  for (const own of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) t.true(isLoopback(own), own)
  for (const other of ['', '0.0.0.0', '12.7.0.1', '::', '::ffff:10.127.0.1', '1127.0.0.1', '::11', '169.254.127.1']) {
    t.false(isLoopback(other), other)
  }
})
