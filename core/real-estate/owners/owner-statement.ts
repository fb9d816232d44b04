import { percentOf } from '../percent.ts'
import type { Contract } from '../records/contract.ts'
import type { Payment } from '../records/payment.ts'
import { administrationOf, type Management } from '../terms/paid-terms.ts'

/** What a payment does to what an owner gets: it comes in, goes out, or is only told of. */
export const FLOWS = ['In', 'Out', 'Listed'] as const
export type Flow = (typeof FLOWS)[number]

type Paid = Pick<
  Payment,
  | 'id'
  | 'contractId'
  | 'type'
  | 'period'
  | 'paidAt'
  | 'paidValueCents'
  | 'paidOwnerId'
  | 'paidAdministrationPercentage'
  | 'propertyId'
  | 'propertyCode'
  | 'notes'
>
type Term = Pick<Contract, 'id' | 'type' | 'administrationPercentage'>

/** A payment of an owner's property. */
export interface StatementEntry {
  readonly paymentId: string
  readonly contractId: string
  readonly propertyId: string | null
  readonly propertyCode: string
  readonly type: Payment['type']
  readonly period: string
  readonly paidAt: string
  readonly flow: Flow
  readonly valueCents: number
  /** Of a rent: by which percentage it is administered, and for how much; else null and nothing. */
  readonly administrationPercentage: number | null
  readonly administrationCents: number
  readonly notes: string | null
}

/** What came in and went out for an owner in a month; cents. */
export interface OwnerStatement {
  readonly owner: { readonly id: string; readonly name: string }
  readonly period: string
  /** As they were paid. */
  readonly entries: readonly StatementEntry[]
  /** Rents and fines of leases. */
  readonly incomeCents: number
  readonly administrationCents: number
  /** Condominium, IPTU and expenses of management. */
  readonly expensesCents: number
  readonly netCents: number
}

/** Source: decisions.md §6, Payments. */
const FLOW_OF: { readonly [C in Contract['type']]: { readonly [P in Payment['type']]?: Flow } } = {
  Lease: { Rent: 'In', Fine: 'In' },
  Management: { Condo: 'Out', IPTU: 'Out', Expense: 'Out' },
  Sale: {},
}

const entryOf = (
  paid: Paid & { readonly paidAt: string },
  term: Term | undefined,
  managements: readonly Management[],
): StatementEntry => {
  const { id: paymentId, contractId, propertyId, propertyCode, type, period, paidAt, notes } = paid
  const flow = (term && FLOW_OF[term.type][type]) ?? 'Listed'
  const valueCents = paid.paidValueCents ?? 0
  const administrationPercentage =
    paid.paidOwnerId === null
      ? administrationOf(paid, paidAt, term ?? null, managements)
      : paid.paidAdministrationPercentage
  return {
    paymentId,
    contractId,
    propertyId,
    propertyCode,
    type,
    period,
    paidAt,
    flow,
    valueCents,
    administrationPercentage,
    administrationCents: percentOf(valueCents, administrationPercentage ?? 0),
    notes,
  }
}

/** What was paid of an owner's properties, and by what it goes. */
export interface StatementFacts {
  readonly payments: readonly Paid[]
  /** The contracts of these payments, by id. */
  readonly contracts: ReadonlyMap<string, Term>
  /** The management contracts of the payments that keep no terms, the newest first. */
  readonly managements: readonly Management[]
}

const sumOf = (entries: readonly StatementEntry[], cents: (entry: StatementEntry) => number): number =>
  entries.reduce((sum, entry) => sum + cents(entry), 0)

/**
 * What came in and went out for an owner: rents and fines of leases in, the administration of each rent (half up) and
 * condominium, IPTU and expenses of management out; what else was paid is only told of.
 * Source: decisions.md §6, Payments.
 */
export const ownerStatementOf = (
  owner: OwnerStatement['owner'],
  period: string,
  { payments, contracts, managements }: StatementFacts,
): OwnerStatement => {
  const entries = payments
    .flatMap((paid) => {
      const { paidAt } = paid
      return paidAt === null ? [] : [entryOf({ ...paid, paidAt }, contracts.get(paid.contractId), managements)]
    })
    .sort((a, b) => (`${a.paidAt}${a.paymentId}` < `${b.paidAt}${b.paymentId}` ? -1 : 1))
  const incomeCents = sumOf(entries, ({ flow, valueCents }) => (flow === 'In' ? valueCents : 0))
  const expensesCents = sumOf(entries, ({ flow, valueCents }) => (flow === 'Out' ? valueCents : 0))
  const administrationCents = sumOf(entries, (entry) => entry.administrationCents)
  const netCents = incomeCents - administrationCents - expensesCents
  return { owner, period, entries, incomeCents, administrationCents, expensesCents, netCents }
}
