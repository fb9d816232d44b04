import { readFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { memorySender } from '../../../../adapters/webhooks/memory-sender.ts'
import { patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { addSeconds, fromEpochSeconds, secondsBetween } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { webhookSecretOf } from '../../../../core/payments/accounts/account-secrets.ts'
import {
  nextAttempt,
  outcomeOf,
  RETRY_STEPS_SECONDS,
  signedHeaders,
} from '../../../../core/payments/webhooks/deliver.ts'
import type { WebhookAnswer, WebhookSender } from '../../../../core/ports/messaging.ts'
import { deliveriesIn, happen, installation, openAccount, processOf, START } from './webhook-fixtures.ts'

type WebhookRequest = Parameters<WebhookSender['post']>[0]

const answered = (status: number, rest: Partial<Extract<WebhookAnswer, { status: number }>> = {}): WebhookAnswer => ({
  status,
  body: '',
  retryAfterSeconds: null,
  ...rest,
})

const URL_OF_ACCOUNT = 'https://loja.test/hook'

/** One event of one account, sent to its URL; the receiver answers by script. */
const deliveryFixtures = async (answer: (request: WebhookRequest, tries: number) => WebhookAnswer) => {
  const tries: string[] = []
  const { clock, store, ...rest } = installation()
  const webhooks = memorySender((request) => {
    tries.push(clock.now())
    return answer(request, tries.length)
  })
  const { ports, worker, reports } = processOf({ clock, store, ...rest, webhooks })
  const account = await openAccount(ports, 1, { webhookUrl: URL_OF_ACCOUNT })
  await happen(ports, { accountId: 1, data: { description: 'Ação' } })
  const secret = webhookSecretOf(ports.cipher, account)
  const only = async () => {
    const [delivery, ...more] = await deliveriesIn(store)
    if (!delivery || more.length > 0) throw new Error('not one delivery')
    return delivery
  }
  return { ports, store, clock, worker, reports, webhooks, tries, secret, only }
}
type DeliveryFixtures = Awaited<ReturnType<typeof deliveryFixtures>>

/** Goes from due time to due time until nothing is due any more. */
const live = async ({ clock, worker, only }: DeliveryFixtures): Promise<void> => {
  await worker.drain()
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const { dueAt } = await only()
    if (dueAt === null) return
    if (dueAt > clock.now()) clock.set(dueAt)
    await worker.drain()
  }
  throw new Error('it never ends')
}

const secondsAfterStart = (instants: readonly string[]): readonly number[] =>
  instants.map((instant) => (Date.parse(instant) - Date.parse(START)) / 1000)

test('sends one signed POST, which the reference library verifies', async (t) => {
  const here = await deliveryFixtures(() => answered(200, { body: 'ok' }))
  // The library compares with the machine's own clock.
  here.clock.set(new Date().toISOString())
  await here.worker.drain()
  const [request, ...more] = here.webhooks.requests
  t.is(more.length, 0)
  t.is(request?.url, URL_OF_ACCOUNT)
  t.like(request?.headers, { 'content-type': 'application/json', 'user-agent': 'Portico' })
  const verified = new Webhook(here.secret).verify(request?.body ?? '', { ...request?.headers })
  t.deepEqual(verified, { type: 'charge.paid', timestamp: START, data: { description: 'Ação' } })
  const delivery = await here.only()
  t.is(request?.headers['webhook-id'], delivery.webhookId)
  t.is(request?.body, delivery.payload)
  t.like(delivery, {
    status: 'delivered',
    attempts: 1,
    dueAt: null,
    deliveredAt: here.clock.now(),
    response: { status: 200, body: 'ok', error: null },
  })
})

for (const status of [200, 201, 202, 204, 299]) {
  test(`${status} is a success`, async (t) => {
    const here = await deliveryFixtures(() => answered(status))
    await live(here)
    t.is(here.tries.length, 1)
    t.is((await here.only()).status, 'delivered')
  })
}

const WHOLE_SCHEDULE = [0, 5, 305, 2105, 9305, 27_305, 63_305, 113_705, 185_705, 272_105]

const fails = (title: string, answer: WebhookAnswer, response: Record<string, unknown>) =>
  test(`${title} is tried at every step of the schedule, then failed`, async (t: ExecutionContext) => {
    const here = await deliveryFixtures(() => answer)
    await live(here)
    t.deepEqual(secondsAfterStart(here.tries), WHOLE_SCHEDULE)
    const delivery = await here.only()
    t.like(delivery, { status: 'failed', attempts: 10, dueAt: null, deliveredAt: null, response })
    t.is(new Set(here.webhooks.requests.map(({ headers }) => headers['webhook-id'])).size, 1)
    t.is(new Set(here.webhooks.requests.map(({ headers }) => headers['webhook-timestamp'])).size, 10)
    t.is(new Set(here.webhooks.requests.map(({ body }) => body)).size, 1)
    t.deepEqual(here.reports, [], 'what a receiver does is no error of ours')
  })

fails('500', answered(500, { body: 'oops' }), { status: 500, body: 'oops', error: null })
fails('404', answered(404), { status: 404, body: '', error: null })
fails('a redirect', answered(301), { status: 301, body: '', error: null })
fails('304', answered(304), { status: 304, body: '', error: null })
fails('a network error', { error: 'timeout' }, { status: null, body: null, error: 'timeout' })

test('is pending between attempts, with the last response and the time of the next attempt', async (t) => {
  const here = await deliveryFixtures((_, tries) =>
    tries < 3 ? answered(503, { body: `try ${tries}` }) : answered(200),
  )
  await here.worker.drain()
  t.like(await here.only(), {
    status: 'pending',
    attempts: 1,
    dueAt: '2026-11-21T12:00:05.000Z',
    response: { status: 503, body: 'try 1', error: null },
  })
  here.clock.advance(4.999)
  t.is(await here.worker.drain(), 0)
  await live(here)
  t.deepEqual(secondsAfterStart(here.tries), [0, 5, 305])
  t.like(await here.only(), { status: 'delivered', attempts: 3, deliveredAt: '2026-11-21T12:05:05.000Z' })
})

test('fails at once on 410', async (t) => {
  const here = await deliveryFixtures(() => answered(410, { body: 'gone', retryAfterSeconds: 60 }))
  await live(here)
  t.is(here.tries.length, 1)
  t.like(await here.only(), { status: 'failed', attempts: 1, dueAt: null, response: { status: 410, body: 'gone' } })
})

test('fails on 410 after other failures', async (t) => {
  const here = await deliveryFixtures((_, tries) => answered(tries === 1 ? 500 : 410))
  await live(here)
  t.deepEqual(secondsAfterStart(here.tries), [0, 5])
  t.is((await here.only()).status, 'failed')
})

test('waits for a Retry-After that exceeds the step, and continues the schedule after it', async (t) => {
  const asked = [120, 10, 86_400 * 3, null]
  const here = await deliveryFixtures((_, tries) => answered(429, { retryAfterSeconds: asked[tries - 1] ?? null }))
  await live(here)
  t.deepEqual(secondsAfterStart(here.tries).slice(0, 5), [0, 120, 420, 420 + 3 * 86_400, 420 + 3 * 86_400 + 7200])
})

test('stores a response with characters that a store rejects', async (t) => {
  const here = await deliveryFixtures(() => answered(200, { body: 'a\0b\uD800c e\u0301 \u{1F600}' }))
  await live(here)
  t.is((await here.only()).response?.body, 'a\uFFFDb\uFFFDc \u00e9 \u{1F600}')
})

test('counts an error of this process as a failed attempt, and reports it', async (t) => {
  const here = await deliveryFixtures(() => answered(200))
  await here.store.commit([patch(accounts, 1, { set: { webhookSecretSealed: 'nonsense' }, when: always })])
  await here.worker.drain()
  t.is(here.webhooks.requests.length, 0)
  t.like(await here.only(), {
    status: 'pending',
    attempts: 1,
    response: { status: null, body: null, error: 'internal' },
  })
  t.is(here.reports.length, 1)
  t.is(here.reports[0]?.[1], 'payments.deliveries/1')
  t.false(String(here.reports[0]?.[0]).includes('whsec'))
})

test('sends a body of any size unchanged', async (t) => {
  const here = await deliveryFixtures(() => answered(200))
  const data = { text: 'x'.repeat(100_000) }
  await happen(here.ports, { accountId: 1, data })
  await here.worker.drain()
  t.true(here.webhooks.requests.some(({ body }) => JSON.stringify(JSON.parse(body).data) === JSON.stringify(data)))
})

const AT_START = { now: START, steady: START }

test('counts attempts that ended in a crash', (t) => {
  t.like(outcomeOf({ attempts: 9 }, answered(500), AT_START), { status: 'pending', dueAt: '2026-11-22T12:00:00.000Z' })
  t.like(outcomeOf({ attempts: 10 }, answered(500, { retryAfterSeconds: 60 }), AT_START), {
    status: 'failed',
    dueAt: null,
  })
  t.like(outcomeOf({ attempts: 12 }, { error: 'dns' }, AT_START), { status: 'failed', dueAt: null })
  t.like(outcomeOf({ attempts: 12 }, answered(204), AT_START), { status: 'delivered', deliveredAt: START })
})

const NOW = '2026-11-21T12:00:00.000Z'

test('retries after the steps of the schedule, then fails', (t) => {
  const words = ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h']
  const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 }
  const steps = words.map((word) => {
    const [count = '', unit = ''] = word.split(' ')
    return Number(count) * (units[unit] ?? Number.NaN)
  })
  t.deepEqual(RETRY_STEPS_SECONDS, steps)
  for (const [index, seconds] of steps.entries()) t.is(nextAttempt(index + 1, NOW, null), addSeconds(NOW, seconds))
  t.is(nextAttempt(10, NOW, null), null)
  t.is(nextAttempt(11, NOW, 60), null)
})

