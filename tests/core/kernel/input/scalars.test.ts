import test from 'ava'
import {
  day,
  dayOrInstant,
  decimal,
  flag,
  hundredths,
  id,
  instant,
  integer,
  money,
  month,
  oneOf,
} from '../../../../core/kernel/input/scalars.ts'
import { decodes, each, refuses } from './reads.ts'

const ABSENT = each('required', undefined, null)
// JSON.parse returns Infinity for 1e309.
const INFINITY = JSON.parse('1e309')
const NO_NUMBERS = ['1', '1,50', '0x10', '', true, [], [1], {}, { $gt: 0 }, Number.NaN, INFINITY, -INFINITY, 1n]

refuses('integer', integer({ min: -1, max: 3 }), [
  ...ABSENT,
  ...each('integer', ...NO_NUMBERS, 0.5, 1e-7, 2 ** 53, 2 ** 53 + 2, -(2 ** 53)),
  [-2, 'integer.min -1'],
  [4, 'integer.max 3'],
])
refuses('id', id(), [[0, 'integer.min 1']])

decodes('reais below zero', money({ minCents: -100 }), [[-0.99, -99]])
refuses('reais', money({ minCents: 1, maxCents: 10_000_000_000 }), [
  ...ABSENT,
  ...each('money', ...NO_NUMBERS),
  ...each('money.min 0.01', 0, -0, -1, 0.005, 1e-7, -1e300),
  ...each('money.decimals', 0.011, 1.005, 19.999, 0.1 + 0.2, 0.1 + 0.7),
  ...each('money.max 100000000', 100_000_000.01, 2 ** 53, 2 ** 53 + 2, 1e300),
])
refuses('reais from zero', money(), [
  ...each('money.decimals', 0.005, 1e-7, 5e-324),
  ...each('money.max 9999999999.99', 10_000_000_000),
  ...each('money.min 0', -0.01),
])

refuses('decimal', decimal({ min: 0, max: 1_000, decimals: 4 }), [
  ...ABSENT,
  ...each('number', ...NO_NUMBERS),
  ...each('number.decimals 4', 0.00001, 1e-7, 72.12345),
  [-0.1, 'number.min 0'],
  [1_000.1, 'number.max 1000'],
])
refuses('hundredths', hundredths({ min: 0, max: 100 }), [
  [0.005, 'number.decimals 2'],
  [100.01, 'number.max 100'],
])
test('throws for a scale that doubles cannot represent', (t) => {
  t.throws(() => decimal({ min: 0, max: 1e13, decimals: 4 }), { instanceOf: RangeError })
  t.throws(() => decimal({ min: -1e13, max: 0, decimals: 4 }), { instanceOf: RangeError })
  t.notThrows(() => decimal({ min: 0, max: 1e11, decimals: 4 }))
})

refuses('flag', flag(), [...ABSENT, ...each('flag', 0, 1, 'true', '', [], {}, { $ne: false })])

refuses('one of', oneOf(['PIX', 'CARD']), [
  ...ABSENT,
  ...each('one-of PIX, CARD', 'pix', ' PIX', '', 'PIX\0', ['PIX'], { $in: ['PIX'] }, 'constructor', '__proto__', 0),
])
refuses('one of numbers', oneOf([0, 1]), each('one-of 0, 1', '0', '1', true, false, 2, Number.NaN))

refuses('day', day(), [
  ...ABSENT,
  ...each('day', '', '2023-02-29', '2026-13-01', '2026-1-1', ' 2026-01-01', '2026-01-01T00:00:00Z', '21/11/2026'),
  ...each('day', '２０２６-01-01', '0000-01-01', '+002026-01-01', 20260101, ['2026-01-01'], { $gte: '' }),
])
refuses('month', month(), [
  ...ABSENT,
  ...each('month', '', '2026-13', '2026-00', '2026-1', '2026-01-01', '26-01', 202601),
])

refuses('instant', instant(), [
  ...ABSENT,
  ...each('instant', '', '2026-11-21', '2026-11-21T13:05:09', '2026-11-21 13:05:09Z', '2026-11-21T13Z', 1_763_730_309),
  ...each('instant', '2026-02-29T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21T23:60:00Z', '2026-11-21T23:59:60Z'),
  ...each('instant', '9999-12-31T23:59:59-03:00', '1900-01-01T00:00:00+03:00', '2026-11-21T13:05:09+24:00'),
  ...each('instant', '2026-11-21T13:05.5Z', '2026-11-21T13:05:09Z\n', 'Sat, 21 Nov 2026 13:05:09 GMT', {}, ['']),
])
refuses('day or instant', dayOrInstant(), [...ABSENT, ...each('day', '', 'today', '2026-02-30', 5)])
