import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import {
  type HttpSenderOptions,
  httpSender,
  MAX_RETRY_AFTER_SECONDS,
  retryAfterSeconds,
} from '../../../adapters/webhooks/http-sender.ts'
import { listening } from '../../listening.ts'
import { receiver } from './receiver.ts'

const sender = (t: ExecutionContext, options: Partial<HttpSenderOptions> = {}) => {
  const made = httpSender({ allowPrivate: true, timeoutMs: 5000, ...options })
  t.teardown(() => made.close())
  return made
}

/** Starts a server without HTTP; it reads nothing unless it handles its sockets. */
const rawServer = async (t: ExecutionContext, onSocket?: (socket: Socket) => void): Promise<string> => {
  const { port, close } = await listening(createServer({ pauseOnConnect: !onSocket }, onSocket))
  t.teardown(close)
  return `http://127.0.0.1:${port}/`
}

const webhook = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': '7' },
  body: '{}',
})

test('sends headers and body unchanged, and returns the answer', async (t) => {
  const { seen, url } = await receiver(t, (_request, response) => response.writeHead(201).end('criado ✅'))
  const body = '{"type":"charge.paid","data":{"name":"João 🎉"}}'
  const answer = await sender(t).post({ ...webhook(url), body })
  t.deepEqual(answer, { status: 201, body: 'criado ✅', retryAfterSeconds: null })
  const headers = { 'webhook-id': '7', 'content-type': 'application/json' }
  t.like(seen[0], { method: 'POST', path: '/hook', body, headers })
})

for (const status of [204, 301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503]) {
  test(`returns a ${status}, and follows no redirect`, async (t) => {
    const inside = await receiver(t)
    const { seen, url } = await receiver(t, (_request, response) =>
      response.writeHead(status, { location: inside.url, refresh: `0; url=${inside.url}` }).end(),
    )
    t.deepEqual(await sender(t).post(webhook(url)), { status, body: '', retryAfterSeconds: null })
    t.is(seen.length, 1)
    t.is(inside.connections(), 0)
  })
}

test('returns Retry-After, given as seconds or as a date', async (t) => {
  const headers = [
    { 'retry-after': '120' },
    { 'retry-after': 'Sat, 21 Nov 2026 13:06:00 GMT', date: 'Sat, 21 Nov 2026 13:05:00 GMT' },
    { 'retry-after': 'soon' },
  ]
  const { seen, url } = await receiver(t, (_request, response) =>
    response.writeHead(429, headers[seen.length - 1]).end(),
  )
  const { post } = sender(t)
  for (const retryAfterSeconds of [120, 60, null]) {
    t.deepEqual(await post(webhook(url)), { status: 429, body: '', retryAfterSeconds })
  }
})

test('returns the first 4 KB of a huge answer without a cut character, and closes its connection', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { url } = await receiver(t, (_request, response) => {
    closed = once(response, 'close')
    const more = () => {
      while (!response.destroyed && response.write(`x${'ã'.repeat(9000)}`));
    }
    response.on('drain', more)
    more()
  })
  const body = `x${'ã'.repeat(2047)}`
  t.deepEqual(await sender(t).post(webhook(url)), { status: 200, body, retryAfterSeconds: null })
  // Without the sender hanging up, this endless answer would never close.
  await closed
})

test('returns an answer of exactly 4 KB whole, and replaces invalid UTF-8', async (t) => {
  for (const [sent, body] of [
    ['y'.repeat(4096), 'y'.repeat(4096)],
    [Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\ufffd\ufffdb'],
  ] as const) {
    const { url } = await receiver(t, (_request, response) => response.end(sent))
    t.deepEqual(await sender(t).post(webhook(url)), { status: 200, body, retryAfterSeconds: null })
  }
})

test('a server without an answer is a timeout', async (t) => {
  const { url, connections } = await receiver(t, () => undefined)
  // Long enough for the connection on a busy machine.
  t.deepEqual(await sender(t, { timeoutMs: 2_500 }).post(webhook(url)), { error: 'timeout' })
  t.is(connections(), 1)
})

test('a server that never reads the request is a timeout', async (t) => {
  const url = await rawServer(t)
  const answer = await sender(t, { timeoutMs: 200 }).post({ ...webhook(url), body: 'x'.repeat(20_000_000) })
  t.deepEqual(answer, { error: 'timeout' })
})

const ENDLESS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'is silent': () => {},
  drips: (response) => {
    const drip = setInterval(() => response.write('.'), 5)
    response.on('close', () => clearInterval(drip))
  },
  'promises more than it sends': (response) => response.write('.'),
}

for (const [name, begin] of Object.entries(ENDLESS))
  test(`returns the status if the body ${name}, and closes the connection`, async (t) => {
    let closed: Promise<unknown> = Promise.resolve()
    const { url } = await receiver(t, (_request, response) => {
      closed = once(response, 'close')
      response.writeHead(200, name.startsWith('promises') ? { 'content-length': 99 } : {})
      response.flushHeaders()
      begin(response)
    })
    const answer = await sender(t, { bodyTimeoutMs: 50 }).post(webhook(url))
    t.like(answer, { status: 200 })
    t.regex('body' in answer ? answer.body : '?', /^\.*$/)
    await closed
  })

for (const size of [2, 60_000])
  test(`reuses the connection of an answer of ${size} bytes`, async (t) => {
    const { seen, url, connections } = await receiver(t, (_request, response) => response.end('z'.repeat(size)))
    const { post } = sender(t)
    for (const _ of [1, 2, 3, 4, 5])
      t.like(await post(webhook(url)), { status: 200, body: 'z'.repeat(Math.min(size, 4_096)) })
    t.is(seen.length, 5)
    t.true(connections() < 5, String(connections()))
  })

