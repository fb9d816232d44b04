import test from 'ava'
import { measureLoopDelay, trackCallers } from '../../../apps/http/event-loop.ts'
import { turn } from '../../core/kernel/running/tasks.ts'
import { ADMIN, openWithNote } from './toy-api.ts'
import { holdPayment } from './toy-core.ts'

const open = (isDirect = true) => {
  let [delayMs, ms] = [1_000, 0]
  const callers = trackCallers({ isDirect, loopDelayMs: () => delayMs, now: () => ms })
  const pass = (by: number): void => {
    ms += by
  }
  const setLate = (to: number): void => {
    delayMs = to
  }
  const start = (network: string, headersSent = false) => {
    const answer = { headersSent }
    callers.countRequest(network, socketFrom(network), answer)
    return () => callers.endRequest(network, answer)
  }
  return { ...callers, start, pass, setLate }
}

const socketFrom = (remoteAddress: string) => ({ remoteAddress, once: () => {} })
const [BUSY, OTHER, THIRD] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

test('refuses the busiest caller while the event loop is late and another caller waits for an answer', (t) => {
  const { start, isRefused, setLate } = open()
  for (let request = 0; request < 300; request += 1) start(BUSY)
  t.false(isRefused(BUSY), 'alone')
  const ended = start(OTHER)
  t.true(isRefused(BUSY))
  t.false(isRefused(OTHER), 'not the busiest')
  setLate(49)
  t.false(isRefused(BUSY), 'not late')
  setLate(50)
  t.true(isRefused(BUSY))
  ended()
  t.false(isRefused(BUSY), 'answered')
  start(THIRD, true)
  t.false(isRefused(BUSY), 'an answer that is being sent, such as a stream of events, is not waited for')
})

test('refuses neither of two equally busy callers, and counts requests for at most two seconds', (t) => {
  const { start, isRefused, pass } = open()
  for (const network of [BUSY, BUSY, OTHER, OTHER]) start(network)
  t.deepEqual([isRefused(BUSY), isRefused(OTHER)], [false, false])
  start(BUSY)
  t.deepEqual([isRefused(BUSY), isRefused(OTHER)], [true, false])
  pass(2_000)
  for (const network of [OTHER, OTHER]) start(network)
  t.deepEqual([isRefused(BUSY), isRefused(OTHER)], [false, true])
})

test('counts a new connection of another caller as waiting until its first request, for at most a second', (t) => {
  const [{ start, isRefused, connectionOpened, pass, countRequest }, proxied] = [open(), open(false)]
  const [first, second] = [socketFrom(OTHER), socketFrom(OTHER)]
  start(BUSY)
  connectionOpened(socketFrom(BUSY))
  t.false(isRefused(BUSY))
  connectionOpened(first)
  t.true(isRefused(BUSY))
  countRequest(OTHER, first, { headersSent: true })
  t.false(isRefused(BUSY))
  connectionOpened(second)
  pass(999)
  start(BUSY)
  t.true(isRefused(BUSY))
  pass(1)
  t.false(isRefused(BUSY))
  // A connection of a proxy belongs to no caller.
  proxied.start(BUSY)
  proxied.connectionOpened(socketFrom(OTHER))
  t.false(proxied.isRefused(BUSY))
})

test('starts requests for 10 ms in a turn, and the rest in the next turns, caller by caller', async (t) => {
  const { waitForStart, pass } = open()
  const started: string[] = []
  const request = async (network: string, ms: number): Promise<void> => {
    await waitForStart(network)
    started.push(network)
    pass(ms)
  }
  t.is(waitForStart('first'), null)
  pass(10)
  const requests = ['a', 'a', 'a', 'b', 'c'].map((network) => request(network, 5))
  t.deepEqual(started, [])
  await turn()
  t.deepEqual(started, ['a', 'b'])
  await turn()
  t.deepEqual(started, ['a', 'b', 'c', 'a'])
  await Promise.all(requests)
  t.is(started.length, 5)
})

test('delays requests for 200 ms while connections come, and then starts one in a turn', async (t) => {
  const { waitForStart, connectionOpened, pass } = open()
  const started: number[] = []
  connectionOpened(socketFrom(BUSY))
  t.is(waitForStart(BUSY), null, 'a connection and its request do not wait')
  const requests = [1, 2, 3, 4].map(async (request) => {
    await waitForStart(BUSY)
    started.push(request)
  })
  for (let connections = 0; connections < 20; connections += 1) {
    t.deepEqual(started, [])
    await turn()
    connectionOpened(socketFrom(BUSY))
    pass(10)
  }
  await turn()
  t.deepEqual(started, [1])
  connectionOpened(socketFrom(BUSY))
  await turn()
  t.deepEqual(started, [1, 2])
  await Promise.all(requests)
})

test('closes the connection of a refused request, and uses the forwarded address behind a trusted proxy', async (t) => {
  const toy = await openWithNote(t, { trustProxy: true, loopDelayMs: () => 50 })
  const pay = (address: string) =>
    fetch(`${toy.serving.url}/notes/1/pay`, {
      method: 'POST',
      headers: { authorization: ADMIN, 'x-forwarded-for': `made-up, ${address}` },
    })
  for (let request = 0; request < 3; request += 1) t.is((await pay(BUSY)).status, 200, 'alone')
  const held = holdPayment(toy.bank)
  const other = pay(OTHER)
  await held.requested
  const { status, headers } = await pay(BUSY)
  t.deepEqual([status, headers.get('connection'), headers.get('retry-after')], [503, 'close', '2'])
  t.is((await fetch(`${toy.serving.url}/health`)).status, 200)
  held.finish()
  t.is((await other).status, 200)
})

test('measures the current turn, and the last one for a second', async (t) => {
  let ms = 0
  const loopDelayMs = measureLoopDelay(() => ms)
  t.is(loopDelayMs(), 0)
  ms = 80
  t.is(loopDelayMs(), 80)
  await turn()
  ms = 100
  t.is(loopDelayMs(), 80)
  await turn()
  t.is(loopDelayMs(), 0)
})
