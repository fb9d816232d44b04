import test from 'ava'
import { isLeft } from '../../../../core/fp.ts'
import { MAX_SPLIT_UNITS, splitExpense, type Unit } from '../../../../core/real-estate/condominiums/expense-split.ts'
import { condominium } from '../../../../core/real-estate/records/condominium.ts'
import { freshAt } from '../fresh-at.ts'

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

test('a unit of ideal fraction 0 owes nothing and is named, and the others share the expense', (t) => {
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

test('units share by the binary order of their codes, upper case before lower case', (t) => {
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

test('each payment counts on its lease, which must still be active, in the one commit', (t) => {
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

test('why an expense is not split is told: nobody leases, a unit would owe less than a cent, too many lease', (t) => {
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