test('a server that drips its headers is a timeout', async (t) => {
  const url = await rawServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('X-Drop: 1\r\n'), 20)
    socket.on('error', () => undefined)
    socket.on('close', () => clearInterval(drip))
  })
  t.deepEqual(await sender(t, { timeoutMs: 300 }).post(webhook(url)), { error: 'timeout' })
})

test('a name that is resolved too late is a timeout, and its webhook is not sent', async (t) => {
  const { url, seen, server } = await receiver(t)
  let resolve: (addresses: string[]) => void = () => undefined
  const late = new Promise<string[]>((done) => {
    resolve = done
  })
  const { post } = sender(t, { timeoutMs: 2_500, lookup: () => late })
  t.deepEqual(await post(webhook(url.replace('127.0.0.1', 'slow.test'))), { error: 'timeout' })
  const connected = once(server, 'connection')
  resolve(['127.0.0.1'])
  await connected
  await post(webhook(url))
  t.is(seen.length, 1)
  t.true(seen[0]?.headers.host?.startsWith('127.0.0.1'))
})

test('returns the status of an interrupted answer', async (t) => {
  for (const status of [200, 500]) {
    const { url } = await receiver(t, (_request, response) => {
      response.writeHead(status, { 'content-length': '100' })
      response.flushHeaders()
      setImmediate(() => response.socket?.resetAndDestroy())
    })
    t.like(await sender(t).post(webhook(url)), { status })
  }
})

test('a connection closed without an answer, or without HTTP, is a network error', async (t) => {
  const closing = await receiver(t, (request) => request.socket.destroy())
  t.deepEqual(await sender(t).post(webhook(closing.url)), { error: 'network' })
  const url = await rawServer(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  t.deepEqual(await sender(t).post(webhook(url)), { error: 'network' })
})

test('a closed port, a server without TLS and a name without addresses are errors of their own', async (t) => {
  const { port, server } = await receiver(t)
  t.deepEqual(await sender(t).post(webhook(`https://127.0.0.1:${port}/`)), { error: 'tls' })
  server.close()
  await once(server, 'close')
  t.deepEqual(await sender(t).post(webhook(`http://127.0.0.1:${port}/`)), { error: 'connection refused' })
  const notFound = async () => {
    throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
  }
  for (const lookup of [async () => [], notFound])
    t.deepEqual(await sender(t, { lookup }).post(webhook('http://nowhere.test/')), { error: 'dns' })
})

test('resolves with an error for invalid headers', async (t) => {
  const { url, connections } = await receiver(t)
  const answer = await sender(t).post({ url, headers: { 'x-bad': 'a\r\nb: c' }, body: '' })
  t.deepEqual(answer, { error: 'network' })
  t.is(connections(), 0)
})

test('close closes every socket, and ends pending webhooks', async (t) => {
  const { url, server, seen } = await receiver(t, () => undefined)
  const { post, close } = httpSender({ allowPrivate: true })
  const waiting = post(webhook(url))
  await once(server, 'request')
  await close()
  t.deepEqual(await waiting, { error: 'network' })
  t.deepEqual(await post(webhook(url)), { error: 'network' })
  t.true(seen.length <= 1)
})

const NOW = Date.parse('2026-11-21T13:05:09.500Z')
const DATE = 'Sat, 21 Nov 2026 13:00:00 GMT'

const UNTIL = 'Sat, 21 Nov 2026 13:06:00 GMT'
const HEADERS: readonly (readonly [title: string, header: string, date: string | undefined, seconds: number])[] = [
  ['zero seconds', '0', DATE, 0],
  ['seconds', ' 120 ', undefined, 120],
  ['seconds beyond a week', '99999999999', DATE, MAX_RETRY_AFTER_SECONDS],
  ['more digits than a number has', '9'.repeat(400), DATE, MAX_RETRY_AFTER_SECONDS],
  ['a date, counted from that of the answer', UNTIL, DATE, 360],
  ['a date, counted from now without that of the answer', UNTIL, undefined, 51],
  ['a date, counted from now if that of the answer is invalid', UNTIL, 'today', 51],
  ['a past date', 'Sat, 21 Nov 2026 12:00:00 GMT', DATE, 0],
  ['a distant date', 'Fri, 31 Dec 9999 23:59:59 GMT', DATE, MAX_RETRY_AFTER_SECONDS],
  ['the obsolete form of a date', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:07 GMT', 30],
]
test('Retry-After: reads seconds and dates, from 0 to a week', (t) => {
  for (const [title, header, date, seconds] of HEADERS) t.is(retryAfterSeconds(header, date, NOW), seconds, title)
})

test('Retry-After: an absent or malformed header is null', (t) => {
  const bad = [undefined, '', ' ', '-1', '1.5', '+5', '1e3', '0x10', '5s', 'soon', '2026-11-21', 'Nov 21 2026', '1, 2']
  const badDates = [
    'Sat, 45 Nov 2026 13:06:00 GMT',
    UNTIL.replace('Nov', 'Xxx'),
    UNTIL.replace(' GMT', ''),
    `${DATE} x`,
  ]
  for (const header of [...bad, ...badDates]) t.is(retryAfterSeconds(header, DATE, NOW), null, header)
})

test('Retry-After: any header is null or whole seconds within a week', (t) => {
  const sane = fc.property(fc.string(), fc.string(), (header, date) => {
    const seconds = retryAfterSeconds(header, date, NOW)
    return seconds === null || (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_RETRY_AFTER_SECONDS)
  })
  t.notThrows(() => fc.assert(sane))
})
