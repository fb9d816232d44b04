import test from 'ava'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { reminders } from '../../../../core/payments/accounts/reminders.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { recordEvent } from '../../../../core/payments/events.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { payments } from '../../../../core/payments/payments.ts'
import { ADMIN, MANAGER, type PaymentsSettings } from '../../../../core/payments/payments-ports.ts'
import {
  foldedRecipient,
  messageCounts,
  messageLimits,
  recipientCountId,
  unsentReasons,
} from '../../../../core/payments/reminders/message-quota.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { aCharge } from '../records.ts'
import { freshIn, openAccount, portsOf, START } from '../webhooks/webhook-fixtures.ts'
import { right } from '../world.ts'
import { aPayer, aRule, mailsIn, messagesIn, owe, reminding, rulesOf } from './reminder-fixtures.ts'

/** 09:00 in São Paulo. */
const TODAY = '2026-11-21'
const ALL_CHANNELS = ['email', 'whatsapp', 'sms'] as const
const ADMIN_USER = 70

const phoneOf = (index: number) => `11 9${10_000_000 + index}`

/** An account (1) with an ADMIN and a MANAGER. */
const quotaFixtures = async (
  settings: Pick<PaymentsSettings, 'messagesPerDay'> = {},
  wrapped: (store: Store) => Store = (store) => store,
) => {
  const { store, clock, mailer, messenger, webhooks } = await reminding()
  const plain = portsOf({ clock, mailer, messenger, webhooks, store: wrapped(store) })
  const pay = payments({ ...plain, settings: { ...plain.settings, ...settings } })
  const reports: unknown[] = []
  const worker = pay.worker({ report: (error) => void reports.push(error) })
  const member = { accountId: 1, status: 1, search: '', createdAt: START, updatedAt: START }
  await store.commit([
    insert(memberships, { ...member, id: 1, userId: ADMIN_USER, roleId: ADMIN.id }),
    insert(memberships, { ...member, id: 2, userId: 71, roleId: MANAGER.id }),
  ])

  /** Charges 1 to `count`, each of a payer of its own. */
  const issued = async (count: number) => {
    for (let id = 1; id <= count; id += 1) {
      const contact = { email: `payer-${id}@example.com`, phone: phoneOf(id) }
      const outcome = await store.commit([
        insert(clients, aPayer({ id, code: `p${id}`, document: null, ...contact })),
        insert(charges, aCharge({ id, clientId: id, code: `c${id}`, txid: `t${id}` })),
      ])
      if (!outcome.ok) throw new Error('the charge was not stored')
    }
    return Array.from({ length: count }, (_, index) => index + 1)
  }
  const notify = async (ids: readonly number[], channels: readonly (typeof ALL_CHANNELS)[number][] = ['email']) =>
    right(await pay.reminders.notify({ accountId: 1 }, { ids, channels })())
  /** Counts messages by the reason for which they are not sent. */
  const reasons = async () => {
    const counts: Record<string, number> = {}
    for (const { unsentReason } of [...(await mailsIn(store)), ...(await messagesIn(store))]) {
      const reason = unsentReason ?? 'sent'
      counts[reason] = (counts[reason] ?? 0) + 1
    }
    return counts
  }
  return {
    ...{ store, clock, pay, worker, mailer, messenger, reports },
    ...{ issued, notify, reasons },
    mail: async (id: number) => right(await pay.reminders.mail({ accountId: 1 }, `${id}`)()).email,
    paid: (id: number) =>
      store.commit([patch(charges, id, { set: { status: 'paid', paymentDate: TODAY }, when: always })]),
    told: async () => (await store.list(listOf(notifications, { where: always, limit: 100 }))).records,
  }
}

const times = async <A>(count: number, does: () => Promise<A>): Promise<readonly A[]> => {
  const done: A[] = []
  for (let index = 0; index < count; index += 1) done.push(await does())
  return done
}

