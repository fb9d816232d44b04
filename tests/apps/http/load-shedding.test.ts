import { EventEmitter, once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { appMetrics } from '../../../adapters/telemetry/metrics.ts'
import { trackCallers } from '../../../apps/http/event-loop.ts'
import { loadShedding, MAX_IN_FLIGHT } from '../../../apps/http/load-shedding.ts'
import { MAX_WAITING_COMMITS } from '../../../core/limits.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { turn } from '../../core/kernel/running/tasks.ts'
import { endless, heldBack } from './endless-row.ts'
import { callFrom, type SlowSender, sendSlowly } from './slow-sender.ts'
import { ADMIN, listening, openToy, openWithNote, type Served, serveToy, toyApi } from './toy-api.ts'
import { notes, payments } from './toy-core.ts'
import { toyRows } from './toy-rows.ts'

const BUSY = {
  code: 503,
  success: false,
  message: 'Serviço temporariamente indisponível. Tente novamente em instantes.',
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: unknown
}

/** Requests payments of note 1, each on its own connection. */
const payers = (t: ExecutionContext, { serving: { port } }: Served) => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  t.teardown(() => agent.destroy())
  const headers = { authorization: ADMIN, 'content-length': '0' }
  const newRequest = () => request({ port, host: '127.0.0.1', agent, method: 'POST', path: '/notes/1/pay', headers })
  const pay = (): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = newRequest()
      sent.on('error', reject)
      sent.on('response', async (answer) => {
        let text = ''
        for await (const piece of answer) text += piece
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], body: JSON.parse(text) })
      })
      sent.end()
    })
  return { newRequest, pay }
}

/** Holds all payments at the bank until `finish`. */
const holdPayments = ({ bank }: Served) => {
  const held: (() => void)[] = []
  bank.answer = () => new Promise((resolve) => held.push(() => resolve('paid')))
  const finish = (): void => {
    for (const answer of held.splice(0)) answer()
  }
  return { held, finish }
}

test('returns 503 at once beyond the limit of requests in flight, and has room again after them', async (t) => {
  const toy = await openWithNote(t, { maxInFlight: 20, metrics: appMetrics('toy') })
  const { held, finish } = holdPayments(toy)
  const { pay } = payers(t, toy)
  const inFlight = Array.from({ length: 20 }, pay)
  while (held.length < 20) await turn()
  const refused = await Promise.all(Array.from({ length: 30 }, pay))
  for (const { status, retryAfter, body } of refused) {
    t.is(status, 503)
    t.regex(retryAfter ?? '', /^[1-9]\d*$/)
    t.deepEqual(body, { ...BUSY, error_code: 'server.busy' })
  }
  t.is(held.length, 20, 'refused requests are not started')
  t.is((await toy.ask('/health')).status, 200, '/health needs no slot')
  t.is((await toy.ask('/metrics')).status, 200, '/metrics needs no slot')
  finish()
  t.deepEqual(new Set((await Promise.all(inFlight)).map(({ status }) => status)), new Set([200]))
  t.is((await toy.ask('/health')).status, 200)
  t.is((await toy.ask('/notes')).status, 200)
})

test('a client that hangs up frees its slot when its request is done', async (t) => {
  const toy = await openWithNote(t, { maxInFlight: 1 })
  const { held, finish } = holdPayments(toy)
  const { newRequest } = payers(t, toy)
  const sent = newRequest()
  sent.on('error', () => {})
  sent.end()
  while (held.length < 1) await turn()
  sent.destroy()
  t.is((await toy.ask('/notes')).status, 503)
  finish()
  let status = 503
  while (status === 503) status = (await toy.ask('/notes')).status
  t.is(status, 200)
})

test('a closed connection frees the slots of its pipelined requests when they are done', async (t) => {
  const toy = await openWithNote(t, { maxInFlight: 30 })
  const { held, finish } = holdPayments(toy)
  const socket = connect(toy.serving.port, '127.0.0.1')
  const pay = `POST /notes/1/pay HTTP/1.1\r\nHost: x\r\nAuthorization: ${ADMIN}\r\nContent-Length: 0\r\n\r\n`
  socket.write(pay.repeat(30))
  while (held.length < 30) await turn()
  socket.destroy()
  t.is((await toy.ask('/notes')).status, 503)
  finish()
  while (toy.log.lines.length < 31) await turn()
  let answered = 0
  const again = Array.from({ length: 30 }, async () => {
    await payers(t, toy).pay()
    answered += 1
  })
  while (held.length + answered < 30) await turn()
  t.is(held.length, 30, 'none is refused')
  finish()
  await Promise.all(again)
})

