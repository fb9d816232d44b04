import { issue } from '../../failure.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import { truncateRatio, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { PaymentNotice, TitleOrder } from '../../ports/bank.ts'
import type { Account } from '../accounts/account.ts'
import { balanceOn, DAYS_A_MONTH, type DayReceipt, isLate } from '../terms.ts'
import type { Charge } from './charge.ts'
import { type ChargeTerms, termsOf } from './detail.ts'

/** The state of an open charge after a payment, if its account receives payments of a part. */
export interface Settlement {
  /** The payments of a part, this one included; null if it is the only payment and settles the charge. */
  readonly parts: Parts | null
  /** True if at most the tolerance of the account is left. */
  readonly isSettled: boolean
  /** The amount beyond what was due on the day of the payment. */
  readonly overCents: number
}

/** The payments of a part, and the part of the value that they have paid. */
export type Parts = Pick<Charge, 'received' | 'valuePaidCents'>

/** Settles an open charge by a payment; null if the account takes any payment as the whole. */
export const settlePayment = (
  charge: Charge,
  { acceptPartial, partialToleranceCents }: Pick<Account, 'acceptPartial' | 'partialToleranceCents'>,
  { valueCents, paidAt }: Pick<PaymentNotice, 'valueCents' | 'paidAt'>,
): Settlement | null => {
  if (!acceptPartial) return null
  const day = dayOf(paidAt)
  const received = withReceipt(charge.received ?? [], { day, cents: valueCents })
  const { dueCents, overCents, restCents } = balanceOn({ ...termsOf(charge), received }, day)
  const isSettled = dueCents <= (partialToleranceCents ?? 0)
  const parts = { received, valuePaidCents: charge.valueCents - restCents }
  return { parts: isSettled && charge.received === null ? null : parts, isSettled, overCents }
}

/** Returns the part of the value that the payments of a part have paid, as a field; no field for a charge without any. */
export const valuePaid = (charge: Charge): Partial<Pick<Parts, 'valuePaidCents'>> =>
  charge.received === null
    ? {}
    : { valuePaidCents: charge.valueCents - balanceOn(termsOf(charge), charge.dueDate).restCents }

/** Adds a payment to those of its day. The bank may report a payment after a later one. */
const withReceipt = (received: readonly DayReceipt[], { day, cents }: DayReceipt): DayReceipt[] => {
  const known = received.find((each) => each.day === day)
  const others = received.filter((each) => each.day !== day)
  const sum = { day, cents: cents + (known?.cents ?? 0) }
  return [...others, sum].sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** Takes a refund out of the payments of a part, the newest first: the returned amount is owed again. */
export const withoutRefund = (received: readonly DayReceipt[], refundedCents: number): DayReceipt[] => {
  let left = refundedCents
  const kept: DayReceipt[] = []
  for (const { day, cents } of received.toReversed()) {
    const returned = Math.min(left, cents)
    left -= returned
    if (cents > returned) kept.unshift({ day, cents: cents - returned })
  }
  return kept
}

/** Fails: `charge.nothing-left` if a changed charge that was paid in part would have nothing left to pay. */
export const restIssues = (charge: Charge, today: Day) =>
  (charge.received?.length ?? 0) > 0 && balanceOn(termsOf(charge), today).dueCents === 0
    ? [issue('valueCents', 'charge.nothing-left')]
    : []

/** The amount and terms of a title; the last day of its discount is that of the charge. */
type RestOrder = Pick<TitleOrder, Exclude<keyof ChargeTerms, 'daysDiscount' | 'received'>>

/**
 * Returns the amount and terms of a title for the rest of a charge from a day on. In arrears the title is due on that day, because
 * banks register none with a past due day: its amount contains the open fine and interest, which bear no interest.
 */
export const restOrder = (charge: Charge, method: TitleOrder['method'], day: Day): RestOrder => {
  const terms = termsOf(charge)
  const dueDate = day > charge.dueDate ? day : charge.dueDate
  const { restCents, fineCents, interestCents, dueCents } = balanceOn(terms, dueDate)
  const { discountCents } = balanceOn(terms, day)
  const hasDiscount = discountCents > 0
  return {
    valueCents: method === 'PIX' ? dueCents : restCents + fineCents + interestCents,
    dueDate,
    ...interestOfRest(charge, restCents, fineCents + interestCents),
    ...fineOfRest(charge, restCents, dueDate),
    // The discount is that of the whole value.
    discountHundredths: hasDiscount ? discountCents : null,
    typeDiscount: hasDiscount ? 'ABSOLUTE' : null,
  }
}

/** Returns the interest of the rest: reais per day are its share, and a percentage must not count on the open fine and interest. */
const interestOfRest = (
  { amountRateHundredths: rate, typeRate, valueCents }: Charge,
  restCents: number,
  carriedCents: number,
): Pick<TitleOrder, 'amountRateHundredths' | 'typeRate'> => {
  if (rate === null || (typeRate === 'PERCENTAGE' && carriedCents === 0))
    return { amountRateHundredths: rate, typeRate }
  const shared = BigInt(rate) * BigInt(restCents)
  const whole = typeRate === 'ABSOLUTE' ? valueCents : WHOLE_PERCENT * DAYS_A_MONTH
  return { amountRateHundredths: truncateRatio(shared, whole), typeRate: typeRate && 'ABSOLUTE' }
}

/** Returns the fine of the rest: none once it was added, and its share of an amount in reais. */
const fineOfRest = (
  { fineHundredths: rate, typeFine, valueCents, dueDate: firstDue }: Charge,
  restCents: number,
  dueDate: Day,
): Pick<TitleOrder, 'fineHundredths' | 'typeFine'> => {
  if (rate === null || isLate(firstDue, dueDate)) return { fineHundredths: null, typeFine: null }
  if (typeFine !== 'ABSOLUTE') return { fineHundredths: rate, typeFine }
  return { fineHundredths: truncateRatio(BigInt(rate) * BigInt(restCents), valueCents), typeFine }
}
