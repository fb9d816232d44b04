import { all, type Change, eq, gt, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { type Day, formatDay } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listAll, listOf, type Store } from '../../ports/store.ts'
import { type PaidFacts, paidTermsOf } from '../paid-terms.ts'
import type { Contract } from '../records/contract.ts'
import { type Payment, paidAs, payments, unstated } from '../records/payment.ts'
import { rentUntil } from '../rents/rent-of-month.ts'

/** Reads the pending payments of a contract that are due after a day. */
export const readLaterPayments = (store: Store, { companyId, id }: Contract, on: Day): Promise<readonly Payment[]> => {
  const where = all(eq('companyId', companyId), eq('contractId', id), eq('status', 'Pending'), gt('dueDate', on))
  return listAll(store, listOf(payments, { where, when: 'live', limit: MAX_PAGE }))
}

type Owed = Pick<Payment, 'valueCents' | 'billedDays' | 'notes'>

/**
 * Returns a rent reduced to the days until the end of its lease, in proportion to the rent of all its days; null if none of
 * them was let, and for a payment that is no rent. A rent of days outside the term, which no run makes, stays as it is.
 */
const owedUntil = (rent: Payment, lease: Contract, end: Day): Owed | null => {
  const { type, period, valueCents, billedDays, notes } = rent
  if (type !== 'Rent' || lease.type !== 'Lease' || period > end.slice(0, 7)) return null
  const whole = rentUntil(lease, rent, lease.endDate)
  const part = rentUntil(lease, rent, end)
  if (part.valueCents === whole.valueCents) return { valueCents, billedDays, notes }
  if (part.valueCents === 0) return null
  return {
    valueCents: Math.max(1, halfUpRatio(BigInt(valueCents) * BigInt(part.valueCents), whole.valueCents)),
    billedDays: billedDays && part.billedDays,
    notes: notes ?? `Valor dos dias até o fim do contrato, em ${formatDay(end)}.`,
  }
}

/**
 * Returns what the end of its contract sets in a payment that is due later. The payment is cancelled, unless charges have
 * received a part of it: then a rent stays open for the days that were let, and a payment of which no more is owed is paid
 * with its part.
 */
export const endOf = (
  payment: Payment,
  contract: Contract,
  terms: PaidFacts,
  { now, today }: Pick<Fresh, 'now' | 'today'>,
): Partial<Payment> => {
  const { receivedCents } = payment
  if (receivedCents === null) return { status: 'Cancelled', updatedAt: now }
  const owed = owedUntil(payment, contract, today)
  const set = { ...owed, updatedAt: now }
  if (owed && owed.valueCents > receivedCents) return set
  return {
    ...set,
    ...paidAs(now),
    paidValueCents: unstated(payment, receivedCents),
    byHandCents: 0,
    ...paidTermsOf(payment, now, terms),
  }
}

/** Changes a later payment; if it has changed since it was read, the decision is repeated. */
export const patchLater = ({ id, dueDate, valueCents, receivedCents }: Payment, set: Partial<Payment>): Change =>
  patch<Payment>(payments, id, {
    set,
    when: all(
      eq('status', 'Pending'),
      eq('chargeId', null),
      eq('dueDate', dueDate),
      eq('valueCents', valueCents),
      eq('receivedCents', receivedCents),
    ),
  })
