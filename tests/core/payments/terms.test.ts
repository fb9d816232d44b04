import test from 'ava'
import fc from 'fast-check'
import { addDays } from '../../../core/kernel/values/day.ts'
import {
  amountDue,
  balanceOn,
  type DayReceipt,
  fineIssues,
  isConsumerOf,
  type PaymentTerms,
} from '../../../core/payments/terms.ts'
import vectors from '../../fixtures/vectors.json' with { type: 'json' }

const WEDNESDAY = '2026-11-18'
const plain: PaymentTerms = {
  valueCents: 10_000,
  dueDay: WEDNESDAY,
  amountRateHundredths: null,
  typeRate: null,
  fineHundredths: null,
  typeFine: null,
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
  test(`interest and fine as published: ${desc}`, (t) => {
    const valueCents = hundredths(original) - hundredths(expected.abatimento)
    const terms = { ...plain, valueCents, typeRate, amountRateHundredths: hundredths(input.juros.valorPerc) }
    const fineHundredths = input.multa ? hundredths(input.multa.valorPerc) : null
    const due = amountDue({ ...terms, fineHundredths, typeFine: 'PERCENTAGE' }, addDays(WEDNESDAY, input.days_late))
    t.is(due.interestCents, hundredths(expected.juros))
    t.is(due.fineCents, hundredths(expected.multa))
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
    t.deepEqual(amountDue(plain, day), { dueCents: 10_000, fineCents: 0, interestCents: 0, discountCents: 0 })
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
      t.deepEqual(
        amountDue(terms, day),
        { dueCents: 10_000 + interestCents, fineCents: 0, interestCents, discountCents: 0 },
        day,
      )
  })

test('applies the discount through its last day', (t) => {
  const terms = { ...plain, discountHundredths: 500, typeDiscount: 'ABSOLUTE', daysDiscount: 2 } as const
  t.deepEqual(amountDue(terms, '2026-11-16'), { dueCents: 9_500, fineCents: 0, interestCents: 0, discountCents: 500 })
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
  t.deepEqual(amountDue(terms, WEDNESDAY), { dueCents: 2_985, fineCents: 0, interestCents: 0, discountCents: 350 })
})

test('limits a discount to the value', (t) => {
  const nothing = { dueCents: 0, fineCents: 0, interestCents: 0, discountCents: 10_000 }
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
    fineHundredths: fc.integer({ min: 0, max: 100_000 }),
    typeFine: type,
    discountHundredths: fc.integer({ min: 0, max: 1_000_000 }),
    typeDiscount: type,
    daysDiscount: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(terms, fc.integer({ min: -90, max: 900 }), (one, days) => {
      const due = amountDue(one, addDays(WEDNESDAY, days))
      t.is(due.dueCents, one.valueCents + due.fineCents + due.interestCents - due.discountCents)
      t.true(due.dueCents >= 0 && due.interestCents >= 0 && due.discountCents >= 0)
      t.true(interest(one, addDays(WEDNESDAY, days + 1)) >= due.interestCents)
      if (one.typeRate === 'PERCENTAGE' && days > 0) {
        const exactTimes300000 = BigInt(one.valueCents) * BigInt(one.amountRateHundredths) * BigInt(days)
        t.true(BigInt(due.interestCents) * 300_000n <= exactTimes300000)
      }
    }),
  )
})

/** Days on which banks are closed within the table, beside weekends: Carnival, 25 December, 1 January. */
const HOLIDAYS = new Set(['2026-02-16', '2026-02-17', '2026-12-25', '2027-01-01', '2028-02-28', '2028-02-29'])
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)
const isOpen = (time: number) => ![0, 6].includes(new Date(time).getUTCDay()) && !HOLIDAYS.has(isoDay(time))
const DAY = 86_400_000

