import test from 'ava'
import { memorySender } from '../../../../adapters/webhooks/memory-sender.ts'
import { isRight } from '../../../../core/fp.ts'
import { ADMIN } from '../../../../core/payments/actor.ts'
import { RETRY_STEPS_SECONDS } from '../../../../core/payments/webhooks/deliver.ts'
import { decideReplay, replayDelivery } from '../../../../core/payments/webhooks/deliveries.ts'
import type { Delivery } from '../../../../core/payments/webhooks/delivery.ts'
import { decisionOf, failureOf } from '../charges/billing-fixtures.ts'
import { deliveriesIn, happen, installation, openAccount, processOf, START } from './webhook-fixtures.ts'

const OWNER = { accountId: 1, permissions: ADMIN.permissions }
const STATUSES = { down: 500, gone: 410, up: 200 }

/** One event of one account, on its way to a receiver that is up, down or gone. */
const deliveryFixtures = async (first: keyof typeof STATUSES) => {
  let status: number = STATUSES[first]
  const webhooks = memorySender(() => ({ status, body: '', retryAfterSeconds: null }))
  const base = installation({ webhooks })
  const process = processOf(base)
  await openAccount(process.ports, 1, { webhookUrl: 'https://loja.test/hook' })
  await happen(process.ports, { accountId: 1, data: { description: 'Ação' } })
  await process.worker.drain()
  const only = async (): Promise<Delivery> => {
    const [delivery] = await deliveriesIn(base.store)
    if (!delivery) throw new Error('no delivery')
    return delivery
  }
  return {
    ...base,
    ...process,
    webhooks,
    only,
    be: (state: keyof typeof STATUSES) => {
      status = STATUSES[state]
    },
    replay: replayDelivery(process.ports),
  }
}

test('sends a failed delivery again at once, with its payload and id', async (t) => {
  const { worker, clock, webhooks, only, be, replay } = await deliveryFixtures('gone')
  t.like(await only(), { status: 'failed', attempts: 1 })
  be('up')
  clock.advance(3_600)
  const replayed = await replay(OWNER, 1)()
  t.true(isRight(replayed))
  const fields = { status: 'pending', attempts: 0, response: null, dueAt: clock.now(), deliveredAt: null } as const
  t.like(await only(), { ...fields, updatedAt: clock.now(), createdAt: START })
  await worker.drain()
  t.like(await only(), { status: 'delivered', attempts: 1, deliveredAt: clock.now() })
  const [first, second, ...more] = webhooks.requests
  t.deepEqual(more, [])
  t.is(first?.body, second?.body)
  t.is(first?.headers['webhook-id'], second?.headers['webhook-id'])
  t.not(first?.headers['webhook-timestamp'], second?.headers['webhook-timestamp'])
})

test('sends a delivered one again, with the whole schedule', async (t) => {
  const { worker, clock, webhooks, only, be, replay } = await deliveryFixtures('up')
  be('down')
  await replay(OWNER, 1)()
  await worker.drain()
  for (let { dueAt } = await only(); dueAt !== null; { dueAt } = await only()) {
    clock.set(dueAt)
    await worker.drain()
  }
  t.like(await only(), { status: 'failed', attempts: RETRY_STEPS_SECONDS.length + 1, deliveredAt: null })
  t.is(webhooks.requests.length, RETRY_STEPS_SECONDS.length + 2)
})

test('refuses to replay a pending delivery', async (t) => {
  const { only, replay } = await deliveryFixtures('down')
  const before = await only()
  t.is(before.status, 'pending')
  t.like(failureOf(await replay(OWNER, 1)()), { tag: 'conflict', code: 'delivery.pending' })
  t.deepEqual(await only(), before)
})

test('accepts one of two simultaneous replays', async (t) => {
  const { worker, webhooks, replay } = await deliveryFixtures('up')
  const answers = await Promise.all([replay(OWNER, 1)(), replay(OWNER, 1)()])
  t.deepEqual(answers.map((answer) => failureOf(answer)?.code ?? 'ok').sort(), ['delivery.pending', 'ok'])
  await worker.drain()
  t.is(webhooks.requests.length, 2)
})

test('reports an unknown delivery for one of another account', async (t) => {
  const { only, replay } = await deliveryFixtures('up')
  const before = await only()
  t.like(failureOf(await replay({ ...OWNER, accountId: 2 }, 1)()), { tag: 'not-found', code: 'delivery.unknown' })
  t.like(failureOf(await replay(OWNER, 99)()), { code: 'delivery.unknown' })
  t.deepEqual(await only(), before)
})

test('guards the replay by the end of the delivery only', async (t) => {
  const { only } = await deliveryFixtures('up')
  const [change] = decisionOf(decideReplay(await only(), { now: START, steady: START })).changes
  t.like(change, { when: { eq: ['dueAt', null] } })
})
