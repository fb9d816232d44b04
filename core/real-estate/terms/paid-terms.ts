import { isLeft, right } from '../../failure.ts'
import { all, eq, isIn, patch } from '../../kernel/records/record.ts'
import { recordsById } from '../../kernel/resources/queries.ts'
import { retryWhileBusy } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, type Fresh, type RunnerCode, type UseCase } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import { byId, listOf, NEWEST_FIRST, type Store } from '../../ports/store.ts'
import { listOfCompany } from '../reads.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts } from '../records/contract.ts'
import { monthOf } from '../records/fields.ts'
import { isOpen, type Payment, payments, totalPaidCents } from '../records/payment.ts'
import { type Property, properties } from '../records/property.ts'
import { endedOnOf, firstDayOf } from './periods.ts'
import { type LateTerms, NO_TERMS, quoteOf } from './quote.ts'
import { reducedRent } from './rent-of-month.ts'

type Term = Pick<Contract, 'type' | 'administrationPercentage'>
export type Management = Pick<
  Contract,
  | 'propertyId'
  | 'status'
  | 'statusHistory'
  | 'startDate'
  | 'endDate'
  | 'endedOn'
  | 'periods'
  | 'administrationPercentage'
  | 'updatedAt'
>

/** Reports whether a management contract is in force on a day: within its term, and not after its termination. */
const isInForce = (management: Management, day: Day): boolean => {
  const endedOn = endedOnOf(management)
  const lastDay = endedOn !== null && endedOn < management.endDate ? endedOn : management.endDate
  return management.status !== 'Cancelled' && firstDayOf(management) <= day && day <= lastDay
}

/**
 * Returns the administration percentage of a paid payment: of a rent that of its lease, else that of the newest
 * management contract of the property in force on the day of payment. Null for any other payment, and if neither
 * contract has one.
 */
export const administrationOf = (
  { type, propertyId }: Pick<Payment, 'type' | 'propertyId'>,
  paidAt: Instant,
  term: Term | null,
  managements: readonly Management[],
): number | null => {
  if (type !== 'Rent' || term?.type !== 'Lease') return null
  if (term.administrationPercentage !== null) return term.administrationPercentage
  const day = dayOf(paidAt)
  const inForce = managements.find((each) => each.propertyId === propertyId && isInForce(each, day))
  return inForce?.administrationPercentage ?? null
}

/** Reads the management contracts of properties, newest first. */
export const readManagements = (store: Pick<Store, 'list'>, companyId: string, propertyIds: readonly string[]) => {
  const where = all(isIn('propertyId', propertyIds), eq('type', 'Management'))
  return listOfCompany(store, contracts, companyId, { where, when: 'live', sort: NEWEST_FIRST })
}

/** The property and contracts that decide the terms of a paid payment. */
export interface PaidFacts {
  readonly property: Pick<Property, 'ownerId'> | null
  readonly term: (Term & LateTerms) | null
  readonly managements: readonly Management[]
}

export const readPaidFacts = async (
  store: Store,
  { companyId, contractId, propertyId }: Pick<Payment, 'companyId' | 'contractId' | 'propertyId'>,
): Promise<PaidFacts> => ({
  property: propertyId === null ? null : await store.find(byId(properties, propertyId)),
  term: await store.find(byId(contracts, contractId)),
  managements: propertyId === null ? [] : await readManagements(store, companyId, [propertyId]),
})

/**
 * Returns the owner and percentage to store with a payment when it is paid, so that owner statements of past months
 * never change.
 */
export const paidTermsOf = (
  paid: Pick<Payment, 'type' | 'propertyId'>,
  paidAt: Instant,
  { property, term, managements }: PaidFacts,
) => ({
  paidOwnerId: property?.ownerId ?? null,
  paidAdministrationPercentage: administrationOf(paid, paidAt, term, managements),
})

/**
 * Returns the fields of a payment that money pays: all its money, the part by hand included. Its receipt states only
 * the money that no entry of a former receipt states.
 */
export const paidFields = (
  payment: Pick<Payment, 'type' | 'propertyId' | 'statedCents'>,
  paidAt: Instant,
  facts: PaidFacts,
  cents: number,
  byHandCents = 0,
) =>
  ({
    status: 'Paid',
    paidAt,
    paidMonth: monthOf(dayOf(paidAt)),
    paidValueCents: Math.max(0, cents - (payment.statedCents ?? 0)),
    byHandCents,
    ...paidTermsOf(payment, paidAt, facts),
  }) as const satisfies Partial<Payment>

/** Returns the amount owed on a day, less the money that has arrived. */
const dueOn = (payment: Payment, { term }: PaidFacts, day: Day): number =>
  quoteOf(payment, term ?? NO_TERMS, day).totalCents

