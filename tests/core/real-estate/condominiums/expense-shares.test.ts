import test from 'ava'
import fc from 'fast-check'
import { sharesOf, weightsOf } from '../../../../core/real-estate/condominiums/expense-shares.ts'

test('equal shares differ by a cent at most, and the first ones have the cents that are left', (t) => {
  t.deepEqual(sharesOf(1_000, weightsOf([null, null, null])), [334, 333, 333])
  t.deepEqual(sharesOf(1_001, weightsOf([null, null, null])), [334, 334, 333])
  t.deepEqual(sharesOf(2, weightsOf([null, null, null])), [1, 1, 0])
})

test('fractions weigh where each unit has one, and count as nothing where one has none', (t) => {
  t.deepEqual(sharesOf(10_000, weightsOf([0.5, 0.3, 0.2])), [5_000, 3_000, 2_000])
  t.deepEqual(sharesOf(10_000, weightsOf([0.1, 0.2])), [3_334, 6_666])
  t.deepEqual(sharesOf(10_000, weightsOf([0.1, null])), [5_000, 5_000])
  t.deepEqual(sharesOf(10_000, weightsOf([0, 0])), [0, 0])
  t.deepEqual(sharesOf(10_000, weightsOf([null, 0, 0.1])), [5_000, 0, 5_000])
  // Whoever weighs nothing pays no cent that is left, either.
  t.deepEqual(sharesOf(10_001, weightsOf([0, 0.25, 0.25, 0.25])), [0, 3_334, 3_334, 3_333])
})

test('shares always add up to the whole, and no unit has a whole cent more or less than its part', (t) => {
  const weights = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000_000 }), weights, (total, steps) => {
      const shares = sharesOf(total, weightsOf(steps.map((step) => step / 100_000_000)))
      const whole = steps.reduce((sum, step) => sum + step, 0)
      return (
        shares.reduce((sum, share) => sum + share, 0) === total &&
        shares.every((share, index) => Math.abs(share - (total * (steps[index] ?? 0)) / whole) < 1.001)
      )
    }),
  )
  t.pass()
})
