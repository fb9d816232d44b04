import type { Charge } from '../../../core/payments/charges/charge.ts'
import { failedRefundCause, refundCause } from '../../../core/payments/charges/refund-records.ts'
import { type Journal, PAYMENT_TYPE_IDS, SPLIT_RETURN } from '../../../core/payments/ledger/ledger.ts'
import type { SplitShare } from '../../../core/payments/splits/share.ts'
import { dueShares } from '../../../core/payments/splits/split.ts'
import { takenFor } from './cards.ts'
import { groupBy, type Invariant, type Money, type MoneyInvariant, passedCents, sumOf, unless } from './judged.ts'

/** Returns the gross amount of a payment's journal, and its fees. */
const paidIn = ({ accountId, legs }: Journal) => {
  const of = (kind: string) =>
    sumOf(legs.filter(({ book }) => book === `${accountId}:${kind}`).map(({ cents }) => cents))
  return { grossCents: 0 - of('clearing') - of('receivable'), feeCents: of('fees') }
}

/**
 * Each share is credited by the journal of its payment, and the shares of a payment and its fees do not exceed it. A
 * receiver of a percentage has it to the cent, less its part of the fees, unless the fees left less to share.
 */
export const sharesAsPaid: MoneyInvariant = ({ held }) => {
  const journals = new Map(held.journals.map((each) => [each.id, each]))
  const charges = new Map(held.charges.map((each) => [each.id, each]))
  const entryOf = groupBy(held.entries, ({ journalId }) => journalId)
  const shares = groupBy(held.splitShares, ({ journalId }) => journalId)
  const paid = held.journals.filter(({ cause }) => /^(pix-in|boleto-in|card):/.test(cause))
  const overReturned = overReturnedOf(held)
  return [
    ...[...shares].flatMap(([journalId, own]) => {
      const journal = journals.get(journalId)
      const charge = charges.get(own[0]?.chargeId ?? 0)
      if (!journal || !charge) return [`shares of ${journalId} have no payment`]
      return ofPayment(journal, charge, own, overReturned.has(charge.id))
    }),
    ...paid.flatMap((journal) => {
      const chargeId = (entryOf.get(journal.id) ?? []).find(({ typeId }) => PAYMENT_TYPE_IDS.includes(typeId))?.chargeId
      const isShared = (charges.get(chargeId ?? 0)?.splits ?? []).some(
        ({ percentHundredths }) => percentHundredths === 10_000,
      )
      const { grossCents, feeCents } = paidIn(journal)
      const sum = sumOf((shares.get(journal.id) ?? []).map(({ creditedCents }) => creditedCents))
      return unless([
        [passedCents(journal) === sum, `journal ${journal.id} passes ${passedCents(journal)} and has shares of ${sum}`],
        [
          !isShared || sum > 0 || grossCents === feeCents || overReturned.has(chargeId ?? 0),
          `journal ${journal.id} shares nothing of ${grossCents}`,
        ],
      ])
    }),
  ]
}

/** The charges of which the bank returned more of a Pix than was paid: a later payment covers that first. */
const overReturnedOf = ({ refunds, entries }: Money['held']): ReadonlySet<number> => {
  const paid = new Map(entries.map(({ id, valueCents }) => [id, valueCents]))
  const valid = refunds.filter(({ status }) => status !== 'failed')
  const over = [...groupBy(valid, ({ entryId }) => entryId)].filter(
    ([entryId, own]) => sumOf(own.map(({ valueCents }) => valueCents)) > (paid.get(entryId) ?? 0),
  )
  return new Set(over.flatMap(([, own]) => own.map(({ chargeId }) => chargeId)))
}

const ofPayment = (
  journal: Journal,
  charge: Charge,
  own: readonly SplitShare[],
  isOverReturned: boolean,
): readonly string[] => {
  const { grossCents, feeCents } = paidIn(journal)
  const sum = sumOf(own.map(({ creditedCents }) => creditedCents))
  const isWhole = sum === grossCents - feeCents
  // A revoked key and a suspended account are no reason not to share.
  const asPromised = (charge.splits ?? []).every(({ accountId, percentHundredths: percent }) => {
    const { creditedCents, feeCents: borne } = own.find((share) => share.accountId === accountId) ?? NOTHING
    return percent === null || Math.abs((creditedCents + borne) * 10_000 - grossCents * percent) < 10_000
  })
  return unless([
    [sum <= grossCents - feeCents, `the shares of ${journal.id} are ${sum} of ${grossCents} less ${feeCents}`],
    [isWhole || asPromised || isOverReturned, `the shares of ${journal.id} are not those of charge ${charge.id}`],
    [new Set(own.map(({ accountId }) => accountId)).size === own.length, `${journal.id} pays an account twice`],
  ])
}