/** Returns the fields that mark an open payment as paid by the money that has arrived; null if more is owed today. */
export const paidByParts = (payment: Payment, facts: PaidFacts, { now, today }: Pick<Fresh, 'now' | 'today'>) => {
  const { receivedCents, receivedMethod: method, removedAt } = payment
  if (!isOpen(payment) || removedAt !== null || receivedCents === null || dueOn(payment, facts, today) > 0) return null
  return { ...paidFields(payment, now, facts, receivedCents), method, chargeId: null } satisfies Partial<Payment>
}

/**
 * Reports whether the money that is left still pays a paid payment: it is at least the amount that was owed on the day
 * of payment, or the amount that was accepted then.
 */
export const isCovered = (payment: Payment, facts: PaidFacts, cents: number): boolean => {
  const { paidAt } = payment
  const acceptedCents = totalPaidCents(payment) ?? payment.valueCents
  const owedCents = paidAt === null ? acceptedCents : dueOn({ ...payment, receivedCents: null }, facts, dayOf(paidAt))
  return cents > 0 && cents >= Math.min(acceptedCents, owedCents)
}

/**
 * Returns the fields of an open payment after the end of its contract, if it is due later. It is cancelled, unless
 * money for it has arrived: then a rent stays open for the days that were let. If no more than that money is owed
 * today, the payment is marked as paid with it.
 */
export const afterEnd = (
  payment: Payment,
  contract: Contract,
  facts: PaidFacts,
  end: Day,
  { now, today }: Pick<Fresh, 'now' | 'today'>,
): Partial<Payment> => {
  const { receivedCents, receivedMethod: method } = payment
  if (receivedCents === null) return { status: 'Cancelled', updatedAt: now }
  const rent = reducedRent(payment, contract, end)
  const set = { ...rent, updatedAt: now }
  if (rent && dueOn({ ...payment, ...rent }, facts, today) > 0) return set
  return { ...set, ...paidFields(payment, now, facts, receivedCents), method }
}

const PAYMENTS_AT_ONCE = 100

/** A property of a company whose owner or administration changes. */
interface ChangedProperty {
  readonly companyId: string
  readonly propertyId: string
}

const readWithoutTerms = async (store: Store, { companyId, propertyId }: ChangedProperty) => {
  const { records } = await store.list(
    listOf(payments, {
      where: all(
        eq('companyId', companyId),
        eq('propertyId', propertyId),
        eq('status', 'Paid'),
        eq('paidOwnerId', null),
      ),
      when: 'live',
      sort: NEWEST_FIRST,
      limit: PAYMENTS_AT_ONCE,
    }),
  )
  const property = await store.find(byId(properties, propertyId))
  const contractIds = records.map(({ contractId }) => contractId)
  return {
    records,
    property: property?.companyId === companyId ? property : null,
    managements: records.length === 0 ? [] : await readManagements(store, companyId, [propertyId]),
    terms: await recordsById(store, contracts, companyId, contractIds),
  }
}

/** Returns a management contract, which names its property; null for any other contract. */
export const findManagement = async (store: Store, companyId: string, id: string): Promise<ChangedProperty | null> => {
  const found = await contract.find(store, companyId, id)
  return found?.type === 'Management' ? found : null
}

/** Stores the current terms in payments that release 0.10.0 marked as paid without terms. */
const storePaidTerms = async (ports: RealEstatePorts, property: ChangedProperty) => {
  for (;;) {
    const stored = await retryWhileBusy(() =>
      decideAndCommit(
        ports,
        (store) => readWithoutTerms(store, property),
        ({ records, property: found, managements, terms }) => {
          const changes = records.flatMap((each) => {
            const { id, paidAt, contractId } = each
            if (paidAt === null || !found) return []
            const set = paidTermsOf(each, paidAt, { property: found, managements, term: terms.get(contractId) ?? null })
            return [patch<Payment>(payments, id, { set, when: eq('paidOwnerId', null) })]
          })
          return accept(changes.length, ...changes)
        },
      ),
    )
    if (isLeft(stored)) return stored
    if (stored.right < PAYMENTS_AT_ONCE) return right(null)
  }
}

/**
 * Runs a change of a property's owner or administration after all payments that are already paid have stored terms.
 * `findProperty` returns the property, or null if the change affects neither.
 */
export const afterStoringPaidTerms =
  <V, C extends string, I extends string>(
    ports: RealEstatePorts,
    findProperty: () => Promise<ChangedProperty | null>,
    change: UseCase<V, C, I>,
  ): UseCase<V, C | RunnerCode, I> =>
  async (hooks) => {
    const property = await findProperty()
    const stored = property ? await storePaidTerms(ports, property) : right(null)
    return isLeft(stored) ? stored : change(hooks)
  }
