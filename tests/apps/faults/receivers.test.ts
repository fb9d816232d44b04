import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { httpSender } from '../../../adapters/webhooks/http-sender.ts'
import { addSeconds, withOffset } from '../../../core/kernel/values/day.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import type { WebhookSender } from '../../../core/ports/messaging.ts'
import { receiver } from '../../adapters/webhooks/receiver.ts'
import { NOW, openTestApi, type TestApi } from '../payments/test-api.ts'

/** The time-out for receivers that never finish; the others have the usual 15 s. */
const IMPATIENCE_MS = 2_000
const DRIP_MS = 20
/** Between two looks of a worker for what is due. */
const LOOK_MS = 50
const HUGE = 'x'.repeat(65_536)
/** Seconds between tries. */
const STEPS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const DAY = 86_400

type Handle = (request: IncomingMessage, response: ServerResponse, tries: number) => unknown

interface Receiver {
  readonly handle: Handle
  /** The result of the last try: the status received, or the error. */
  readonly shows: number | string
  /** The `Retry-After` of the answer in seconds. */
  readonly asksFor?: number
  /** The try that ends it, and how; without it the schedule does. */
  readonly ends?: { readonly tries: number; readonly as: 'delivered' | 'failed' }
}

const drip = (response: ServerResponse, piece: string): void => {
  const timer = setInterval(() => response.write(piece), DRIP_MS)
  response.on('close', () => clearInterval(timer))
}

const pour = (response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(HUGE));
  }
  response.on('drain', more)
  more()
}

/** Takes its time on the first try and on the last; in between it answers at once, so that the test need not wait as often. */
const atLength =
  (handle: Handle): Handle =>
  (request, response, tries) =>
    [1, STEPS.length + 1].includes(tries) ? handle(request, response, tries) : response.writeHead(500).end()

const inside = { url: '' }

const RECEIVERS: Readonly<Record<string, Receiver>> = {
  'answers 500': { handle: (_, response) => response.writeHead(500).end('oops'), shows: 500 },
  redirects: { handle: (_, response) => response.writeHead(301, { location: inside.url }).end(), shows: 301 },
  'is gone': {
    handle: (_, response) => response.writeHead(410).end(),
    shows: 410,
    ends: { tries: 1, as: 'failed' },
  },
  'is gone on the third try': {
    handle: (_, response, tries) => response.writeHead(tries < 3 ? 503 : 410).end(),
    shows: 410,
    ends: { tries: 3, as: 'failed' },
  },
  'asks for ten minutes': {
    handle: (_, response) => response.writeHead(429, { 'retry-after': '600' }).end(),
    shows: 429,
    asksFor: 600,
  },
  'asks for nothing that is a time': {
    handle: (_, response) => response.writeHead(503, { 'retry-after': 'soon' }).end(),
    shows: 503,
  },
  hangs: { handle: atLength(() => undefined), shows: 'timeout' },
  closes: { handle: (request) => request.socket.destroy(), shows: 'network' },
  'drips its head': {
    handle: atLength((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => request.socket.write('X-Drop: 1\r\n'), DRIP_MS)
      request.socket.on('close', () => clearInterval(timer))
    }),
    shows: 'timeout',
  },
  'drips its body': {
    handle: atLength((_, response) => drip(response.writeHead(200), 'x')),
    shows: 200,
    ends: { tries: 1, as: 'delivered' },
  },
  'breaks off': {
    handle: (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('x', () => response.socket?.resetAndDestroy())
    },
    shows: 200,
    ends: { tries: 1, as: 'delivered' },
  },
  'answers without end': {
    handle: (_, response) => pour(response.writeHead(200)),
    shows: 200,
    ends: { tries: 1, as: 'delivered' },
  },
  'answers a huge 500': { handle: (_, response) => pour(response.writeHead(500)), shows: 500 },
  'comes back': {
    handle: (_, response, tries) => response.writeHead(tries < 4 ? 502 : 204).end(),
    shows: 204,
    ends: { tries: 4, as: 'delivered' },
  },
}

const timesOf = ({ asksFor = 0, ends }: Receiver): readonly number[] => {
  const times = [0]
  for (const step of STEPS) times.push((times.at(-1) ?? 0) + Math.max(step, asksFor))
  return times.slice(0, ends?.tries ?? times.length)
}

interface Shown {
  readonly status: string
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly response: { readonly status: number | null; readonly error: string | null } | null
}

/** Returns the state of a delivery some seconds after the start. */
const expected = (one: Receiver, second: number): Omit<Shown, 'response'> => {
  const times = timesOf(one)
  const attempts = times.filter((time) => time <= second).length
  const next = times[attempts]
  const end = one.ends?.as ?? 'failed'
  return {
    status: next === undefined ? end : 'pending',
    attempts,
    next_attempt_at: next === undefined ? null : withOffset(addSeconds(NOW, next)),
  }
}

