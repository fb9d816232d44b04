import test from 'ava'
import fc from 'fast-check'
import type { SplitShare } from '../../../core/payments/splits/share.ts'
import { type Split, sharesOf, splitsOfParts } from '../../../core/payments/splits/split.ts'
import { callShares } from '../../../core/payments/splits/take-back.ts'
import { SEED } from '../../seed.ts'

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

/** A positive number pays, a negative one refunds at most what is left; a failing refund is released before the next step. */
type Step = { readonly cents: number; readonly fails: boolean }

/** Plays payments and refunds of a charge, and returns its shares and what each refund called. */
const played = (splits: readonly Split[], valueCents: number, steps: readonly Step[]) => {
  let [shares, net, pending]: [SplitShare[], number, (() => void)[]] = [[], 0, []]
  const refunds: {
    readonly net: number
    readonly cents: number
    readonly kept: number[]
    readonly called: number[]
  }[] = []
  const keptBy = ({ accountId }: Split) =>
    shares.filter((share) => share.accountId === accountId).reduce((sum, s) => sum + s.creditedCents - s.calledCents, 0)
  const add = (shareId: number, cents: number) => {
    shares = shares.map((s) => (s.id === shareId ? { ...s, calledCents: s.calledCents + cents } : s))
  }
  const pay = (paidCents: number) => {
    const paid = sharesOf(splits, { valueCents, beforeCents: net, paidCents, feeCents: 0 })
    net += paidCents
    for (const { split, creditedCents, feeCents } of paid)
      shares.push({
        ...{ id: shares.length + 1, accountId: split.accountId, issuerId: 99, chargeId: 1, journalId: `${net}` },
        ...{ creditedCents, feeCents, heldCents: 0, calledCents: 0, reservedCents: 0, createdAt: '' },
      })
  }
  const refund = (cents: number, fails: boolean) => {
    const kept = splits.map(keptBy)
    const facts = { splits, valueCents, netPaidCents: net, shares, available: new Map() }
    const called = callShares(facts, [cents]).calls[0]?.shares ?? []
    for (const { shareId, lackCents } of called) add(shareId, lackCents)
    net -= cents
    refunds.push({ net, cents, kept, called: splits.map((each, index) => (kept[index] ?? 0) - keptBy(each)) })
    if (fails)
      pending.push(() => {
        net += cents
        for (const { shareId, lackCents } of called) add(shareId, -lackCents)
      })
  }
  for (const { cents, fails } of steps) {
    const released = pending
    pending = []
    if (cents > 0) pay(cents)
    else if (net > 0) refund(Math.min(net, -cents), fails)
    for (const release of released) release()
  }
  for (const release of pending) release()
  if (net > 0) refund(net, false)
  return { refunds, shares, left: splits.map(keptBy) }
}

const SPLITS = fc
  .array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 })
  .chain((parts) => fc.tuple(...parts.map((part) => fc.boolean().map((isPercent) => [part, isPercent] as const))))

test('takes back what the shares of a charge exceed after each refund, as counted, and all with the last cent', (t) => {
  const step = fc.record({ cents: fc.integer({ min: -150, max: 150 }).filter((n) => n !== 0), fails: fc.boolean() })
  const property = fc.property(SPLITS, fc.array(step, { maxLength: 8 }), (parts, steps) => {
    const value = 100
    const promised = parts.map(([part, isPercent]) => (isPercent ? part : (`${part}` as const)))
    const splits = promised.map(splitOf)
    const { refunds, shares, left } = played(splits, value, [{ cents: 60, fails: false }, ...steps])
    for (const { net, cents, kept, called } of refunds) {
      // After nothing is paid nothing is due; `counted` counts the shares of a payment.
      const due = net === 0 ? kept.map(() => 0) : counted({ splits: promised, value, paid: net })
      const excess = kept.map((each, index) => Math.max(0, each - (due[index] ?? 0)))
      const sum = excess.reduce((all, each) => all + each, 0)
      t.deepEqual(called, sum <= cents ? excess : deal(cents, excess))
    }
    t.true(shares.every(({ calledCents, creditedCents }) => calledCents >= 0 && calledCents <= creditedCents))
    t.deepEqual(
      left,
      left.map(() => 0),
    )
  })
  t.notThrows(() => fc.assert(property, { seed: SEED, numRuns: 300 }))
})
