import test from 'ava'
import fc from 'fast-check'
import { addDays } from '../../../core/kernel/values/day.ts'
import { amountDue, type PaymentTerms } from '../../../core/payments/terms.ts'
import vectors from '../../fixtures/vectors.json' with { type: 'json' }

const WEDNESDAY = '2026-11-18'
const plain: PaymentTerms = {
  valueCents: 10_000,
  dueDay: WEDNESDAY,
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
}
const onePercent = { ...plain, amountRateHundredths: 100, typeRate: 'PERCENTAGE' } as const
const interest = (terms: PaymentTerms, day: string) => amountDue(terms, day).interestCents
const discount = (terms: PaymentTerms, day: string) => amountDue(terms, day).discountCents

const hundredths = (text: string) => Number(text.replace('.', ''))
const RATE_TYPES = new Map([
  [1, 'ABSOLUTE'],
  [3, 'PERCENTAGE'],
] as const)

let applied = 0
for (const { desc, original, input, expected } of vectors.cobv.cases) {
  const typeRate = RATE_TYPES.get(input.juros?.modalidade as 1 | 3)
  if (!input.juros || !typeRate) continue
  applied++
  test(`interest as published: ${desc}`, (t) => {
    const valueCents = hundredths(original) - hundredths(expected.abatimento)
    const terms = { ...plain, valueCents, typeRate, amountRateHundredths: hundredths(input.juros.valorPerc) }
    t.is(interest(terms, addDays(WEDNESDAY, input.days_late)), hundredths(expected.juros))
  })
}

for (const { desc, original, input, expected } of vectors.cobv.cases) {
  const [first] = input.desconto?.descontoDataFixa ?? []
  if (!first || !input.pay) continue
  applied++
  test(`discount as published: ${desc}`, (t) => {
    const terms = {
      ...plain,
      valueCents: hundredths(original),
      dueDay: addDays(first.data, 10),
      typeDiscount: 'ABSOLUTE' as const,
      discountHundredths: hundredths(first.valorPerc),
      daysDiscount: 10,
    }
    t.like(amountDue(terms, input.pay), { discountCents: 20_000, dueCents: hundredths(expected.final) })
  })
}

test('finds published cases of both kinds', (t) => t.true(applied >= 3))

test('is the value on any day without rates', (t) => {
  for (const day of ['2020-01-01', WEDNESDAY, '2030-01-01'])
    t.deepEqual(amountDue(plain, day), { dueCents: 10_000, interestCents: 0, discountCents: 0 })
})

test('truncates the factor to six decimals before it is applied', (t) => {
  t.is(interest({ ...onePercent, valueCents: 3_000_000 }, '2026-11-19'), 999)
  t.is(interest({ ...onePercent, valueCents: 12_345 }, '2026-12-19'), 127)
})

const perDay = (amountRateHundredths: number, dueDay = WEDNESDAY) =>
  ({ ...plain, dueDay, amountRateHundredths, typeRate: 'ABSOLUTE' }) as const

for (const [title, terms, cents] of [
  [
    'by the month is 1% after 30 days, and none until the due day',
    onePercent,
    { '2026-11-01': 0, [WEDNESDAY]: 0, '2026-12-18': 100 },
  ],
  ['in reais counts its cents for each day late', perDay(33), { [WEDNESDAY]: 0, '2026-11-21': 99 }],
  [
    'counts from Monday if the due day is on a weekend',
    perDay(10, '2026-11-14'),
    { '2026-11-15': 0, '2026-11-16': 0, '2026-11-17': 10 },
  ],
  [
    'counts from Ash Wednesday if the due day is Carnival Saturday',
    perDay(10, '2026-02-14'),
    { '2026-02-18': 0, '2026-02-19': 10 },
  ],
] as const)
  test(`interest ${title}`, (t) => {
    for (const [day, interestCents] of Object.entries(cents))
      t.deepEqual(amountDue(terms, day), { dueCents: 10_000 + interestCents, interestCents, discountCents: 0 }, day)
  })

test('applies the discount through its last day', (t) => {
  const terms = { ...plain, discountHundredths: 500, typeDiscount: 'ABSOLUTE', daysDiscount: 2 } as const
  t.deepEqual(amountDue(terms, '2026-11-16'), { dueCents: 9_500, interestCents: 0, discountCents: 500 })
  t.is(discount(terms, '2026-11-17'), 0)
  t.is(discount({ ...terms, daysDiscount: 0 }, WEDNESDAY), 500)
  t.is(discount({ ...terms, daysDiscount: null }, '2026-11-19'), 0)
})