/** Counts late days one by one, and computes in floating point with cents that stay exact. */
const independently = (terms: PaymentTerms, day: string) => {
  let from = Date.parse(terms.dueDay)
  while (!isOpen(from)) from += DAY
  let late = 0
  for (let time = from; isoDay(time) < day; time += DAY) late += 1
  let until = Date.parse(terms.dueDay) - (terms.daysDiscount ?? 0) * DAY
  while (!isOpen(until)) until += DAY
  const percent = (rate: number) => Math.floor((terms.valueCents * rate) / 10_000)
  const [fine, rate, discounted] = [terms.fineHundredths, terms.amountRateHundredths, terms.discountHundredths].map(
    Number,
  )
  return {
    fineCents: late === 0 ? 0 : terms.typeFine === 'ABSOLUTE' ? fine : percent(fine ?? 0),
    interestCents:
      terms.typeRate === 'ABSOLUTE'
        ? (rate ?? 0) * late
        : Math.floor((terms.valueCents * Math.floor(((rate ?? 0) * late * 100) / 30)) / 1_000_000),
    discountCents: day > isoDay(until) ? 0 : terms.typeDiscount === 'ABSOLUTE' ? discounted : percent(discounted ?? 0),
  }
}

const perCent = { ...onePercent, fineHundredths: 200, typeFine: 'PERCENTAGE', discountHundredths: 500 } as const
const inReais = { ...perDay(33), fineHundredths: 199, typeFine: 'ABSOLUTE', discountHundredths: 750 } as const

// Due on a Wednesday, a Saturday, Carnival Saturday, a holiday and a Friday, the last day of the year, 28 and 29
// February.
for (const dueDay of [WEDNESDAY, '2026-11-14', '2026-02-14', '2026-12-25', '2026-12-31', '2027-02-28', '2028-02-29'])
  test(`fine, interest and discount by day, due on ${dueDay}`, (t) => {
    for (const terms of [
      { ...perCent, dueDay, valueCents: 12_345, typeDiscount: 'PERCENTAGE' as const, daysDiscount: 3 },
      { ...inReais, dueDay, typeDiscount: 'ABSOLUTE' as const, daysDiscount: 0 },
    ])
      for (let days = -6; days <= 35; days += 1) {
        const day = addDays(dueDay, days)
        const { dueCents, ...parts } = amountDue(terms, day)
        const expected = independently(terms, day)
        t.deepEqual(parts, expected, day)
        t.is(dueCents, terms.valueCents + parts.fineCents + parts.interestCents - parts.discountCents, day)
      }
  })

test('is due once: the fine of the first late day is that of any later day', (t) => {
  const terms = { ...plain, fineHundredths: 200, typeFine: 'PERCENTAGE' } as const
  const on = ['2026-11-17', WEDNESDAY, '2026-11-19', '2026-11-20', '2028-02-29'].map(
    (day) => amountDue(terms, day).fineCents,
  )
  t.deepEqual(on, [0, 0, 200, 200, 200])
})

const fines: readonly (readonly [
  valueCents: number,
  fine: number,
  PaymentTerms['typeFine'],
  consumer: boolean,
  string?,
])[] = [
  [10_000, 200, 'PERCENTAGE', true],
  [10_000, 201, 'PERCENTAGE', true, 'charge.consumer-fine'],
  [10_000, 200, 'ABSOLUTE', true],
  [10_049, 200, 'ABSOLUTE', true],
  [9_999, 200, 'ABSOLUTE', true, 'charge.consumer-fine'],
  [1, 1, 'ABSOLUTE', true, 'charge.consumer-fine'],
  [10_000, 10_000, 'PERCENTAGE', false],
  [10_000, 10_001, 'PERCENTAGE', false, 'charge.fine'],
  [10_000, 10_000, 'ABSOLUTE', false],
  [9_999, 10_000, 'ABSOLUTE', false, 'charge.fine'],
]
for (const [valueCents, fineHundredths, typeFine, isConsumer, code] of fines)
  test(`a fine of ${fineHundredths} ${typeFine} on ${valueCents} cents is ${code ?? 'lawful'}, ${isConsumer}`, (t) => {
    const found = fineIssues({ valueCents, fineHundredths, typeFine }, isConsumer)
    t.deepEqual(
      found.map((each) => [each.path, each.code]),
      code === undefined ? [] : [['fineHundredths', code]],
    )
  })

const isBankDay = (day: string) => isOpen(Date.parse(day))
const FULL = {
  ...{ valueCents: 10_007, amountRateHundredths: 333, fineHundredths: 200, discountHundredths: 250, daysDiscount: 3 },
  ...({ typeRate: 'PERCENTAGE', typeFine: 'PERCENTAGE', typeDiscount: 'PERCENTAGE' } as const),
}

