import test from 'ava'
import { memoryMessenger } from '../../../../adapters/memory/memory-services.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import { type Account, accounts } from '../../../../core/payments/accounts/account.ts'
import { reminders, startReminders } from '../../../../core/payments/accounts/reminders.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { EVENT_TYPES, type EventType, recordEvent } from '../../../../core/payments/events.ts'
import { CHARGES_A_SLICE, reminderQueue } from '../../../../core/payments/reminders/remind-payers.ts'
import { byId } from '../../../../core/ports/store.ts'
import { aCharge, aPix } from '../records.ts'
import {
  eventsIn,
  freshIn,
  installation,
  mortal,
  openAccount,
  portsOf,
  processOf,
  START,
} from '../webhooks/webhook-fixtures.ts'
import { aPayer, aRule, mailsIn, messagesIn, owe, PHONE, reminding, rulesOf } from './reminder-fixtures.ts'

/** 06:00 in São Paulo, an hour before the daily schedules. */
const SIX = '2026-11-23T09:00:00.000Z'
const SEVEN = '2026-11-23T10:00:00.000Z'
const TODAY = '2026-11-23'

/** An account (1) with these rules since six. */
const reminderFixtures = async (rules: Parameters<typeof rulesOf>[0], fields: Partial<Account> = {}) => {
  const world = await reminding(fields, SIX)
  const { store, ports, clock, mailer, messenger } = world
  const setRules = async (given: Parameters<typeof rulesOf>[0]) => {
    const notificationRules = rulesOf(given)
    const found = await store.find(byId(reminders, 1))
    const changes = startReminders(ports.settings, freshIn(ports), 1, notificationRules, found)
    await store.commit([patch(accounts, 1, { set: { notificationRules }, when: always }), ...changes])
  }
  await setRules(rules)
  const stored = () => store.find(byId(reminders, 1))
  /** The sent messages by charge: `7 on_due email`. */
  const sentMessages = () =>
    [...mailer.sent, ...messenger.sent]
      .map(({ id }) => {
        const [charge, rule, day, channel] = id.split('|')
        return `${charge} ${rule}${day === dayOf(clock.now()) ? '' : ` ${day}`} ${channel}`
      })
      .sort()
  return { ...world, setRules, stored, sentMessages }
}

const THREE = {
  before_due: aRule({ days: 3 }),
  on_due: aRule({ days: 9, channels: ['email', 'whatsapp', 'sms'] }),
  after_due: aRule({ days: 2, channels: ['sms'] }),
}

test('at the hour each rule reminds the payers of its day, once by each channel', async (t) => {
  const { store, clock, worker, sentMessages, mailer, messenger, stored, reports, drainAt } =
    await reminderFixtures(THREE)
  const reminded = [{ inDays: 3 }, { inDays: 0 }, { inDays: -2, status: 'expired' as const }]
  const others = [4, 2, 1].map((inDays) => ({ inDays }))
  const late = [3, 0, -1, -3].map((inDays) => ({ inDays, status: 'expired' as const }))
  // Of a payment link whose payer is not shown.
  const veiled = [{ inDays: 0, linkId: 'aula', isVeiled: null }]
  const ended = (['paid', 'cancelled', 'DELETED'] as const).flatMap((status) =>
    [3, 0, -2].map((inDays) => ({ inDays, status })),
  )
  await owe(store, TODAY, [...reminded, ...others, ...late, ...veiled, ...ended])
  await worker.drain()
  t.deepEqual(sentMessages(), [], 'not before the hour')
  await drainAt(SEVEN)
  const all = ['7 before_due email', '8 on_due email', '8 on_due sms', '8 on_due whatsapp', '9 after_due sms']
  t.deepEqual(sentMessages(), all)
  t.like(
    mailer.sent.find(({ id }) => id.startsWith('8')),
    { to: 'maria@example.com', subject: 'Sua cobrança de Escola Aurora vence hoje' },
  )
  t.regex(messenger.sent.find(({ id }) => id.startsWith('9'))?.text ?? '', /venceu em 21\/11\/2026/)
  t.like(await stored(), { day: TODAY, rule: null, attempts: 0, dueAt: '2026-11-24T10:00:00.000Z' })
  clock.advance(3_600)
  await worker.drain()
  t.deepEqual(sentMessages(), all)
  t.deepEqual(reports, [])
})

