import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import type { Mounted } from '../../../apps/http/mount.ts'
import {
  CannotListen,
  HEADERS_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  STOP_MS,
  serve,
  type Timeouts,
} from '../../../apps/http/server.ts'
import { turn } from '../../core/kernel/running/tasks.ts'
import { endless } from './endless-row.ts'
import { raw } from './raw.ts'
import { callFrom } from './slow-sender.ts'
import { ADMIN, openToy, serveToy, toyApi } from './toy-api.ts'
import { holdPayment } from './toy-core.ts'
import { toyRows } from './toy-rows.ts'

test('listens on a free port and returns its URL', async (t) => {
  const { serving, ask } = await openToy(t)
  t.regex(serving.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.is(serving.url, `http://${serving.host}:${serving.port}`)
  t.is((await ask('/')).text, 'ok')
})

test('rejects with one line that names the address and the reason if it cannot listen', async (t) => {
  const { serving } = await openToy(t)
  const { mounted } = toyApi()
  const taken = await t.throwsAsync(serve(mounted, { host: '127.0.0.1', port: serving.port }), {
    instanceOf: CannotListen,
  })
  t.is(taken?.message, `cannot listen on 127.0.0.1:${serving.port}: the port is in use`)
  const elsewhere = await t.throwsAsync(serve(mounted, { host: '203.0.113.1', port: 0 }), { instanceOf: CannotListen })
  t.is(elsewhere?.message, 'cannot listen on 203.0.113.1:0: this machine has no such address')
})

test('serves on after connections that are reset during CONNECT', async (t) => {
  const { serving, ask } = await openToy(t)
  for (let time = 0; time < 30; time += 1) {
    const socket = connect(serving.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n')
    for (let turns = 0; turns < time % 3; turns += 1) await turn()
    socket.resetAndDestroy()
    await turn()
  }
  t.is((await ask('/')).text, 'ok')
})

test('limits slow requests to 10 s and 30 s, and a stop to less than 10 s', (t) => {
  t.true(HEADERS_TIMEOUT_MS <= 10_000)
  t.true(REQUEST_TIMEOUT_MS <= 30_000)
  t.true(STOP_MS < 10_000)
})

test('a stop finishes requests in flight, closes idle sockets and accepts no connections', async (t) => {
  const toy = await serveToy()
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const idle = connect(toy.serving.port, '127.0.0.1')
  await once(idle, 'connect')
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  const idleClosed = once(idle, 'close')

  const held = holdPayment(toy.bank)
  const inFlight = toy.ask('/notes/1/pay', { method: 'POST' })
  await held.requested
  const stopped = toy.serving.stop()
  await idleClosed
  await t.throwsAsync(fetch(`${toy.serving.url}/`))
  held.finish()
  const { status, headers } = await inFlight
  t.is(status, 200)
  t.is(headers.get('x-content-type-options'), 'nosniff')
  await stopped
})

test('returns 431 for headers that are too large, in the format of the API, and closes the connection', async (t) => {
  const { serving } = await openToy(t)
  const answer = await raw(serving.port, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
  t.regex(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  t.regex(answer, /\r\nX-Request-Id: \S+\r\n/)
  const message = 'Os cabeçalhos da requisição são grandes demais.'
  const expected = { code: 431, success: false, message, error_code: 'headers.too-large' }
  t.true(answer.endsWith(JSON.stringify(expected)), answer)
})

test('answers a complete request that is followed by bytes that are not HTTP', async (t) => {
  const { serving } = await openToy(t)
  const got = await raw(serving.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n}garbage\r\n\r\n')
  t.regex(got, /^HTTP\/1\.1 200 OK/)
})

const [FLOOD, OTHER] = ['127.0.0.1', '127.0.0.2']

const openWithLimit = async (t: ExecutionContext, maxSockets: number) => {
  const toy = toyApi()
  const serving = await serve(toy.mounted, { host: '127.0.0.1', port: 0, maxSockets, timeouts: { lingerMs: 0 } })
  t.teardown(() => serving.stop())
  const dial = async (from: string, sent: string): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port: serving.port, localAddress: from })
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'connect')
    socket.write(sent)
    return socket
  }
  return { ...toy, serving, dial }
}

const HALF_REQUEST = 'GET / HTTP/1.1\r\nHo'
const WHOLE_REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const closed = (sockets: readonly Socket[]) => sockets.filter((socket) => socket.destroyed).length

test('closes the longest idle sockets of a flood at the limit, and answers other callers', async (t) => {
  const { dial, serving } = await openWithLimit(t, 20)
  const few = await dial(OTHER, HALF_REQUEST)
  const many: Socket[] = []
  for (let number = 0; number < 60; number += 1) many.push(await dial(FLOOD, HALF_REQUEST))
  const asks = { from: OTHER, path: '/notes', headers: { authorization: ADMIN } }
  const answers = await Promise.all([
    callFrom(serving.port, asks),
    callFrom(serving.port, { ...asks, path: '/health' }),
  ])
  const statuses = answers.map(({ status }) => status)
  t.deepEqual(statuses, [200, 200])
  while (closed(many) < 43) await turn()
  t.is(closed(many), 43)
  t.is(closed(many.slice(0, 43)), 43, 'the sockets that waited longest')
  t.false(few.destroyed)
})

test('closes an idle socket at the limit, never one with a request in progress', async (t) => {
  const { core, bank, dial, serving } = await openWithLimit(t, 2)
  await core.add('ana', { title: 'a', cents: 1 })()
  const held = holdPayment(bank)
  const paying = callFrom(serving.port, {
    from: FLOOD,
    method: 'POST',
    path: '/notes/1/pay',
    headers: { authorization: ADMIN },
  })
  await held.requested
  const idle = await dial(FLOOD, WHOLE_REQUEST)
  await once(idle, 'data')
  const gone = once(idle, 'close')
  await once(await dial(FLOOD, WHOLE_REQUEST), 'data')
  await gone
  held.finish()
  t.is((await paying).status, 200)
})

