import test from 'ava'
import {
  DUE_RULES,
  dueDateFor,
  nextReminderPosition,
  type Reminders,
  startReminders,
} from '../../../../core/payments/accounts/reminders.ts'
import { isRemindable } from '../../../../core/payments/reminders/remind-payers.ts'
import { aCharge, inserted } from '../records.ts'
import { aRule, rulesOf } from '../reminders/reminder-fixtures.ts'

const SETTINGS = { alertsAt: '07:00' }
const TODAY = '2026-11-23'
/** 07:00 in São Paulo. */
const SEVEN = '2026-11-23T10:00:00.000Z'
const TOMORROW_AT_SEVEN = '2026-11-24T10:00:00.000Z'

const held = (over: Partial<Reminders> = {}): Reminders => ({
  id: 1,
  dueAt: SEVEN,
  attempts: 0,
  day: null,
  rule: null,
  afterId: 0,
  ...over,
})

test('starts reminders at the next scheduled hour, with the first rule around the due date', (t) => {
  const of = (now: string, rules: Parameters<typeof rulesOf>[0], found: Reminders | null = null) =>
    startReminders(SETTINGS, { steady: now }, 1, rulesOf(rules), found)
  for (const name of DUE_RULES) {
    t.like(of('2026-11-23T09:59:59.999Z', { [name]: aRule() })[0], { record: { id: 1, dueAt: SEVEN, day: null } })
    t.like(of(SEVEN, { [name]: aRule() })[0], { record: { dueAt: TOMORROW_AT_SEVEN } })
    t.deepEqual(of(SEVEN, { [name]: aRule() }, held()), [], 'it is there: the worker reads the rules')
    t.deepEqual(of(SEVEN, { [name]: aRule({ enabled: false }) }), [])
  }
  t.deepEqual(of(SEVEN, { on_creation: aRule(), on_delete: aRule() }), [])
  t.deepEqual(startReminders(SETTINGS, { steady: SEVEN }, 1, null, null), [])
  t.is(inserted(of(SEVEN, { on_due: aRule() }), { name: 'payments.reminders' }).length, 1)
})

test('begins a day at its hour, resumes it, and ends it once', (t) => {
  const at = (now: string, over: Partial<Reminders> = {}, alertsAt = '07:00') =>
    nextReminderPosition(held(over), alertsAt, now)
  const begin = { day: TODAY, rule: 'before_due', afterId: 0 } as const
  t.deepEqual(at(SEVEN), begin)
  t.deepEqual(at('2026-11-24T02:59:59.999Z'), begin, 'at any later time of the day')
  t.deepEqual(at(SEVEN, { day: '2026-11-22', rule: 'on_due', afterId: 9 }), begin, 'what an old day left is past')
  t.deepEqual(at(SEVEN, { day: TODAY, rule: 'on_due', afterId: 9 }), { day: TODAY, rule: 'on_due', afterId: 9 })
  t.deepEqual(at(SEVEN, { day: TODAY }), { notBefore: TOMORROW_AT_SEVEN })
  // No process ran before midnight: the next day waits for its own hour.
  t.deepEqual(at('2026-11-23T03:00:00.000Z', { dueAt: '2026-11-22T10:00:00.000Z' }), { notBefore: SEVEN })
  t.deepEqual(at(SEVEN, {}, '19:30'), { notBefore: '2026-11-23T22:30:00.000Z' })
  t.deepEqual(at('2026-11-23T03:00:00.000Z', {}, '00:00'), begin)
})

test('selects charges by the days of a rule, by default one, and by the day itself for on_due', (t) => {
  const on = (name: (typeof DUE_RULES)[number], days: number | null) => dueDateFor(name, { days }, '2027-02-27')
  t.is(on('before_due', 3), '2027-03-02')
  t.is(on('before_due', null), '2027-02-28')
  t.is(on('before_due', 0), '2027-02-27')
  t.is(on('after_due', 365), '2026-02-27')
  t.is(on('after_due', null), '2027-02-26')
  t.is(on('on_due', 30), '2027-02-27')
})

test('sends no reminder for a charge that is paid or not payable', (t) => {
  const now = '2026-11-30T10:00:00.000Z'
  const late = '2026-12-01T10:00:00.000Z'
  for (const name of DUE_RULES) {
    t.true(isRemindable(name, aCharge(), now))
    for (const status of ['paid', 'paidwithpix', 'cancelled', 'failed', 'DELETED'] as const)
      t.false(isRemindable(name, aCharge({ status }), now), status)
    t.false(isRemindable(name, aCharge({ operationId: 'T', pix: null }), now), 'the bank has not made it')
    const boleto = { nossoNumero: '26/200001-1', barcode: '7', digitableLine: '7' }
    t.true(isRemindable(name, aCharge({ paymentMethod: 'BOLETO', pix: null, boleto }), now), 'a boleto has no Pix')
    t.is(isRemindable(name, aCharge({ status: 'expired' }), late), name === 'after_due')
    t.is(
      isRemindable(name, aCharge(), late),
      name === 'after_due',
      'expired by its time, though its stored status is open',
    )
  }
})
