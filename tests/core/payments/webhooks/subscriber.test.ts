import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import type { Event } from '../../../../core/payments/events.ts'
import { deliveries } from '../../../../core/payments/webhooks/deliveries.ts'
import { payloadOf, targetsOf } from '../../../../core/payments/webhooks/subscriber.ts'
import { deferred, turn } from '../../kernel/running/tasks.ts'
import {
  deliveriesIn,
  eventsIn,
  happen,
  installation,
  openAccount,
  processOf,
  running,
  START,
} from './webhook-fixtures.ts'

const event: Event = {
  id: 'e-1',
  accountId: 1,
  type: 'charge.paid',
  subjectId: 9,
  data: '{"id":9,"value":10.5,"description":"Ação \\u0000"}',
  amountPaidCents: null,
  refundedCents: null,
  happenedMs: null,
  receivedCents: null,
  urls: [],
  missed: null,
  dueAt: START,
  attempts: 1,
  createdAt: '2026-11-21T11:59:00.000Z',
  trace: null,
}

const urlsOf = (urls: readonly string[], webhookUrl: string | null): string[] =>
  targetsOf({ urls }, { webhookUrl }).map(([url]) => url)

test('returns each URL once in normal form, that of the account included', (t) => {
  t.deepEqual(urlsOf([], null), [])
  t.deepEqual(urlsOf(['https://a.test/x', 'https://b.test/'], 'https://c.test/'), [
    'https://a.test/x',
    'https://b.test/',
    'https://c.test/',
  ])
  t.deepEqual(urlsOf(['https://a.test/x'], 'https://a.test/x'), ['https://a.test/x'])
  t.deepEqual(urlsOf(['https://A.test:443'], 'https://a.test/'), ['https://A.test:443'])
  t.deepEqual(urlsOf(['https://a.test/x'], 'https://a.test/X'), ['https://a.test/x', 'https://a.test/X'])
  t.deepEqual(targetsOf(event, null), [])
})

test('returns the host with its port; an empty host for a text that is not a URL', (t) => {
  const hosts = { 'http://A.test:8080/x': 'a.test:8080', 'https://a.test/': 'a.test', nowhere: '' }
  t.deepEqual(targetsOf({ urls: Object.keys(hosts) }, null), Object.entries(hosts))
})

test('builds a body of type, timestamp and data, with the time of the event', (t) => {
  const payload = payloadOf(event)
  t.deepEqual(JSON.parse(payload), {
    type: 'charge.paid',
    timestamp: '2026-11-21T11:59:00.000Z',
    data: { id: 9, value: 10.5, description: 'Ação \0' },
  })
  t.false(payload.includes('\0'))
  t.deepEqual(Object.keys(JSON.parse(payload)), ['type', 'timestamp', 'data'])
})

test('reports the amount paid as of the commit', (t) => {
  const payload = payloadOf({ ...event, data: '{"id":9,"amount_paid":10}', amountPaidCents: 3_050 })
  t.deepEqual(JSON.parse(payload).data, { id: 9, amount_paid: 30.5 })
})

test('creates a delivery for each URL in the commit that ends the event', async (t) => {
  const held = deferred()
  const answer = { status: 200, body: '', retryAfterSeconds: null }
  const installed = installation({ webhooks: { post: () => held.promise.then(() => answer) } })
  const { ports, worker } = processOf(installed)
  await openAccount(ports, 1, { webhookUrl: 'https://conta.test/hook', status: 'SUSPENDED' })
  await openAccount(ports, 2)
  await happen(ports, { accountId: 1, urls: ['https://charge.test/a', 'https://conta.test/hook'], data: { id: 7 } })
  await happen(ports, { accountId: 2, type: 'charge.created' })
  installed.clock.advance(3)
  void worker.run()
  for (let turns = 0; turns < 100 && (await deliveriesIn(installed.store)).length < 2; turns += 1) await turn()
  const made = await deliveriesIn(installed.store)
  t.is(made.map(({ url }) => url).join(' '), 'https://charge.test/a https://conta.test/hook')
  t.true((await eventsIn(installed.store)).every(({ dueAt }) => dueAt === null))
  const [first, second] = made
  t.like(first, { id: 1, accountId: 1, event: 'charge.paid', host: 'charge.test', status: 'pending', response: null })
  t.regex(first?.webhookId ?? '', /^msg_[0-9a-f]{32}$/)
  t.not(first?.webhookId, second?.webhookId)
  t.is(first?.payload, second?.payload)
  t.is(first?.createdDay, '2026-11-21')
  held.resolve()
  await worker.stop()
})

test('a unique key prevents a second delivery of an event to a URL', async (t) => {
  const { store, worker, happen, stored } = await running([null])
  await happen(1, { urls: ['https://a.test/'] })
  await worker.drain()
  const [made] = await stored()
  const again = made && (await store.commit([insert(deliveries, { ...made, id: 99 })]))
  t.like(again, { ok: false, conflict: { collection: deliveries.name, key: 'target' } })
})

test("uses the account's webhook URL at the time of the delivery", async (t) => {
  const { store, worker, happen, stored } = await running(['https://old.test/'])
  await happen(1)
  await store.commit([patch(accounts, 1, { set: { webhookUrl: null }, when: always })])
  await worker.drain()
  t.deepEqual(await stored(), [])
})

test('adds the sums of a refund to its charge, with the time at which it happened', (t) => {
  const data = JSON.stringify({ charge: { id: 7 } })
  const sums = { amountPaidCents: 100, refundedCents: 50 }
  const times = { createdAt: '2026-11-21T12:00:00.000Z', happenedMs: Date.parse('2026-11-21T11:00:00.000Z') }
  t.deepEqual(JSON.parse(payloadOf({ type: 'charge.refunded', data, ...sums, ...times })), {
    type: 'charge.refunded',
    timestamp: '2026-11-21T11:00:00.000Z',
    data: { charge: { id: 7, amount_paid: 1, refunded_value: 0.5 } },
  })
})
