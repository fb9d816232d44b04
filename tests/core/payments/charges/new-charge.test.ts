import test from 'ava'
import { chargeTerms } from '../../../../core/payments/charges/new-charge.ts'

const NOTHING = {
  amountRateHundredths: null,
  typeRate: 'PERCENTAGE',
  discountHundredths: null,
  typeDiscount: 'PERCENTAGE',
  daysDiscount: null,
} as const
const CONFIGS = {
  rateHundredths: 100,
  typeRate: 'ABSOLUTE',
  discountHundredths: 500,
  typeDiscount: 'ABSOLUTE',
} as const
const charge = { valueCents: 10_000 }

test('applies no terms if neither the charge nor the account has any', (t) => {
  t.deepEqual(chargeTerms(charge, null), NOTHING)
  const silent = { rateHundredths: null, typeRate: null, discountHundredths: null, typeDiscount: null }
  t.deepEqual(chargeTerms(charge, silent), NOTHING)
})

test('applies the terms of the account for those that the charge leaves out', (t) => {
  t.deepEqual(chargeTerms({ ...charge, daysDiscount: 2 }, CONFIGS), {
    amountRateHundredths: 100,
    typeRate: 'ABSOLUTE',
    discountHundredths: 500,
    typeDiscount: 'ABSOLUTE',
    daysDiscount: 2,
  })
})

test('applies the terms of the charge, also 0, with their own type', (t) => {
  const own = { ...charge, amountRateHundredths: 0, discountHundredths: 1_000, typeDiscount: 'PERCENTAGE' } as const
  t.deepEqual(chargeTerms(own, CONFIGS), { ...NOTHING, amountRateHundredths: 0, discountHundredths: 1_000 })
})

test('ignores a discount of the account that would leave nothing to pay', (t) => {
  t.is(chargeTerms({ valueCents: 500 }, CONFIGS).discountHundredths, null)
  t.is(chargeTerms({ valueCents: 501 }, CONFIGS).discountHundredths, 500)
})
