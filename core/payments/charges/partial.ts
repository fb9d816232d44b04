import { issue } from '../../failure.ts'
import { always, type Change, patch, type Where } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import type { PaymentNotice } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Account } from '../accounts/account.ts'
import { type BoundedCount, freeLinkPlaces } from '../bounded-count.ts'
import { netGainCents } from '../splits/split.ts'
import { balanceOn, type DayReceipt } from '../terms.ts'
import { type Charge, charges, isOpen, unchangedWithPayments } from './charge.ts'
import { type ChargeDetail, termsOf } from './detail.ts'
import type { Refund } from './refund-records.ts'
import { enqueueCancellation, recordChargeEvent } from './write.ts'

/** The state of an open charge after a payment, if its account receives partial payments. */
export interface Settlement {
  /** The partial payments, this one included; null if it is the only payment and settles the charge. */
  readonly parts: Parts | null
  /** True if at most the tolerance of the account is left. */
  readonly isSettled: boolean
  /** The amount beyond what was due on the day of the payment. */
  readonly overCents: number
}

/** The partial payments, and the part of the value that they have paid. */
export type Parts = Pick<Charge, 'received' | 'valuePaidCents'>

type Tolerance = Pick<Account, 'acceptPartial' | 'partialToleranceCents'>

/** Settles an open charge by a payment; null if the account counts any payment as full. */
export const settlePayment = (
  charge: Charge,
  account: Tolerance,
  { valueCents, paidAt }: Pick<PaymentNotice, 'valueCents' | 'paidAt'>,
): Settlement | null => {
  if (!account.acceptPartial) return null
  const day = dayOf(paidAt)
  const cents = netGainCents(keptCents(charge), valueCents)
  const received = withReceipt(charge.received ?? [], { day, cents })
  const { dueCents, overCents, restCents } = balanceOn({ ...termsOf(charge), received }, day)
  const isClosed = dueCents <= toleranceOf(account)
  const parts = { received, valuePaidCents: charge.valueCents - restCents }
  return { parts: isClosed && charge.received === null ? null : parts, isSettled: isClosed, overCents }
}

/** Returns the rest at which the account closes a charge that was paid in part. */
const toleranceOf = ({ acceptPartial, partialToleranceCents }: Tolerance): number =>
  acceptPartial ? (partialToleranceCents ?? 0) : 0

