import test from 'ava'
import { EVENT_TYPES } from '../../../../core/payments/events.ts'
import {
  ADMIN,
  type PaymentsPorts,
  type Permission,
  permissionsOfApiKey,
  ROLES,
} from '../../../../core/payments/payments-ports.ts'
import { RETRY_STEPS_SECONDS } from '../../../../core/payments/webhooks/deliver.ts'
import {
  type DeliveryFilter,
  deliveryView,
  listDeliveries,
  readDelivery,
  replayDelivery,
} from '../../../../core/payments/webhooks/deliveries.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { failureOf, right } from '../world.ts'
import { aDelivery, running, START } from './webhook-fixtures.ts'

const { permissions } = ADMIN

const listed = async (ports: PaymentsPorts, accountId: number, filter: DeliveryFilter = {}) =>
  right(await listDeliveries(ports)({ accountId, permissions }, filter)())

/** One delivery of account 1 at each of these instants, and one of account 2 at the last. */
const deliveredAt = async (...instants: readonly string[]) => {
  const here = await running(['https://um.test/', 'https://dois.test/'])
  for (const instant of instants) {
    here.clock.set(instant)
    await here.happen(1)
    await here.worker.drain()
  }
  await here.happen(2)
  await here.worker.drain()
  return here
}

// The second and third are the two sides of midnight in São Paulo.
const INSTANTS = [
  '2026-11-19T12:00:00.000Z',
  '2026-11-21T02:59:59.999Z',
  '2026-11-21T03:00:00.000Z',
  '2026-11-22T12:00:00.000Z',
]

test("lists the account's deliveries, newest first, in pages with their total", async (t) => {
  const { ports } = await deliveredAt(...INSTANTS)
  const at = ({ createdAt }: { readonly createdAt: string }) => createdAt
  const whole = await listed(ports, 1)
  t.deepEqual(whole.records.map(at), INSTANTS.toReversed())
  t.like(whole, { page: 1, perPage: 15, total: 4 })
  const second = await listed(ports, 1, { page: 2, perPage: 3 })
  t.deepEqual(second.records.map(at), INSTANTS.slice(0, 1))
  t.like(second, { page: 2, perPage: 3, total: 4 })
  t.is((await listed(ports, 2)).total, 1)
  t.like(await listed(ports, 3), { records: [], total: 0 })
  t.like(await listed(ports, 1, { page: 9 }), { records: [], total: 4 })
})

test('filters by days of São Paulo, both ends included and each optional', async (t) => {
  const { ports } = await deliveredAt(...INSTANTS)
  const between = async (from?: string, to?: string) => {
    const { records, total } = await listed(ports, 1, { from, to })
    t.is(total, records.length)
    return records.map(({ createdAt }) => INSTANTS.indexOf(createdAt))
  }
  t.deepEqual(await between('2026-11-20', '2026-11-20'), [1])
  t.deepEqual(await between('2026-11-21', '2026-11-21'), [2])
  t.deepEqual(await between('2026-11-20', '2026-11-21'), [2, 1])
  t.deepEqual(await between('2026-11-21'), [3, 2])
  t.deepEqual(await between(undefined, '2026-11-20'), [1, 0])
  t.deepEqual(await between('2026-11-23'), [])
})

