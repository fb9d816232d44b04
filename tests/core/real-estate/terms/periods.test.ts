import test from 'ava'
import { termLength, wholeMonths } from '../../../../core/real-estate/terms/periods.ts'

const months = (first: string, last: string): number => {
  const { parts, partsPerMonth } = termLength(first, last)
  return parts / partsPerMonth
}

test('a month expires on the same day of the next month, or on the day after a short month', (t) => {
  t.is(wholeMonths('2026-01-15', '2026-02-14'), 0)
  t.is(wholeMonths('2026-01-15', '2026-02-15'), 1)
  t.is(wholeMonths('2026-01-31', '2026-02-28'), 0)
  t.is(wholeMonths('2026-01-31', '2026-03-01'), 1)
  t.is(wholeMonths('2026-01-31', '2026-03-30'), 1)
  t.is(wholeMonths('2024-02-29', '2025-02-28'), 11)
  t.is(wholeMonths('2024-02-29', '2025-03-01'), 12)
  t.is(wholeMonths('2026-12-01', '2029-06-01'), 30)
})

test('a term that ends on the same day of a month, or the day before it, has whole months', (t) => {
  t.is(months('2026-01-01', '2028-06-30'), 30)
  t.is(months('2026-01-01', '2028-07-01'), 30)
  t.is(months('2026-02-15', '2027-02-14'), 12)
  t.is(months('2026-02-15', '2027-02-15'), 12)
  for (const last of ['2025-02-28', '2025-03-01']) t.is(months('2024-02-29', last), 12)
})

test('remaining days count as a fraction of the month that they are in', (t) => {
  t.is(months('2026-01-01', '2026-01-01'), 1 / 31)
  t.is(months('2026-01-01', '2026-02-14'), 1 + 14 / 28)
  t.is(months('2026-01-02', '2026-01-01'), 0)
})

test('a longer stay never counts as a shorter term', (t) => {
  let before = 0
  for (let year = 2026; year < 2029; year += 1)
    for (let month = 1; month <= 12; month += 1)
      for (const day of ['01', '02', '14', '15', '16', '28']) {
        const now = months('2026-01-15', `${year}-${`${month}`.padStart(2, '0')}-${day}`)
        t.true(now >= before)
        before = now
      }
})

test('terms up to 9999-12-31 are exact', (t) => {
  t.is(months('9999-12-01', '9999-12-30'), 30 / 31)
  t.is(months('9999-12-01', '9999-12-31'), 1)
  t.is(months('9999-01-01', '9999-12-31'), 12)
  t.is(months('9999-12-31', '9999-12-31'), 1 / 31)
})
