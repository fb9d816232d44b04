import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { EVENT_TYPES, type EventType, recordEvent } from '../../../../core/payments/events.ts'
import { aCharge } from '../records.ts'
import { eventsIn, freshIn, START } from '../webhooks/webhook-fixtures.ts'
import { aPayer, aRule, mailsIn, messagesIn, PHONE, reminding, rulesOf } from './reminder-fixtures.ts'

const ALL_CHANNELS = aRule({ channels: ['email', 'whatsapp', 'sms'] })

/** An account (1) with rules, and a charge (7) of a payer. */
const reminderFixtures = async (rules: Parameters<typeof rulesOf>[0]) => {
  const world = await reminding({ notificationRules: rulesOf(rules) })
  const { store, ports } = world
  await store.commit([insert(clients, aPayer()), insert(charges, aCharge())])
  const recordOf = async (type: EventType, subjectId = 7) => {
    const change = recordEvent(freshIn(ports), type, { accountId: 1, subjectId, data: {}, urls: [] })
    await store.commit([change])
    return `${change.at[1]}`
  }
  return { ...world, recordOf }
}

test('fires one rule for each of four events, for a payment of a part and for a refund, and none for other events', async (t) => {
  const names = ['on_creation', 'on_payment', 'on_update', 'on_delete'] as const
  const rules = Object.fromEntries(
    [...names, 'before_due' as const, 'on_due' as const, 'after_due' as const].map((name) => [
      name,
      aRule({ message: name, channels: ['sms'] }),
    ]),
  )
  const { recordOf, worker, messenger, clock } = await reminderFixtures(rules)
  // A payer gets at most five messages a day.
  const [part, others] = [
    'charge.partially_paid' as const,
    EVENT_TYPES.filter((type) => type !== 'charge.partially_paid'),
  ]
  for (const type of others) await recordOf(type)
  await worker.drain()
  clock.advance(86_400)
  await recordOf(part)
  await worker.drain()
  t.deepEqual(messenger.sent.map(({ text }) => text).sort(), [...names, 'on_payment', 'on_update'].sort())
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

test('sends nothing for a rule that is disabled, missing or without channels', async (t) => {
  for (const rules of [{}, { on_creation: aRule({ enabled: false }) }, { on_creation: aRule({ channels: [] }) }]) {
    const { recordOf, worker, store } = await reminderFixtures(rules)
    await recordOf('charge.created')
    await worker.drain()
    t.deepEqual([await mailsIn(store), await messagesIn(store)], [[], []])
  }
})

test('completes an event of a missing charge, payer or account without messages', async (t) => {
  const { recordOf, worker, store, reports } = await reminderFixtures({ on_update: ALL_CHANNELS })
  await recordOf('charge.updated', 999)
  await store.commit([patch(clients, 3, { set: { removedAt: START, status: 'DELETED' }, when: always })])
  await recordOf('charge.updated')
  await worker.drain()
  await store.commit([patch(clients, 3, { set: { removedAt: null, status: 'ACTIVE' }, when: always })])
  await store.commit([patch(accounts, 1, { set: { removedAt: START }, when: always })])
  await recordOf('charge.updated')
  await worker.drain()
  t.deepEqual([await mailsIn(store), await messagesIn(store)], [[], []])
  t.true((await eventsIn(store)).every(({ dueAt }) => dueAt === null))
  t.deepEqual(reports, [])
})
