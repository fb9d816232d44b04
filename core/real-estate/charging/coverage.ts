import type { Fresh } from '../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import { type PaidFacts, paidTermsOf } from '../paid-terms.ts'
import { NO_TERMS, quoteOf } from '../quote.ts'
import { isOpen, type Payment, paidAs, paidInAll, unstated } from '../records/payment.ts'

/** Returns the amount owed on a day, less the money that has arrived. */
const dueOn = (payment: Payment, { term }: PaidFacts, day: Day): number =>
  quoteOf(payment, term ?? NO_TERMS, day).totalCents

/**
 * Returns the fields that mark an open payment as paid by the money of its charges, if that is all that is owed today; null if
 * it is not.
 */
export const paidByParts = (
  payment: Payment,
  terms: PaidFacts,
  method: Payment['method'],
  { now, today }: Pick<Fresh, 'now' | 'today'>,
) => {
  const { receivedCents, removedAt } = payment
  if (!isOpen(payment) || removedAt !== null || receivedCents === null || dueOn(payment, terms, today) > 0) return null
  const paid = { ...paidAs(now), ...paidTermsOf(payment, now, terms), method }
  return {
    ...paid,
    paidValueCents: unstated(payment, receivedCents),
    byHandCents: 0,
    chargeId: null,
  } as const satisfies Partial<Payment>
}

/**
 * Reports whether money still pays a paid payment: all that was owed on the day of its payment, or as much as was accepted
 * then.
 */
export const isCovered = (payment: Payment, terms: PaidFacts, cents: number): boolean => {
  const { paidAt } = payment
  const acceptedCents = paidInAll(payment) ?? payment.valueCents
  const owedCents = paidAt === null ? acceptedCents : dueOn({ ...payment, receivedCents: null }, terms, dayOf(paidAt))
  return cents > 0 && cents >= Math.min(acceptedCents, owedCents)
}
