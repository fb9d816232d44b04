import test from 'ava'
import fc from 'fast-check'
import { left, right } from '../../../../core/failure.ts'
import {
  centsFromReais,
  formatCount,
  formatReais,
  halfUpRatio,
  MAX_CENTS,
  percentHalfUp,
  reaisFromCents,
  splitRemainderFirst,
  truncateRatio,
} from '../../../../core/kernel/values/money.ts'

const anyCents = fc.integer({ min: -MAX_CENTS, max: MAX_CENTS })
const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0)

test('centsFromReais is exact', (t) => {
  const known: [number, number][] = [
    [0, 0],
    [-0, 0],
    [0.01, 1],
    [10.1, 1010],
    [1.15, 115],
    [4.35, 435],
    [8.2, 820],
    [-19.99, -1999],
    [9_999_999_999.99, 999_999_999_999],
    [MAX_CENTS / 100, MAX_CENTS],
  ]
  for (const [reais, cents] of known) t.deepEqual(centsFromReais(reais), right(cents), `${reais}`)
})

test('a third decimal is refused', (t) => {
  for (const reais of [0.005, 1e-7, 10.001, -0.001, 0.1 + 0.2, 1234.565, 5e-324])
    t.deepEqual(centsFromReais(reais), left('decimals'), `${reais}`)
})

test('refuses amounts that a double cannot represent to the cent', (t) => {
  for (const reais of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e21,
    2 ** 53,
    -(2 ** 53) / 100,
    MAX_CENTS / 100 + 0.02,
  ])
    t.deepEqual(centsFromReais(reais), left('range'), `${reais}`)
})

test('cents converted to reais and JSON convert back, up to the end of the range', (t) => {
  const atTheEnd = fc.integer({ min: MAX_CENTS - 10 ** 6, max: MAX_CENTS })
  fc.assert(
    fc.property(fc.oneof(anyCents, atTheEnd), (cents) => {
      t.deepEqual(centsFromReais(JSON.parse(JSON.stringify(reaisFromCents(cents)))), right(cents + 0))
    }),
    { numRuns: 2_000 },
  )
})

test('centsFromReais agrees with the decimal text of the number', (t) => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (reais) => {
      const twoDecimals = /^-?\d+(\.\d{1,2})?$/.test(String(reais))
      t.is(centsFromReais(reais)._tag, twoDecimals ? 'Right' : 'Left')
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 1, max: 9 }), (cents, third) => {
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}${third}`
      t.deepEqual(centsFromReais(Number(text)), left('decimals'))
    }),
  )
})

test('formats money in Brazilian notation', (t) => {
  t.deepEqual([0, 999, 1_000, 10_000, 1_000_000].map(formatCount), ['0', '999', '1.000', '10.000', '1.000.000'])
  t.is(formatReais(0), 'R$ 0,00')
  t.is(formatReais(5), 'R$ 0,05')
  t.is(formatReais(99_999), 'R$ 999,99')
  t.is(formatReais(123_456), 'R$ 1.234,56')
  t.is(formatReais(-100), '-R$ 1,00')
  t.is(formatReais(123_456_789_012), 'R$ 1.234.567.890,12')
})

test('formatted money agrees with Intl', (t) => {
  const intl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (cents) => {
      t.is(formatReais(cents), intl.format(cents / 100).replace('\u00a0', ' '))
    }),
  )
})

test('truncateRatio truncates towards zero', (t) => {
  t.is(truncateRatio(7, 2), 3)
  t.is(truncateRatio(-7, 2), -3)
  t.is(truncateRatio(7, -2), -3)
  t.is(truncateRatio(10n ** 30n, 10n ** 29n), 10)
})

test('halfUpRatio rounds a half away from zero', (t) => {
  t.is(halfUpRatio(5, 2), 3)
  t.is(halfUpRatio(-5, 2), -3)
  t.is(halfUpRatio(5, -2), -3)
  t.is(halfUpRatio(-5, -2), 3)
  t.is(halfUpRatio(7, 5), 1)
  t.is(halfUpRatio(8, 5), 2)
  t.is(halfUpRatio(0, -9), 0)
  t.is(halfUpRatio(10n ** 30n + 5n * 10n ** 28n, 10n ** 29n), 11)
})

test('both roundings meet their definitions', (t) => {
  const whole = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
  const divisor = fc.bigInt({ min: 10n ** 10n, max: 10n ** 12n })
  const size = (n: bigint) => (n < 0n ? -n : n)
  fc.assert(
    fc.property(whole, divisor, fc.boolean(), (n, positive, flip) => {
      const d = flip ? -positive : positive
      const truncated = BigInt(truncateRatio(n, d))
      t.true(size(truncated * d) <= size(n) && size(n) < size(truncated * d) + positive)
      const rounded = BigInt(halfUpRatio(n, d))
      t.true(2n * size(n - rounded * d) <= positive)
      t.is(halfUpRatio(-n, d) + 0, -Number(rounded) + 0)
    }),
  )
})

test('throws for a result that is not a safe integer', (t) => {
  t.throws(() => truncateRatio(10n ** 20n, 1), { instanceOf: RangeError })
  t.throws(() => halfUpRatio(1.5, 1), { instanceOf: RangeError })
  t.throws(() => truncateRatio(1, 0), { instanceOf: RangeError })
})

test('percentHalfUp rounds half up', (t) => {
  t.is(percentHalfUp(10_000, 250), 250)
  t.is(percentHalfUp(1, 5_000), 1)
  t.is(percentHalfUp(1, 4_999), 0)
  t.is(percentHalfUp(999_999_999_999, 10_000), 999_999_999_999)
  t.is(percentHalfUp(-150, 100), -2)
})

test('computes the parts of the published cobv example', (t) => {
  // 30,000.00 at 1% a month, one day late: factor 0.000333, interest 9.99.
  const factor = truncateRatio(100n * 1n * 1_000_000n, 10_000n * 30n)
  t.is(factor, 333)
  t.is(truncateRatio(3_000_000n * BigInt(factor), 1_000_000n), 999)
})

test('splitRemainderFirst gives the remainder to the first part', (t) => {
  t.deepEqual(splitRemainderFirst(1000, 3), [334, 333, 333])
  t.deepEqual(splitRemainderFirst(11, 4), [5, 2, 2, 2])
  t.deepEqual(splitRemainderFirst(2, 3), [2, 0, 0])
  t.deepEqual(splitRemainderFirst(-11, 4), [-5, -2, -2, -2])
})

test('the parts of any split add up', (t) => {
  fc.assert(
    fc.property(anyCents, fc.integer({ min: 1, max: 500 }), (total, parts) => {
      const split = splitRemainderFirst(total, parts)
      t.is(split.length, parts)
      t.is(sum(split) + 0, total + 0)
      t.true(split.slice(1).every((part) => part === split[1]))
      t.true(Math.abs((split[0] ?? 0) - (split[1] ?? split[0] ?? 0)) < parts)
    }),
  )
})
