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

test('without words of either, a charge asks its value', (t) => {
  t.deepEqual(chargeTerms(charge, null), NOTHING)
  const silent = { rateHundredths: null, typeRate: null, discountHundredths: null, typeDiscount: null }
  t.deepEqual(chargeTerms(charge, silent), NOTHING)
})

test('what a charge does not say, its account says', (t) => {
  t.deepEqual(chargeTerms({ ...charge, daysDiscount: 2 }, CONFIGS), {
    amountRateHundredths: 100,
    typeRate: 'ABSOLUTE',
    discountHundredths: 500,
    typeDiscount: 'ABSOLUTE',
    daysDiscount: 2,
  })
})

test('what a charge says itself stands, 0 too, with its own type', (t) => {
  const own = { ...charge, amountRateHundredths: 0, discountHundredths: 1_000, typeDiscount: 'PERCENTAGE' } as const
  t.deepEqual(chargeTerms(own, CONFIGS), { ...NOTHING, amountRateHundredths: 0, discountHundredths: 1_000 })
})

test('a discount of the account’s that leaves nothing to be paid is none', (t) => {
  t.is(chargeTerms({ valueCents: 500 }, CONFIGS).discountHundredths, null)
  t.is(chargeTerms({ valueCents: 501 }, CONFIGS).discountHundredths, 500)
})