const open = async (t: ExecutionContext) => {
  const endless = new Set<string>()
  const patient = httpSender({ allowPrivate: true })
  const impatient = httpSender({ allowPrivate: true, timeoutMs: IMPATIENCE_MS })
  t.teardown(() => Promise.all([patient.close(), impatient.close()]))
  const webhooks: WebhookSender = {
    post: (webhook) => (endless.has(webhook.url) ? impatient : patient).post(webhook),
  }
  const api = await openTestApi(t, { instead: () => ({ webhooks }) })
  const elsewhere = await receiver(t)
  inside.url = elsewhere.url
  const merchant = await api.merchant()
  const called = new Map<string, { readonly url: string; tries: number }>()
  for (const [name, { handle, shows }] of Object.entries(RECEIVERS)) {
    const one = { url: '', tries: 0 }
    const { url, server } = await receiver(t, (request, response) => {
      one.tries += 1
      handle(request, response, one.tries)
    })
    // The error of a connection that is closed while it sends is expected.
    server.on('connection', (socket) => socket.on('error', () => undefined))
    one.url = url
    if (shows === 'timeout') endless.add(url)
    called.set(name, one)
    // Due long after the last try, so that nothing else happens to it.
    await api.charge(merchant, { webhook: url, due_date: '2099-12-31' })
  }
  return { api, merchant, called, elsewhere }
}

test('receivers that fail in every way are tried by the schedule, one not held up by another, until it ends', async (t) => {
  const { api, merchant, called, elsewhere } = await open(t)
  const seconds = [...new Set(Object.values(RECEIVERS).flatMap(timesOf))].sort((a, b) => a - b)
  for (const second of seconds) {
    api.clock.set(addSeconds(NOW, second))
    await api.drain()
    const { token } = await api.again(merchant)
    const { status, body } = await api.ask('GET', '/access/webhook-notifications?per_page=100', { token })
    t.is(status, 200)
    const shown = new Map<string, Shown>(body.data.map((each: Shown & { readonly url: string }) => [each.url, each]))
    for (const [name, one] of Object.entries(RECEIVERS)) {
      const { url = '', tries } = called.get(name) ?? {}
      const about = `${name}, ${second} s after the start`
      t.like(shown.get(url), expected(one, second), about)
      t.is(tries, expected(one, second).attempts, about)
    }
  }
  const { token } = await api.again(merchant)
  const { body } = await api.ask('GET', '/access/webhook-notifications?per_page=100', { token })
  t.is(body.data.length, called.size)
  for (const [name, { shows }] of Object.entries(RECEIVERS)) {
    const { response } = body.data.find(({ url }: { url: string }) => url === called.get(name)?.url)
    t.is(response.status ?? response.error, shows, name)
    t.true((response.body ?? '').length <= 4_096, name)
  }
  t.is(elsewhere.connections(), 0, 'no redirect is followed')
  // Three more days bring nothing more.
  api.clock.advance(3 * DAY)
  await api.drain()
  t.deepEqual(
    (await api.every(deliveries)).filter(({ dueAt }) => dueAt !== null),
    [],
  )
  for (const [name, one] of Object.entries(RECEIVERS)) t.is(called.get(name)?.tries, timesOf(one).length, name)
})

const lookUntil = async ({ drain }: TestApi, holds: () => boolean) => {
  const looks: Promise<unknown>[] = []
  while (!holds()) {
    looks.push(drain())
    await sleep(LOOK_MS)
  }
  return { looks }
}

const patientApi = (t: ExecutionContext) => {
  const webhooks = httpSender({ allowPrivate: true, timeoutMs: 60_000 })
  t.teardown(() => webhooks.close())
  return openTestApi(t, { instead: () => ({ webhooks }) })
}

const hanger = () => {
  const held: ServerResponse[] = []
  let isOver = false
  const hang = (_: IncomingMessage, response: ServerResponse): void =>
    void (isOver ? response.end() : held.push(response))
  const letGo = (): void => {
    isOver = true
    for (const response of held) response.end()
  }
  return { held, hang, letGo }
}

test('while one receiver hangs, webhooks of others arrive', async (t) => {
  const api = await patientApi(t)
  const { hang, letGo } = hanger()
  const hanging = await receiver(t, hang)
  const good = await receiver(t)
  const merchant = await api.merchant()
  // More than are called at once, of one machine and in all.
  for (let charge = 0; charge < 12; charge += 1) await api.charge(merchant, { webhook: `${hanging.url}/${charge}` })
  await api.charge(merchant, { webhook: good.url })
  const { looks } = await lookUntil(api, () => good.seen.length > 0)
  t.is(JSON.parse(good.seen[0]?.body ?? '').type, 'charge.created')
  t.true(hanging.seen.length <= 4)
  // It answers in the end, so that the test does not wait for the time-outs.
  letGo()
  await Promise.all(looks)
  t.is(hanging.seen.length, 12)
})

test("while 40 hosts of one account hang, another's webhooks arrive", async (t) => {
  const api = await patientApi(t)
  const [ana, rui] = [await api.merchant(), await api.merchant()]
  const good = await receiver(t)
  const { held, hang, letGo } = hanger()
  const hanging = await Promise.all(Array.from({ length: 40 }, () => receiver(t, hang)))
  for (const { url } of hanging)
    for (let charge = 0; charge < 4; charge += 1) await api.charge(ana, { webhook: `${url}/${charge}` })
  const first = await lookUntil(api, () => held.length >= 64)
  await api.charge(rui, { webhook: good.url })
  const second = await lookUntil(api, () => good.seen.length > 0)
  t.true(held.length <= 64, `half of the places at most, not ${held.length}`)
  letGo()
  await Promise.all([...first.looks, ...second.looks])
  await api.drain()
  t.is(hanging.flatMap(({ seen }) => seen).length, 160)
})
