import { output, view } from '../../kernel/input/mod.ts'
import { all, always, type Change, eq, gte, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { splitByWeights, truncateRatio } from '../../kernel/values/money.ts'
import type { Store } from '../../ports/store.ts'
import type { Account } from '../accounts/account.ts'
import { bookOf, type Line, releaseBalance, reserveBalance, type ShareLine, SPLIT_RETURN } from '../ledger/ledger.ts'
import {
  holdShare,
  isHeld,
  readShares,
  type SharedCharge,
  type ShareField,
  type SplitShare,
  shareDetails,
  sidesOf,
  splitShares,
} from './share.ts'
import { dueShares, type Split } from './split.ts'

const reversalRecord = record({
  shareId: t.number,
  /** The receiving account. */
  accountId: t.number,
  /** The amount that the receiver returns. */
  cents: t.number,
  /** The part that the receiver could not pay, and that the issuer pays. */
  lackCents: t.number,
})

/** The part of a refund that the receiver of a share returns. */
export type ReversedShare = t.TypeOf<typeof reversalRecord>

export const storedReversals = orNull(t.array(reversalRecord))

/** The facts by which a refund reverses shares of its charge. */
export interface ReversibleShares {
  readonly splits: readonly Split[]
  /** The value of the charge. */
  readonly valueCents: number
  /** The payments of the charge less its refunds, pending ones included; negative if the bank returned more than was paid. */
  readonly netPaidCents: number
  /** The shares of all payments of the charge. */
  readonly shares: readonly SplitShare[]
  /** The available balances of the receivers, by account. */
  readonly available: ReadonlyMap<number, number>
}

/** Reads the shares of a charge with these net payments; none for a charge without splits. */
export const readReversible = async (
  store: Store,
  { id: chargeId, splits, valueCents }: Pick<SharedCharge, 'id' | 'splits' | 'valueCents'>,
  netPaidCents: number,
): Promise<ReversibleShares> => {
  const available = new Map<number, number>()
  if (splits === null) return { splits: [], valueCents, netPaidCents, shares: [], available }
  const shares = await readShares(store, { chargeId })
  for (const accountId of new Set(shares.map((share) => share.accountId))) {
    const book = await store.find(bookOf(accountId))
    available.set(accountId, Math.max(0, book?.availableCents ?? 0))
  }
  return { splits, valueCents, netPaidCents, shares, available }
}

/** The parts of a refund that the receivers return. */
export interface Reversals {
  /** Null for a charge without shares. */
  readonly shares: readonly ReversedShare[] | null
  /** The sum that the receivers return. */
  readonly cents: number
}

/** Returns the sum of a number of each item. */
const sumBy = <A>(items: readonly A[], of: (item: A) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/**
 * Reverses the parts of the shares that exceed the due shares after each of these refunds, and reserves them: first from the held
 * amount of a share, then from the available balance of its receiver. The issuer pays the amounts that a receiver lacks. The facts
 * are not guarded here: the caller guards the charge (`countShareDecision`).
 */
export const reverseShares = (
  facts: ReversibleShares,
  refundedCents: readonly number[],
): { readonly reversals: readonly Reversals[]; readonly changes: readonly Change[] } => {
  const available = new Map(facts.available)
  const before = new Map(facts.shares.map((share) => [share.id, share]))
  const after = new Map(before)
  let { netPaidCents } = facts
  const reversals = refundedCents.map((refundCents): Reversals => {
    const parts = partsToReverse({ ...facts, netPaidCents, shares: [...after.values()] }, refundCents)
    netPaidCents -= refundCents
    if (before.size === 0) return { shares: null, cents: 0 }
    const reversed = parts.map(({ share, dueCents }): ReversedShare => {
      const { id, accountId, calledCents, heldCents, reservedCents } = share
      const fromHeld = Math.min(dueCents, heldCents)
      const free = available.get(accountId) ?? 0
      const fromBalance = Math.min(dueCents - fromHeld, free)
      available.set(accountId, free - fromBalance)
      const cents = fromHeld + fromBalance
      after.set(id, {
        ...share,
        calledCents: calledCents + dueCents,
        heldCents: heldCents - fromHeld,
        reservedCents: reservedCents + cents,
      })
      return { shareId: id, accountId, cents, lackCents: dueCents - cents }
    })
    return { shares: reversed, cents: reversedCents(reversed) }
  })
  const reserved = [...facts.available].map(([id, free]) => [id, free - (available.get(id) ?? 0)] as const)
  return {
    reversals,
    changes: [
      ...[...before.values()].flatMap((share) => patchReversed(share, after.get(share.id) ?? share)),
      ...reserved.flatMap(([id, cents]) => (cents === 0 ? [] : [reserveBalance(id, cents)])),
    ],
  }
}

const patchReversed = (before: SplitShare, after: SplitShare): readonly Change[] => {
  if (after.calledCents === before.calledCents) return []
  const heldCents = after.heldCents - before.heldCents
  const add = {
    ...{ calledCents: after.calledCents - before.calledCents, heldCents },
    reservedCents: after.reservedCents - before.reservedCents,
  }
  const when = all<ShareField>(eq('calledCents', before.calledCents), gte('heldCents', -heldCents))
  return [patch(splitShares, before.id, { add, when })]
}

interface PartToReverse {
  readonly share: SplitShare
  readonly dueCents: number
}

/**
 * Returns the parts of the shares that a refund reverses, in sum at most the refund. Of each account, held shares are reversed
 * first, then the newest ones.
 */
const partsToReverse = (facts: ReversibleShares, refundCents: number): readonly PartToReverse[] => {
  const owned = facts.splits.map(({ accountId }) => facts.shares.filter((share) => share.accountId === accountId))
  const dues = dueShares(facts.splits, facts.valueCents, facts.netPaidCents - refundCents)
  const excess = owned.map((shares, index) => Math.max(0, remainingOf(shares) - netOf(shares, dues[index] ?? 0)))
  const due = sumBy(excess, (cents) => cents) > refundCents ? splitByWeights(refundCents, excess) : excess
  return owned.flatMap((shares, index) => {
    let left = due[index] ?? 0
    return shares
      .toSorted((one, other) => other.heldCents - one.heldCents || other.id - one.id)
      .flatMap((share) => {
        const dueCents = Math.min(left, remainingOf([share]))
        left -= dueCents
        return dueCents === 0 ? [] : [{ share, dueCents }]
      })
  })
}

/** Returns the amount that the receiver of these shares has of them. */
const remainingOf = (shares: readonly SplitShare[]): number =>
  sumBy(
    shares,
    ({ creditedCents, calledCents, restoredCents, returnedCents }) =>
      creditedCents - calledCents + (restoredCents ?? 0) - (returnedCents ?? 0),
  )

/** Returns an amount due to the receiver of these shares less its part of the fees, which no refund returns. */
const netOf = (shares: readonly SplitShare[], dueCents: number): number => {
  const credited = sumBy(shares, ({ creditedCents }) => creditedCents)
  const fees = sumBy(shares, ({ feeCents }) => feeCents)
  return fees === 0 ? dueCents : truncateRatio(BigInt(dueCents) * BigInt(credited), credited + fees)
}

/** The sums of a refund that the receivers of shares return and lack. */
export const reversalsView = view(
  'RefundedSplits',
  {
    returnedCents: output.money({ wire: 'returned', about: 'Quanto volta de quem recebeu' }),
    owedCents: output.money({ wire: 'owed', about: 'Quanto faltava a quem recebeu, e sai da conta que emitiu' }),
  },
  (shares: readonly ReversedShare[]) => ({
    returnedCents: reversedCents(shares),
    owedCents: sumBy(shares, ({ lackCents }) => lackCents),
  }),
)

type Reversed = readonly ReversedShare[] | null

/** Returns the sum that the receivers return of a refund. */
export const reversedCents = (shares: Reversed): number => sumBy(shares ?? [], ({ cents }) => cents)

/** The refund of a charge, by its shares. */
export interface ReversingRefund {
  readonly id: string
  readonly status: 'pending' | 'completed' | 'failed'
  readonly valueCents: number
  readonly shares: Reversed
  readonly corrections: Reversed
}

/**
 * Releases the reversed shares of a failed refund, or holds them again if their account still accepts no writes, and corrects the
 * shares of the charge: payments and refunds since the request had counted the refund. An account that has less than its due share is
 * credited the gap by the issuer (a negative correction), at most the amount that the failure releases to the issuer. An account that
 * has more returns the excess from the amount that it had reserved. The facts are not guarded here: the caller guards the charge.
 */
export const failReversals = (
  facts: ReversibleShares,
  failed: ReversingRefund,
  refunds: readonly ReversingRefund[],
) => {
  const own = failed.shares ?? []
  const dues = dueShares(facts.splits, facts.valueCents, facts.netPaidCents + failed.valueCents)
  let moneyCents = failed.valueCents - reversedCents(own)
  const corrections = facts.splits.flatMap(({ accountId }, index): readonly ReversedShare[] => {
    const reversals = new Map(
      own.filter((reversal) => reversal.accountId === accountId).map((reversal) => [reversal.shareId, reversal]),
    )
    const shares = facts.shares
      .filter((share) => share.accountId === accountId)
      .map((share) => ({ ...share, calledCents: share.calledCents - totalOf(reversals.get(share.id)) }))
    const missingCents = netOf(shares, dues[index] ?? 0) - remainingOf(shares)
    // Nothing is credited to a removed account, whose held shares went to the issuer.
    const isRemoved = shares.some(({ returnedCents }) => (returnedCents ?? null) !== null)
    const gapCents = isRemoved ? Math.min(0, missingCents) : missingCents
    const isShort = gapCents > 0
    const limits = shares.map(({ id, calledCents, restoredCents }) =>
      isShort ? Math.max(0, calledCents - (restoredCents ?? 0)) : totalOf(reversals.get(id)),
    )
    const mostCents = Math.min(
      Math.abs(gapCents),
      sumBy(limits, (cents) => cents),
    )
    const lackCents = lackedBy(accountId, failed, refunds)
    // An amount that a receiver lacked in another refund was never debited: no money moves for it.
    const unmovedCents = Math.min(mostCents, Math.max(0, isShort ? lackCents : -lackCents))
    const movableCents = isShort ? moneyCents : reversedCents([...reversals.values()])
    const movedCents = Math.min(mostCents - unmovedCents, movableCents)
    if (isShort) moneyCents -= movedCents
    const parts = fill(isShort ? unmovedCents + movedCents : mostCents, limits)
    const moved = fill(movedCents, parts)
    const sign = isShort ? -1 : 1
    return shares.flatMap(({ id: shareId }, at) => {
      const [part = 0, cents = 0] = [parts[at], moved[at]]
      return part === 0 ? [] : [{ shareId, accountId, cents: sign * cents, lackCents: sign * (part - cents) }]
    })
  })
  const changes = [
    ...releaseReversals(own),
    ...corrections.map(patchCorrected),
    ...holdAgain(facts.shares, own, corrections),
  ]
  return { corrections, changes }
}

/** Holds again the parts of held shares that a failed refund releases, less its corrections. */
const holdAgain = (
  shares: readonly SplitShare[],
  released: readonly ReversedShare[],
  corrections: readonly ReversedShare[],
): readonly Change[] => {
  const movedOf = (reversals: readonly ReversedShare[], shareId: number): number =>
    sumBy(reversals, (reversal) => (reversal.shareId === shareId ? reversal.cents : 0))
  return [...new Set(shares.map(({ accountId }) => accountId))].flatMap((accountId) => {
    const owned = shares.filter((share) => share.accountId === accountId)
    const left = owned.map(({ id }) => movedOf(released, id) - movedOf(corrections, id))
    const limits = owned.map((share, index) => (isHeld(share) ? Math.max(0, left[index] ?? 0) : 0))
    // A correction may debit one share of the account for another: in sum, no more than the rest is held.
    const most = sumBy(left, (cents) => cents)
    return fill(most, limits).flatMap((cents, index): readonly Change[] => {
      const share = owned[index]
      return share && cents > 0 ? holdShare(share, cents) : []
    })
  })
}

const totalOf = (reversal: ReversedShare | undefined): number => (reversal ? reversal.cents + reversal.lackCents : 0)

/** Returns the amount that a receiver lacked in the other refunds of a charge, less the corrections since. */
const lackedBy = (accountId: number, failed: ReversingRefund, refunds: readonly ReversingRefund[]): number => {
  const valid = refunds.filter(({ id, status }) => id !== failed.id && status !== 'failed')
  const reversals = [
    ...valid.flatMap(({ shares }) => shares ?? []),
    ...refunds.flatMap((each) => each.corrections ?? []),
  ]
  return sumBy(reversals, (reversal) => (reversal.accountId === accountId ? reversal.lackCents : 0))
}

/** Divides an amount among parts, in their order, up to the limit of each. */
const fill = (cents: number, limits: readonly number[]): readonly number[] => {
  let left = cents
  return limits.map((limit) => {
    const part = Math.min(left, limit)
    left -= part
    return part
  })
}

const patchCorrected = (correction: ReversedShare): Change => {
  const cents = totalOf(correction)
  const add = cents < 0 ? { restoredCents: -cents } : { calledCents: cents }
  return patch(splitShares, correction.shareId, { add, when: always })
}

/** The changes that release the reversed shares of a failed refund. */
const releaseReversals = (shares: readonly ReversedShare[]): readonly Change[] =>
  shares.flatMap(({ shareId, accountId, cents, lackCents }) => [
    patch(splitShares, shareId, { add: { calledCents: -cents - lackCents, reservedCents: -cents }, when: always }),
    ...(cents === 0 ? [] : [releaseBalance(accountId, cents)]),
  ])

/** The postings of reversed shares: credits of the issuer and debits of the receivers; the opposite for negative amounts. */
export const postReversals = (shares: Reversed, issuer: Account, receivers: readonly Account[]) => {
  const moved = (shares ?? []).filter(({ cents }) => cents !== 0)
  return {
    lines: moved.map(({ accountId, cents }): Line => {
      const receiver = receivers.find(({ id }) => id === accountId)
      const sides = receiver && (cents < 0 ? sidesOf(issuer, receiver) : sidesOf(receiver, issuer))
      return { type: SPLIT_RETURN, valueCents: cents, against: 'shares', ...(sides && { sides }) }
    }),
    shares: moved.map(({ accountId, cents }): ShareLine => {
      const details = shareDetails(issuer)
      const parties = cents < 0 ? {} : { payer: null, receiver: details.payer }
      return { accountId, type: SPLIT_RETURN, valueCents: -cents, heldCents: 0, details: { ...details, ...parties } }
    }),
  }
}

/** The changes that release the reserves of the receivers for a refund, whose postings debit them. */
export const settleReversals = (shares: Reversed): readonly Change[] =>
  (shares ?? []).flatMap(({ shareId, accountId, cents }) =>
    cents === 0
      ? []
      : [
          patch(splitShares, shareId, { add: { reservedCents: -cents }, when: always }),
          releaseBalance(accountId, cents),
        ],
  )

/**
 * Reverses the shares of a refund that the bank returned after it had failed. The issuer pays all of them, held shares included:
 * the failure released them, and the receivers may have spent them.
 */
export const reverseLate = (
  facts: ReversibleShares,
  refundCents: number,
): { readonly shares: Reversed; readonly changes: readonly Change[] } => {
  const shares = facts.shares.map((share) => ({ ...share, heldCents: 0 }))
  const { reversals, changes } = reverseShares({ ...facts, shares, available: new Map() }, [refundCents])
  return { shares: reversals[0]?.shares ?? null, changes }
}
