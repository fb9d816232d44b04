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
import { monthOf } from './fields.ts'
import { PAYMENT_TYPES, type Payment, totalPaidCents } from './payment.ts'

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
 * The receipt of a payment that was opened again, or the return of its money. Statements and revenue of the month of
 * the receipt stay as they were, and those of the month of the return show it.
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

type EntryFresh = Pick<Fresh, 'uuid' | 'now' | 'today'>

/** The owner and the administration under which a payment was paid. */
type PaidTerms = Pick<Payment, 'paidOwnerId' | 'paidAdministrationPercentage'>

const insertEntry = (
  payment: Payment,
  { paidOwnerId: ownerId, paidAdministrationPercentage: administrationPercentage }: PaidTerms,
  entry: Pick<ReceiptEntry, 'at' | 'month' | 'valueCents' | 'notes'>,
  { uuid }: EntryFresh,
) => {
  const { id: paymentId, companyId, contractId, propertyId, propertyCode, type, period } = payment
  const copies = { companyId, paymentId, contractId, propertyId, propertyCode, type, period }
  return insert(receiptEntries, { id: uuid(), ...copies, ownerId, administrationPercentage, ...entry })
}

/** Adds the entry of money that went back to its payer today. */
const insertReturn = (payment: Payment, terms: PaidTerms, cents: number, fresh: EntryFresh) => {
  const notes = `Devolvido em ${formatDay(fresh.today)} a quem pagou.`
  return insertEntry(payment, terms, { at: fresh.now, month: monthOf(fresh.today), valueCents: -cents, notes }, fresh)
}

/** The money that the entries of a payment state, and the changes that add entries. */
interface StatedMoney {
  readonly statedCents: number | null
  readonly changes: readonly Change[]
}

/**
 * Limits the stated money of a payment to the money that is left, and adds an entry for the return of the difference.
 */
export const stateReturn = (
  payment: Payment,
  terms: PaidTerms,
  leftCents: number,
  fresh: EntryFresh,
  statedCents = payment.statedCents ?? 0,
): StatedMoney => {
  if (leftCents >= statedCents) return { statedCents: statedCents > 0 ? statedCents : null, changes: [] }
  const changes = [insertReturn(payment, terms, statedCents - leftCents, fresh)]
  return { statedCents: leftCents > 0 ? leftCents : null, changes }
}

/**
 * Adds the entries of a paid payment that is opened again: its receipt, if that is of a former month, and the return of
 * the money that is not left. The receipt of the current month is undone and needs no entry.
 */
export const stateReopening = (paid: Payment, terms: PaidTerms, leftCents: number, fresh: EntryFresh): StatedMoney => {
  const { paidAt, paidMonth, paidValueCents, notes } = paid
  if (paidAt === null || paidMonth === null || paidValueCents === null || paidMonth >= monthOf(fresh.today))
    return stateReturn(paid, terms, leftCents, fresh)
  const receipt = insertEntry(paid, terms, { at: paidAt, month: paidMonth, valueCents: paidValueCents, notes }, fresh)
  const statedCents = (paid.statedCents ?? 0) + paidValueCents
  const returned = stateReturn(paid, terms, leftCents, fresh, statedCents)
  return { ...returned, changes: [receipt, ...returned.changes] }
}

/**
 * Limits the money that the statements of a paid payment show to the money that is left. A receipt of the current month
 * is reduced; of one of a former month, an entry returns the difference in the current month.
 */
export const stateRefund = (paid: Payment, terms: PaidTerms, leftCents: number, fresh: EntryFresh) => {
  const { paidMonth, paidValueCents, statedCents } = paid
  const excessCents = (totalPaidCents(paid) ?? 0) - leftCents
  if (paidValueCents === null || excessCents <= 0) return { set: {}, changes: [] }
  const isOfThisMonth = paidMonth !== null && paidMonth >= monthOf(fresh.today)
  const reducedCents = isOfThisMonth ? Math.min(paidValueCents, excessCents) : 0
  const returnedCents = excessCents - reducedCents
  const set = { paidValueCents: paidValueCents - reducedCents, statedCents: (statedCents ?? 0) - returnedCents || null }
  return { set, changes: returnedCents > 0 ? [insertReturn(paid, terms, returnedCents, fresh)] : [] }
}

/** Returns the query of the sums of entries by month, which belong to the revenue. */
export const entriesByMonth = (companyId: string, months: readonly string[]): Group<ReceiptEntry> =>
  groupOf(receiptEntries, {
    where: all(eq('companyId', companyId), isIn('month', months)),
    by: ['month'],
    sum: ['valueCents'],
  })
