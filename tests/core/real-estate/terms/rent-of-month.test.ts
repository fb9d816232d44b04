import test from 'ava'
import { isLeft, left, right } from '../../../../core/failure.ts'
import {
  daysText,
  monthOfRun,
  rentOfMonth as wholeRentOfMonth,
} from '../../../../core/real-estate/terms/rent-of-month.ts'

const TERM = { startDate: '2026-01-01', endDate: '2028-06-30' }
const LEASE = { ...TERM, dueDay: 10, valueCents: 250_000, periods: [], adjustments: [] }
const period = (startDate: string, endDate: string, valueCents: number) => {
  return { startDate, endDate, valueCents, indexer: 'IGPM' as const, indexerPercentage: null }
}
/** Returns the rent without its days. */
const rentOfMonth = (...of: Parameters<typeof wholeRentOfMonth>) => {
  const owed = wholeRentOfMonth(...of)
  if (isLeft(owed)) return owed
  const { valueCents, dueDate } = owed.right
  return right({ valueCents, dueDate })
}

/** The rent of a month that is owed. */
const rent = (valueCents: number, dueDate: string) => right({ valueCents, dueDate })

test('a whole month owes the full value on the due day of the lease', (t) => {
  for (const month of ['2026-01', '2026-02', '2026-11', '2028-02', '2028-06'])
    t.deepEqual(rentOfMonth(LEASE, month), rent(250_000, `${month}-10`), month)
  t.deepEqual(rentOfMonth({ ...LEASE, dueDay: 5 }, '2026-03'), rent(250_000, '2026-03-05'))
})

test('the first and the last month owe their share of days, half up, not due before the lease begins', (t) => {
  const lease = { ...LEASE, startDate: '2026-01-20', endDate: '2026-02-15' }
  // 12 of 31 days: 96,774.19; 15 of 28: 133,928.57.
  t.deepEqual(rentOfMonth(lease, '2026-01'), rent(96_774, '2026-01-20'))
  t.deepEqual(rentOfMonth(lease, '2026-02'), rent(133_929, '2026-02-10'))
  // One day of 30, and exactly half a cent.
  const short = { ...LEASE, startDate: '2026-04-30', endDate: '2026-05-31', valueCents: 15 }
  t.deepEqual(rentOfMonth(short, '2026-04'), rent(1, '2026-04-30'))
  const within = { ...LEASE, startDate: '2026-04-11', endDate: '2026-04-20', dueDay: 15 }
  t.deepEqual(rentOfMonth(within, '2026-04'), rent(83_333, '2026-04-15'))
})

test('a lease that has ended or not begun and a rent below a cent are skipped with a reason', (t) => {
  t.deepEqual(rentOfMonth(LEASE, '2028-07'), left('lease.ended'))
  t.deepEqual(rentOfMonth(LEASE, '2025-12'), left('lease.not-begun'))
  const tiny = { ...LEASE, startDate: '2026-01-31', valueCents: 15 }
  t.deepEqual(rentOfMonth(tiny, '2026-01'), left('rent.worthless'))
})

test('a month across a renewal owes each value for its own days', (t) => {
  const periods = [period('2026-01-01', '2026-04-30', 200_000), period('2026-05-01', '2026-06-10', 250_000)]
  const lease = { ...LEASE, valueCents: 300_000, periods }
  t.deepEqual(rentOfMonth(lease, '2026-04'), rent(200_000, '2026-04-10'))
  t.deepEqual(rentOfMonth(lease, '2026-05'), rent(250_000, '2026-05-10'))
  // 10 days at 2,500.00 and 20 at 3,000.00, rounded once.
  t.deepEqual(rentOfMonth(lease, '2026-06'), rent(283_333, '2026-06-10'))
  t.deepEqual(rentOfMonth(lease, '2026-07'), rent(300_000, '2026-07-10'))
})

const adjusted = (adjustedFrom: string | null, valueCents: number, newValueCents: number) => ({
  ...{ since: '2026-01-01', dueOn: '2026-06-16', indexer: 'IGPM' as const, figures: [] },
  ...{ measuredPercentage: 1, appliedPercentage: 1, adjustedFrom, valueCents, newValueCents },
})

test('an adjustment applies from its day to the end of its period, and a later one replaces it', (t) => {
  const values = (lease: Parameters<typeof rentOfMonth>[0], ...months: readonly string[]) =>
    months.map((month) => {
      const owed = rentOfMonth(lease, month)
      return 'right' in owed ? owed.right.valueCents : owed.left
    })
  const raised = { ...LEASE, adjustments: [adjusted('2026-06-16', 250_000, 280_000)], valueCents: 280_000 }
  // 15 days at 2,500.00 and 15 at 2,800.00.
  t.deepEqual(values(raised, '2026-05', '2026-06', '2026-07'), [250_000, 265_000, 280_000])
  const again = { ...raised, adjustments: [...raised.adjustments, adjusted('2026-06-01', 250_000, 270_000)] }
  t.deepEqual(values({ ...again, valueCents: 270_000 }, '2026-05', '2026-06', '2026-07'), [250_000, 270_000, 270_000])
  // One from the first day of the lease, or from before it, leaves nothing of the former ones.
  for (const from of [LEASE.startDate, '2025-12-01']) {
    const adjustments = [...again.adjustments, adjusted(from, 250_000, 290_000)]
    t.deepEqual(values({ ...again, adjustments, valueCents: 290_000 }, '2026-01', '2026-06'), [290_000, 290_000])
  }
  const renewed = { ...raised, startDate: '2026-09-01', periods: [period('2026-01-01', '2026-08-31', 280_000)] }
  // The adjustment of a renewal begins with its period, and those of earlier releases have no day.
  const adjustments = [...raised.adjustments, adjusted('2026-09-01', 280_000, 300_000), adjusted(null, 1, 2)]
  const after = { ...renewed, adjustments, valueCents: 300_000 }
  t.deepEqual(values(after, '2026-05', '2026-06', '2026-08', '2026-09'), [250_000, 265_000, 280_000, 300_000])
})