/**
 * Walks from ten days before the due day to the asked day, and adds the fine and interest of each span between
 * payments.
 */
const walked = (dueDay: string, received: readonly DayReceipt[], asked: string) => {
  let [rest, fine, interest, lateDays, isOver, isFined, discountEnds] = [FULL.valueCents, 0, 0, 0, false, false, false]
  for (let day = addDays(dueDay, -10); ; day = addDays(day, 1)) {
    if (isOver) lateDays += 1
    if (isOver && !isFined) fine = Math.floor((rest * 2) / 100)
    isFined = isOver
    interest +=
      day === asked || received.some((each) => each.day === day)
        ? Math.floor((rest * Math.floor((333 * lateDays * 100) / 30)) / 1e6)
        : 0
    for (const { day: on, cents } of received) {
      if (on !== day) continue
      const [ofFine, ofInterest] = [Math.min(fine, cents), Math.min(interest, Math.max(0, cents - fine))]
      ;[fine, interest, rest, lateDays] = [fine - ofFine, interest - ofInterest, rest - cents + ofFine + ofInterest, 0]
    }
    const discount = discountEnds ? 0 : Math.floor((FULL.valueCents * 25) / 1000)
    if (day === asked) return { restCents: rest, fineCents: fine, interestCents: interest, discountCents: discount }
    if (day >= dueDay && isBankDay(day)) isOver = true
    if (day >= addDays(dueDay, -3) && isBankDay(day)) discountEnds = true
  }
}

test('counts partial payments against the fine, the interest and the value, and goes on over the rest, as walked day by day', (t) => {
  let compared = 0
  for (const dueDay of ['2026-11-18', '2026-12-19', '2026-12-25', '2028-02-26', '2028-02-29'])
    for (const days of [[-9], [0], [2], [9], [-4, 5], [5, 6], [3, 12, 13]])
      for (const cents of [1, 90, 250, 2_001]) {
        const received = days.map((after) => ({ day: addDays(dueDay, after), cents }))
        const last = received.at(-1)?.day ?? dueDay
        for (let asked = last; asked <= addDays(dueDay, 40); asked = addDays(asked, 1)) {
          const { dueCents, overCents, ...parts } = balanceOn({ ...FULL, dueDay, received }, asked)
          const expected = walked(dueDay, received, asked)
          t.deepEqual(parts, expected, `${dueDay} ${days} ${cents} ${asked}`)
          t.is(dueCents, parts.restCents + parts.fineCents + parts.interestCents - parts.discountCents)
          t.is(overCents, 0)
          compared += 1
        }
      }
  t.true(compared > 4_000)
})

test('shares reais per day and a fine in reais with the rest, and tells what was paid in excess', (t) => {
  const terms = { ...FULL, valueCents: 10_000, typeRate: 'ABSOLUTE', typeFine: 'ABSOLUTE', dueDay: WEDNESDAY } as const
  const half = { ...terms, received: [{ day: '2026-11-16', cents: 5_000 }] }
  t.like(balanceOn(half, '2026-11-20'), { restCents: 5_000, fineCents: 100, interestCents: 333, dueCents: 5_433 })
  const late = { day: '2026-11-20', cents: 5_500 }
  t.like(balanceOn({ ...half, received: [...half.received, late] }, '2026-11-20'), { dueCents: 0, overCents: 67 })
  // The discount holds if the value less the discount is paid in its days, in parts or not.
  const early = [
    { day: '2026-11-12', cents: 5_000 },
    { day: '2026-11-13', cents: 4_750 },
  ]
  t.like(balanceOn({ ...terms, received: early }, '2026-11-13'), { dueCents: 0, discountCents: 250, overCents: 0 })
  t.is(balanceOn({ ...terms, received: early }, '2026-11-17').dueCents, 250)
})

test('counts each payer without a CNPJ as a consumer, unless the account has none', (t) => {
  const documents = [null, 'NAOIDENTIFICADO', '52998224725', '11222333000181']
  const consumers = (hasNoConsumers: boolean | null) =>
    documents.map((document) => isConsumerOf({ hasNoConsumers }, document))
  for (const silent of [null, false]) t.deepEqual(consumers(silent), [true, true, true, false])
  t.deepEqual(consumers(true), [false, false, false, false])
})
