import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { terminationQuote } from '../../../../core/real-estate/contracts/end-contract.ts'
import type { Contract } from '../../../../core/real-estate/records/contract.ts'
import type { Payment } from '../../../../core/real-estate/records/payment.ts'

/** The quote depends on no other field. */
const contractOf = (over: Partial<Contract>) =>
  ({
    ...{ id: 'c', status: 'Active', startDate: '2026-01-01', endDate: '2028-06-30', periods: [] },
    ...{ terminationFineCents: 600_000, ...over },
  }) as Contract

const paymentOf = (over: Partial<Payment>) => ({ status: 'Pending', valueCents: 100, ...over }) as Payment

const quoteOf = (on: string, over: Partial<Contract> = {}, payments: readonly Payment[] = []) => {
  const made = terminationQuote({ contract: contractOf(over), payments }, on)
  return isLeft(made) ? made.left.code : made.right
}

const fineOf = (on: string, over: Partial<Contract> = {}) => {
  const quote = quoteOf(on, over)
  return typeof quote === 'string' ? quote : quote.fineCents
}

test('after 20 of 30 months a third of the fine is owed', (t) => {
  t.is(fineOf('2027-08-31'), 200_000)
  t.is(fineOf('2027-09-01'), 200_000)
  t.is(fineOf('2026-10-01', { startDate: '2025-02-01', endDate: '2027-07-31' }), 200_000)
  t.is(fineOf('2027-11-14', { startDate: '2026-03-15', endDate: '2028-09-15' }), 200_000)
  t.like(quoteOf('2027-08-31'), { totalMonths: 30, remainingMonths: 10 })
})

test('before the first day the whole fine is owed, on the last day nothing', (t) => {
  t.is(fineOf('2025-12-31'), 600_000)
  t.is(fineOf('2028-06-30'), 0)
  t.is(fineOf('2030-01-01'), 0)
  // A cent in three is rounded half up.
  t.is(fineOf('2026-01-31', { endDate: '2026-03-31', terminationFineCents: 1 }), 1)
  t.is(fineOf('2026-02-28', { endDate: '2026-03-31', terminationFineCents: 1 }), 0)
})

test('refuses a quote without a fine and for an ended contract', (t) => {
  t.is(quoteOf('2027-01-01', { terminationFineCents: null }), 'contract.no-termination-fine')
  t.is(quoteOf('2027-01-01', { status: 'Terminated' }), 'contract.ended')
})

test('payments that are due by that day are added, less what has arrived', (t) => {
  const owed = [
    paymentOf({ dueDate: '2027-08-10' }),
    paymentOf({ dueDate: '2027-08-31', status: 'Defaulted' }),
    paymentOf({ dueDate: '2027-09-01' }),
    paymentOf({ dueDate: '2027-07-10', status: 'Paid' }),
    paymentOf({ dueDate: '2027-07-10', status: 'Cancelled' }),
  ]
  t.like(quoteOf('2027-08-31', {}, owed), { openPayments: 2, openValueCents: 200, totalCents: 200_200 })
  const parts = [
    paymentOf({ dueDate: '2027-08-10', receivedCents: 70 }),
    paymentOf({ dueDate: '2027-08-10', receivedCents: 300 }),
  ]
  t.like(quoteOf('2027-08-31', {}, parts), { openPayments: 2, openValueCents: 30 })
})

test('during the former period of a contract that was renewed ahead, the whole new period remains', (t) => {
  const former = { startDate: '2025-01-01', endDate: '2026-12-31', valueCents: 1, indexer: 'IGPM' as const }
  const ahead = { startDate: '2027-01-01', endDate: '2028-12-31', periods: [{ ...former, indexerPercentage: null }] }
  t.like(quoteOf('2026-06-30', ahead), { startDate: '2025-01-01', totalMonths: 48, remainingMonths: 30 })
  t.like(quoteOf('2027-12-31', ahead), { startDate: '2027-01-01', totalMonths: 24, remainingMonths: 12 })
})

test('early in a very long term nearly the whole fine is owed', (t) => {
  for (const endDate of ['9999-12-30', '9999-12-31'])
    t.is(fineOf('2026-11-25', { endDate, terminationFineCents: 100 }), 100, endDate)
  t.is(fineOf('9999-12-31', { endDate: '9999-12-31' }), 0)
})