test('sends the 200th message of a day, stores the 201st with the reason, and notifies the ADMINs once', async (t) => {
  const { issued, notify, reasons, told, worker, mailer, reports } = await quotaFixtures()
  const ids = await issued(201)
  t.deepEqual(await notify(ids.slice(0, 199)), { count: 199 })
  await notify(ids.slice(199, 200))
  t.deepEqual([await reasons(), await told()], [{ sent: 200 }, []])
  t.deepEqual((await Promise.all([notify(ids.slice(200)), notify(ids.slice(0, 50))]))[0], { count: 1 })
  t.deepEqual(await reasons(), { sent: 200, 'day-limit': 51 })
  await worker.drain()
  t.is(mailer.sent.length, 200)
  const [only, ...more] = await told()
  t.deepEqual(more, [])
  t.like(only, { userId: ADMIN_USER, accountId: 1, type: 'messages.unsent', readAt: null })
  t.deepEqual(JSON.parse(only?.data ?? ''), {
    ...{ day: TODAY, reason: 'day-limit', per_day: 200, per_recipient: 5 },
    message:
      'Há mensagens a pagadores que não foram enviadas: por dia, o limite é de 200 da conta e de 5 ao mesmo destinatário.',
  })
  t.deepEqual(reports, [])
})

test('sends five messages to one recipient over all channels and charges, and does not limit other recipients', async (t) => {
  const { issued, notify, mail, reasons, told, worker, mailer, messenger, store } = await quotaFixtures()
  const ids = await issued(3)
  const same = { email: 'PAYER-1@Example.com', phone: '+55 (11) 9 1000-0001' }
  await store.commit([patch(clients, 2, { set: same, when: always })])
  t.deepEqual(await times(3, () => mail(1)), Array(3).fill('payer-1@example.com'))
  t.deepEqual(await Promise.all([mail(2), mail(2), mail(2)]), [same.email, same.email, null])
  t.is(await mail(1), null)
  await notify([1], ['whatsapp', 'sms'])
  await notify([2], ['whatsapp', 'sms'])
  await notify(ids, ALL_CHANNELS)
  t.deepEqual(await reasons(), { sent: 5 + 5 + 3, 'recipient-limit': 2 + 2 + 3 })
  await worker.drain()
  t.is(mailer.sent.filter(({ to }) => to.toLowerCase() === 'payer-1@example.com').length, 5)
  t.is(messenger.sent.filter(({ to }) => to !== phoneOf(3)).length, 5)
  t.is((await told()).length, 1)
})

test('starts a new day at midnight in São Paulo, and notifies again', async (t) => {
  const { issued, mail, told, clock } = await quotaFixtures()
  await issued(1)
  await times(6, () => mail(1))
  clock.set('2026-11-22T02:59:59.999Z')
  t.is(await mail(1), null)
  t.is((await told()).length, 1)
  clock.set('2026-11-22T03:00:00.000Z')
  t.deepEqual(await times(6, () => mail(1)), [...Array(5).fill('payer-1@example.com'), null])
  t.is((await told()).length, 2)
})

test('raises the limits with the first paid charge, also after that charge is deleted', async (t) => {
  const { issued, mail, paid, store, reasons, told } = await quotaFixtures()
  await issued(1)
  t.is((await times(6, () => mail(1))).at(-1), null)
  await paid(1)
  await store.commit([insert(charges, aCharge({ id: 9, clientId: 1, code: 'c9', txid: 't9' }))])
  const address = 'payer-1@example.com'
  t.is(await mail(9), address)
  await store.commit([patch(charges, 1, { set: { status: 'DELETED' }, when: always })])
  t.deepEqual(await times(15, () => mail(9)), [...Array(14).fill(address), null])
  t.deepEqual(await reasons(), { sent: 20, 'recipient-limit': 2 })
  t.is((await told()).length, 1, 'notified once that day')
})