test('walks the charges of each rule from the first one on', async (t) => {
  const { store, sentMessages, drainAt } = await reminderFixtures(THREE)
  // The second slice begins within the first rule, after the id of the charge of the second one.
  await owe(store, TODAY, [{ inDays: 0 }, ...Array.from({ length: CHARGES_A_SLICE }, () => ({ inDays: 3 }))])
  await drainAt(SEVEN)
  t.is(sentMessages().length, CHARGES_A_SLICE + 3)
})

test('reminds later on the day if the process was down at the hour, and skips a day without a process', async (t) => {
  const { store, sentMessages, stored, drainAt } = await reminderFixtures({ on_due: aRule() })
  await owe(store, TODAY, [{ inDays: 0 }, { inDays: 1 }, { inDays: 2 }])
  await drainAt('2026-11-24T02:30:00.000Z')
  t.deepEqual(sentMessages(), ['7 on_due email'], 'half an hour before midnight')
  // The process is down until the night of the 25th.
  await drainAt('2026-11-25T05:00:00.000Z')
  t.like(await stored(), { dueAt: '2026-11-25T10:00:00.000Z' })
  await drainAt('2026-11-25T10:00:00.000Z')
  t.deepEqual(sentMessages(), ['7 on_due 2026-11-23 email', '9 on_due email'])
})

test('reports a charge without a valid message, and reminds the other payers', async (t) => {
  const both = aRule({ channels: ['email', 'sms'] })
  const { store, sentMessages, stored, reports, mailer, drainAt } = await reminderFixtures({ on_due: both })
  // The key is too long for a Pix code, so no email can be built.
  const broken = { pix: { ...aPix, key: 'x'.repeat(100) } }
  const count = 2 * CHARGES_A_SLICE + 3
  const dues = Array.from({ length: count }, (_, index) => ({ inDays: 0, ...(index % 10 === 0 ? {} : broken) }))
  await owe(store, TODAY, [...dues, { inDays: 0 }])
  await drainAt(SEVEN)
  const wellIds = dues.flatMap((due, index) => ('pix' in due ? [] : [7 + index]))
  const expected = [...wellIds, 7 + count].flatMap((id) => [`${id} on_due email`, `${id} on_due sms`])
  t.deepEqual(sentMessages(), expected.sort())
  t.is(mailer.sent.length, wellIds.length + 1)
  const failed = dues.flatMap((due, index) => ('pix' in due ? [`payments.charges/${7 + index}`] : []))
  t.deepEqual(reports.map(([, at]) => at).sort(), failed.sort())
  t.like(await stored(), { day: TODAY, rule: null, dueAt: '2026-11-24T10:00:00.000Z' })
})

test('sends one message if two processes hold the same slice', async (t) => {
  const { ports, store, clock, mailer, worker, claim } = await reminderFixtures({ on_due: aRule() })
  await owe(store, TODAY, [{ inDays: 0 }, { inDays: 0 }])
  clock.set(SEVEN)
  const queue = reminderQueue(ports)
  const slow = await claim(queue)
  clock.advance(61)
  const quick = await claim(queue)
  await Promise.all([quick(), slow()])
  await worker.drain()
  t.is(mailer.sent.length, 2)
})

test('applies the rules of the hour: disabled ones send nothing, enabled ones send from the next hour on', async (t) => {
  const { store, clock, worker, sentMessages, setRules, drainAt } = await reminderFixtures({ on_due: aRule() })
  await owe(store, TODAY, [{ inDays: 0 }, { inDays: 1 }])
  await setRules({ on_due: aRule({ enabled: false }) })
  await drainAt(SEVEN)
  t.deepEqual(sentMessages(), [])
  await setRules({ on_due: aRule({ channels: ['sms'] }) })
  clock.advance(3_600)
  await worker.drain()
  t.deepEqual(sentMessages(), [], 'from the next hour on')
  await drainAt('2026-11-24T10:00:00.000Z')
  t.deepEqual(sentMessages(), ['8 on_due sms'])
})

test('sends nothing while an account takes no writes, and never after its removal', async (t) => {
  const { store, clock, sentMessages, stored, drainAt } = await reminderFixtures(
    { on_due: aRule() },
    { status: 'SUSPENDED' },
  )
  await owe(store, TODAY, [{ inDays: 0 }, { inDays: 1 }, { inDays: 2 }])
  await drainAt(SEVEN)
  t.deepEqual(sentMessages(), [])
  await store.commit([patch(accounts, 1, { set: { status: 'INACTIVE' }, when: always })])
  await drainAt('2026-11-24T10:00:00.000Z')
  t.deepEqual(sentMessages(), ['8 on_due email'])
  await store.commit([patch(accounts, 1, { set: { removedAt: clock.now(), status: 'DELETED' }, when: always })])
  await drainAt('2026-11-25T10:00:00.000Z')
  t.like(await stored(), { dueAt: null })
  t.is(sentMessages().length, 1)
})

