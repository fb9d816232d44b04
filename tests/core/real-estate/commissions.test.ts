import test from 'ava'
import { commissionValue } from '../../../core/real-estate/commissions.ts'
import { percentOf } from '../../../core/real-estate/records/fields.ts'

test('a commission has the given value, or the percentage of the contract’s value, half up', (t) => {
  const worth = (percentage: number, valueCents: number) =>
    commissionValue({ valueCents: null, percentage }, { valueCents })
  t.is(commissionValue({ valueCents: 7, percentage: null }, { valueCents: 250_000 }), 7)
  t.is(worth(8.5, 250_000), 21_250)
  t.is(worth(100, 999_999_999_999), 999_999_999_999)
  t.is(worth(0.5, 100), 1)
  t.is(worth(0.4999, 100), 0)
  t.is(worth(33.3333, 300), 100)
})

test('a percentage of four decimals is exact', (t) => {
  t.is(percentOf(1_000_000, 0.0001), 1)
  t.is(percentOf(100_000_000, 1.0005), 1_000_500)
  // As a double, 1.005% of 10,000 is 100.49999…, a cent less.
  t.is(percentOf(10_000, 1.005), 101)
})
