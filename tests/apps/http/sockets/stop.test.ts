import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { serve, type Timeouts } from '../../../../apps/http/server.ts'
import { endless } from '../endless-row.ts'
import { ADMIN, toyApi } from '../toy-api.ts'
import { toyRows } from '../toy-rows.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

const open = async (patience: Partial<Timeouts> = {}) => {
  const { row, streams } = endless()
  const toy = toyApi({ rows: [...toyRows, row] })
  const serving = await serve(toy.mounted, { host: '127.0.0.1', port: 0, timeouts: patience })
  return { ...toy, serving, streams }
}

type Opened = Awaited<ReturnType<typeof open>>

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

/** A payment that the bank holds up: it is in flight until `finish`. */
const pay = async (t: ExecutionContext, toy: Opened) => {
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  let finish = (): void => {}
  const asked = new Promise<void>((resolve) => {
    toy.bank.answer = () => {
      resolve()
      return new Promise((answer) => {
        finish = () => answer('paid')
      })
    }
  })
  const socket = await dial(t, toy)
  ask(socket, '/notes/1/pay', 'POST')
  await asked
  return { socket, finish: () => finish() }
}

test('a HEAD lets go of what it would have been answered from', async (t) => {
  const toy = await open()
  t.teardown(() => toy.serving.stop())
  const socket = await dial(t, toy)
  for (let asked = 1; asked <= 3; asked += 1) {
    ask(socket, '/endless', 'HEAD')
    const [answer] = (await once(socket, 'data')) as [string]
    t.regex(answer, /^HTTP\/1\.1 200 /)
    while (toy.streams.open > 0) await turn()
    t.deepEqual(toy.streams, { begun: asked, open: 0 })
  }
})

test('whoever asks again on an open socket is answered, and told that it was the last time', async (t) => {
  const toy = await open()
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

test('neither a stream nor a silent socket holds up a stop that waits for others', async (t) => {
  const toy = await open()
  const [reading, stuck, silent, half] = await Promise.all(Array.from({ length: 4 }, () => dial(t, toy)))
  if (!reading || !stuck || !silent || !half) return t.fail()
  const inFlight = await pay(t, toy)
  reading.resume()
  ask(reading, '/endless')
  ask(stuck, '/endless')
  half.write('GET / HTTP/1.1\r\nHo')
  while (toy.streams.open < 2) await turn()
  let isStopped = false
  const closed = Promise.all([reading, silent, half].map((socket) => once(socket, 'close')))
  const stopped = toy.serving.stop().then(() => {
    isStopped = true
  })
  await closed
  while (toy.streams.open > 0) await turn()
  t.false(isStopped, 'what is in flight is finished')
  inFlight.finish()
  t.regex(`${await once(inFlight.socket, 'data')}`, /^HTTP\/1\.1 200 OK/)
  await stopped
  t.deepEqual(toy.log.failures, [])
})

test('a stop is one stop, however often it is asked for', async (t) => {
  const toy = await open()
  t.is(toy.serving.stop(), toy.serving.stop())
  await toy.serving.stop()
})

test('a socket that asks for nothing more is closed, and so is a reader who does not read', async (t) => {
  const toy = await open({ keepAliveMs: 50, inactivityMs: 2_000, checkMs: 20 })
  const [idle, stuck] = [await dial(t, toy), await dial(t, toy)]
  ask(idle, '/')
  stuck.pause()
  ask(stuck, '/endless')
  idle.resume()
  await once(idle, 'close')
  while (toy.streams.begun === 0) await turn()
  while (toy.streams.open > 0) await turn()
  t.is((await fetch(toy.serving.url)).status, 200)
  t.deepEqual(toy.log.failures, [])
  await toy.serving.stop()
})
