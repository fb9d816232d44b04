import { all, type Collection, eq, insert, isIn, orNull, record, t, word } from '../../kernel/records/record.ts'
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

/** Returns the entries of a receipt of a former month that is returned now; none for one of this month, which is undone. */
export const returnEntries = (
  paid: Payment,
  { paidOwnerId: ownerId, paidAdministrationPercentage: administrationPercentage }: PaidTerms,
  { uuid, now, today }: Pick<Fresh, 'uuid' | 'now' | 'today'>,
) => {
  const { id: paymentId, companyId, contractId, propertyId, propertyCode, type, period, notes } = paid
  const { paidAt, paidMonth, paidValueCents } = paid
  const month = today.slice(0, 7)
  if (paidAt === null || paidMonth === null || paidValueCents === null || paidMonth >= month) return []
  const of = {
    companyId,
    paymentId,
    contractId,
    propertyId,
    propertyCode,
    type,
    period,
    ownerId,
    administrationPercentage,
  }
  const returned = {
    at: now,
    month,
    valueCents: -paidValueCents,
    notes: `Devolvido em ${formatDay(today)} a quem pagou.`,
  }
  return [
    insert(receiptEntries, { ...of, id: uuid(), at: paidAt, month: paidMonth, valueCents: paidValueCents, notes }),
    insert(receiptEntries, { ...of, id: uuid(), ...returned }),
  ]
}

type PaidTerms = Pick<Payment, 'paidOwnerId' | 'paidAdministrationPercentage'>

/** Sums the entries of months, for the revenue. */
export const entriesByMonth = (companyId: string, months: readonly string[]): Group<ReceiptEntry> =>
  groupOf(receiptEntries, {
    where: all(eq('companyId', companyId), isIn('month', months)),
    by: ['month'],
    sum: ['valueCents'],
  })