test('does not send a reminder after its day', async (t) => {
  const { ports, store, clock, messenger, mailer, drainAt, claim } = await reminderFixtures({
    on_due: aRule({ channels: ['email', 'sms'] }),
  })
  await owe(store, TODAY, [{ inDays: 0 }])
  clock.set(SEVEN)
  await (await claim(reminderQueue(ports)))()
  // Midnight in São Paulo.
  await drainAt('2026-11-24T03:00:00.000Z')
  t.deepEqual([mailer.sent, messenger.sent], [[], []])
})

test('reminds only the payers of the account', async (t) => {
  const { ports, store, sentMessages, drainAt } = await reminderFixtures({ on_due: aRule() })
  await openAccount(ports, 2, { notificationRules: rulesOf({ on_due: aRule() }) })
  await owe(store, TODAY, [{ inDays: 0 }, { inDays: 0 }])
  await store.commit([patch(charges, 8, { set: { accountId: 2 }, when: always })])
  await drainAt(SEVEN)
  t.deepEqual(sentMessages(), ['7 on_due email'])
})

const FIRST_DAY = '2026-11-21'
/** Exceeds every lease. */
const LATER_SECONDS = 600
/** Two of the event, four of the two slices, the rest of messages. */
const COMMITS = 9

for (const when of ['before', 'after'] as const) {
  test(`sends each message once after a crash in any commit, ${when} it is durable`, async (t) => {
    for (let diesAt = 1; diesAt <= COMMITS; diesAt += 1) {
      const messenger = memoryMessenger()
      const installed = installation({ messenger })
      const ports = portsOf(installed)
      const rule = aRule({ channels: ['sms'] })
      const notificationRules = rulesOf({ on_creation: rule, on_due: rule })
      await openAccount(ports, 1, { notificationRules })
      const count = CHARGES_A_SLICE + 1
      await owe(installed.store, FIRST_DAY, Array(count).fill({ inDays: 0 }))
      await installed.store.commit([
        recordEvent(freshIn(ports), 'charge.created', { accountId: 1, subjectId: 7, data: {}, urls: [] }),
        insert(reminders, { id: 1, dueAt: START, attempts: 0, day: null, rule: null, afterId: 0 }),
      ])

      const { store, state } = mortal(installed.store, diesAt, when)
      await processOf({ ...installed, store })
        .worker.drain()
        .catch(() => {})
      const where = `died at commit ${diesAt}`
      t.true(state.isDead, where)
      const next = processOf(installed)
      installed.clock.advance(LATER_SECONDS)
      await next.worker.drain()

      t.is((await messagesIn(installed.store)).length, count + 1, where)
      t.is(new Set(messenger.sent.map(({ id }) => id)).size, count + 1, where)
      t.like(await installed.store.find(byId(reminders, 1)), { day: FIRST_DAY, rule: null, attempts: 0 }, where)
      t.deepEqual(next.reports, [], where)
    }
  })
}

const ALL_CHANNELS = aRule({ channels: ['email', 'whatsapp', 'sms'] })

/** An account (1) with rules, and a charge (7) of a payer. */
const firingFixtures = async (rules: Parameters<typeof rulesOf>[0]) => {
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

test('fires one rule for each of four events, for a partial payment and for a refund, and none for other events', async (t) => {
  const names = ['on_creation', 'on_payment', 'on_update', 'on_delete'] as const
  const rules = Object.fromEntries(
    [...names, 'before_due' as const, 'on_due' as const, 'after_due' as const].map((name) => [
      name,
      aRule({ message: name, channels: ['sms'] }),
    ]),
  )
  const { recordOf, worker, messenger, clock } = await firingFixtures(rules)
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
  const { recordOf, worker, mailer, messenger, store, reports } = await firingFixtures({ on_creation: ALL_CHANNELS })
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
    const { recordOf, worker, store } = await firingFixtures(rules)
    await recordOf('charge.created')
    await worker.drain()
    t.deepEqual([await mailsIn(store), await messagesIn(store)], [[], []])
  }
})

test('completes an event of a missing charge, payer or account without messages', async (t) => {
  const { recordOf, worker, store, reports } = await firingFixtures({ on_update: ALL_CHANNELS })
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