// 2026-12-19 is a Saturday, 2026-12-25 a holiday and a Friday, 2026-02-16 and 17 are Carnival.
const moved: readonly (readonly [dueDay: string, daysDiscount: number, asked: Readonly<Record<string, number>>])[] = [
  ['2026-12-21', 2, { '2026-12-19': 9_500, '2026-12-20': 9_500, '2026-12-21': 9_500, '2026-12-22': 10_000 }],
  ['2026-12-21', 1, { '2026-12-21': 9_500, '2026-12-22': 10_000 }],
  ['2026-12-20', 0, { '2026-12-21': 9_500, '2026-12-22': 10_000 }],
  ['2026-12-21', 3, { '2026-12-18': 9_500, '2026-12-19': 10_000 }],
  ['2026-12-30', 5, { '2026-12-28': 9_500, '2026-12-29': 10_000 }],
  ['2026-02-20', 6, { '2026-02-18': 9_500, '2026-02-19': 10_000 }],
]
for (const [dueDay, daysDiscount, asked] of moved)
  test(`a discount's last day ${daysDiscount} before ${dueDay} moves to the next business day`, (t) => {
    const terms = { ...plain, dueDay, daysDiscount, discountHundredths: 500, typeDiscount: 'ABSOLUTE' } as const
    const due = Object.keys(asked).map((day) => [day, amountDue(terms, day).dueCents])
    t.deepEqual(Object.fromEntries(due), asked)
  })

test('truncates a percentage discount to cents', (t) => {
  const terms = { ...plain, valueCents: 3_335, discountHundredths: 1_050, typeDiscount: 'PERCENTAGE' } as const
  t.deepEqual(amountDue(terms, WEDNESDAY), { dueCents: 2_985, interestCents: 0, discountCents: 350 })
})

test('limits a discount to the value', (t) => {
  const nothing = { dueCents: 0, interestCents: 0, discountCents: 10_000 }
  for (const typeDiscount of ['ABSOLUTE', 'PERCENTAGE'] as const)
    t.deepEqual(amountDue({ ...plain, discountHundredths: 20_000, typeDiscount }, WEDNESDAY), nothing)
})

test('ignores a rate without a type', (t) => {
  const untyped = { ...plain, amountRateHundredths: 100, discountHundredths: 100 }
  for (const day of ['2027-01-01', '2026-01-01']) t.is(amountDue(untyped, day).dueCents, 10_000)
})

test('is exact for the largest value and a high rate', (t) => {
  const terms = { ...onePercent, valueCents: 999_999_999_999, amountRateHundredths: 12_345 }
  t.is(interest(terms, '2026-12-18'), 1_234_499_999_998)
})

test('sums its parts, is never negative, and interest never decreases nor exceeds the exact figure', (t) => {
  const type = fc.constantFrom('ABSOLUTE' as const, 'PERCENTAGE' as const, null)
  const terms = fc.record({
    valueCents: fc.integer({ min: 1, max: 999_999_999_999 }),
    dueDay: fc.constant(WEDNESDAY),
    amountRateHundredths: fc.integer({ min: 0, max: 100_000 }),
    typeRate: type,
    discountHundredths: fc.integer({ min: 0, max: 1_000_000 }),
    typeDiscount: type,
    daysDiscount: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(terms, fc.integer({ min: -90, max: 900 }), (one, days) => {
      const due = amountDue(one, addDays(WEDNESDAY, days))
      t.is(due.dueCents, one.valueCents + due.interestCents - due.discountCents)
      t.true(due.dueCents >= 0 && due.interestCents >= 0 && due.discountCents >= 0)
      t.true(interest(one, addDays(WEDNESDAY, days + 1)) >= due.interestCents)
      if (one.typeRate === 'PERCENTAGE' && days > 0) {
        const exactTimes300000 = BigInt(one.valueCents) * BigInt(one.amountRateHundredths) * BigInt(days)
        t.true(BigInt(due.interestCents) * 300_000n <= exactTimes300000)
      }
    }),
  )
})
