import test from 'ava'
import { memoryMailer, memoryMessenger } from '../../../../adapters/messaging/memory.ts'
import { insert, patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { subscribersOf } from '../../../../core/office/worker.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { EVENT_TYPES, type EventType, events, outbox, recordEvent } from '../../../../core/payments/events.ts'
import { parts } from '../../../../core/payments/payments.ts'
import { failing } from '../../kernel/running/tasks.ts'
import { aCharge } from '../charges/billing-fixtures.ts'
import { eventsIn, freshIn, installation, openAccount, processOf, START } from '../webhooks/webhook-fixtures.ts'
import { aPayer, aRule, mailsIn, messagesIn, PHONE, rulesOf } from './reminder-fixtures.ts'

const ALL_CHANNELS = aRule({ channels: ['email', 'whatsapp', 'sms'] })

/** An account (1) with rules, and a charge (7) of a payer. */
const reminderFixtures = async (rules: Parameters<typeof rulesOf>[0]) => {
  const mailer = memoryMailer()
  const messenger = memoryMessenger()
  const base = installation({ mailer, messenger })
  const process = processOf(base)
  await openAccount(process.ports, 1, { name: 'Escola Aurora', notificationRules: rulesOf(rules) })
  await base.store.commit([insert(clients, aPayer()), insert(charges, aCharge())])
  const recordOf = async (type: EventType, subjectId = 7) => {
    const change = recordEvent(freshIn(process.ports), type, { accountId: 1, subjectId, data: {}, urls: [] })
    await base.store.commit([change])
    return `${change.at[1]}`
  }
  return { ...base, ...process, mailer, messenger, recordOf }
}

test('fires one rule for each of four events, the change rule for a refund, and none for other events', async (t) => {
  const names = ['on_creation', 'on_payment', 'on_update', 'on_delete'] as const
  const rules = Object.fromEntries(
    [...names, 'before_due' as const, 'on_due' as const, 'after_due' as const].map((name) => [
      name,
      aRule({ message: name, channels: ['sms'] }),
    ]),
  )
  const { recordOf, worker, messenger } = await reminderFixtures(rules)
  for (const type of EVENT_TYPES) await recordOf(type)
  await worker.drain()
  t.deepEqual(messenger.sent.map(({ text }) => text).sort(), [...names, 'on_update'].sort())
})

test('sends the payer one message by each channel, in the name of the account', async (t) => {
  const { recordOf, worker, mailer, messenger, store, reports } = await reminderFixtures({ on_creation: ALL_CHANNELS })
  const id = await recordOf('charge.created')
  await worker.drain()
  t.like(mailer.sent, [{ id: `${id}|email`, to: 'maria@example.com', subject: 'Nova cobrança de Escola Aurora' }])
  t.true(mailer.sent[0]?.html?.includes('Enviado por Escola Aurora'))
  t.deepEqual(
    messenger.sent.map((sent) => [sent.id, sent.channel, sent.to]),
    [
      [`${id}|sms`, 'sms', PHONE],
      [`${id}|whatsapp`, 'whatsapp', PHONE],
    ],
  )
  t.is(await worker.drain(), 0)
  t.like(await mailsIn(store), [{ accountId: 1, dueAt: null }])
  t.deepEqual(reports, [])
})

test('repeats an event after a crash before its commit, and sends its messages once', async (t) => {
  const { recordOf, ports, store, mailer, messenger, worker, clock } = await reminderFixtures({
    on_creation: ALL_CHANNELS,
  })
  await recordOf('charge.created')
  const dying = { ...ports, store: { ...store, commit: async () => Promise.reject(new Error('power cut')) } }
  const queue = outbox.queue(dying, subscribersOf(parts, dying))
  const [waiting] = await queue.due(store, clock.now(), 1)
  const work = await waiting?.claim(store, clock.now())
  await t.throwsAsync(async () => work?.(failing), { message: 'power cut' })
  t.deepEqual([await mailsIn(store), await messagesIn(store)], [[], []])
  clock.advance(60)
  await worker.drain()
  t.deepEqual([mailer.sent.length, messenger.sent.length], [1, 2])
  t.deepEqual(
    (await eventsIn(store)).map(({ dueAt }) => dueAt),
    [null],
  )
})

test('sends nothing for a rule that is disabled, missing or without channels', async (t) => {
  for (const rules of [{}, { on_creation: aRule({ enabled: false }) }, { on_creation: aRule({ channels: [] }) }]) {
    const { recordOf, worker, store } = await reminderFixtures(rules)
    await recordOf('charge.created')
    await worker.drain()
    t.deepEqual([await mailsIn(store), await messagesIn(store)], [[], []])
  }
})

test('completes an event of a missing charge or a removed payer without messages', async (t) => {
  const { recordOf, worker, store, reports } = await reminderFixtures({ on_update: ALL_CHANNELS })
  await recordOf('charge.updated', 999)
  await store.commit([patch(clients, 3, { set: { removedAt: START, status: 'DELETED' }, when: always })])
  await recordOf('charge.updated')
  await worker.drain()
  t.deepEqual(await mailsIn(store), [])
  t.true((await eventsIn(store)).every(({ dueAt }) => dueAt === null))
  t.deepEqual(reports, [])
})

test('sends nothing in the name of a removed account', async (t) => {
  const { recordOf, worker, store } = await reminderFixtures({ on_payment: ALL_CHANNELS })
  await store.commit([patch(accounts, 1, { set: { removedAt: START }, when: always })])
  await recordOf('charge.paid')
  await worker.drain()
  t.deepEqual(await mailsIn(store), [])
})

test('sends one message if two processes handle the same event', async (t) => {
  const { recordOf, ports, store, clock, mailer, worker } = await reminderFixtures({ on_payment: ALL_CHANNELS })
  const id = await recordOf('charge.paid')
  const queue = outbox.queue(ports, subscribersOf(parts, ports))
  const [first] = await queue.due(store, clock.now(), 1)
  const slow = await first?.claim(store, clock.now())
  clock.advance(61)
  const [second] = await queue.due(store, clock.now(), 1)
  const quick = await second?.claim(store, clock.now())
  await Promise.all([slow?.(failing), quick?.(failing)])
  await worker.drain()
  t.deepEqual(
    mailer.sent.map((mail) => mail.id),
    [`${id}|email`],
  )
  t.like(await store.list({ kind: 'list', from: events, where: always, limit: 9 }), { records: [{ dueAt: null }] })
})
