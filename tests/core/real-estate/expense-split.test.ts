import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../core/fp.ts'
import {
  MAX_SPLIT_UNITS,
  sharesOf,
  splitExpense,
  type Unit,
  weightsOf,
} from '../../../core/real-estate/expense-split.ts'
import { condominium } from '../../../core/real-estate/records/property.ts'
import { freshAt } from './fresh-at.ts'

const fresh = freshAt('2026-11-23T13:05:09.123Z')

const { record: aurora } = condominium.build(
  'company',
  {
    name: 'Aurora',
    taxId: '11222333000181',
    syndicId: 'syndic',
    email: null,
    phone: null,
    address: {
      street: 'Rua A',
      number: '1',
      complement: null,
      neighborhood: null,
      city: 'Santos',
      state: 'SP',
      zipCode: '11010000',
    },
  },
  fresh,
)

const unit = (code: string, isLeased = true, idealFraction: number | null = null): Unit => ({
  property: { id: `property ${code}`, code, idealFraction },
  lease: isLeased ? { id: `lease ${code}`, clientId: `client ${code}` } : null,
  clientName: isLeased ? `Client ${code}` : '',
})

const split = (units: readonly Unit[], totalValueCents: number) =>
  splitExpense(aurora, units, { description: 'Água', totalValueCents, period: '2026-12', dueDate: '2026-12-10' }, fresh)

test('a unit of ideal fraction 0 is skipped, and the others share the expense', (t) => {
  const made = split([unit('a', true, 0), unit('b', true, 0.25), unit('c', true, 0.75), unit('d', false)], 1_000)
  if (isLeft(made)) return t.fail(made.left.code)
  t.deepEqual(
    made.right.payments.map(({ propertyCode, valueCents }) => [propertyCode, valueCents]),
    [
      ['b', 250],
      ['c', 750],
    ],
  )
  t.deepEqual(made.right.skipped, ['a', 'd'])
})

test('units are sorted by the code points of their codes, upper case before lower case', (t) => {
  const made = split([unit('b'), unit('a'), unit('B'), unit('É', false), unit('C', false)], 101)
  if (isLeft(made)) return t.fail(made.left.code)
  t.deepEqual(
    made.right.payments.map(({ propertyCode, clientName, valueCents }) => [propertyCode, clientName, valueCents]),
    [
      ['B', 'Client B', 34],
      ['a', 'Client a', 34],
      ['b', 'Client b', 33],
    ],
  )
  t.deepEqual(made.right.skipped, ['C', 'É'])
})

test('the commit counts each payment on its lease, which must still be active', (t) => {
  const made = split([unit('A'), unit('B')], 2)
  if (isLeft(made)) return t.fail(made.left.code)
  t.deepEqual(
    made.right.changes.map(({ kind, at }) => [kind, at[0]]),
    [
      ['check', 'estate.condominiums'],
      ['insert', 'estate.payments'],
      ['patch', 'estate.contracts'],
      ['insert', 'estate.payments'],
      ['patch', 'estate.contracts'],
    ],
  )
})

test('refuses an expense without leases, with a share below a cent, and with too many leased units', (t) => {
  const codeOf = (units: readonly Unit[], cents: number) => {
    const made = split(units, cents)
    return isLeft(made) ? made.left.code : null
  }
  t.is(codeOf([], 100), 'condominium.not-leased')
  t.is(codeOf([unit('A', false)], 100), 'condominium.not-leased')
  t.is(codeOf([unit('A'), unit('B')], 1), 'condominium.share-too-small')
  t.is(codeOf([unit('A', true, 0), unit('B', true, 0)], 100), 'condominium.share-too-small')
  const many = Array.from({ length: MAX_SPLIT_UNITS + 1 }, (_, at) => unit(`U-${at}`))
  t.is(codeOf(many, 100_000), 'condominium.too-many-units')
  t.is(codeOf(many.slice(1), 100_000), null)
})

test('equal shares differ by at most a cent, and the first units get the left-over cents', (t) => {
  t.deepEqual(sharesOf(1_000, weightsOf([null, null, null])), [334, 333, 333])
  t.deepEqual(sharesOf(1_001, weightsOf([null, null, null])), [334, 334, 333])
  t.deepEqual(sharesOf(2, weightsOf([null, null, null])), [1, 1, 0])
})

test('fractions are the weights only if every unit has one', (t) => {
  t.deepEqual(sharesOf(10_000, weightsOf([0.5, 0.3, 0.2])), [5_000, 3_000, 2_000])
  t.deepEqual(sharesOf(10_000, weightsOf([0.1, 0.2])), [3_334, 6_666])
  t.deepEqual(sharesOf(10_000, weightsOf([0.1, null])), [5_000, 5_000])
  t.deepEqual(sharesOf(10_000, weightsOf([0, 0])), [0, 0])
  t.deepEqual(sharesOf(10_000, weightsOf([null, 0, 0.1])), [5_000, 0, 5_000])
  // A unit without weight gets no left-over cent.
  t.deepEqual(sharesOf(10_001, weightsOf([0, 0.25, 0.25, 0.25])), [0, 3_334, 3_334, 3_333])
})

test('shares add up to the expense, and each differs from its exact part by less than a cent', (t) => {
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
