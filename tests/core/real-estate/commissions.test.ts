import test from 'ava'
import { worthOf } from '../../../core/real-estate/commissions.ts'
import { percentOf } from '../../../core/real-estate/records/fields.ts'

test('a commission is worth what was said, or its percentage of the value of the contract, half up', (t) => {
  const worth = (percentage: number, valueCents: number) => worthOf({ valueCents: null, percentage }, { valueCents })
  t.is(worthOf({ valueCents: 7, percentage: null }, { valueCents: 250_000 }), 7)
  t.is(worth(8.5, 250_000), 21_250)
  t.is(worth(100, 999_999_999_999), 999_999_999_999)
  t.is(worth(0.5, 100), 1)
  t.is(worth(0.4999, 100), 0)
  t.is(worth(33.3333, 300), 100)
})

test('a percentage of four decimals is taken exactly, whatever a double makes of it', (t) => {
  t.is(percentOf(1_000_000, 0.0001), 1)
  t.is(percentOf(100_000_000, 1.0005), 1_000_500)
  // In doubles 10,000 times 1.005% is 100.49999…, a cent less.
  t.is(percentOf(10_000, 1.005), 101)
})