test('uses a Retry-After that exceeds the step', (t) => {
  const after = (attempts: number, seconds: number) => secondsBetween(NOW, nextAttempt(attempts, NOW, seconds) ?? NOW)
  t.is(after(1, 0), 5)
  t.is(after(1, 4), 5)
  t.is(after(1, 6), 6)
  t.is(after(2, 120), 300)
  t.is(after(2, 3600), 3600)
  t.is(after(1, 2 * 86_400), 2 * 86_400)
})

interface Vector {
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly payload: string
  readonly signature: string
}

const { standardWebhooks } = JSON.parse(
  readFileSync(new URL('../../../fixtures/vectors.json', import.meta.url), 'utf8'),
) as { readonly standardWebhooks: readonly Vector[] }

test('signs the public vectors of Standard Webhooks', (t) => {
  t.true(standardWebhooks.length > 0)
  for (const { secret, id, timestamp, payload, signature } of standardWebhooks) {
    const now = fromEpochSeconds(timestamp)
    t.deepEqual(signedHeaders(digest, { secret, webhookId: id, now, payload }), {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    })
  }
})

test('the reference library accepts signatures of any body, and rejects changed ones', (t) => {
  const body = fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => JSON.stringify({ text }))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), body, (key, payload) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`
      const headers = signedHeaders(digest, { secret, webhookId: 'msg_1', now: new Date().toISOString(), payload })
      t.deepEqual(new Webhook(secret).verify(payload, headers), JSON.parse(payload))
      t.throws(() => new Webhook(secret).verify(`${payload} `, headers))
      t.throws(() => new Webhook(secret).verify(payload, { ...headers, 'webhook-id': 'msg_2' }))
    }),
  )
})