test('frees the slot of a client that hung up before the API was called', async (t) => {
  const { mounted, log } = toyApi({ maxInFlight: 1 })
  const { server, port } = await listening(t, async (req, res) => {
    if (req.method === 'DELETE') await once(res, 'close')
    mounted.handle(req, res)
  })
  const gone = request({ host: '127.0.0.1', port, method: 'DELETE', path: '/notes/1', agent: false })
  gone.on('error', () => {})
  gone.end()
  await once(server, 'request')
  gone.destroy()
  while (log.lines.length < 1) await turn()
  await turn()
  const [answer] = (await once(get({ host: '127.0.0.1', port, path: '/', agent: false }), 'response')) as [
    IncomingMessage,
  ]
  answer.resume()
  t.is(answer.statusCode, 200)
})

test('a request whose connection was closed before it was counted keeps no other caller waiting', async (t) => {
  const callers = trackCallers({ isDirect: true, loopDelayMs: () => 1_000, now: () => 0 })
  const shed = loadShedding({ faults: { of: () => ({}) }, dialect: {}, callers } as never)
  const socket = Object.assign(new EventEmitter(), { destroyed: true, remoteAddress: '192.0.2.1' })
  const res = Object.assign(new EventEmitter(), { headersSent: false })
  await shed({ path: '/notes', state: { address: '192.0.2.1' }, req: { socket }, res } as never, async () => {})
  callers.countRequest('192.0.2.2', { remoteAddress: '192.0.2.2', once: () => {} }, { headersSent: false })
  t.false(callers.isRefused('192.0.2.2'))
})

test('returns 503 beyond the limit of waiting commits of a store whose commits hang', async (t) => {
  const { path, remove } = await someFile()
  const store = await sqliteStore(path, [notes, payments, idempotencyKeys], { busyWaitMs: 100_000 })
  const toy = await serveToy({ store })
  const other = await openDatabase(path)
  t.teardown(async () => {
    await toy.stop()
    await store.close()
    await remove()
  })
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  t.true(MAX_WAITING_COMMITS < MAX_IN_FLIGHT)

  other.prepare('BEGIN IMMEDIATE').run()
  const { pay } = payers(t, toy)
  const refused: Answer[] = []
  const answers = Array.from({ length: MAX_WAITING_COMMITS + 40 }, async () => {
    const answer = await pay()
    if (answer.status === 503) refused.push(answer)
    return answer
  })
  while (refused.length < 40) await turn()
  t.is((await toy.ask('/notes')).status, 200, 'reads need no commit')
  other.prepare('ROLLBACK').run()
  other.close()
  const all = await Promise.all(answers)
  t.is(all.filter(({ status }) => status === 200).length, MAX_WAITING_COMMITS)
  t.is(refused.length, 40)
  for (const { retryAfter, body } of refused) {
    t.regex(retryAfter ?? '', /^[1-9]\d*$/)
    t.deepEqual(body, { ...BUSY, error_code: 'store.unavailable' })
  }
})

const [FLOOD, OTHER] = ['127.0.0.1', '127.0.0.2']
const AS_ADMIN = { authorization: ADMIN }

const noteOf = (title: string) => ({ method: 'POST', path: '/notes', headers: AS_ADMIN, body: { title, value: 1 } })

/** Starts requests, one after the other, that are sent slowly. */
const slowNotes = async (t: ExecutionContext, { serving }: Served, from: string, count: number) => {
  const senders: SlowSender[] = []
  for (let number = 1; number <= count; number += 1) {
    senders.push(await sendSlowly(t, serving.port, { from, ...noteOf(`${from} ${number}`) }))
  }
  return senders
}

const answered = (senders: readonly SlowSender[]) => senders.filter(({ got }) => got() !== '')

test('a flood of slow requests does not keep another caller from being answered', async (t) => {
  const toy = await openToy(t, { maxInFlight: 40, metrics: appMetrics('toy') })
  const senders = await slowNotes(t, toy, FLOOD, 60)
  while (answered(senders).length < 20) await turn()
  const call = (request: Omit<Parameters<typeof callFrom>[1], 'from'>) =>
    callFrom(toy.serving.port, { from: OTHER, headers: AS_ADMIN, ...request })
  for (let round = 1; round <= 3; round += 1) {
    const answers = await Promise.all([
      call({ path: '/health' }),
      call({ path: '/notes' }),
      call(noteOf(`round ${round}`)),
      call({ path: '/metrics' }),
    ])
    const statuses = answers.map(({ status }) => status)
    t.deepEqual(statuses, [200, 200, 201, 200])
  }
  // While another caller was read, a quarter of the slots was left to the newest slow requests.
  while (answered(senders).length < 50) await turn()
  t.deepEqual(answered(senders), senders.slice(0, 50))
  for (const { got, isClosed } of senders.slice(0, 50)) {
    t.regex(got(), /^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n/)
    t.regex(got(), /\r\nRetry-After: [1-9]\d*\r\n/)
    t.true(got().includes('"error_code":"server.busy"'))
    while (!isClosed()) await turn()
  }
  for (const { finish } of senders.slice(50)) finish()
  while (answered(senders).length < 60) await turn()
  for (const { got } of senders.slice(50)) t.regex(got(), /^HTTP\/1\.1 201 /)
  t.is(toy.log.lines.filter(({ status, route }) => status === 503 && route === 'notes.add').length, 50)
  t.deepEqual(toy.log.failures, [])
})

