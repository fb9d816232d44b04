import test from 'ava'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { insert, patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { fromEpochSeconds, secondsBetween } from '../../../../core/kernel/values/day.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { webhookSecretOf } from '../../../../core/payments/accounts/account-secrets.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import {
  nextAttempt,
  outcomeOf,
  RETRY_STEPS_SECONDS,
  signedHeaders,
} from '../../../../core/payments/webhooks/deliver.ts'
import type { WebhookAnswer } from '../../../../core/ports/messaging.ts'
import { listOf } from '../../../../core/ports/store.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }
import { aMembership } from '../access/test-ports.ts'
import { aDelivery, happen, START, URL_OF_ACCOUNT } from './webhook-fixtures.ts'

const answered = (status: number, rest: Partial<Extract<WebhookAnswer, { status: number }>> = {}): WebhookAnswer => ({
  status,
  body: '',
  retryAfterSeconds: null,
  ...rest,
})

const secondsAfterStart = (instants: readonly string[]): readonly number[] =>
  instants.map((instant) => (Date.parse(instant) - Date.parse(START)) / 1000)

test('sends one signed POST, which the reference library verifies', async (t) => {
  const here = await aDelivery(() => answered(200, { body: 'ok' }))
  // The library compares with the machine's own clock.
  here.clock.set(new Date().toISOString())
  await here.worker.drain()
  const [request, ...more] = here.webhooks.requests
  t.is(more.length, 0)
  t.is(request?.url, URL_OF_ACCOUNT)
  t.like(request?.headers, { 'content-type': 'application/json', 'user-agent': 'Portico' })
  const verified = new Webhook(webhookSecretOf(here.ports.cipher, here.account)).verify(request?.body ?? '', {
    ...request?.headers,
  })
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

test('delivers once with any status from 200 to 299', async (t) => {
  for (const status of [200, 201, 202, 204, 299]) {
    const here = await aDelivery(() => answered(status))
    await here.live()
    t.is(here.tries.length, 1, `${status}`)
    t.is((await here.only()).status, 'delivered', `${status}`)
  }
})

const WHOLE_SCHEDULE = [0, 5, 305, 2105, 9305, 27_305, 63_305, 113_705, 185_705, 272_105]

for (const [title, answer, response] of [
  ['500', answered(500, { body: 'oops' }), { status: 500, body: 'oops', error: null }],
  ['404', answered(404), { status: 404, body: '', error: null }],
  ['a redirect', answered(301), { status: 301, body: '', error: null }],
  ['304', answered(304), { status: 304, body: '', error: null }],
  ['a network error', { error: 'timeout' }, { status: null, body: null, error: 'timeout' }],
] as const)
  test(`${title} is tried at every step of the schedule, then failed`, async (t) => {
    const here = await aDelivery(() => answer)
    await here.live()
    t.deepEqual(secondsAfterStart(here.tries), WHOLE_SCHEDULE)
    t.like(await here.only(), { status: 'failed', attempts: 10, dueAt: null, deliveredAt: null, response })
    const { requests } = here.webhooks
    t.is(new Set(requests.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1)
    t.is(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size, 10)
    t.deepEqual(here.reports, [], 'the answer of a receiver is not an error of this process')
  })

test('is pending between attempts, with the last response and the time of the next attempt', async (t) => {
  const here = await aDelivery((_, tries) => (tries < 3 ? answered(503, { body: `try ${tries}` }) : answered(200)))
  await here.worker.drain()
  t.like(await here.only(), {
    status: 'pending',
    attempts: 1,
    dueAt: '2026-11-21T12:00:05.000Z',
    response: { status: 503, body: 'try 1', error: null },
  })
  here.clock.advance(4.999)
  t.is(await here.worker.drain(), 0)
  await here.live()
  t.deepEqual(secondsAfterStart(here.tries), [0, 5, 305])
  t.like(await here.only(), { status: 'delivered', attempts: 3, deliveredAt: '2026-11-21T12:05:05.000Z' })
})

test('fails at once on 410, also after other failures', async (t) => {
  const here = await aDelivery((_, tries) => answered(tries === 1 ? 500 : 410, { body: 'gone', retryAfterSeconds: 60 }))
  await here.live()
  t.deepEqual(secondsAfterStart(here.tries), [0, 60])
  t.like(await here.only(), { status: 'failed', attempts: 2, dueAt: null, response: { status: 410, body: 'gone' } })
})

test('waits for a Retry-After that exceeds the step, and continues the schedule after it', async (t) => {
  const asked = [120, 10, 86_400 * 3, null]
  const here = await aDelivery((_, tries) => answered(429, { retryAfterSeconds: asked[tries - 1] ?? null }))
  await here.live()
  t.deepEqual(secondsAfterStart(here.tries).slice(0, 5), [0, 120, 420, 420 + 3 * 86_400, 420 + 3 * 86_400 + 7200])
})

test('stores a response with characters that a store rejects', async (t) => {
  const here = await aDelivery(() => answered(200, { body: 'a\0b\uD800c e\u0301 \u{1F600}' }))
  await here.live()
  t.is((await here.only()).response?.body, 'a\uFFFDb\uFFFDc \u00e9 \u{1F600}')
})

test('counts an error of this process as a failed attempt, and reports it', async (t) => {
  const here = await aDelivery(() => answered(200))
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
  const here = await aDelivery(() => answered(200))
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

test('retries after the steps of the schedule or a longer Retry-After, then fails', (t) => {
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600)
  t.deepEqual(RETRY_STEPS_SECONDS, [5, 5 * 60, 30 * 60, ...hours])
  const after = (attempts: number, seconds: number | null) => {
    const next = nextAttempt(attempts, START, seconds)
    return next && secondsBetween(START, next)
  }
  for (const [index, seconds] of RETRY_STEPS_SECONDS.entries()) t.is(after(index + 1, null), seconds)
  for (const [attempts, asked, seconds] of [
    ...[[1, 0, 5] as const, [1, 4, 5] as const, [1, 6, 6] as const, [2, 120, 300] as const],
    ...[[2, 3_600, 3_600] as const, [1, 172_800, 172_800] as const, [10, null, null] as const, [11, 60, null] as const],
  ])
    t.is(after(attempts, asked), seconds, `${attempts} ${asked}`)
})

test('signs the public vectors of Standard Webhooks', (t) => {
  t.true(vectors.standardWebhooks.length > 0)
  for (const { secret, id, timestamp, payload, signature } of vectors.standardWebhooks) {
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

test('notifies the team of a failed delivery once, and of no other', async (t) => {
  for (const [status, count] of [
    [410, 1],
    [200, 0],
  ] as const) {
    const here = await aDelivery(() => answered(status))
    await here.store.commit([insert(memberships, aMembership({ id: 1, userId: 1, accountId: 1, roleId: 1 }))])
    await here.live()
    const { records } = await here.store.list(listOf(notifications, { where: always, limit: 10 }))
    t.is(records.filter(({ type }) => type === 'webhook.failed').length, count, `${status}`)
  }
})
