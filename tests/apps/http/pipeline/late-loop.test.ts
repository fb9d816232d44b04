import test from 'ava'
import { measureLoopDelay, trackCallers } from '../../../../apps/http/event-loop.ts'
import { ADMIN, serveToy } from '../toy-api.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const open = (isDirect = true) => {
  let [delayMs, ms] = [1_000, 0]
  const callers = trackCallers({ isDirect, loopDelayMs: () => delayMs, now: () => ms })
  const pass = (by: number): void => {
    ms += by
  }
  const setLate = (to: number): void => {
    delayMs = to
  }
  const begin = (whose: string, headersSent = false) => callers.countRequest(whose, socketFrom(whose), { headersSent })
  return { ...callers, begin, pass, setLate }
}

const socketFrom = (remoteAddress: string) => ({ remoteAddress, once: () => {} })
const [BUSY, OTHER, THIRD] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

test('the busiest caller is refused while the loop is late and another caller waits for an answer', (t) => {
  const { begin, isRefused, setLate } = open()
  for (let request = 0; request < 300; request += 1) begin(BUSY)
  t.false(isRefused(BUSY), 'alone')
  const ended = begin(OTHER)
  t.true(isRefused(BUSY))
  t.false(isRefused(OTHER), 'not the busiest')
  setLate(49)
  t.false(isRefused(BUSY), 'not late')
  setLate(50)
  t.true(isRefused(BUSY))
  ended()
  t.false(isRefused(BUSY), 'answered')
  begin(THIRD, true)
  t.false(isRefused(BUSY), 'an answer that is being sent, as a stream of events is, is waited for no more')
})

test('of two equally busy callers neither is refused, and a caller is busy for two seconds at most', (t) => {
  const { begin, isRefused, pass } = open()
  for (const whose of [BUSY, BUSY, OTHER, OTHER]) begin(whose)
  t.deepEqual([isRefused(BUSY), isRefused(OTHER)], [false, false])
  begin(BUSY)
  t.deepEqual([isRefused(BUSY), isRefused(OTHER)], [true, false])
  pass(2_000)
  for (const whose of [OTHER, OTHER]) begin(whose)
  t.deepEqual([isRefused(BUSY), isRefused(OTHER)], [false, true])
})

test('a new connection of another caller waits until it asks, for a second at most', (t) => {
  const [{ begin, isRefused, connectionOpened, pass, countRequest }, proxied] = [open(), open(false)]
  const [first, second] = [socketFrom(OTHER), socketFrom(OTHER)]
  begin(BUSY)
  connectionOpened(socketFrom(BUSY))
  t.false(isRefused(BUSY))
  connectionOpened(first)
  t.true(isRefused(BUSY))
  countRequest(OTHER, first, { headersSent: true })()
  t.false(isRefused(BUSY))
  connectionOpened(second)
  pass(999)
  begin(BUSY)
  t.true(isRefused(BUSY))
  pass(1)
  t.false(isRefused(BUSY))
  // A proxy's connections are of no caller.
  proxied.begin(BUSY)
  proxied.connectionOpened(socketFrom(OTHER))
  t.false(proxied.isRefused(BUSY))
})

test('requests begin for 10 ms in a turn, and then caller by caller in the next turns', async (t) => {
  const { waitForStart, pass } = open()
  const begun: string[] = []
  const ask = async (whose: string, ms: number): Promise<void> => {
    await waitForStart(whose)
    begun.push(whose)
    pass(ms)
  }
  t.is(waitForStart('first'), null)
  pass(10)
  const asked = ['a', 'a', 'a', 'b', 'c'].map((whose) => ask(whose, 5))
  t.deepEqual(begun, [])
  await nextTurn()
  t.deepEqual(begun, ['a', 'b'])
  await nextTurn()
  t.deepEqual(begun, ['a', 'b', 'c', 'a'])
  await Promise.all(asked)
  t.is(begun.length, 5)
})

test('while connections come requests wait for 200 ms, and then begin one in a turn', async (t) => {
  const { waitForStart, connectionOpened, pass } = open()
  const begun: number[] = []
  connectionOpened(socketFrom(BUSY))
  t.is(waitForStart(BUSY), null, 'a connection and its request wait for nothing')
  const asked = [1, 2, 3, 4].map(async (request) => {
    await waitForStart(BUSY)
    begun.push(request)
  })
  for (let connections = 0; connections < 20; connections += 1) {
    t.deepEqual(begun, [])
    await nextTurn()
    connectionOpened(socketFrom(BUSY))
    pass(10)
  }
  await nextTurn()
  t.deepEqual(begun, [1])
  connectionOpened(socketFrom(BUSY))
  await nextTurn()
  t.deepEqual(begun, [1, 2])
  await Promise.all(asked)
})

test('a refused request has its connection closed, and behind a proxy the address that it names counts', async (t) => {
  const toy = await serveToy({ trustProxy: true, loopDelayMs: () => 50 })
  t.teardown(toy.stop)
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const pay = (address: string) =>
    fetch(`${toy.serving.url}/notes/1/pay`, {
      method: 'POST',
      headers: { authorization: ADMIN, 'x-forwarded-for': `made-up, ${address}` },
    })
  for (let request = 0; request < 3; request += 1) t.is((await pay(BUSY)).status, 200, 'alone')
  let answer = (): void => {}
  const asked = new Promise<void>((resolve) => {
    toy.bank.answer = () => {
      resolve()
      return new Promise((answered) => {
        answer = () => answered('paid')
      })
    }
  })
  const other = pay(OTHER)
  await asked
  const { status, headers } = await pay(BUSY)
  t.deepEqual([status, headers.get('connection'), headers.get('retry-after')], [503, 'close', '2'])
  t.is((await fetch(`${toy.serving.url}/health`)).status, 200)
  answer()
  t.is((await other).status, 200)
})

test('a turn is as late as it has taken so far, and the last one counts for a second', async (t) => {
  let ms = 0
  const loopDelayMs = measureLoopDelay(() => ms)
  t.is(loopDelayMs(), 0)
  ms = 80
  t.is(loopDelayMs(), 80)
  await nextTurn()
  ms = 100
  t.is(loopDelayMs(), 80)
  await nextTurn()
  t.is(loopDelayMs(), 0)
})
