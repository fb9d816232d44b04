import test from 'ava'
import { type Split, sharesOf, splitsOfParts } from '../../../core/payments/splits/split.ts'

type Row = {
  /** A percentage as a number, an amount of cents as text; `r` after it if the receiver bears its fees. */
  readonly splits: readonly (number | `${number}` | `${number}r`)[]
  readonly value?: number
  readonly before?: number
  readonly paid: number
  readonly fee?: number
}

const splitOf = (each: Row['splits'][number], accountId: number): Split => ({
  ...{ accountId, key: `k${accountId}` },
  percentHundredths: typeof each === 'number' ? Math.round(each * 100) : null,
  amountCents: typeof each === 'number' ? null : Number.parseInt(each, 10),
  feeBearer: typeof each === 'string' && each.endsWith('r') ? 'RECEIVER' : 'ISSUER',
})

/** Deals cents one by one to the largest remainder of `total × weight / whole`. */
const deal = (total: number, weights: readonly number[], whole: number | null = null): number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const of = whole ?? sum
  const cents = weights.map((weight) => Math.floor((total * weight) / of))
  const order = weights.map((weight, index) => ({ index, rest: (total * weight) % of }))
  order.sort((one, other) => other.rest - one.rest || one.index - other.index)
  const dealt = cents.reduce((all, each) => all + each, 0)
  for (const { index } of order.slice(0, Math.floor((total * sum) / of) - dealt)) cents[index] = (cents[index] ?? 0) + 1
  return cents
}

/** Counts the shares cent by cent of the payment, and their fees. */
const counted = ({ splits, value = 10_000, before = 0, paid, fee = 0 }: Row): number[] => {
  const all = splits.map(splitOf)
  const percents = all.map(({ percentHundredths }) => percentHundredths ?? 0)
  const dealt = deal(paid, percents, 10_000)
  const nominal = all.map(({ amountCents }, index) => {
    if (amountCents === null) return dealt[index] ?? 0
    let cents = 0
    for (let at = before + 1; at <= Math.min(value, before + paid); at += 1)
      if ((amountCents * at) % value < amountCents) cents += 1
    return cents
  })
  const net = nominal.map(
    (cents, index) => cents - (all[index]?.feeBearer === 'RECEIVER' ? Math.floor((fee * cents) / paid) : 0),
  )
  const sum = net.reduce((total, cents) => total + cents, 0)
  return sum <= paid - fee ? net : deal(paid - fee, net)
}

const ROWS: readonly Row[] = [
  { splits: [30], paid: 10_000 },
  { splits: [33.33, 33.33, 33.34], paid: 10_001 },
  { splits: [33.33, 33.33], paid: 100 },
  { splits: [50, 3.33], paid: 32_130 },
  { splits: [100], paid: 777, fee: 99 },
  { splits: [50, 50], paid: 101, fee: 2 },
  { splits: ['5000'], paid: 10_000 },
  { splits: ['5000'], paid: 3_333 },
  { splits: ['5000'], before: 3_333, paid: 6_667 },
  { splits: ['5000'], before: 9_999, paid: 5_000 },
  { splits: ['5000'], before: 10_000, paid: 5_000 },
  { splits: ['3333r', '3333'], paid: 10_000, fee: 99 },
  { splits: ['5000r', 50], paid: 10_000, fee: 250 },
  { splits: ['1', 0.01], value: 20_000, before: 1, paid: 19_999 },
  { splits: ['9999', 0.01], paid: 10_000, fee: 500 },
]

test('divides a payment as counted cent by cent, never more than it less the fees', (t) => {
  for (const row of ROWS) {
    const { splits, value = 10_000, before = 0, paid, fee = 0 } = row
    const payment = { valueCents: value, beforeCents: before, paidCents: paid, feeCents: fee }
    const shares = sharesOf(splits.map(splitOf), payment)
    const credited = splits.map((_, index) => shares.find(({ split }) => split.accountId === index)?.creditedCents ?? 0)
    t.deepEqual(credited, counted(row), JSON.stringify(row))
    t.true(credited.reduce((sum, cents) => sum + cents, 0) <= paid - fee, JSON.stringify(row))
  }
})

test('divides amounts among the installments to the cent', (t) => {
  for (const [amount, count] of [
    ['301', 2],
    ['1000', 3],
    ['7', 12],
  ] as const) {
    const parts = splitsOfParts([splitOf(amount, 0), splitOf(12.5, 1)], count)
    const sum = parts.reduce((all, part) => all + (part?.[0]?.amountCents ?? 0), 0)
    t.is(sum, Number(amount))
    t.true(parts.every((part) => part?.[1]?.percentHundredths === 1_250))
  }
})
