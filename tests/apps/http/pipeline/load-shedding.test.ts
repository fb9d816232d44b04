import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { appMetrics } from '../../../../adapters/telemetry/app-metrics.ts'
import { MAX_IN_FLIGHT } from '../../../../apps/http/load-shedding.ts'
import { MAX_WAITING_COMMITS } from '../../../../core/limits.ts'
import { idempotencyKeys } from '../../../../core/office/idempotency-keys.ts'
import { someFile } from '../../../adapters/sqlite/file.ts'
import { ADMIN, type Served, serveToy, toyApi } from '../toy-api.ts'
import { notes, payments } from '../toy-core.ts'

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
