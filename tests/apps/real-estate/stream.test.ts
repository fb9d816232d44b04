// Also runs on MongoDB, in test:long.

import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { closingClock } from '../../../adapters/clock/system-clock.ts'
import { serve } from '../../../apps/http/server.ts'
import { buildRealEstate } from '../../../apps/real-estate/app.ts'
import { isLeft } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { epochSeconds } from '../../../core/kernel/values/day.ts'
import { MAX_STREAMS_OF_USER } from '../../../core/real-estate/notifications/feed.ts'
import { notificationCounts, notifications } from '../../../core/real-estate/office.ts'
import { realEstate } from '../../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../../core/real-estate/real-estate-ports.ts'
import { brokers, users } from '../../../core/real-estate/records/people.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { type EstateTestApi, openEstateApi, outcomeOf, type Person, testProvider } from './test-api.ts'

/** The interval in which a process polls for notifications. */
const POLL_MS = 1_000
const TOKEN_SECONDS = 3_600

const turn = () => new Promise((resolve) => setImmediate(resolve))

/**
 * Opens an API with a set clock that polls as often as possible, with two users who are notified of commissions, and
 * with a count of the reads of its store.
 */
const openStreams = async (t: ExecutionContext) => {
  const counts = { waits: 0, lists: 0, opened: 0 }
  let ports: RealEstatePorts | null = null
  const real = closingClock()
  t.teardown(() => real.close())
  const wait = (milliseconds: number) => {
    if (milliseconds === POLL_MS) counts.waits += 1
    return real.wait(Math.min(milliseconds, 5))
  }
  const api = await openEstateApi(t, {
    instead: ({ clock, store }) => ({
      clock: { ...clock, wait },
      store: {
        ...store,
        list: (ask) => {
          if (ask.from.name === notifications.name) counts.lists += 1
          return store.list(ask)
        },
        find: (ask) => {
          if (ask.from.name === notificationCounts.name) counts.opened += 1
          return store.find(ask)
        },
      },
    }),
  })
  const clock = { ...api.clock, wait }
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const contract = await stored.contractOf()
  const person = async () => {
    const user = await api.colleague(admin, 'Broker')
    const broker = await stored.brokerOf({ email: user.email })
    return {
      ...user,
      notify: async (laterMs = 1): Promise<string> => {
        // Lists show the newest first.
        api.clock.advance(laterMs)
        const { id } = await stored.commissionOf(contract, broker.id)
        await stored.emit('commission.paid', id)
        await api.drain()
        return id
      },
    }
  }
  ports = (await buildRealEstate(api.host, { clock })).ports
  return { api, ports, clock, ana: await person(), bea: await person(), counts }
}

const resourcesIn = (events: readonly StreamEvent[]) => events.map(({ data }) => data.resourceId)

test('a stream opens at once and sends a user their own notifications as they happen', async (t) => {
  const { api, ana, bea, counts } = await openStreams(t)
  await ana.notify()
  const listeners = [await listen(t, api, ana.token), await listen(t, api, ana.token)]
  const beasStream = await listen(t, api, bea.token)
  for (const each of [...listeners, beasStream]) {
    t.is(each.status, 200)
    t.regex(each.type ?? '', /^text\/event-stream/)
    t.deepEqual(each.events(), [], 'earlier notifications are in the list')
  }
  const sent = [await ana.notify(), await ana.notify()]
  const beas = await bea.notify()
  const shown = (await api.ask('GET', '/api/notifications?pageSize=2', { token: ana.token })).body.data.reverse()
  for (const each of listeners) {
    const events = await each.until(2)
    t.deepEqual(resourcesIn(events), sent)
    t.true(events.every(({ id, data }) => data.id === id))
    const datas = events.map(({ data }) => data)
    t.deepEqual(datas, shown)
  }
  t.deepEqual(resourcesIn(await beasStream.until(1)), [beas])
  const before = { ...counts }
  while (counts.waits < before.waits + 10) await turn()
  // Three streams share one poll a second; the last may be pending.
  t.true(counts.lists - before.lists <= counts.waits - before.waits + 1, JSON.stringify([before, counts]))
  t.is(beasStream.events().length, 1)
})