test('evicts the oldest slow request of a single caller, and frees the slot of one that hangs up', async (t) => {
  const toy = await openToy(t, { maxInFlight: 4 })
  const senders = await slowNotes(t, toy, FLOOD, 5)
  while (answered(senders).length < 1) await turn()
  t.deepEqual(answered(senders), senders.slice(0, 1))
  senders[1]?.hangUp()
  while (toy.log.lines.length < 2) await turn()
  t.is((await callFrom(toy.serving.port, { from: FLOOD, ...noteOf('last') })).status, 201)
  for (const { finish } of senders.slice(2)) finish()
  while (answered(senders).length < 4) await turn()
  for (const { got } of senders.slice(2)) t.regex(got(), /^HTTP\/1\.1 201 /)
})

test('shares slots by the forwarded network behind a trusted proxy', async (t) => {
  const toy = await openToy(t, { maxInFlight: 4, trustProxy: true })
  const from = (address: string, title: string) => ({
    from: FLOOD,
    ...noteOf(title),
    headers: { ...AS_ADMIN, 'x-forwarded-for': `made-up, ${address}` },
  })
  const first = await sendSlowly(t, toy.serving.port, from('2001:db8:0:1::1', 'a1'))
  const second = await sendSlowly(t, toy.serving.port, from('2001:db8:0:1::2', 'a2'))
  // Both addresses are in one network and have one share.
  const third = await sendSlowly(t, toy.serving.port, from('198.51.100.9', 'b1'))
  while (first.got() === '') await turn()
  t.regex(first.got(), /^HTTP\/1\.1 503 /)
  for (const { finish } of [second, third]) finish()
  while (answered([second, third]).length < 2) await turn()
  for (const { got } of [second, third]) t.regex(got(), /^HTTP\/1\.1 201 /)
})

/** Requests endless answers and does not read them. */
const streamsTo = (t: ExecutionContext, { serving: { port } }: Served, count: number) => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  t.teardown(() => agent.destroy())
  for (let number = 1; number <= count; number += 1)
    get({ host: '127.0.0.1', port, path: '/endless', agent }, (answer) => {
      answer.on('error', () => {})
      answer.pause()
    })
}

test('evicts a client that reads its answer slowly, after slowClientMs', async (t) => {
  for (const [slowClientMs, isSlow] of [
    [1_000_000, false],
    [1, true],
  ] as const) {
    const { row, streams } = endless()
    const toy = await openToy(t, { maxInFlight: 2, slowClientMs, rows: [...toyRows, row] })
    streamsTo(t, toy, 2)
    while (streams.open < 2) await turn()
    const call = async () =>
      (await callFrom(toy.serving.port, { from: OTHER, path: '/notes', headers: AS_ADMIN })).status
    if (isSlow) {
      while ((await call()) === 503) await turn()
      while (streams.open > 1) await turn()
    }
    t.is(await call(), isSlow ? 200 : 503)
    t.is(streams.open, isSlow ? 1 : 2)
    t.deepEqual(toy.log.failures, [])
  }
})

test('evicts a request that waits for the turn of a long answer, never one whose answer is being made', async (t) => {
  const { row, making } = heldBack()
  const toy = await openToy(t, { maxInFlight: 8, rows: [...toyRows, row] })
  const call = (from: string, path: string) => callFrom(toy.serving.port, { from, path, headers: AS_ADMIN })
  const flood = Array.from({ length: 8 }, () => call(FLOOD, '/held-back'))
  while (making.started < 4) await turn()
  t.is((await call(OTHER, '/notes')).status, 200)
  making.end()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  t.deepEqual(statuses.toSorted(), [...Array(7).fill(200), 503])
  t.is(making.started, 7)
  t.is((await call(FLOOD, '/held-back')).status, 200)
  t.deepEqual(toy.log.failures, [])
})
