import {
  all,
  type Change,
  type Collection,
  eq,
  insert,
  isIn,
  orNull,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { formatDay } from '../../kernel/values/day.ts'
import { type Group, groupOf } from '../../ports/store.ts'
import { PAYMENT_TYPES, type Payment } from './payment.ts'

const receiptEntry = record({
  id: t.string,
  companyId: t.string,
  paymentId: t.string,
  contractId: t.string,
  propertyId: orNull(t.string),
  propertyCode: t.string,
  type: word(...PAYMENT_TYPES),
  period: t.string,
  notes: orNull(t.string),
  /** When it was paid, or returned, and the São Paulo month of that. */
  at: t.string,
  month: t.string,
  /** Negative for a return. */
  valueCents: t.number,
  ownerId: orNull(t.string),
  administrationPercentage: orNull(t.number),
})

/**
 * A receipt of a payment that is open again, or its return: statements and revenue of the month of the receipt stay as
 * they were, and those of the month of the refund show the return.
 */
export type ReceiptEntry = t.TypeOf<typeof receiptEntry>

export const receiptEntries: Collection<ReceiptEntry> = {
  name: 'estate.receipt-entries',
  ids: 'text',
  codec: receiptEntry,
  owner: 'companyId',
  indexes: [{ eq: 'ownerId', sort: 'month' }],
  tallies: [{ by: ['companyId', 'month'], sum: ['valueCents'] }],
}

type Draws = Pick<Fresh, 'uuid' | 'now' | 'today'>

const entryOf = (
  payment: Payment,
  { paidOwnerId: ownerId, paidAdministrationPercentage: administrationPercentage }: PaidTerms,
  of: Pick<ReceiptEntry, 'at' | 'month' | 'valueCents' | 'notes'>,
  { uuid }: Draws,
) => {
  const { id: paymentId, companyId, contractId, propertyId, propertyCode, type, period } = payment
  const copies = { companyId, paymentId, contractId, propertyId, propertyCode, type, period }
  return insert(receiptEntries, { id: uuid(), ...copies, ownerId, administrationPercentage, ...of })
}

/** The money that entries state, and the changes that add the entries. */
interface Stated {
  readonly statedCents: number | null
  readonly changes: readonly Change[]
}

/** Returns the money that is stated, of which no more than `leftCents` is left, and the entry of the return of the rest. */
export const returnedTo = (
  payment: Payment,
  terms: PaidTerms,
  leftCents: number,
  fresh: Draws,
  statedCents = payment.statedCents ?? 0,
): Stated => {
  if (leftCents >= statedCents) return { statedCents: statedCents > 0 ? statedCents : null, changes: [] }
  const notes = `Devolvido em ${formatDay(fresh.today)} a quem pagou.`
  const of = { at: fresh.now, month: fresh.today.slice(0, 7), valueCents: leftCents - statedCents, notes }
  return { statedCents: leftCents > 0 ? leftCents : null, changes: [entryOf(payment, terms, of, fresh)] }
}

/**
 * Returns the entries of a payment that is open again: its receipt, if that is of a former month, and the return of the money
 * that is not left. A receipt of this month is undone, and needs none.
 */
export const reopenedEntries = (paid: Payment, terms: PaidTerms, leftCents: number, fresh: Draws): Stated => {
  const { paidAt, paidMonth, paidValueCents, notes } = paid
  if (paidAt === null || paidMonth === null || paidValueCents === null || paidMonth >= fresh.today.slice(0, 7))
    return returnedTo(paid, terms, leftCents, fresh)
  const receipt = entryOf(paid, terms, { at: paidAt, month: paidMonth, valueCents: paidValueCents, notes }, fresh)
  const statedCents = (paid.statedCents ?? 0) + paidValueCents
  const returned = returnedTo(paid, terms, leftCents, fresh, statedCents)
  return { ...returned, changes: [receipt, ...returned.changes] }
}

type PaidTerms = Pick<Payment, 'paidOwnerId' | 'paidAdministrationPercentage'>

/** Sums the entries of months, for the revenue. */
export const entriesByMonth = (companyId: string, months: readonly string[]): Group<ReceiptEntry> =>
  groupOf(receiptEntries, {
    where: all(eq('companyId', companyId), isIn('month', months)),
    by: ['month'],
    sum: ['valueCents'],
  })