/** Adds a payment to those of its day. The bank may report a payment after a later one. */
const withReceipt = (received: readonly DayReceipt[], { day, cents }: DayReceipt): DayReceipt[] => {
  if (cents === 0) return [...received]
  const known = received.find((each) => each.day === day)
  const others = received.filter((each) => each.day !== day)
  const sum = { day, cents: cents + (known?.cents ?? 0) }
  return [...others, sum].sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** Returns the payments of a charge less its completed refunds; negative if the bank returned more than was paid. */
export const keptCents = ({ amountPaidCents, refundedCents }: Charge): number =>
  (amountPaidCents ?? 0) - (refundedCents ?? 0)

/** Reports whether at most the tolerance of the account is left of a charge that was paid in part. */
export const isSettled = (charge: Charge, account: Tolerance, today: Day): boolean =>
  (charge.received?.length ?? 0) > 0 && balanceOn(termsOf(charge), today).dueCents <= toleranceOf(account)

/** An open charge and the hourly count of its payment link that includes it, if any. */
interface SettledCharge {
  readonly detail: ChargeDetail
  readonly place: BoundedCount | null
}

/**
 * Closes a charge as paid on the day of its last payment, if a change leaves at most the tolerance to pay. Cancels its
 * title, so that the rest cannot be paid.
 */
export const closeSettled = (
  cipher: Pick<Cipher, 'seal'>,
  { detail, place }: SettledCharge,
  change: Partial<Charge>,
  fresh: Fresh,
) => {
  const { charge } = detail
  const closing = charge.txid === null ? null : enqueueCancellation(cipher, charge, charge.txid, fresh)
  const set = {
    ...change,
    ...valuePaid({ ...charge, ...change }),
    status: 'paid' as const,
    paymentDate: charge.received?.at(-1)?.day ?? fresh.today,
    operationId: closing?.operationId ?? null,
    updatedAt: fresh.now,
  }
  const after = { ...detail, charge: { ...charge, ...set } }
  return {
    after,
    changes: [
      patch(charges, charge.id, { set, when: unchangedWithPayments(charge) }),
      ...(closing ? [closing.change] : []),
      ...freeLinkPlaces(charge, place, fresh),
      ...recordChargeEvent(fresh, 'charge.updated', after),
      ...recordChargeEvent(fresh, 'charge.paid', after),
    ],
  }
}

/**
 * Returns the issues of a change of a charge that was paid in part: `charge.nothing-left` if more was paid than would
 * be due, `split.fixed` if the value changes while accounts receive an amount of it, by which payments were split.
 */
export const restIssues = (charge: Charge, after: Charge, today: Day) => {
  if ((charge.received?.length ?? 0) === 0) return []
  const isShared =
    charge.valueCents !== after.valueCents && charge.splits?.some(({ amountCents }) => amountCents !== null)
  return [
    ...(balanceOn(termsOf(after), today).overCents > 0 ? [issue('valueCents', 'charge.nothing-left')] : []),
    ...(isShared ? [issue('valueCents', 'split.fixed')] : []),
  ]
}

/** Returns the part of the value that partial payments have paid, as a field; no field without any. */
export const valuePaid = (charge: Charge): Partial<Pick<Parts, 'valuePaidCents'>> =>
  charge.received === null
    ? {}
    : { valuePaidCents: charge.valueCents - balanceOn(termsOf(charge), charge.dueDate).restCents }

/** Returns the partial payments of an open charge after a refund, whose amount is due again; null for other charges. */
export const partsAfterRefund = (
  charge: Charge,
  { valueCents, overCents }: { readonly valueCents: number; readonly overCents: number | null },
): Partial<Parts> | null => {
  if (charge.received === null || !isOpen(charge)) return null
  const received = withoutRefund(charge.received, valueCents - (overCents ?? 0))
  return { received, ...valuePaid({ ...charge, received }) }
}

/** Subtracts a refund from the partial payments, newest first: the returned amount is due again. */
const withoutRefund = (received: readonly DayReceipt[], refundedCents: number): DayReceipt[] => {
  let left = refundedCents
  const rest: DayReceipt[] = []
  for (const { day, cents } of received.toReversed()) {
    const returned = Math.min(left, cents)
    left -= returned
    if (cents > returned) rest.unshift({ day, cents: cents - returned })
  }
  return rest
}

/** Subtracts an amount from the over-payment of a charge; a negative amount is added again. */
export const subtractOverpaid = (
  chargeId: number,
  cents: number | null,
  when: Where<'overpaidCents'> = always,
): readonly Change[] =>
  cents === null || cents === 0 ? [] : [patch(charges, chargeId, { add: { overpaidCents: -cents }, when })]

/**
 * Returns the over-payment that a returned refund uses beyond the part that it used at its start:
 * - that of payments since then, at most the rest of the refund, so that it is not refunded twice;
 * - the part that a failed refund released, if the bank returned it nevertheless;
 * - the amount over the payments less the refunds: a bank may return a failed refund beside another one.
 */
export const overpaidReturned = (
  charge: Charge,
  { valueCents, overCents, status }: Pick<Refund, 'valueCents' | 'overCents' | 'status'>,
): number => {
  const lateCents = status === 'failed' ? (overCents ?? 0) : 0
  const leftCents = Math.max(0, (charge.overpaidCents ?? 0) - lateCents)
  const exceeding = leftCents - Math.max(0, keptCents(charge))
  return lateCents + Math.max(Math.min(leftCents, valueCents - (overCents ?? 0)), exceeding)
}