test('Last-Event-ID returns all later notifications of the user, and none for an id of another user', async (t) => {
  const { api, ana, bea } = await openStreams(t)
  const first = await listen(t, api, ana.token)
  const sent = [await ana.notify(), await ana.notify()]
  const [had] = await first.until(2)
  first.hangUp()
  for (let count = 0; count < 3; count += 1) sent.push(await ana.notify())
  await bea.notify()
  const again = await listen(t, api, ana.token, { 'last-event-id': had?.id ?? '' })
  t.deepEqual(resourcesIn(await again.until(4)), sent.slice(1))
  sent.push(await ana.notify())
  t.deepEqual(resourcesIn(await again.until(5)), sent.slice(1))
  for (const id of [had?.id ?? '', 'nothing', "'; --"]) {
    const hers = await listen(t, api, bea.token, { 'last-event-id': id })
    const next = await bea.notify()
    t.deepEqual(resourcesIn(await hers.until(1)), [next], id)
    hers.hangUp()
  }
})

test('a stream that is cut before its first event resumes from the id of its first bytes', async (t) => {
  const { api, ports, ana, bea } = await openStreams(t)
  const firstId = (text: string) => /^id: (.+)$/m.exec(text)?.[1] ?? ''
  // Before any notification, then after two.
  for (const before of [[], [await bea.notify(), await ana.notify(), await ana.notify()]]) {
    const cut = await listen(t, api, ana.token)
    while (firstId(cut.text()) === '') await turn()
    cut.hangUp()
    const hers = await bea.notify()
    const ids = [await ana.notify(0), await ana.notify(0)]
    const headers = { 'last-event-id': firstId(cut.text()) }
    const again = await listen(t, api, ana.token, headers)
    const sent = resourcesIn(await again.until(2))
    t.deepEqual(sent, ids, `after ${before.length}`)
    t.false(sent.includes(hers))
    again.hangUp()
    // An embedder in another process resumes from the same place.
    const feed = await realEstate(ports).notifications.stream(
      { ...ana, verifiedEmail: ana.email },
      headers['last-event-id'],
    )()
    if (isLeft(feed)) throw new Error(feed.left.code)
    const each = feed.right[Symbol.asyncIterator]()
    t.is((await each.next()).value.resourceId, ids[0])
    await each.return?.()
  }
})

test('a notification from another process is streamed', async (t) => {
  const { api, ports, ana } = await openStreams(t)
  const feed = await realEstate(ports).notifications.stream({
    ...ana,
    verifiedEmail: ana.email,
    tokenExpiresAt: '9999-01-01T00:00:00.000Z',
  })()
  if (isLeft(feed)) throw new Error(feed.left.code)
  const listener = await listen(t, api, ana.token)
  const each = feed.right[Symbol.asyncIterator]()
  const next = each.next()
  const sent = await ana.notify()
  t.is((await next).value.resourceId, sent)
  t.is((await listener.until(1))[0]?.data.resourceId, sent)
  const waiting = each.next()
  await each.return?.()
  t.deepEqual(await waiting, { done: true, value: undefined }, 'who waits for the next one is let go')
})

test('a stream ends with its token', async (t) => {
  const { api, clock, ana } = await openStreams(t)
  const exp = epochSeconds(clock.now()) + TOKEN_SECONDS
  const token = await api.sign({ sub: ana.uid, email: ana.email, email_verified: true, exp })
  const listener = await listen(t, api, token)
  await ana.notify()
  await listener.until(1)
  clock.advance(TOKEN_SECONDS - 60)
  await ana.notify()
  await listener.until(2)
  clock.advance(60)
  await listener.ended
  t.is(listener.events().length, 2)
  t.true(listener.isWhole())
})

test('a stream ends when its broker is barred or its user is removed, and sends nothing more', async (t) => {
  const { api, ana, bea } = await openStreams(t)
  const [hers, other] = [await listen(t, api, ana.token), await listen(t, api, bea.token)]
  const broker = (await api.every(brokers)).find(({ email }) => email === ana.email)
  const set = { status: 'Inactive' } as const
  await api.host.store.commit([patch(brokers, broker?.id ?? '', { set, when: always })])
  await ana.notify()
  await hers.ended
  t.deepEqual(hers.events(), [])
  t.true(hers.isWhole())
  await bea.notify()
  await other.until(1)
  const user = (await api.every(users)).find(({ email }) => email === bea.email)
  const gone = { removedAt: '2026-11-23T13:05:09.123Z' }
  await api.host.store.commit([patch(users, user?.id ?? '', { set: gone, when: always })])
  // An idle stream ends, too.
  await other.ended
  t.is(other.events().length, 1)
})