test('adds no listener for each chunk of bytes that are not HTTP behind a request', async (t) => {
  const answers: ServerResponse[] = []
  const begins = {
    answer(_req, res) {
      answers.push(res)
      res.write('started')
    },
    connectionOpened: () => {},
  } satisfies Pick<Mounted, 'answer' | 'connectionOpened'>
  const serving = await serve(begins as unknown as Mounted, { host: '127.0.0.1', port: 0 })
  const socket = connect({ host: '127.0.0.1', port: serving.port })
  socket.on('error', () => {}).setNoDelay(true)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const listeners = async () => {
    socket.write('none\r\n\r\n')
    while ((answers[0]?.socket?.bytesRead ?? 0) < socket.bytesWritten) await turn()
    // The server handles the bytes by the end of this turn.
    await turn()
    return answers[0]?.listenerCount('close')
  }
  while (answers.length === 0) await turn()
  const first = await listeners()
  for (let piece = 0; piece < 20; piece += 1) t.is(await listeners(), first)
  answers[0]?.end('ended')
  const ended = new Promise((resolve) => socket.on('close', resolve).resume())
  await ended
  await serving.stop()
})

const openEndless = async (timeouts: Partial<Timeouts> = {}) => {
  const { row, streams } = endless()
  const toy = toyApi({ rows: [...toyRows, row] })
  const serving = await serve(toy.mounted, { host: '127.0.0.1', port: 0, timeouts })
  return { ...toy, serving, streams }
}

type Opened = Awaited<ReturnType<typeof openEndless>>

const dial = async (t: ExecutionContext, { serving }: Opened): Promise<Socket> => {
  const socket = connect(serving.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const ask = (socket: Socket, path: string, method = 'GET') =>
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${ADMIN}\r\nContent-Length: 0\r\n\r\n`)

/** Requests a payment, which is in flight until `finish`. */
const pay = async (t: ExecutionContext, toy: Opened) => {
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const held = holdPayment(toy.bank)
  const socket = await dial(t, toy)
  ask(socket, '/notes/1/pay', 'POST')
  await held.requested
  return { socket, finish: held.finish }
}

test('ends the stream that a HEAD request opened', async (t) => {
  const toy = await openEndless()
  t.teardown(() => toy.serving.stop())
  const socket = await dial(t, toy)
  for (let requests = 1; requests <= 3; requests += 1) {
    ask(socket, '/endless', 'HEAD')
    const [answer] = (await once(socket, 'data')) as [string]
    t.regex(answer, /^HTTP\/1\.1 200 /)
    while (toy.streams.open > 0) await turn()
    t.deepEqual(toy.streams, { started: requests, open: 0 })
  }
})

test('a stop answers one more request of an open connection, with Connection: close', async (t) => {
  const toy = await openEndless()
  const [socket, inFlight] = [await dial(t, toy), await pay(t, toy)]
  ask(socket, '/')
  t.regex(`${await once(socket, 'data')}`, /\r\nConnection: keep-alive\r\n/)
  const stopped = toy.serving.stop()
  ask(socket, '/')
  const closed = once(socket, 'close')
  const answer = `${await once(socket, 'data')}`
  t.regex(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n/)
  await closed
  inFlight.finish()
  t.regex(`${await once(inFlight.socket, 'data')}`, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n/)
  await stopped
})

test('a stop closes silent sockets while it waits for a request in flight, and streams at its end', async (t) => {
  const toy = await openEndless({ stopMs: 4_000 })
  const [reading, stuck, silent, half] = await Promise.all(Array.from({ length: 4 }, () => dial(t, toy)))
  if (!reading || !stuck || !silent || !half) return t.fail()
  const inFlight = await pay(t, toy)
  reading.resume()
  ask(reading, '/endless')
  ask(stuck, '/endless')
  half.write('GET / HTTP/1.1\r\nHo')
  while (toy.streams.open < 2) await turn()
  let isStopped = false
  const closed = Promise.all([silent, half].map((socket) => once(socket, 'close')))
  const stopped = toy.serving.stop().then(() => {
    isStopped = true
  })
  await closed
  t.is(toy.streams.open, 2)
  t.false(isStopped, 'a request is in flight')
  inFlight.finish()
  t.regex(`${await once(inFlight.socket, 'data')}`, /^HTTP\/1\.1 200 OK/)
  t.false(isStopped, 'a download is read')
  await stopped
  t.is(toy.streams.open, 0)
  t.deepEqual(toy.log.failures, [])
})

test('returns the same promise for each call of stop', async (t) => {
  const toy = await openEndless()
  t.is(toy.serving.stop(), toy.serving.stop())
  await toy.serving.stop()
})

test('closes idle connections, and connections whose client does not read', async (t) => {
  const toy = await openEndless({ keepAliveMs: 50, inactivityMs: 2_000, checkMs: 20 })
  const [idle, stuck] = [await dial(t, toy), await dial(t, toy)]
  ask(idle, '/')
  stuck.pause()
  ask(stuck, '/endless')
  idle.resume()
  await once(idle, 'close')
  while (toy.streams.started === 0) await turn()
  while (toy.streams.open > 0) await turn()
  t.is((await fetch(toy.serving.url)).status, 200)
  t.deepEqual(toy.log.failures, [])
  await toy.serving.stop()
})
