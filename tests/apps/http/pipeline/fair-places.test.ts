import { Agent, get } from 'node:http'
import test, { type ExecutionContext } from 'ava'
import { appMetrics } from '../../../../adapters/telemetry/app-metrics.ts'
import { endless, heldBack } from '../endless-row.ts'
import { callFrom, type SlowSender, sendSlowly } from '../slow-sender.ts'
import { ADMIN, type Served, serveToy } from '../toy-api.ts'
import { toyRows } from '../toy-rows.ts'

const [FLOOD, OTHER] = ['127.0.0.1', '127.0.0.2']
const AS_ADMIN = { authorization: ADMIN }

const turn = () => new Promise((resolve) => setImmediate(resolve))

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
  while (answered(senders).length < 20) await turn()
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

test('the newest of one caller’s own comes in for the longest, and who hangs up leaves a place', async (t) => {
  const toy = await serveToy({ maxInFlight: 4 })
  t.teardown(toy.stop)
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
  while (first.got() === '') await turn()
  t.regex(first.got(), /^HTTP\/1\.1 503 /)
  for (const { finish } of [second, third]) finish()
  while (answered([second, third]).length < 2) await turn()
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

test('who waits for the turn of a long answer gives way, and not who has it', async (t) => {
  const { row, making } = heldBack()
  const toy = await serveToy({ maxInFlight: 8, rows: [...toyRows, row] })
  t.teardown(toy.stop)
  const call = (from: string, path: string) => callFrom(toy.serving.port, { from, path, headers: AS_ADMIN })
  const flood = Array.from({ length: 8 }, () => call(FLOOD, '/held-back'))
  while (making.begun < 4) await turn()
  t.is((await call(OTHER, '/notes')).status, 200)
  making.end()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  t.deepEqual(statuses.toSorted(), [...Array(7).fill(200), 503])
  t.is(making.begun, 7)
  t.is((await call(FLOOD, '/held-back')).status, 200)
  t.deepEqual(toy.log.failures, [])
})