test('a user has a limited number of streams, and a closed one frees its place', async (t) => {
  const { api, ana, bea } = await openStreams(t)
  const open = ({ token }: Person) => listen(t, api, token)
  const listeners = await Promise.all(Array.from({ length: MAX_STREAMS_OF_USER }, () => open(ana)))
  t.true(listeners.every(({ status }) => status === 200))
  const refused = await api.ask('GET', '/api/notifications/stream', { token: ana.token })
  t.is(outcomeOf(refused), '429 stream.too-many')
  t.is(refused.headers.get('retry-after'), '30')
  t.is((await open(bea)).status, 200)
  listeners[0]?.hangUp()
  await opened(t, api, ana.token)
  t.is((await open(ana)).status, 429)
})

test('streams that are pipelined on one connection are released when it closes', async (t) => {
  const { api, ana, counts } = await openStreams(t)
  const { hostname, port } = new URL(api.url)
  const socket = connect({ host: hostname, port: Number(port) })
  t.teardown(() => socket.destroy())
  const asked = `GET /api/notifications/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ana.token}\r\n\r\n`
  socket.write(asked.repeat(MAX_STREAMS_OF_USER))
  while (counts.opened < MAX_STREAMS_OF_USER) await turn()
  t.is((await api.ask('HEAD', '/api/notifications/stream', { token: ana.token })).status, 429)
  socket.destroy()
  await t.notThrowsAsync(Promise.all(Array.from({ length: MAX_STREAMS_OF_USER }, () => opened(t, api, ana.token))))
})

test('a stopping server ends its streams at once, without cutting a connection', async (t) => {
  const { api, clock, ana } = await openStreams(t)
  const { identity } = await testProvider()
  const { api: another } = await buildRealEstate(api.host, { clock, identity })
  const serving = await serve(another, { host: '127.0.0.1', port: 0 })
  const listeners = [await listen(t, serving, ana.token), await listen(t, serving, ana.token)]
  await ana.notify()
  await listeners[0]?.until(1)
  await serving.stop()
  await Promise.all(listeners.map(({ ended }) => ended))
  t.true(listeners.every((each) => each.isWhole()))
})

test('HEAD returns the headers and opens no stream', async (t) => {
  const { api, ana } = await openStreams(t)
  for (let count = 0; count <= MAX_STREAMS_OF_USER; count += 1) {
    const head = await api.ask('HEAD', '/api/notifications/stream', { token: ana.token })
    t.is(head.status, 200)
  }
  await t.notThrowsAsync(Promise.all(Array.from({ length: MAX_STREAMS_OF_USER }, () => opened(t, api, ana.token))))
})

/** An event of a stream. */
interface StreamEvent {
  readonly id: string
  readonly data: { readonly id: string; readonly resourceId: string; readonly isRead: boolean }
}

/** An open stream. */
interface Listener {
  readonly status: number
  readonly type: string | undefined
  /** All that was received, with comments. */
  text(): string
  events(): readonly StreamEvent[]
  /** Resolves when so many events were received; rejects after 30 s. */
  until(count: number): Promise<readonly StreamEvent[]>
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>
  /** Reports whether the server ended the stream without cutting it. */
  isWhole(): boolean
  hangUp(): void
}

const PATIENCE_MS = 30_000
const LOOK_MS = 20

const eventsIn = (text: string): readonly StreamEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: notification\n'))
    .map((block) => {
      const [, id = '', data = ''] = block.split('\n').map((line) => line.replace(/^\w+: /, ''))
      return { id, data: JSON.parse(data) }
    })

/** Opens a stream; resolves with its headers. */
const listen = (
  t: Pick<ExecutionContext, 'teardown'>,
  { url }: Pick<EstateTestApi, 'url'>,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Listener> =>
  new Promise((resolve, reject) => {
    const asked: ClientRequest = request(`${url}/api/notifications/stream`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    t.teardown(() => asked.destroy())
    asked.on('error', reject)
    asked.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      answer.on('error', () => {})
      resolve({
        status: answer.statusCode ?? 0,
        type: answer.headers['content-type'],
        text: () => text,
        events: () => eventsIn(text),
        async until(count) {
          for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
            if (eventsIn(text).length >= count) return eventsIn(text)
            await new Promise((done) => setTimeout(done, LOOK_MS))
          }
          throw new Error(`only ${eventsIn(text).length} events came: ${text}`)
        },
        ended: new Promise((done) => answer.on('close', () => done())),
        isWhole: () => answer.complete,
        hangUp: () => asked.destroy(),
      })
    })
    asked.end()
  })

/** Opens a stream as soon as a place is free; rejects after 30 s. */
const opened = async (...[t, api, token]: Parameters<typeof listen>): Promise<Listener> => {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const listener = await listen(t, api, token)
    if (listener.status === 200) return listener
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  throw new Error('there was never room for one more stream')
}
