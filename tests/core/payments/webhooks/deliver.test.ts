import test from 'ava'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { memorySender } from '../../../../adapters/memory/memory-services.ts'
import { always, eq, insert, patch } from '../../../../core/kernel/records/record.ts'
import { MAX_PER_HOST } from '../../../../core/kernel/running/concurrency.ts'
import { fromEpochSeconds } from '../../../../core/kernel/values/day.ts'
import { accounts, webhookSecretOf } from '../../../../core/payments/accounts/account.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { DELIVERY_LEASE_SECONDS, outcomeOf, signedHeaders } from '../../../../core/payments/webhooks/deliver.ts'
import type { WebhookAnswer } from '../../../../core/ports/messaging.ts'
import { listOf } from '../../../../core/ports/store.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }
import { deferred, turn, until } from '../../kernel/running/tasks.ts'
import { aMembership } from '../records.ts'
import { aDelivery, happen, mortal, processOf, running, START, URL_OF_ACCOUNT } from './webhook-fixtures.ts'

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

const WHOLE_SCHEDULE = [0, 5, 305, 2105, 9305, 27_305, 63_305, 113_705, 185_705, 272_105]

for (const [title, answer, response] of [
  ['500', answered(500, { body: 'oops' }), { status: 500, body: 'oops', error: null }],
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

test('sends nothing more for a removed organization, neither a retry nor a new event, and notifies no member', async (t) => {
  const here = await aDelivery(() => answered(500, { body: 'oops' }))
  await here.store.commit([insert(memberships, aMembership({ accountId: 1, userId: 1 }))])
  await here.worker.drain()
  t.like(await here.only(), { status: 'pending', attempts: 1 })
  await here.store.commit([patch(accounts, 1, { set: { removedAt: here.clock.now() }, when: always })])
  await happen(here.ports, { accountId: 1, urls: ['https://elsewhere.test/hook'] })
  await here.live()
  t.is(here.tries.length, 1)
  t.like(await here.only(), {
    status: 'failed',
    dueAt: null,
    deliveredAt: null,
    response: { status: 500, body: 'oops' },
  })
  const notified = await here.store.list(listOf(notifications, { where: eq('type', 'webhook.failed'), limit: 10 }))
  t.deepEqual(notified.records, [])
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

const AT_START = { now: START, steady: START }

test('delivers with any status from 200 to 299, and with no other', (t) => {
  for (const status of [199, 200, 204, 299, 300, 301, 304, 404, 500]) {
    const isGood = status >= 200 && status <= 299
    t.is(outcomeOf({ attempts: 1 }, answered(status), AT_START).status, isGood ? 'delivered' : 'pending', `${status}`)
  }
})

test('counts attempts that ended in a crash', (t) => {
  t.like(outcomeOf({ attempts: 9 }, answered(500), AT_START), { status: 'pending', dueAt: '2026-11-22T12:00:00.000Z' })
  t.like(outcomeOf({ attempts: 10 }, answered(500, { retryAfterSeconds: 60 }), AT_START), {
    status: 'failed',
    dueAt: null,
  })
  t.like(outcomeOf({ attempts: 12 }, { error: 'dns' }, AT_START), { status: 'failed', dueAt: null })
  t.like(outcomeOf({ attempts: 12 }, answered(204), AT_START), { status: 'delivered', deliveredAt: START })
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

const HANGING = Array.from({ length: 40 }, (_, index) => `https://h${index}.hangs.test/`)

/** Webhooks of which those to such URLs are not answered before they are let. */
const hanging = (within: string) => {
  const hang = deferred()
  const sender = memorySender()
  const webhooks = {
    post: async (webhook: Parameters<typeof sender.post>[0]) => {
      const answer = await sender.post(webhook)
      if (webhook.url.includes(within)) await hang.promise
      return answer
    },
  }
  return { hang, sender, webhooks }
}

test('40 hosts of one account that never answer do not delay the webhooks of other accounts', async (t) => {
  const { hang, sender, webhooks } = hanging('hangs.test')
  const { worker, reports, happen, stored } = await running([null, 'https://loja.test/'], { webhooks })
  const posted = (host: string) => sender.requests.filter(({ url }) => url.includes(host)).length
  void worker.run()
  for (let events = 0; events < 25; events += 1) await happen(1, { urls: HANGING })
  await until(() => posted('hangs.test') >= 64)
  for (let events = 0; events < 5; events += 1) await happen(2)
  await until(() => posted('loja.test') === 5)
  for (let turns = 0; turns < 50; turns += 1) await turn()
  t.true(posted('hangs.test') <= 64, `half of the places at most, not ${posted('hangs.test')}`)
  hang.resolve()
  for (let turns = 0; turns < 10_000 && posted('hangs.test') < 1_000; turns += 1) await turn()
  await worker.stop()
  const all = await stored()
  t.is(all.length, 1_005)
  t.true(all.every(({ status, attempts }) => status === 'delivered' && attempts === 1))
  t.deepEqual(reports, [])
})

for (const when of ['before', 'after'] as const) {
  test(`a process that dies in any commit, ${when} it is durable, leaves what the next one finishes`, async (t) => {
    for (let diesAt = 1; ; diesAt += 1) {
      const webhooks = memorySender()
      const { installed, happen, stored, events } = await running(['https://conta.test/'], { webhooks })
      for (const id of [1, 2, 3])
        await happen(1, { urls: ['https://charge.test/', 'https://conta.test/'], data: { id } })

      const { store, state } = mortal(installed.store, diesAt, when)
      await processOf({ ...installed, store })
        .worker.drain()
        .catch(() => {})
      const next = processOf(installed)
      await next.worker.drain()
      installed.clock.advance(DELIVERY_LEASE_SECONDS)
      await next.worker.drain()

      const where = `died at commit ${diesAt}`
      const made = await stored()
      t.is(made.length, 6, where)
      const isDelivered = made.every(({ status, dueAt }) => status === 'delivered' && dueAt === null)
      const isEnded = (await events()).every(({ dueAt }) => dueAt === null)
      t.true(isDelivered && isEnded, where)
      // At least once: a duplicate has the id of the first.
      const posted = webhooks.requests.map(({ headers }) => headers['webhook-id'])
      t.deepEqual([...new Set(posted)].sort(), made.map(({ webhookId }) => webhookId).sort(), where)
      t.true(posted.length <= made.length + MAX_PER_HOST * 2, where)
      t.deepEqual(next.reports, [], where)
      if (!state.isDead) {
        // 3 claims and fan-outs of events, 6 claims and outcomes of deliveries.
        t.is(state.commits, 18)
        t.is(posted.length, 6)
        return
      }
    }
  })
}

test('notifies those of the team who may read a failed delivery once, and of no other', async (t) => {
  for (const [status, type, notified] of [
    [410, 'charge.paid', [1, 3]],
    [410, 'withdraw.completed', [1]],
    [200, 'charge.paid', []],
  ] as const) {
    const here = await aDelivery(() => answered(status), type)
    // ADMIN and OPERATOR, who may not read withdrawals.
    const team = [1, 3].map((id) => insert(memberships, aMembership({ id, userId: id, accountId: 1, roleId: id })))
    await here.store.commit(team)
    await here.live()
    const { records } = await here.store.list(listOf(notifications, { where: always, limit: 10 }))
    const told = records.filter((each) => each.type === 'webhook.failed')
    t.deepEqual(told.map(({ userId }) => userId).toSorted(), notified, `${status} ${type}`)
  }
})
