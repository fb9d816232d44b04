import test from 'ava'
import fc from 'fast-check'
import {
  MAX_SPLIT_UNITS,
  sharesOf,
  splitExpense,
  type Unit,
  weightsOf,
} from '../../../core/real-estate/expense-split.ts'
import { condominium } from '../../../core/real-estate/records/property.ts'
import { failureOf, right } from '../payments/world.ts'
import { aProperty } from './records.ts'
import { freshAt } from './world.ts'

const fresh = freshAt()

const { address } = aProperty()
const named = { name: 'Aurora', taxId: '11222333000181', syndicId: 'syndic', email: null, phone: null, address }
const { record: aurora } = condominium.build('company', named, fresh)

const unit = (code: string, isLeased = true, idealFraction: number | null = null): Unit => ({
  property: { id: `property ${code}`, code, idealFraction },
  lease: isLeased ? { id: `lease ${code}`, clientId: `client ${code}` } : null,
  clientName: isLeased ? `Client ${code}` : '',
})

const trySplit = (units: readonly Unit[], totalValueCents: number) =>
  splitExpense(aurora, units, { description: 'Água', totalValueCents, period: '2026-12', dueDate: '2026-12-10' }, fresh)

const split = (units: readonly Unit[], totalValueCents: number) => {
  const { value, changes } = right(trySplit(units, totalValueCents))
  return { ...value(() => null), changes }
}

const shownPayment = ({
  propertyCode,
  clientName,
  valueCents,
}: {
  readonly propertyCode: string
  readonly clientName: string
  readonly valueCents: number
}) => `${propertyCode} ${clientName} ${valueCents}`

test('a unit of ideal fraction 0 is skipped, and the others share the expense', (t) => {
  const units = [unit('a', true, 0), unit('b', true, 0.25), unit('c', true, 0.75), unit('d', false)]
  const { payments, skipped } = split(units, 1_000)
  t.deepEqual(payments.map(shownPayment), ['b Client b 250', 'c Client c 750'])
  t.deepEqual(skipped, ['a', 'd'])
})

test('units are sorted by the code points of their codes, upper case before lower case', (t) => {
  const { payments, skipped } = split([unit('b'), unit('a'), unit('B'), unit('É', false), unit('C', false)], 101)
  t.deepEqual(payments.map(shownPayment), ['B Client B 34', 'a Client a 34', 'b Client b 33'])
  t.deepEqual(skipped, ['C', 'É'])
})

test('the commit counts each payment on its lease, which must still be active', (t) => {
  const each = ['insert estate.payments', 'patch estate.contracts']
  const changes = split([unit('A'), unit('B')], 2).changes.map(({ kind, at }) => `${kind} ${at[0]}`)
  t.deepEqual(changes, ['check estate.condominiums', ...each, ...each])
})

test('refuses an expense without leases, with a share below a cent, and with too many leased units', (t) => {
  const codeOf = (units: readonly Unit[], cents: number) => failureOf(trySplit(units, cents))?.code ?? null
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
