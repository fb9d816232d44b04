import { output, view } from '../../kernel/input/mod.ts'
import { all, always, type Change, eq, gte, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { fillInOrder, splitByWeights, sumBy, truncateRatio } from '../../kernel/values/money.ts'
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

/**
 * The part of a refund that the receiver of a share returns; `cents` and `lackCents` together are reversed of the
 * share.
 * - `reverseShares`, at the request of the refund, reserves `cents`.
 * - `settleReversals`, after the bank's refund, releases the reserve, and `postReversals` debits the receiver.
 * - `failReversals`, after the bank's refusal, releases the reserve. What the payments and refunds since then need is a
 *   correction: a reversed share with positive amounts if the receiver returns them, with negative ones if it is
 *   credited.
 * - `reverseLate` reverses shares for a refund that the bank made although it had failed here.
 */
export type ReversedShare = t.TypeOf<typeof reversalRecord>
type Reversed = readonly ReversedShare[] | null

export const storedReversals = orNull(t.array(reversalRecord))

/** Returns the sum that the receivers return of a refund. */
export const reversedCents = (shares: Reversed): number => sumBy(shares ?? [], ({ cents }) => cents)

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

/** The facts by which a refund reverses shares of its charge. */
export interface ReversibleShares {
  readonly splits: readonly Split[]
  /** The value of the charge. */
  readonly valueCents: number
  /**
   * The payments of the charge less all refunds, pending ones too; negative if the bank returned more than was paid.
   */
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

/**
 * Reverses, for each of these refunds in turn, the parts of the shares that exceed the due shares after it, and
 * reserves them. Null in place of the reversed shares for a charge without shares. The facts are not guarded here: the
 * caller guards the charge (`countShareDecision`).
 */
export const reverseShares = (
  facts: ReversibleShares,
  refundedCents: readonly number[],
): { readonly reversals: readonly Reversed[]; readonly changes: readonly Change[] } => {
  let current = facts
  const reversals = refundedCents.map((refundCents): Reversed => {
    const { reversed, after } = reverseOnce(current, refundCents)
    current = after
    return facts.shares.length === 0 ? null : reversed
  })
  return { reversals, changes: reservesOf(facts, current) }
}

/**
 * Reverses shares for one refund: first from the held amount of a share, then from the available balance of its
 * receiver, who lacks the rest. Returns them with the facts after the refund.
 */
const reverseOnce = (
  facts: ReversibleShares,
  refundCents: number,
): { readonly reversed: readonly ReversedShare[]; readonly after: ReversibleShares } => {
  const available = new Map(facts.available)
  const shares = new Map(facts.shares.map((share) => [share.id, share]))
  const reversed = partsToReverse(facts, refundCents).map(({ share, partCents }): ReversedShare => {
    const { id, accountId, calledCents, heldCents, reservedCents } = share
    const availableCents = available.get(accountId) ?? 0
    const fromHeld = Math.min(partCents, heldCents)
    const fromBalance = Math.min(partCents - fromHeld, availableCents)
    const cents = fromHeld + fromBalance
    available.set(accountId, availableCents - fromBalance)
    shares.set(id, {
      ...share,
      calledCents: calledCents + partCents,
      heldCents: heldCents - fromHeld,
      reservedCents: reservedCents + cents,
    })
    return { shareId: id, accountId, cents, lackCents: partCents - cents }
  })
  const netPaidCents = facts.netPaidCents - refundCents
  return { reversed, after: { ...facts, netPaidCents, shares: [...shares.values()], available } }
}

interface PartToReverse {
  readonly share: SplitShare
  readonly partCents: number
}

/**
 * Returns the parts of the shares that a refund reverses, in sum at most the refund. Of each account, held shares are
 * reversed first, then the newest ones.
 */
const partsToReverse = (facts: ReversibleShares, refundCents: number): readonly PartToReverse[] => {
  const { splits, valueCents, netPaidCents } = facts
  const owned = splits.map(({ accountId }) => facts.shares.filter((share) => share.accountId === accountId))
  const dues = dueShares(splits, valueCents, netPaidCents - refundCents)
  const excesses = owned.map((shares, index) => Math.max(0, remainingOf(shares) - netOf(shares, dues[index] ?? 0)))
  const toReverse = sumCents(excesses) > refundCents ? splitByWeights(refundCents, excesses) : excesses
  return owned.flatMap((shares, index) => {
    const ordered = shares.toSorted((one, other) => other.heldCents - one.heldCents || other.id - one.id)
    const parts = fillInOrder(
      toReverse[index] ?? 0,
      ordered.map((share) => remainingOf([share])),
    )
    return ordered.map((share, at) => ({ share, partCents: parts[at] ?? 0 })).filter(({ partCents }) => partCents !== 0)
  })
}

const sumCents = (amounts: readonly number[]): number => sumBy(amounts, (cents) => cents)

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

/** Returns the changes of the shares and the balances between two facts of `reverseShares`. */
const reservesOf = (before: ReversibleShares, after: ReversibleShares): readonly Change[] => {
  const sharesAfter = new Map(after.shares.map((share) => [share.id, share]))
  return [
    ...before.shares.flatMap((share) => patchReversed(share, sharesAfter.get(share.id) ?? share)),
    ...[...before.available].flatMap(([accountId, cents]) => {
      const reservedCents = cents - (after.available.get(accountId) ?? 0)
      return reservedCents === 0 ? [] : [reserveBalance(accountId, reservedCents)]
    }),
  ]
}

const patchReversed = (before: SplitShare, after: SplitShare): readonly Change[] => {
  if (after.calledCents === before.calledCents) return []
  const calledCents = after.calledCents - before.calledCents
  const heldCents = after.heldCents - before.heldCents
  const reservedCents = after.reservedCents - before.reservedCents
  const when = all<ShareField>(eq('calledCents', before.calledCents), gte('heldCents', -heldCents))
  return [patch(splitShares, before.id, { add: { calledCents, heldCents, reservedCents }, when })]
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

/** The postings of reversed shares: issuer credits and receiver debits; the opposite for negative amounts. */
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

/** The refund of a charge, by its shares. */
export interface ReversingRefund {
  readonly id: string
  readonly status: 'pending' | 'completed' | 'failed'
  readonly valueCents: number
  readonly shares: Reversed
  readonly corrections: Reversed
}

/**
 * Releases the reversed shares of a failed refund, or holds them again if their account still accepts no writes, and
 * corrects the shares of the charge: payments and refunds since the request had counted the refund. The facts are not
 * guarded here: the caller guards the charge.
 */
export const failReversals = (
  facts: ReversibleShares,
  failed: ReversingRefund,
  refunds: readonly ReversingRefund[],
): { readonly corrections: ReversedShare[]; readonly changes: readonly Change[] } => {
  const released = failed.shares ?? []
  const corrections = correctShares(facts, failed, refunds)
  const changes = [
    ...releaseReversals(released),
    ...corrections.map(patchCorrected),
    ...holdAgain(facts.shares, released, corrections),
  ]
  return { corrections, changes }
}

/**
 * Returns the corrections after a failed refund. A receiver that has less than its due share is credited the gap by the
 * issuer, in sum at most the amount that the failure releases to the issuer. A receiver that has more returns the
 * excess from the amount that the refund had reserved.
 */
const correctShares = (
  facts: ReversibleShares,
  failed: ReversingRefund,
  refunds: readonly ReversingRefund[],
): ReversedShare[] => {
  const dues = dueShares(facts.splits, facts.valueCents, facts.netPaidCents + failed.valueCents)
  let issuerCents = failed.valueCents - reversedCents(failed.shares)
  return facts.splits.flatMap(({ accountId }, index) => {
    const receiver = receiverAfter(facts, failed, accountId)
    const { shares } = receiver
    const gapCents = netOf(shares, dues[index] ?? 0) - remainingOf(shares)
    const lackedCents = lackedBy(accountId, failed, refunds)
    if (gapCents <= 0) return debitExcess(receiver, -gapCents, lackedCents)
    // Nothing is credited to a removed account, whose held shares went to the issuer.
    if (shares.some(({ returnedCents }) => (returnedCents ?? null) !== null)) return []
    const credits = creditGap(receiver, gapCents, lackedCents, issuerCents)
    issuerCents += reversedCents(credits)
    return credits
  })
}

/** A receiver after the release of a failed refund. */
interface Receiver {
  readonly accountId: number
  /** Its shares, of which the failed refund reverses nothing any more. */
  readonly shares: readonly SplitShare[]
  /** The released reversal of each share, if any. */
  readonly released: readonly (ReversedShare | undefined)[]
}

const receiverAfter = (facts: ReversibleShares, failed: ReversingRefund, accountId: number): Receiver => {
  const before = facts.shares.filter((share) => share.accountId === accountId)
  const released = before.map(({ id }) => failed.shares?.find(({ shareId }) => shareId === id))
  const shares = before.map((share, at) => ({ ...share, calledCents: share.calledCents - totalOf(released[at]) }))
  return { accountId, shares, released }
}

const totalOf = (reversal: ReversedShare | undefined): number => (reversal ? reversal.cents + reversal.lackCents : 0)

/** Returns the amount that a receiver lacked in the other refunds of a charge, less the corrections since. */
const lackedBy = (accountId: number, failed: ReversingRefund, refunds: readonly ReversingRefund[]): number => {
  const others = refunds.filter(({ id, status }) => id !== failed.id && status !== 'failed')
  const reversals = [
    ...others.flatMap(({ shares }) => shares ?? []),
    ...refunds.flatMap(({ corrections }) => corrections ?? []),
  ]
  return sumBy(reversals, (reversal) => (reversal.accountId === accountId ? reversal.lackCents : 0))
}

/** Returns the corrections by which a receiver returns an excess, at most what the failure releases to it. */
const debitExcess = (receiver: Receiver, excessCents: number, lackedCents: number): readonly ReversedShare[] => {
  const limits = receiver.released.map(totalOf)
  const debitCents = Math.min(excessCents, sumCents(limits))
  // An amount that the receiver was credited without money is debited without money.
  const unmovedCents = Math.min(debitCents, Math.max(0, -lackedCents))
  const releasedCents = sumBy(receiver.released, (reversal) => reversal?.cents ?? 0)
  return correctionsOf(receiver, fillInOrder(debitCents, limits), Math.min(debitCents - unmovedCents, releasedCents))
}

/**
 * Returns the corrections, negative amounts, by which the issuer credits a gap of a receiver: at most `issuerCents`.
 */
const creditGap = (
  receiver: Receiver,
  gapCents: number,
  lackedCents: number,
  issuerCents: number,
): readonly ReversedShare[] => {
  const limits = receiver.shares.map(({ calledCents, restoredCents }) =>
    Math.max(0, calledCents - (restoredCents ?? 0)),
  )
  const creditCents = Math.min(gapCents, sumCents(limits))
  // An amount that the receiver lacked in another refund was never debited: no money moves for it.
  const unmovedCents = Math.min(creditCents, Math.max(0, lackedCents))
  const movedCents = Math.min(creditCents - unmovedCents, issuerCents)
  return correctionsOf(receiver, fillInOrder(unmovedCents + movedCents, limits), movedCents).map((correction) => ({
    ...correction,
    cents: -correction.cents,
    lackCents: -correction.lackCents,
  }))
}

/** Returns the correction of each share by its part, of which money moves for `movedCents` in all. */
const correctionsOf = (
  { accountId, shares }: Receiver,
  parts: readonly number[],
  movedCents: number,
): readonly ReversedShare[] => {
  const moved = fillInOrder(movedCents, parts)
  return shares.flatMap(({ id: shareId }, at) => {
    const [part = 0, cents = 0] = [parts[at], moved[at]]
    return part === 0 ? [] : [{ shareId, accountId, cents, lackCents: part - cents }]
  })
}

/** The changes that release the reversed shares of a failed refund. */
const releaseReversals = (shares: readonly ReversedShare[]): readonly Change[] =>
  shares.flatMap(({ shareId, accountId, cents, lackCents }) => [
    patch(splitShares, shareId, { add: { calledCents: -cents - lackCents, reservedCents: -cents }, when: always }),
    ...(cents === 0 ? [] : [releaseBalance(accountId, cents)]),
  ])

const patchCorrected = (correction: ReversedShare): Change => {
  const cents = totalOf(correction)
  const add = cents < 0 ? { restoredCents: -cents } : { calledCents: cents }
  return patch(splitShares, correction.shareId, { add, when: always })
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
    return fillInOrder(sumCents(left), limits).flatMap((cents, index): readonly Change[] => {
      const share = owned[index]
      return share && cents > 0 ? holdShare(share, cents) : []
    })
  })
}

/**
 * Reverses the shares of a refund that the bank returned after it had failed. The issuer pays all of them, held shares
 * included: the failure released them, and the receivers may have spent them.
 */
export const reverseLate = (
  facts: ReversibleShares,
  refundCents: number,
): { readonly shares: Reversed; readonly changes: readonly Change[] } => {
  const shares = facts.shares.map((share) => ({ ...share, heldCents: 0 }))
  const { reversals, changes } = reverseShares({ ...facts, shares, available: new Map() }, [refundCents])
  return { shares: reversals[0] ?? null, changes }
}