const NOTHING = { creditedCents: 0, feeCents: 0 }

/**
 * The shares of an amount add up to it as the payments of a charge add up to its value, unless fees reduced them.
 * Charges with refunds, with other values before, or with payments that do not count have no such sum.
 */
export const amountsAsPromised: Invariant = ({ held, environment }) => {
  const refunded = new Set(held.refunds.map(({ chargeId }) => chargeId))
  const journals = new Map(held.journals.map((each) => [each.id, paidIn(each)]))
  const ofCharge = groupBy(held.splitShares, ({ chargeId }) => chargeId)
  const taken = takenFor(held)
  return held.charges.flatMap(({ id, splits, valueCents, amountPaidCents }) => {
    const own = ofCharge.get(id) ?? []
    const paid = [...groupBy(own, ({ journalId }) => journalId)].map(([journalId, shares]) => {
      const { grossCents = 0, feeCents = 0 } = journals.get(journalId) ?? {}
      const sum = sumOf(shares.map(({ creditedCents }) => creditedCents))
      return { grossCents, isReduced: sum === grossCents - feeCents }
    })
    const sharedCents = sumOf(paid.map(({ grossCents }) => grossCents))
    const isCounted = sharedCents === amountPaidCents && sumOf(taken.get(id) ?? []) === amountPaidCents
    const isPlain = !refunded.has(id) && environment.watch.values.get(id)?.size === 1
    if (!isCounted || !isPlain || paid.some(({ isReduced }) => isReduced)) return []
    return (splits ?? []).flatMap(({ accountId, amountCents }) => {
      if (amountCents === null) return []
      const shares = own.filter((share) => share.accountId === accountId)
      const cents = sumOf(shares.map(({ creditedCents, feeCents }) => creditedCents + feeCents))
      const promised = Math.floor((amountCents * Math.min(amountPaidCents, valueCents)) / valueCents)
      return unless([[cents === promised, `charge ${id} gave ${accountId} ${cents} of ${promised}`]])
    })
  })
}

/**
 * Refunds take back of a share at most what was credited, and all of it with the last cent of its charge. Of what they
 * call the receiver reserves or has returned a part, and owes none of the rest.
 */
export const sharesTakenBack: MoneyInvariant = ({ held }) => {
  const refunds = held.refunds.filter(({ status }) => status !== 'failed')
  const corrected = held.refunds.flatMap(({ corrections }) => corrections ?? [])
  const byShare = groupBy(
    [
      ...refunds.flatMap(({ status, shares }) => (shares ?? []).map((call) => ({ ...call, status }))),
      ...corrected.map((call) => ({ ...call, status: 'failed' })),
    ],
    ({ shareId }) => shareId,
  )
  const payments = held.entries.filter(({ typeId }) => PAYMENT_TYPE_IDS.includes(typeId))
  const paid = groupBy(payments, ({ chargeId }) => chargeId)
  const ofCharge = groupBy(refunds, ({ chargeId }) => chargeId)
  return held.splitShares.flatMap(({ id, chargeId, creditedCents, heldCents, reservedCents, ...share }) => {
    const calledCents = share.calledCents - (share.restoredCents ?? 0)
    const mostCents = creditedCents + (share.restoredCents ?? 0)
    const calls = byShare.get(id) ?? []
    const called = sumOf(calls.map(({ cents, lackCents }) => cents + lackCents))
    const pending = sumOf(calls.filter(({ status }) => status === 'pending').map(({ cents }) => cents))
    const returned = sumOf((ofCharge.get(chargeId) ?? []).map(({ valueCents }) => valueCents))
    const isRefunded =
      returned > 0 && returned === sumOf((paid.get(chargeId) ?? []).map(({ valueCents }) => valueCents))
    return unless([
      [
        calledCents === called && called <= creditedCents,
        `share ${id} of ${creditedCents} is called for ${calledCents}`,
      ],
      [!isRefunded || called === creditedCents, `share ${id} of ${creditedCents} returned ${called} of a whole refund`],
      [reservedCents === pending, `share ${id} reserves ${reservedCents} of ${pending}`],
      [heldCents >= 0 && heldCents + reservedCents <= mostCents, `share ${id} holds ${heldCents}`],
    ])
  })
}

/**
 * The shares of a refund are at most the refund. What receivers return is posted in its journal: their debits, which
 * leave no account below zero, and as many credits of the issuer, which pays the rest.
 */
