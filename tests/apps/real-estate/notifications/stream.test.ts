import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { closingClock } from '../../../../adapters/clock/closing-clock.ts'
import { serve } from '../../../../apps/http/serve.ts'
import { buildRealEstate } from '../../../../apps/real-estate/app.ts'
import { isLeft } from '../../../../core/fp.ts'
import { MAX_STREAMS_OF_USER } from '../../../../core/real-estate/notifications/feed.ts'
import { realEstate } from '../../../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../../../core/real-estate/real-estate-ports.ts'
import { storedIn } from '../stored.ts'
import { openEstateApi, type Person } from '../test-api.ts'
import { testProvider } from '../test-provider.ts'
import { listen } from './event-stream.ts'

const now = () => new Date().toISOString()

/** An API whose time goes by, with two people who are told of commissions, and what asks its store. */
const openStreams = async (t: ExecutionContext) => {
  let lists = 0
  let ports: RealEstatePorts | null = null
  const clock = closingClock()
  t.teardown(() => clock.close())
  const api = await openEstateApi(t, {
    now: now(),
    instead: ({ store }) => ({
      clock,
      store: {
        ...store,
        list: (ask) => {
          if (ask.from.name === 'estate.notifications') lists += 1
          return store.list(ask)
        },
      },
    }),
  })
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const contract = await stored.contractOf()
  const person = async () => {
    const user = await api.colleague(admin, 'Broker')
    const broker = await stored.brokerOf({ email: user.email })
    return {
      ...user,
      tell: async (): Promise<string> => {
        const { id } = await stored.commissionOf(contract, broker.id)
        await stored.tell('commission.paid', id)
        await api.drain()
        return id
      },
    }
  }
  ports = (await buildRealEstate(api.host, { clock })).ports
  return { api, ports, clock, ana: await person(), bea: await person(), lists: () => lists }
}

test('a stream says at once that it is there, and gives a person what they alone are told, as it comes', async (t) => {
  const { api, ana, bea, lists } = await openStreams(t)
  await ana.tell()
  const listeners = [await listen(t, api, ana.token), await listen(t, api, ana.token)]
  const hers = await listen(t, api, bea.token)
  for (const each of [...listeners, hers]) {
    t.is(each.status, 200)
    t.regex(each.type ?? '', /^text\/event-stream/)
    t.deepEqual(each.events(), [], 'what was told before is in the list')
  }
  const told = [await ana.tell(), await ana.tell()]
  const hersTold = await bea.tell()
  const shown = (await api.ask('GET', '/api/notifications?pageSize=2', { token: ana.token })).body.data.reverse()
  for (const each of listeners) {
    const events = await each.until(2)
    t.deepEqual(
      events.map(({ data }) => data.resourceId),
      told,
    )
    t.deepEqual(
      events.map(({ id, data }) => data.id === id),
      [true, true],
    )
    t.deepEqual(
      events.map(({ data }) => data),
      shown,
    )
  }
  t.deepEqual(
    (await hers.until(1)).map(({ data }) => data.resourceId),
    [hersTold],
  )
  const before = lists()
  await pause(2_200)
  // Three streams, and one look a second for all of them.
  t.true(lists() - before <= 3, `${lists() - before} looks`)
  t.true(lists() - before >= 1)
  t.is(hers.events().length, 1)
})

test('who says what they had last is given all that came after it, and of what is not theirs nothing', async (t) => {
  const { api, ana, bea } = await openStreams(t)
  const first = await listen(t, api, ana.token)
  const told = [await ana.tell(), await ana.tell()]
  const [had] = await first.until(2)
  first.hangUp()
  for (let count = 0; count < 3; count += 1) told.push(await ana.tell())
  await bea.tell()
  const again = await listen(t, api, ana.token, { 'last-event-id': had?.id ?? '' })
  t.deepEqual(
    (await again.until(4)).map(({ data }) => data.resourceId),
    told.slice(1),
  )
  told.push(await ana.tell())
  t.deepEqual(
    (await again.until(5)).map(({ data }) => data.resourceId),
    told.slice(1),
  )
  for (const id of [had?.id ?? '', 'nothing', "'; --"]) {
    const hers = await listen(t, api, bea.token, { 'last-event-id': id })
    await pause(1_200)
    t.deepEqual(hers.events(), [], id)
    hers.hangUp()
  }
})

