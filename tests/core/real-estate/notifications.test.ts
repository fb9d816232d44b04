import test from 'ava'
import { compile } from '../../../core/kernel/records/record.ts'
import { MAX_CHANGES_PER_COMMIT } from '../../../core/limits.ts'
import { alertRecipients, markDefaulted, paymentsAtOnce } from '../../../core/real-estate/notifications/alerts.ts'
import { mirrorPause } from '../../../core/real-estate/notifications/module.ts'
import { payment } from '../../../core/real-estate/records/payment.ts'
import { expiringDays } from '../../../core/real-estate/terms/periods.ts'
import { freshAt } from './world.ts'

test('the expiry range is today to 30 days from now, both included', (t) => {
  t.deepEqual(expiringDays('2026-11-23'), { from: '2026-11-23', to: '2026-12-23' })
  t.deepEqual(expiringDays('2028-02-01'), { from: '2028-02-01', to: '2028-03-02' })
})

test('a slice of payments fits in one commit with any number of recipients', (t) => {
  for (const count of [0, 1, 2, 3, 10, 100, 250, 10_000]) {
    const people = alertRecipients(Array.from({ length: count }, (_, id) => ({ id: `${id}` })))
    const payments = paymentsAtOnce(people.length)
    t.true(payments >= 1 && payments <= 100)
    // One change creates the counter, and one may store an idempotency key.
    t.true(payments * (1 + 2 * people.length) + 2 <= MAX_CHANGES_PER_COMMIT, `${count} people`)
  }
})

test('a payment is not defaulted if it was paid, removed or moved to another due date since the read', (t) => {
  const fresh = freshAt()
  const owed = { contractId: 'k', type: 'Rent', period: '2026-11', valueCents: 1, notes: null } as const
  const { record } = payment.build('c', { ...owed, dueDate: '2026-11-10' }, fresh)
  const change = markDefaulted(record, fresh)
  if (change.kind !== 'patch') return t.fail()
  const holds = compile(change.when)
  t.true(holds({ ...record }))
  for (const meanwhile of [{ status: 'Paid' }, { removedAt: fresh.now }, { dueDate: '2026-12-10' }])
    t.false(holds({ ...record, ...meanwhile }), JSON.stringify(meanwhile))
})

test('attempts at an unavailable mirror become rarer and never end', (t) => {
  t.deepEqual([1, 2, 3, 4, 5, 6, 1_000].map(mirrorPause), [2, 5, 15, 60, 300, 300, 300])
})