export const returnsPosted: MoneyInvariant = ({ held }) => {
  const causes = new Map(held.journals.map(({ id, cause }) => [cause, id]))
  const lines = groupBy(
    held.entries.filter(({ typeId }) => typeId === SPLIT_RETURN.id),
    ({ journalId }) => journalId,
  )
  const sorted = (calls: Iterable<readonly [accountId: number, cents: number]>) =>
    String(Array.from(calls, ([accountId, cents]) => `${accountId} ${cents}`).toSorted())
  return [
    ...held.refunds.flatMap(({ id, accountId: issuerId, status, valueCents, shares, corrections }) => {
      const called = sumOf((shares ?? []).map(({ cents, lackCents }) => cents + lackCents))
      const restored = sumOf((corrections ?? []).map(({ cents }) => Math.max(0, -cents)))
      const postings = [
        [refundCause(id), status === 'completed' ? (shares ?? []) : []],
        [failedRefundCause(id), corrections ?? []],
      ] as const
      return unless([
        [called <= valueCents, `refund ${id} of ${valueCents} calls ${called}`],
        [restored <= valueCents, `refund ${id} of ${valueCents} gives ${restored} back`],
        ...postings.map(([cause, calls]) => {
          const own = lines.get(causes.get(cause) ?? '') ?? []
          const posted = sorted(own.map((line) => [line.accountId, line.valueCents]))
          const moved = calls.filter(({ cents }) => cents !== 0)
          const expected = sorted(
            moved.flatMap(({ accountId, cents }) => [[accountId, -cents] as const, [issuerId, cents] as const]),
          )
          return [posted === expected, `${cause} posted ${posted} and not ${expected}`] as const
        }),
      ])
    }),
    ...[...lines.values()]
      .flat()
      .filter(({ valueCents, balanceCents }) => valueCents < 0 && balanceCents < 0)
      .map(({ id, balanceCents }) => `entry ${id} of a refund leaves ${balanceCents}`),
  ]
}

/**
 * The receivers of a charge have the shares of its payments that stay, but for the cents that each payment and refund
 * rounds. Fees and other values before leave other shares.
 */
export const sharesAsDue: Invariant = ({ held, environment }) =>
  keptAsDue(held, ({ id }) => environment.watch.values.get(id)?.size === 1)

/** The rule of `sharesAsDue` for the charges whose value never changed. */
export const keptAsDue = (held: Money['held'], isUnchanged: (charge: Charge) => boolean): readonly string[] => {
  const journals = new Map(held.journals.map((each) => [each.id, paidIn(each)]))
  const isPayment = ({ typeId }: { readonly typeId: number }) => PAYMENT_TYPE_IDS.includes(typeId)
  const payments = groupBy(held.entries.filter(isPayment), ({ chargeId }) => chargeId ?? 0)
  const refunds = groupBy(held.refunds, ({ chargeId }) => chargeId)
  const shares = groupBy(held.splitShares, ({ chargeId }) => chargeId)
  return held.charges.flatMap((charge) => {
    const { id, splits, valueCents, card } = charge
    const paid = payments.get(id) ?? []
    const own = refunds.get(id) ?? []
    const isPlain = paid.every(({ journalId }) => journals.get(journalId)?.feeCents === 0)
    if (splits === null || card !== null || !isPlain || !isUnchanged(charge)) return []
    const returned = own.filter(({ status }) => status !== 'failed').map((each) => each.valueCents)
    const netCents = sumOf(paid.map((each) => each.valueCents)) - sumOf(returned)
    const dues = dueShares(splits, valueCents, netCents)
    return splits.flatMap(({ accountId }, index) => {
      const received = (shares.get(id) ?? []).filter((share) => share.accountId === accountId)
      const kept = sumOf(received.map((s) => s.creditedCents - s.calledCents + (s.restoredCents ?? 0)))
      const isDue = Math.abs(kept - (dues[index] ?? 0)) <= paid.length + 2 * own.length
      return isDue ? [] : [`charge ${id} leaves ${accountId} ${kept} of ${dues[index]}`]
    })
  })
}

/** No share of an account that accepts writes is held, or said to be held, at the end. */
export const sharesReleased: Invariant = ({ held }) => {
  const open = new Set(
    held.accounts.filter(({ status }) => status === 'ACTIVE' || status === 'INACTIVE').map(({ id }) => id),
  )
  return held.splitShares
    .filter(({ accountId, heldCents, heldEntryId }) => (heldCents > 0 || heldEntryId !== null) && open.has(accountId))
    .map(({ id }) => `share ${id} is still held`)
}