test('what another process wrote is streamed, too', async (t) => {
  const { api, ports, ana } = await openStreams(t)
  const feed = await realEstate(ports).notifications.stream({ ...ana, tokenExpiresAt: '9999-01-01T00:00:00.000Z' })()
  if (isLeft(feed)) throw new Error(feed.left.code)
  const listener = await listen(t, api, ana.token)
  const each = feed.right[Symbol.asyncIterator]()
  const next = each.next()
  const told = await ana.tell()
  t.is((await next).value.resourceId, told)
  t.is((await listener.until(1))[0]?.data.resourceId, told)
  const waiting = each.next()
  await each.return?.()
  t.deepEqual(await waiting, { done: true, value: undefined }, 'who waits for the next one is let go')
})

test('a stream ends with its token', async (t) => {
  const { api, ana } = await openStreams(t)
  // Longer than it takes to be told of something, on a slow machine too.
  const exp = Math.floor(Date.now() / 1_000) + 8
  const token = await api.sign({ sub: ana.uid, email: ana.email, email_verified: true, exp })
  const listener = await listen(t, api, token)
  await ana.tell()
  await listener.until(1)
  await listener.ended
  t.true(listener.isWhole())
  t.true(Date.now() >= exp * 1_000)
  t.true(Date.now() < exp * 1_000 + 10_000)
})

test('a person has so many streams at once; who hangs up leaves room for another', async (t) => {
  const { api, ana, bea } = await openStreams(t)
  const open = ({ token }: Person) => listen(t, api, token)
  const listeners = await Promise.all(Array.from({ length: MAX_STREAMS_OF_USER }, () => open(ana)))
  t.true(listeners.every(({ status }) => status === 200))
  const refused = await api.ask('GET', '/api/notifications/stream', { token: ana.token })
  t.like(refused, { status: 429, body: { code: 'stream.too-many' } })
  t.is(refused.headers.get('retry-after'), '30')
  t.is((await open(bea)).status, 200)
  listeners[0]?.hangUp()
  await pause(200)
  t.is((await open(ana)).status, 200)
  t.is((await open(ana)).status, 429)
})

test('who asks for streams behind another one on the same connection holds none once they hang up', async (t) => {
  const { api, ana } = await openStreams(t)
  const { hostname, port } = new URL(api.url)
  const socket = connect({ host: hostname, port: Number(port) })
  t.teardown(() => socket.destroy())
  const asked = `GET /api/notifications/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ana.token}\r\n\r\n`
  socket.write(asked.repeat(MAX_STREAMS_OF_USER))
  const open = () => api.ask('HEAD', '/api/notifications/stream', { token: ana.token })
  while ((await open()).status === 200) await pause(20)
  socket.destroy()
  await pause(200)
  const listeners = await Promise.all(Array.from({ length: MAX_STREAMS_OF_USER }, () => listen(t, api, ana.token)))
  t.deepEqual(
    listeners.map(({ status }) => status),
    Array(MAX_STREAMS_OF_USER).fill(200),
  )
})

test('a server that stops ends its streams at once, and cuts none of them off', async (t) => {
  const { api, clock, ana } = await openStreams(t)
  const { identity } = await testProvider()
  const { api: another } = await buildRealEstate(api.host, { clock, identity })
  const serving = await serve(another, { host: '127.0.0.1', port: 0 })
  const listeners = [await listen(t, serving, ana.token), await listen(t, serving, ana.token)]
  await ana.tell()
  await listeners[0]?.until(1)
  await serving.stop()
  await Promise.all(listeners.map(({ ended }) => ended))
  t.deepEqual(
    listeners.map((each) => each.isWhole()),
    [true, true],
  )
})

test('HEAD tells the headers and holds nothing open', async (t) => {
  const { api, ana } = await openStreams(t)
  for (let count = 0; count <= MAX_STREAMS_OF_USER; count += 1) {
    const head = await api.ask('HEAD', '/api/notifications/stream', { token: ana.token })
    t.is(head.status, 200)
    await pause(20)
  }
  t.is((await api.ask('GET', '/api/notifications/stream')).status, 401)
})