test('a lease that has ended owes the days until then, and a gap between periods owes nothing', (t) => {
  t.deepEqual(rentOfMonth(LEASE, '2026-11', '2026-11-10'), rent(83_333, '2026-11-10'))
  t.deepEqual(rentOfMonth(LEASE, '2026-11', '2026-10-31'), left('lease.ended'))
  t.deepEqual(rentOfMonth({ ...LEASE, startDate: '2026-11-20' }, '2026-11', '2026-11-19'), left('lease.not-let'))
  const gap = { ...LEASE, startDate: '2026-05-01', periods: [period('2026-01-01', '2026-03-31', 200_000)] }
  t.deepEqual(rentOfMonth(gap, '2026-04'), left('lease.not-let'))
})

test('a monthly run, also a late one, creates the rents of its run day’s month', (t) => {
  t.is(monthOfRun('2026-11-05', 5), '2026-11')
  t.is(monthOfRun('2026-11-30', 5), '2026-11')
  t.is(monthOfRun('2026-12-04', 5), '2026-11')
  t.is(monthOfRun('2027-01-01', 28), '2026-12')
})

test('a lease that was renewed ahead owes the former value until the former end', (t) => {
  const next = { startDate: '2027-01-01', endDate: '2027-12-31', valueCents: 300_000 }
  const ahead = { ...LEASE, ...next, periods: [period('2026-01-01', '2026-12-31', 250_000)] }
  t.deepEqual(rentOfMonth(ahead, '2026-11'), rent(250_000, '2026-11-10'))
  t.deepEqual(rentOfMonth(ahead, '2027-01'), rent(300_000, '2027-01-10'))
  t.deepEqual(rentOfMonth(ahead, '2025-12'), left('lease.not-begun'))
})

test('December 9999 has 31 days', (t) => {
  t.deepEqual(rentOfMonth({ ...LEASE, endDate: '9999-12-31' }, '9999-12'), rent(250_000, '9999-12-10'))
})

const days = (firstDay: string, lastDay: string) => ({ firstDay, lastDay })

test('a rent bills the days that no rent of the month has billed, and together they owe the whole month', (t) => {
  const owed = (lease: Parameters<typeof wholeRentOfMonth>[0], ...billed: readonly ReturnType<typeof days>[]) => {
    const rest = wholeRentOfMonth(lease, '2026-12', null, billed)
    if (isLeft(rest)) return rest.left
    const { valueCents, dueDate, billedDays } = rest.right
    return [valueCents, dueDate, daysText(billedDays)]
  }
  const first = days('2026-12-01', '2026-12-10')
  t.deepEqual(owed({ ...LEASE, endDate: '2026-12-10' }), [80_645, '2026-12-10', '01/12/2026 a 10/12/2026'])
  t.deepEqual(owed(LEASE, first), [169_355, '2026-12-11', '11/12/2026 a 31/12/2026'])
  // 2,000.00 until the 10th, 3,100.00 since: the rest counts at its own value.
  const renewed = {
    startDate: '2026-12-11',
    valueCents: 310_000,
    periods: [period('2026-01-01', '2026-12-10', 200_000)],
  }
  t.deepEqual(owed({ ...LEASE, ...renewed }, first), [210_000, '2026-12-11', '11/12/2026 a 31/12/2026'])
  // Of 1 cent a month, half up: the 16th day makes the cent, in whichever rent it is.
  const cent = { ...LEASE, valueCents: 1 }
  t.is(owed({ ...cent, endDate: '2026-12-15' }), 'rent.worthless')
  t.deepEqual(owed(cent, days('2026-12-01', '2026-12-15')), [1, '2026-12-16', '16/12/2026 a 31/12/2026'])
  t.is(owed(cent, days('2026-12-01', '2026-12-16')), 'rent.worthless')
  const middle = days('2026-12-12', '2026-12-30')
  t.deepEqual(owed(LEASE, middle), [96_774, '2026-12-10', '01/12/2026 a 11/12/2026, 31/12/2026'])
  t.is(owed(LEASE, first, days('2026-12-11', '2026-12-31')), 'rent.billed')
  t.is(owed({ ...LEASE, endDate: '2026-12-20' }, first, days('2026-12-11', '2026-12-21')), 'rent.overbilled')
  t.is(owed({ ...LEASE, endDate: '2026-11-30' }, first), 'rent.overbilled')
  // Days that were billed and are let no more pay those that are to be billed.
  t.is(owed({ ...LEASE, startDate: '2026-12-11' }, first), 'rent.overbilled')
  t.is(owed({ ...LEASE, startDate: '2026-12-05' }, first), 'rent.overbilled')
})