test('looks for a paid charge only above the lower limits, and once a day if there is one', async (t) => {
  let asked = 0
  const { issued, mail, paid, clock } = await quotaFixtures({}, (store) => ({
    ...store,
    group: (ask) => {
      asked += 1
      return store.group(ask)
    },
  }))
  await issued(2)
  await times(5, () => mail(1))
  t.is(asked, 0)
  await times(2, () => mail(1))
  t.is(asked, 2)
  await paid(2)
  await times(14, () => mail(1))
  t.is(asked, 3)
  clock.set('2026-11-22T12:00:00.000Z')
  await times(7, () => mail(1))
  t.is(asked, 4)
})

test('counts accounts separately', async (t) => {
  const { issued, notify, store, pay, reasons } = await quotaFixtures({ messagesPerDay: 1 })
  const ids = await issued(2)
  await openAccount(pay.ports, 2)
  await store.commit([patch(charges, 2, { set: { accountId: 2 }, when: always })])
  await notify(ids)
  right(await pay.reminders.notify({ accountId: 2 }, { ids, channels: ['email'] })())
  t.deepEqual(await reasons(), { sent: 2 })
})

test('keeps both limits with 50 simultaneous requests, and accepts all of them', async (t) => {
  const { issued, notify, mail, reasons, told } = await quotaFixtures({ messagesPerDay: 30 })
  const ids = await issued(51)
  const mailed = await Promise.all(Array.from({ length: 50 }, () => mail(1)))
  t.is(mailed.filter((email) => email === 'payer-1@example.com').length, 5)
  t.is(mailed.filter((email) => email === null).length, 45)
  await Promise.all(ids.slice(1).map((id) => notify([id])))
  t.deepEqual(await reasons(), { sent: 30, 'recipient-limit': 45, 'day-limit': 25 })
  t.is((await told()).length, 1)
})

test('uses two commits for 300 payers with three channels, and sends nothing after a crash between them', async (t) => {
  let dies = true
  const { issued, notify, paid, reasons, worker, mailer, messenger } = await quotaFixtures({}, (store) => {
    let commits = 0
    return beforeCommits(store, (changes) => {
      commits += changes.length > 500 ? 1 : 0
      if (commits === 2 && dies) throw new Error('power cut')
    })
  })
  const ids = await issued(300)
  await paid(1)
  await t.throwsAsync(notify(ids, ALL_CHANNELS), { message: 'power cut' })
  t.deepEqual(await reasons(), {})
  dies = false
  t.deepEqual(await notify(ids, ALL_CHANNELS), { count: 300 })
  t.deepEqual(await reasons(), { sent: 900 })
  await worker.drain()
  t.is(new Set([...mailer.sent, ...messenger.sent].map(({ id }) => id)).size, 900)
})

test('counts rules, reminders and notices together, and sends nothing when a day is walked again', async (t) => {
  const { issued, notify, store, pay, worker, clock, reasons, mailer, told } = await quotaFixtures({
    messagesPerDay: 4,
  })
  const notificationRules = rulesOf({ on_creation: aRule(), on_due: aRule() })
  await store.commit([patch(accounts, 1, { set: { notificationRules }, when: always })])
  const [first = 0] = await issued(1)
  await notify([first])
  const created = { accountId: 1, subjectId: first, data: {}, urls: [] }
  await store.commit([recordEvent(freshIn(pay.ports), 'charge.created', created)])
  await worker.drain()
  t.is(mailer.sent.length, 2)
  await owe(
    store,
    TODAY,
    Array.from({ length: 5 }, (_, index) => ({ inDays: 0, id: 100 + index, code: `d${index}`, txid: `d${index}` })),
  )
  const due = { id: 1, dueAt: START, attempts: 0, day: null, rule: null, afterId: 0 }
  await store.commit([insert(reminders, due)])
  await worker.drain()
  t.is(mailer.sent.length, 4)
  t.deepEqual(await reasons(), { sent: 4, 'day-limit': 3 })
  await store.commit([patch(reminders, 1, { set: { day: null, dueAt: clock.now() }, when: always })])
  await worker.drain()
  t.deepEqual(await reasons(), { sent: 4, 'day-limit': 3 })
  t.is((await told()).length, 1)
})