test('lists, counts and replays only deliveries of records that the role or API key may read', async (t) => {
  const { ports, worker, happen } = await running(['https://um.test/'])
  for (const type of EVENT_TYPES) await happen(1, { type })
  await worker.drain()
  const all = (await listed(ports, 1, { perPage: 100 })).records
  t.is(all.length, EVENT_TYPES.length)
  const seenBy = async (may: readonly Permission[]) => {
    const reader = { accountId: 1, permissions: may }
    const { records, total } = right(await listDeliveries(ports)(reader, { perPage: 100, from: '2026-11-01' })())
    t.is(total, records.length)
    for (const { id } of all) {
      const isSeen = records.some((record) => record.id === id)
      const code = isSeen ? undefined : 'delivery.unknown'
      t.is(failureOf(await readDelivery(ports)(reader, `${id}`)())?.code, code)
      t.is(failureOf(await readDelivery(ports)(reader, `0${id}`)())?.code, 'delivery.unknown')
      if (!isSeen) t.is(failureOf(await replayDelivery(ports)(reader, id)())?.code, code)
    }
    return records.map(({ event }) => event).toSorted()
  }
  const withoutMoneyOut = EVENT_TYPES.filter((type) => !type.startsWith('withdraw.')).toSorted()
  for (const role of ROLES) {
    const expected = role.name === 'OPERATOR' ? withoutMoneyOut : EVENT_TYPES.toSorted()
    t.deepEqual(await seenBy(role.permissions), expected, role.name)
    t.deepEqual(await seenBy(permissionsOfApiKey(role.id)), expected, `a key of ${role.name}`)
  }
  t.deepEqual(await seenBy(['links:read', 'statements:read']), ['export.ready', 'payment_link.paid', 'split.received'])
  t.deepEqual(await seenBy([]), [])
})

test('shows a delivery in its wire format', async (t) => {
  const { stored } = await deliveredAt('2026-11-21T12:00:00.000Z')
  const [delivery] = await stored()
  t.deepEqual(delivery && onWire(deliveryView, delivery), {
    id: 1,
    event: 'charge.paid',
    url: 'https://um.test/',
    status: 'delivered',
    attempts: 1,
    payload: { type: 'charge.paid', timestamp: '2026-11-21T12:00:00.000Z', data: { id: 1 } },
    response: { status: 200, body: '', error: null },
    next_attempt_at: null,
    delivered_at: '2026-11-21T09:00:00-03:00',
    created_at: '2026-11-21T09:00:00-03:00',
    updated_at: '2026-11-21T09:00:00-03:00',
  })
})

test('counts the first attempt of a delivery once it has ended', async (t) => {
  const { stored } = await deliveredAt('2026-11-21T12:00:00.000Z')
  const [delivery] = await stored()
  if (!delivery) throw new Error('no delivery')
  const waiting = { ...delivery, status: 'pending', dueAt: '2026-11-21T12:00:05.000Z', deliveredAt: null } as const
  const next = { status: 'pending', next_attempt_at: '2026-11-21T09:00:05-03:00', delivered_at: null }
  t.like(onWire(deliveryView, { ...waiting, response: null }), { ...next, response: null, attempts: 0 })
  t.like(onWire(deliveryView, waiting), { ...next, attempts: 1 })
})

const OWNER = { accountId: 1, permissions }
const STATUSES = { down: 500, gone: 410, up: 200 }

/** A delivery that was sent once, to a receiver that is up, down or gone. */
const sentDelivery = async (first: keyof typeof STATUSES) => {
  let status: number = STATUSES[first]
  const sent = await aDelivery(() => ({ status, body: '', retryAfterSeconds: null }))
  await sent.worker.drain()
  const be = (state: keyof typeof STATUSES) => {
    status = STATUSES[state]
  }
  return { ...sent, be, replay: replayDelivery(sent.ports) }
}

test('sends a failed delivery again at once, with its payload and id', async (t) => {
  const { worker, clock, webhooks, only, be, replay } = await sentDelivery('gone')
  t.like(await only(), { status: 'failed', attempts: 1 })
  be('up')
  clock.advance(3_600)
  right(await replay(OWNER, 1)())
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
  const { webhooks, only, be, replay, live } = await sentDelivery('up')
  be('down')
  await replay(OWNER, 1)()
  await live()
  t.like(await only(), { status: 'failed', attempts: RETRY_STEPS_SECONDS.length + 1, deliveredAt: null })
  t.is(webhooks.requests.length, RETRY_STEPS_SECONDS.length + 2)
})

test('accepts one of two simultaneous replays', async (t) => {
  const { worker, webhooks, replay } = await sentDelivery('up')
  const answers = await Promise.all([replay(OWNER, 1)(), replay(OWNER, 1)()])
  t.deepEqual(answers.map((answer) => failureOf(answer)?.code ?? 'ok').sort(), ['delivery.pending', 'ok'])
  await worker.drain()
  t.is(webhooks.requests.length, 2)
})
