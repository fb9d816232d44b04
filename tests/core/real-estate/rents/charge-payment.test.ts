import test from 'ava'
import { chargeTerms, chargeText } from '../../../../core/real-estate/rents/charge-payment.ts'

const whole = { valueCents: 250_000, dueDate: '2026-11-10' }
const of = { id: 'p', type: 'Rent', period: '2026-11', propertyCode: 'AP-101' } as const
const OWED = { ...of, receivedCents: null, ...whole } as const
const TERMS = { finePercentage: 10, interestPercentage: 1, discountValueCents: 5_000 }
const NO_TERMS = { finePercentage: null, interestPercentage: null, discountValueCents: null }

test('a payment in time is charged on the terms of its contract', (t) => {
  const agreed = { interestPercentage: 1, discountCents: 5_000 }
  for (const today of ['2026-10-01', '2026-11-10'])
    t.deepEqual(chargeTerms(OWED, TERMS, today), { ...whole, ...agreed })
  t.deepEqual(chargeTerms(OWED, NO_TERMS, '2026-11-01'), { ...whole, interestPercentage: null, discountCents: null })
  // A Saturday: the payment is in time until Monday, and no charge can be due on a past day.
  const saturday = { ...OWED, dueDate: '2026-11-28' }
  t.is(chargeTerms(saturday, TERMS, '2026-11-28').dueDate, '2026-11-28')
  for (const today of ['2026-11-29', '2026-11-30'])
    t.deepEqual(chargeTerms(saturday, TERMS, today), { ...whole, dueDate: '2026-11-30', ...agreed })
  // Only a rent has the discount.
  t.is(chargeTerms({ ...OWED, type: 'Condo' }, TERMS, '2026-11-01').discountCents, null)
  t.is(chargeTerms(OWED, { ...TERMS, discountValueCents: 900_000 }, '2026-11-01').discountCents, 250_000)
})

test('a late payment is charged with the total owed today, without further interest', (t) => {
  const nothing = { interestPercentage: null, discountCents: null }
  t.deepEqual(chargeTerms(OWED, TERMS, '2026-11-11'), { valueCents: 275_083, dueDate: '2026-11-11', ...nothing })
  const saturday = { ...OWED, valueCents: 150_000, dueDate: '2026-11-21' }
  t.deepEqual(chargeTerms(saturday, TERMS, '2026-11-27'), { valueCents: 165_200, dueDate: '2026-11-27', ...nothing })
  t.deepEqual(chargeTerms(OWED, NO_TERMS, '2026-12-10'), { valueCents: 250_000, dueDate: '2026-12-10', ...nothing })
})

test('the description names the payment’s type, month and property', (t) => {
  t.is(chargeText(OWED), 'Aluguel 11/2026, AP-101')
  t.is(chargeText({ ...OWED, type: 'IPTU' }), 'IPTU 11/2026, AP-101')
})