test('stores unsent messages for a week, and counts for one day after their day', async (t) => {
  const { issued, mail, store, clock, worker } = await quotaFixtures()
  await worker.prepare()
  await issued(1)
  await times(6, () => mail(1))
  const counts = async () => (await store.list(listOf(messageCounts, { where: always, limit: 10 }))).records
  t.is((await counts()).length, 2)
  t.true((await counts()).every(({ expiresAt }) => expiresAt === '2026-11-23T03:00:00.000Z'))
  clock.set('2026-11-28T11:59:59.000Z')
  await worker.drain()
  t.is((await mailsIn(store)).length, 6)
  t.deepEqual(await counts(), [])
  clock.set('2026-11-29T12:00:00.000Z')
  await worker.drain()
  t.deepEqual(await mailsIn(store), [])
})

const sent = (ofDay: number, to: Readonly<Record<string, number>> = {}) => ({
  ofDay,
  to: (recipient: string) => to[recipient] ?? 0,
})

test('a payment raises both limits, and the setting replaces the limit of a day', (t) => {
  t.deepEqual(messageLimits(false, {}), { perDay: 200, perRecipient: 5 })
  t.deepEqual(messageLimits(false, { messagesPerDay: null }), { perDay: 200, perRecipient: 5 })
  t.deepEqual(messageLimits(true, {}), { perDay: 10_000, perRecipient: 20 })
  t.deepEqual(messageLimits(false, { messagesPerDay: 7 }), { perDay: 7, perRecipient: 5 })
  t.deepEqual(messageLimits(true, { messagesPerDay: 7 }), { perDay: 7, perRecipient: 20 })
})

test('an unsent message does not count against the limit of the day', (t) => {
  const limits = { perDay: 3, perRecipient: 1 }
  t.deepEqual(unsentReasons(limits, sent(0), ['a', 'a', 'a', 'b', 'c', 'd']), [
    ...[null, 'recipient-limit', 'recipient-limit'],
    ...[null, null, 'day-limit'],
  ])
})

test('folds the spellings of a recipient to one', (t) => {
  const mail = (to: string) => foldedRecipient({ channel: 'email', to })
  t.is(mail('MARIA@Example.com'), mail('maria@example.com'))
  t.is(mail('jose\u0301@example.com'), mail('JOSÉ@example.com'))
  t.not(mail('jose@example.com'), mail('josé@example.com'))
  for (const to of ['maria+1@example.com', 'm.a.ria+x+y@example.com', 'maria@ｅxample.com', 'ｍaria@EXＡMPLE.com'])
    t.is(mail(to), mail('maria@example.com'), to)
  t.is(mail('ana@bücher.example'), mail('ana@xn--bcher-kva.example'))
  t.not(mail('+1@example.com'), mail('+2@example.com'))
  const spellings = [
    '+55 (11) 99999-0000',
    '5511999990000',
    '011 99999 0000',
    '11999990000',
    '00 55 11 99999-0000',
    '+55 (011) 99999-0000',
    '１１ 99999-0000',
  ]
  for (const to of spellings)
    for (const channel of ['sms', 'whatsapp'] as const) t.is(foldedRecipient({ channel, to }), '11999990000', to)
  t.is(foldedRecipient({ channel: 'sms', to: '(55) 99999-0000' }), '55999990000', 'an area of 55')
  t.is(foldedRecipient({ channel: 'sms', to: '+55 55 99999-0000' }), '55999990000')
})

test('the id of a count hides the address, and differs by account and day', (t) => {
  const cipher = aesCipher(new Uint8Array(32).fill(1))
  const id = (accountId: number, day: string) =>
    recipientCountId(cipher, accountId, day, { channel: 'email', to: 'maria@example.com' })
  const ids = [id(7, '2026-11-23'), id(8, '2026-11-23'), id(7, '2026-11-24')]
  t.is(new Set(ids).size, 3)
  t.false(ids.some((each) => each.includes('maria')))
  t.true(ids[0]?.startsWith('7|2026-11-23|'))
})
