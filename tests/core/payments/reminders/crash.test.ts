import test from 'ava'
import { memoryMessenger } from '../../../../adapters/messages/memory-messenger.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { reminders } from '../../../../core/payments/accounts/reminders.ts'
import { recordEvent } from '../../../../core/payments/office.ts'
import { CHARGES_A_SLICE } from '../../../../core/payments/reminders/remind-payers.ts'
import { byId } from '../../../../core/ports/store.ts'
import { mortal } from '../webhooks/mortal.ts'
import { freshIn, installation, openAccount, portsOf, processOf, START, storeOf } from '../webhooks/webhook-fixtures.ts'
import { aRule, messagesIn, owe, rulesOf } from './triggers.ts'

const TODAY = '2026-11-21'
/** Longer than any lease. */
const LATER_SECONDS = 600
/** Two of the event, four of the two slices, and some of the messages. */
const COMMITS = 9

for (const when of ['before', 'after'] as const) {
  test(`a process that dies in any commit, ${when} it is durable, leaves what the next one tells: each payer once`, async (t) => {
    for (let diesAt = 1; diesAt <= COMMITS; diesAt += 1) {
      const messenger = memoryMessenger()
      const installed = { ...installation({ store: storeOf() }), messenger }
      const ports = portsOf(installed)
      const rule = aRule({ channels: ['sms'] })
      const notificationRules = rulesOf({ on_creation: rule, on_due: rule })
      await openAccount(ports, 1, { notificationRules })
      const count = CHARGES_A_SLICE + 1
      await owe(
        installed.store,
        TODAY,
        Array.from({ length: count }, () => ({ inDays: 0 })),
      )
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
      t.like(await installed.store.find(byId(reminders, 1)), { day: TODAY, rule: null, attempts: 0 }, where)
      t.deepEqual(next.reports, [], where)
    }
  })
}
