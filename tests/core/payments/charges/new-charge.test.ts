import test from 'ava'
import { addMonths, daysBetween } from '../../../../core/kernel/values/day.ts'
import {
  chargeTerms,
  installmentDays,
  latestDueDay,
  mostInstallments,
} from '../../../../core/payments/charges/new-charge.ts'

const NOTHING = {
  amountRateHundredths: null,
  typeRate: 'PERCENTAGE',
  fineHundredths: null,
  typeFine: null,
  discountHundredths: null,
  typeDiscount: 'PERCENTAGE',
  daysDiscount: null,
} as const
const CONFIGS = {
  rateHundredths: 100,
  typeRate: 'ABSOLUTE',
  fineHundredths: 150,
  typeFine: 'ABSOLUTE',
  discountHundredths: 500,
  typeDiscount: 'ABSOLUTE',
} as const
const charge = { valueCents: 10_000 }

test('applies no terms if neither the charge nor the account has any', (t) => {
  t.deepEqual(chargeTerms(charge, null, true), NOTHING)
  const silent = { ...CONFIGS, rateHundredths: null, fineHundredths: null, discountHundredths: null }
  t.deepEqual(chargeTerms(charge, { ...silent, typeRate: null, typeDiscount: null }, true), NOTHING)
})

test('applies the terms of the account for those that the charge leaves out', (t) => {
  t.deepEqual(chargeTerms({ ...charge, daysDiscount: 2 }, CONFIGS, true), {
    amountRateHundredths: 100,
    typeRate: 'ABSOLUTE',
    fineHundredths: 150,
    typeFine: 'ABSOLUTE',
    discountHundredths: 500,
    typeDiscount: 'ABSOLUTE',
    daysDiscount: 2,
  })
})

test('applies the terms of the charge, also 0, with their own type', (t) => {
  const zero = { amountRateHundredths: 0, fineHundredths: 0, typeFine: 'PERCENTAGE' } as const
  const own = { ...charge, ...zero, discountHundredths: 1_000, typeDiscount: 'PERCENTAGE' } as const
  t.deepEqual(chargeTerms(own, CONFIGS, true), { ...NOTHING, ...zero, discountHundredths: 1_000 })
})

test('ignores a discount of the account that would leave nothing to pay', (t) => {
  t.is(chargeTerms({ valueCents: 500 }, CONFIGS, true).discountHundredths, null)
  t.is(chargeTerms({ valueCents: 501 }, CONFIGS, true).discountHundredths, 500)
})

test('limits a fine of the account to 2 % of the value of a consumer, and to the value of any other payer', (t) => {
  const fine = (valueCents: number, isConsumer: boolean) => {
    const { fineHundredths, typeFine } = chargeTerms({ valueCents }, CONFIGS, isConsumer)
    return [fineHundredths, typeFine]
  }
  t.deepEqual(fine(7_500, true), [150, 'ABSOLUTE'])
  t.deepEqual(fine(7_499, true), [200, 'PERCENTAGE'])
  t.deepEqual(fine(7_499, false), [150, 'ABSOLUTE'])
  t.deepEqual(fine(149, false), [10_000, 'PERCENTAGE'])
})

const days = (interval: number, intervalType: 'months' | 'weeks' | 'days', installmentsCount: number, first: string) =>
  installmentDays({ interval, intervalType, installmentsCount }, first)

test('keeps the day of the first month, also after a month that is too short', (t) => {
  t.deepEqual(days(1, 'months', 4, '2027-12-31'), ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'])
  t.deepEqual(days(3, 'months', 3, '2026-11-30'), ['2026-11-30', '2027-02-28', '2027-05-30'])
})

test('uses the last day of each month for a plan from a 31st', (t) => {
  t.is(
    days(1, 'months', 6, '2027-01-31').join(' '),
    '2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31 2027-06-30',
  )
  t.is(
    days(1, 'months', 8, '2027-08-31').join(' '),
    '2027-08-31 2027-09-30 2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29 2028-03-31',
  )
})

test('counts weeks and days by the day', (t) => {
  t.deepEqual(days(2, 'weeks', 3, '2026-12-24'), ['2026-12-24', '2027-01-07', '2027-01-21'])
  t.deepEqual(days(10, 'days', 3, '2028-02-20'), ['2028-02-20', '2028-03-01', '2028-03-11'])
})

test('has a single installment due on the first day, for any interval', (t) => {
  t.deepEqual(days(Number.MAX_SAFE_INTEGER, 'months', 1, '2026-11-23'), ['2026-11-23'])
})

test('fits the maximum of installments into thirty years from some day, and one more from none', (t) => {
  const firsts = ['2026-11-23', '2024-02-29', '2027-03-01', '2024-01-01']
  for (const intervalType of ['months', 'weeks', 'days'] as const)
    for (const interval of [1, 7, 30, 360, 361, 1_565, 1_566, 10_958, 10_959]) {
      const most = mostInstallments({ interval, intervalType })
      const reaches = (installmentsCount: number) =>
        firsts.some(
          (first) => (days(interval, intervalType, installmentsCount, first).at(-1) ?? '') <= latestDueDay(first),
        )
      t.true(reaches(most), `${most} every ${interval} ${intervalType}`)
      t.false(reaches(most + 1), `${most + 1} every ${interval} ${intervalType}`)
    }
})

test('has at most 10,958 days in thirty years', (t) => {
  t.is(daysBetween('2024-01-01', addMonths('2024-01-01', 360)), 10_958)
})
