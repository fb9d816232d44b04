import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { appMetrics } from '../../../adapters/telemetry/app-metrics.ts'
import { MAX_IN_FLIGHT } from '../../../apps/http/load-shedding.ts'
import { MAX_WAITING_COMMITS } from '../../../core/limits.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { endless, heldBack } from './endless-row.ts'
import { callFrom, type SlowSender, sendSlowly } from './slow-sender.ts'
import { ADMIN, type Served, serveToy, toyApi } from './toy-api.ts'
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

/** Asks for the payment of note 1, each on a connection of its own. */
const payers = (t: ExecutionContext, { serving: { port } }: Served) => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  t.teardown(() => agent.destroy())
  const headers = { authorization: ADMIN, 'content-length': '0' }
  const begin = () => request({ port, host: '127.0.0.1', agent, method: 'POST', path: '/notes/1/pay', headers })
  const pay = (): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = begin()
      asked.on('error', reject)
      asked.on('response', async (answer) => {
        let text = ''
        for await (const piece of answer) text += piece
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers['retry-after'],
          body: JSON.parse(text),
        })
      })
      asked.end()
    })
  return { begin, pay }
}

/** A bank that answers nobody before it is told to. */
const holdUp = ({ bank }: Served) => {
  const held: (() => void)[] = []
  bank.answer = () => new Promise((resolve) => held.push(() => resolve('paid')))
  const letGo = (): void => {
    for (const answer of held.splice(0)) answer()
  }
  return { held, letGo }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('beyond so many in hand everybody is told at once to come back; then there is room again', async (t) => {
  const toy = await serveToy({ maxInFlight: 20, metrics: appMetrics('toy') })
  t.teardown(toy.stop)
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const { held, letGo } = holdUp(toy)
  const { pay } = payers(t, toy)
  const inHand = Array.from({ length: 20 }, pay)
  while (held.length < 20) await turn()
  const refused = await Promise.all(Array.from({ length: 30 }, pay))
  for (const { status, retryAfter, body } of refused) {
    t.is(status, 503)
    t.regex(retryAfter ?? '', /^[1-9]\d*$/)
    t.deepEqual(body, { ...BUSY, error_code: 'server.busy' })
  }
  t.is(held.length, 20, 'what was refused was not begun')
  t.is((await toy.ask('/health')).status, 200, 'nobody who watches stands in line')
  t.is((await toy.ask('/metrics')).status, 200, 'the machine itself may still look')
  letGo()
  t.deepEqual(new Set((await Promise.all(inHand)).map(({ status }) => status)), new Set([200]))
  t.is((await toy.ask('/health')).status, 200)
  t.is((await toy.ask('/notes')).status, 200)
})

test('who hangs up makes no room before their request is done', async (t) => {
  const toy = await serveToy({ maxInFlight: 1 })
  t.teardown(toy.stop)
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const { held, letGo } = holdUp(toy)
  const { begin } = payers(t, toy)
  const asked = begin()
  asked.on('error', () => {})
  asked.end()
  while (held.length < 1) await turn()
  asked.destroy()
  t.is((await toy.ask('/notes')).status, 503)
  letGo()
  let status = 503
  while (status === 503) status = (await toy.ask('/notes')).status
  t.is(status, 200)
})

test('nor do those who asked several things on one connection, and then there is room', async (t) => {
  const toy = await serveToy({ maxInFlight: 30 })
  t.teardown(toy.stop)
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const { held, letGo } = holdUp(toy)
  const socket = connect(toy.serving.port, '127.0.0.1')
  const pay = `POST /notes/1/pay HTTP/1.1\r\nHost: x\r\nAuthorization: ${ADMIN}\r\nContent-Length: 0\r\n\r\n`
  socket.write(pay.repeat(30))
  while (held.length < 30) await turn()
  socket.destroy()
  t.is((await toy.ask('/notes')).status, 503)
  letGo()
  while (toy.log.lines.length < 31) await turn()
  let answered = 0
  const again = Array.from({ length: 30 }, async () => {
    await payers(t, toy).pay()
    answered += 1
  })
  while (held.length + answered < 30) await turn()
  t.is(held.length, 30, 'nobody is told to come back')
  letGo()
  await Promise.all(again)
})

test('who hung up before the API was asked leaves a place like anybody', async (t) => {
  const { mounted, log } = toyApi({ maxInFlight: 1 })
  const server = createServer(async (req, res) => {
    if (req.method === 'DELETE') await once(res, 'close')
    mounted.handle(req, res)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
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

test('a store whose commits hang holds so many and no more; the others are told to come back', async (t) => {
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
  t.is((await toy.ask('/notes')).status, 200, 'reading needs no commit')
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

const turn2 = () => new Promise((resolve) => setImmediate(resolve))

const noteOf = (title: string) => ({ method: 'POST', path: '/notes', headers: AS_ADMIN, body: { title, value: 1 } })

/** Notes that are sent slowly, one after the other. */
const slowNotes = async (t: ExecutionContext, { serving }: Served, from: string, count: number) => {
  const senders: SlowSender[] = []
  for (let number = 1; number <= count; number += 1) {
    senders.push(await sendSlowly(t, serving.port, { from, ...noteOf(`${from} ${number}`) }))
  }
  return senders
}

const answered = (senders: readonly SlowSender[]) => senders.filter(({ got }) => got() !== '')

test('whoever sends slowly, however much, keeps no other caller from anything', async (t) => {
  const toy = await serveToy({ maxInFlight: 40, metrics: appMetrics('toy') })
  t.teardown(toy.stop)
  const senders = await slowNotes(t, toy, FLOOD, 60)
  while (answered(senders).length < 20) await turn2()
  const call = (asked: Omit<Parameters<typeof callFrom>[1], 'from'>) =>
    callFrom(toy.serving.port, { from: OTHER, headers: AS_ADMIN, ...asked })
  for (let round = 1; round <= 3; round += 1) {
    const answers = await Promise.all([
      call({ path: '/health' }),
      call({ path: '/notes' }),
      call(noteOf(`round ${round}`)),
      call({ path: '/metrics' }),
    ])
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 201, 200],
    )
  }
  // Once somebody else was read too, a quarter was left: those who came last.
  while (answered(senders).length < 50) await turn2()
  t.deepEqual(answered(senders), senders.slice(0, 50))
  for (const { got, isClosed } of senders.slice(0, 50)) {
    t.regex(got(), /^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n/)
    t.regex(got(), /\r\nRetry-After: [1-9]\d*\r\n/)
    t.true(got().includes('"error_code":"server.busy"'))
    while (!isClosed()) await turn2()
  }
  for (const { finish } of senders.slice(50)) finish()
  while (answered(senders).length < 60) await turn2()
  for (const { got } of senders.slice(50)) t.regex(got(), /^HTTP\/1\.1 201 /)
  t.is(toy.log.lines.filter(({ status, route }) => status === 503 && route === 'notes.add').length, 50)
  t.deepEqual(toy.log.failures, [])
})

test('the newest of one caller’s own comes in for the longest, and who hangs up leaves a place', async (t) => {
  const toy = await serveToy({ maxInFlight: 4 })
  t.teardown(toy.stop)
  const senders = await slowNotes(t, toy, FLOOD, 5)
  while (answered(senders).length < 1) await turn2()
  t.deepEqual(answered(senders), senders.slice(0, 1))
  senders[1]?.hangUp()
  while (toy.log.lines.length < 2) await turn2()
  t.is((await callFrom(toy.serving.port, { from: FLOOD, ...noteOf('last') })).status, 201)
  for (const { finish } of senders.slice(2)) finish()
  while (answered(senders).length < 4) await turn2()
  for (const { got } of senders.slice(2)) t.regex(got(), /^HTTP\/1\.1 201 /)
})

test('behind a proxy the address that it names has the share', async (t) => {
  const toy = await serveToy({ maxInFlight: 4, trustProxy: true })
  t.teardown(toy.stop)
  const from = (address: string, title: string) => ({
    from: FLOOD,
    ...noteOf(title),
    headers: { ...AS_ADMIN, 'x-forwarded-for': `made-up, ${address}` },
  })
  const first = await sendSlowly(t, toy.serving.port, from('2001:db8:0:1::1', 'a1'))
  const second = await sendSlowly(t, toy.serving.port, from('2001:db8:0:1::2', 'a2'))
  // Of one network: one share for both.
  const third = await sendSlowly(t, toy.serving.port, from('198.51.100.9', 'b1'))
  while (first.got() === '') await turn2()
  t.regex(first.got(), /^HTTP\/1\.1 503 /)
  for (const { finish } of [second, third]) finish()
  while (answered([second, third]).length < 2) await turn2()
  for (const { got } of [second, third]) t.regex(got(), /^HTTP\/1\.1 201 /)
})

/** Answers without end, of which nobody takes more than the beginning. */
const streamsTo = (t: ExecutionContext, { serving: { port } }: Served, count: number) => {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  t.teardown(() => agent.destroy())
  for (let number = 1; number <= count; number += 1)
    get({ host: '127.0.0.1', port, path: '/endless', agent }, (answer) => {
      answer.on('error', () => {})
      answer.pause()
    })
}

test('whose answer is not taken for a while gives way, and not before', async (t) => {
  for (const [slowTakerMs, isSlow] of [
    [1_000_000, false],
    [1, true],
  ] as const) {
    const { row, streams } = endless()
    const toy = await serveToy({ maxInFlight: 2, slowClientMs: slowTakerMs, rows: [...toyRows, row] })
    t.teardown(toy.stop)
    streamsTo(t, toy, 2)
    while (streams.open < 2) await turn2()
    const call = async () =>
      (await callFrom(toy.serving.port, { from: OTHER, path: '/notes', headers: AS_ADMIN })).status
    if (isSlow) {
      while ((await call()) === 503) await turn2()
      while (streams.open > 1) await turn2()
    }
    t.is(await call(), isSlow ? 200 : 503)
    t.is(streams.open, isSlow ? 1 : 2)
    t.deepEqual(toy.log.failures, [])
  }
})

test('who waits for the turn2 of a long answer gives way, and not who has it', async (t) => {
  const { row, making } = heldBack()
  const toy = await serveToy({ maxInFlight: 8, rows: [...toyRows, row] })
  t.teardown(toy.stop)
  const call = (from: string, path: string) => callFrom(toy.serving.port, { from, path, headers: AS_ADMIN })
  const flood = Array.from({ length: 8 }, () => call(FLOOD, '/held-back'))
  while (making.begun < 4) await turn2()
  t.is((await call(OTHER, '/notes')).status, 200)
  making.end()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  t.deepEqual(statuses.toSorted(), [...Array(7).fill(200), 503])
  t.is(making.begun, 7)
  t.is((await call(FLOOD, '/held-back')).status, 200)
  t.deepEqual(toy.log.failures, [])
})
