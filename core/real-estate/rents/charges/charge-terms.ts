import { type Day, nextBusinessDay } from '../../../kernel/values/day.ts'
import type { ChargeOrder } from '../../../ports/charging.ts'
import type { Contract } from '../../records/contract.ts'
import { PAYMENT_TYPE_TEXTS, type Payment } from '../../records/payment.ts'
import { quoteOf } from '../quote.ts'

type Owed = Pick<Payment, 'id' | 'type' | 'period' | 'valueCents' | 'dueDate' | 'propertyCode'>
type Terms = Pick<Contract, 'finePercentage' | 'interestPercentage' | 'discountValueCents'>
type Ordered = Pick<ChargeOrder, 'valueCents' | 'dueDate' | 'interestPercentage' | 'discountCents'>

const monthText = (period: string): string => period.split('-').reverse().join('/')

/** What a charge is for, as its payer reads it. */
export const chargeText = ({ type, period, propertyCode }: Owed): string =>
  `${PAYMENT_TYPE_TEXTS[type]} ${monthText(period)}, ${propertyCode}`

/**
 * Returns the terms of a payment's charge. A payment in time asks its value, with the contract's interest and discount; on the
 * days to which a weekend or holiday moves the due date, the charge is due on the last of them, since none is issued for a past
 * day. A late payment asks the quoted total of today, due today, without further interest.
 */
export const chargeTerms = (owed: Owed, terms: Terms, today: Day): Ordered => {
  const { daysLate, totalCents, discount } = quoteOf(owed, terms, today)
  if (daysLate > 0) return { valueCents: totalCents, dueDate: today, interestPercentage: null, discountCents: null }
  return {
    valueCents: owed.valueCents,
    dueDate: owed.dueDate < today ? nextBusinessDay(owed.dueDate) : owed.dueDate,
    interestPercentage: terms.interestPercentage,
    discountCents: discount.cents === 0 ? null : discount.cents,
  }
}
