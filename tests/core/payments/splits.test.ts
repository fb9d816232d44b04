import test from 'ava'
import fc from 'fast-check'
import type { Change } from '../../../core/kernel/records/record.ts'
import { ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import {
  failReversals,
  type ReversedShare,
  type ReversingRefund,
  reversedCents,
  reverseLate,
  reverseShares,
  settleReversals,
} from '../../../core/payments/splits/reversal.ts'
import type { SplitShare } from '../../../core/payments/splits/share.ts'
import { type Split, sharesOf, splitsOfParts } from '../../../core/payments/splits/split.ts'
import { SEED } from '../../seed.ts'
import { twoEmptyAccounts } from './money-out/two-accounts.ts'
import { columns, PAYER, right } from './world.ts'

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
  // A payment first covers what earlier refunds returned too much.
  const from = Math.max(0, before)
  const dealt = deal(Math.max(0, before + paid) - from, percents, 10_000)
  const nominal = all.map(({ amountCents }, index) => {
    if (amountCents === null) return dealt[index] ?? 0
    let cents = 0
    for (let at = from + 1; at <= Math.min(value, before + paid); at += 1)
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
  { splits: [30, '5000'], before: -6_000, paid: 6_000, fee: 99 },
  { splits: ['3000r', 33.33], before: -6_000, paid: 9_001, fee: 99 },
]

const EXISTS = () => true

test('leaves the share of an account that no longer exists to the issuer, and counts it against the fees', (t) => {
  const payment = { valueCents: 10_000, beforeCents: 0, paidCents: 10_000, feeCents: 250 }
  const shares = sharesOf([60, 40].map(splitOf), payment, (accountId) => accountId !== 1)
  t.deepEqual(
    shares.map(({ split, creditedCents }) => [split.accountId, creditedCents]),
    [[0, 6_000]],
  )
})

test('credits and holds the share of a suspended account', async (t) => {
  const { pay, from, to, bank, books } = await twoEmptyAccounts()
  const { key } = right(await pay.splitReceivers.create(to.member, { name: 'Chave', issuers: [] })())
  const splits = [{ key, percentHundredths: 3_000, amountCents: null }]
  const order = { valueCents: 10_000, paymentMethod: 'PIX', dueDate: '2026-12-31', payer: PAYER, splits } as const
  const { txid } = right(await pay.charges.issue(from.member, order)()).charge
  right(await pay.organizations.update(to.member, { status: 'SUSPENDED' })())
  right(await bank.pay({ txid: txid ?? '', valueCents: 10_000 })())
  t.deepEqual((await books())[1], [3_000, 0])
})

test('divides a payment as counted cent by cent, never more than it less the fees', (t) => {
  for (const row of ROWS) {
    const { splits, value = 10_000, before = 0, paid, fee = 0 } = row
    const payment = { valueCents: value, beforeCents: before, paidCents: paid, feeCents: fee }
    const shares = sharesOf(splits.map(splitOf), payment, EXISTS)
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

const EVENTS = ['pay', 'refund', 'refund', 'fail', 'fail', 'complete', 'late'] as const

/** An event of a charge: of an amount, or of one of the refunds that it can concern. */
type Step = { readonly does: (typeof EVENTS)[number]; readonly cents: number; readonly which: number }

type Played = Writable<ReversingRefund>
type Writable<A> = { -readonly [field in keyof A]: A[field] }

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/**
 * Plays the events of a charge, and returns its shares after each. Receivers spend what they do not spare; the shares
 * of suspended ones are held.
 */
const played = (splits: readonly Split[], valueCents: number, steps: readonly Step[], spared: number | 'held') => {
  const available = new Map<number, number>()
  const refunds: Played[] = []
  let [shares, net, restored]: [SplitShare[], number, readonly ReversedShare[]] = [[], 0, []]
  const ownedBy = ({ accountId }: Split) => shares.filter((share) => share.accountId === accountId)
  const keptBy = (each: Split) =>
    sum(ownedBy(each).map((s) => s.creditedCents - s.calledCents + (s.restoredCents ?? 0)))
  const apply = (changes: readonly Change[]) => {
    for (const change of changes)
      for (const [field, cents] of Object.entries(change.kind === 'patch' ? (change.add ?? {}) : {})) {
        const [name, id] = change.at
        const accountId = Number.parseInt(`${id}`, 10)
        if (name === ledgerAccounts.name) available.set(accountId, (available.get(accountId) ?? 0) + cents)
        else shares = shares.map((s) => (s.id === id ? { ...s, [field]: (s[field as 'calledCents'] ?? 0) + cents } : s))
      }
  }
  const move = (accountId: number, cents: number) => available.set(accountId, (available.get(accountId) ?? 0) + cents)
  const factsNow = () => ({ splits, valueCents, netPaidCents: net, shares, available })
  const pay = (paidCents: number) => {
    const paid = sharesOf(splits, { valueCents, beforeCents: net, paidCents, feeCents: 0 }, EXISTS)
    net += paidCents
    for (const { split, creditedCents, feeCents } of paid) {
      move(split.accountId, spared === 'held' ? 0 : Math.floor(creditedCents * spared))
      shares.push({
        ...{ id: shares.length + 1, accountId: split.accountId, issuerId: 99, chargeId: 1, journalId: `${net}` },
        ...{
          creditedCents,
          feeCents,
          heldCents: spared === 'held' ? creditedCents : 0,
          heldEntryId: spared === 'held' ? 1 : null,
          calledCents: 0,
          reservedCents: 0,
          restoredCents: null,
          returnedCents: null,
        },
        createdAt: '',
      })
    }
  }
  const refund = (cents: number) => {
    const { reversals, changes } = reverseShares(factsNow(), [cents])
    const own = { shares: reversals[0] ?? [], corrections: null }
    refunds.push({ id: `${refunds.length}`, status: 'pending', valueCents: cents, ...own })
    net -= cents
    apply(changes)
  }
  const fail = (failed: Played) => {
    const { corrections, changes } = failReversals(factsNow(), failed, refunds)
    const back = sum(corrections.map(({ cents }) => Math.max(0, -cents)))
    restored = corrections.filter(({ cents }) => cents < 0)
    Object.assign(failed, { status: 'failed', corrections })
    net += failed.valueCents
    apply(changes)
    for (const { accountId, cents } of corrections) move(accountId, -cents)
    return back <= failed.valueCents - reversedCents(failed.shares)
  }
  const late = (failed: Played) => {
    const { shares: own, changes } = reverseLate(factsNow(), failed.valueCents)
    Object.assign(failed, { status: 'completed', shares: own })
    net -= failed.valueCents
    apply(changes)
  }
  const complete = (pending: Played) => {
    apply(settleReversals(pending.shares))
    for (const { accountId, cents } of pending.shares ?? []) move(accountId, -cents)
    pending.status = 'completed'
  }
  const after: {
    readonly net: number
    readonly kept: number[]
    readonly moved: number[]
    readonly isRestored: boolean[]
  }[] = []
  let isCovered = true
  const play = ({ does, cents, which }: Step) => {
    restored = []
    const open = refunds.filter(({ status }) => status === 'pending')
    const failed = refunds.filter(({ status }) => status === 'failed')
    const [one, other] = [open[which % open.length], failed[which % failed.length]]
    if (does === 'pay') pay(cents)
    else if (does === 'refund' && net > 0) refund(Math.min(net, cents))
    else if (does === 'fail' && one) isCovered = fail(one) && isCovered
    else if (does === 'complete' && one) complete(one)
    else if (does === 'late' && other) late(other)
    else return
    const reversals = refunds.flatMap((each) => [
      ...(each.status === 'failed' ? [] : (each.shares ?? [])),
      ...(each.corrections ?? []),
    ])
    const movedOf = ({ accountId }: Split) =>
      sum(reversals.map((each) => (each.accountId === accountId ? each.cents : 0)))
    const moved = splits.map((each) => sum(ownedBy(each).map((s) => s.creditedCents)) - movedOf(each))
    const isRestored = splits.map((each) => restored.some(({ accountId }) => accountId === each.accountId))
    after.push({ net, kept: splits.map(keptBy), moved, isRestored })
  }
  for (const step of steps) play(step)
  for (let open = refunds.length; open > 0; open -= 1) play({ does: 'complete', cents: 0, which: 0 })
  play({ does: 'refund', cents: net, which: 0 })
  const free = [0, ...available.values()]
  return { after, shares, isCovered, least: Math.min(...free), most: Math.max(...free) }
}

const SPLITS = fc
  .array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 })
  .chain((parts) => fc.tuple(...parts.map((part) => fc.boolean().map((isPercent) => [part, isPercent] as const))))

const SPARED = fc.constantFrom<number | 'held'>(0, 0.1, 1, 'held')

test('leaves each receiver the share of the payments that stay, whatever refunds begin, fail, end or are late', (t) => {
  const event = fc.record({
    does: fc.constantFrom(...EVENTS),
    cents: fc.integer({ min: 1, max: 15_000 }),
    which: fc.nat({ max: 5 }),
  })
  const property = fc.property(SPLITS, fc.array(event, { maxLength: 12 }), SPARED, (parts, steps, spared) => {
    const value = 10_000
    const promised = parts.map(([part, isPercent]) => (isPercent ? part : (`${part * 100}` as const)))
    const first = { does: 'pay', cents: 6_000, which: 0 } as const
    const { after, shares, isCovered, least, most } = played(promised.map(splitOf), value, [first, ...steps], spared)
    for (const { net, kept, moved, isRestored } of after) {
      // While nothing stays nothing is due; `counted` counts the shares of a payment.
      const due = net <= 0 ? kept.map(() => 0) : counted({ splits: promised, value, paid: net })
      for (const [index, cents] of kept.entries()) {
        const [of = 0, is = 0] = [due[index], moved[index]]
        // Each payment and refund rounds its cents.
        const isNear = (cents: number) => Math.abs(cents) <= after.length
        t.true(isNear(cents - of), `${cents} of ${of}`)
        // A receiver that lacked a reversed amount still has it: no money is given back to it.
        t.true(isNear(isRestored[index] ? cents - is : Math.max(0, cents - is)), `${cents} of the moved ${is}`)
      }
    }
    t.true(isCovered && least === 0 && (spared !== 'held' || most === 0))
    for (const { creditedCents, calledCents: called, heldCents, restoredCents, reservedCents } of shares)
      t.true(
        [called, heldCents + reservedCents].every(
          (cents) => cents >= 0 && cents <= creditedCents + (restoredCents ?? 0),
        ),
      )
    t.true(after.at(-1)?.kept.every((cents) => cents === 0))
  })
  const step = (does: Step['does'], cents = 0): Step => ({ does, cents, which: 0 })
  const begun = [step('pay', 6_000), step('refund', 600), step('refund', 3_000)]
  const lacking: [[number, boolean][], Step[], 0.1] = [[[30, false]], [...begun, step('fail'), step('fail')], 0.1]
  t.notThrows(() => fc.assert(property, { seed: SEED, numRuns: 1_000, examples: [lacking] }))
})

test('credits the gaps after a failed refund by no more than it releases to the issuer', (t) => {
  const share = (id: number, accountId: number): SplitShare => ({
    ...{ id, accountId, issuerId: 99, chargeId: 1, journalId: '', createdAt: '' },
    ...{ creditedCents: 3_000, feeCents: 0, calledCents: 600, heldCents: 0, heldEntryId: null },
    ...{ reservedCents: 0, restoredCents: null, returnedCents: null },
  })
  const facts = { splits: [50, 50].map(splitOf), valueCents: 10_000, netPaidCents: 5_900, available: new Map() }
  const failed = { id: 'a', status: 'pending', valueCents: 100, shares: [], corrections: null } as const
  // 600 of each share is missing, and 100 is released.
  const { corrections } = failReversals({ ...facts, shares: [share(1, 0), share(2, 1)] }, failed, [failed])
  t.deepEqual(columns(corrections, 'shareId', 'cents'), [[1, -100]])
})
