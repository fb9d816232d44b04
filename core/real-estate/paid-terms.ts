import { isLeft, right } from '../failure.ts'
import { all, eq, isIn, patch } from '../kernel/records/record.ts'
import { recordsById } from '../kernel/resources/queries.ts'
import { retryWhileBusy } from '../kernel/running/slices.ts'
import { accept, decideAndCommit, type RunnerCode, type UseCase } from '../kernel/running/use-case.ts'
import { dayOf, type Instant } from '../kernel/values/day.ts'
import { MAX_PAGE } from '../limits.ts'
import { byId, listAll, listOf, type Store } from '../ports/store.ts'
import { beginningOf } from './periods.ts'
import type { RealEstatePorts } from './real-estate-ports.ts'
import { type Contract, contract, contracts } from './records/contract.ts'
import { type Payment, payments } from './records/payment.ts'
import { type Property, properties } from './records/property.ts'

type Term = Pick<Contract, 'type' | 'administrationPercentage'>
type LateTerms = Pick<Contract, 'finePercentage' | 'interestPercentage' | 'discountValueCents'>
export type Management = Pick<
  Contract,
  'propertyId' | 'status' | 'startDate' | 'endDate' | 'periods' | 'administrationPercentage'
>

/**
 * Returns the administration percentage of a paid payment: of a rent that of its lease, else that of the newest
 * management contract of the property in force on the day of payment; null for any other payment.
 */
export const administrationOf = (
  { type, propertyId }: Pick<Payment, 'type' | 'propertyId'>,
  paidAt: Instant,
  term: Term | null,
  managements: readonly Management[],
): number | null => {
  if (type !== 'Rent' || term?.type !== 'Lease') return null
  if (term.administrationPercentage !== null) return term.administrationPercentage
  const on = dayOf(paidAt)
  const inForce = managements.find(
    (each) =>
      each.propertyId === propertyId && each.status !== 'Cancelled' && beginningOf(each) <= on && on <= each.endDate,
  )
  return inForce?.administrationPercentage ?? null
}

/** Reads the management contracts of properties, newest first. */
export const readManagements = (store: Pick<Store, 'list'>, companyId: string, propertyIds: readonly string[]) => {
  const where = all(eq('companyId', companyId), isIn('propertyId', propertyIds), eq('type', 'Management'))
  return listAll(
    store,
    listOf(contracts, { where, when: 'live', sort: { by: 'createdAt', dir: 'desc' }, limit: MAX_PAGE }),
  )
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

const PAYMENTS_AT_ONCE = 100

type OfProperty = Pick<Payment, 'companyId'> & { readonly propertyId: string }

const readWithoutTerms = async (store: Store, { companyId, propertyId }: OfProperty) => {
  const { records } = await store.list(
    listOf(payments, {
      where: all(
        eq('companyId', companyId),
        eq('propertyId', propertyId),
        eq('status', 'Paid'),
        eq('paidOwnerId', null),
      ),
      when: 'live',
      sort: { by: 'createdAt', dir: 'desc' },
      limit: PAYMENTS_AT_ONCE,
    }),
  )
  const property = await store.find(byId(properties, propertyId))
  return {
    records,
    property: property?.companyId === companyId ? property : null,
    managements: records.length === 0 ? [] : await readManagements(store, companyId, [propertyId]),
    terms: await recordsById(
      store,
      contracts,
      companyId,
      records.map(({ contractId }) => contractId),
    ),
  }
}

/** Returns the property of a management contract; null for any other contract. */
export const managedBy = async (store: Store, companyId: string, id: string): Promise<OfProperty | null> => {
  const found = await contract.find(store, companyId, id)
  return found?.type === 'Management' ? found : null
}

/** Stores the current terms in payments that release 0.10.0 marked as paid without terms. */
const storePaidTerms = async (ports: RealEstatePorts, of: OfProperty) => {
  for (;;) {
    const stored = await retryWhileBusy(() =>
      decideAndCommit(
        ports,
        (store) => readWithoutTerms(store, of),
        ({ records, property, managements, terms }) => {
          const changes = records.flatMap((each) => {
            const { id, paidAt, contractId } = each
            if (paidAt === null || !property) return []
            const set = paidTermsOf(each, paidAt, { property, managements, term: terms.get(contractId) ?? null })
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
 * `changed` returns the property, or null if the change affects neither.
 */
export const afterStoringPaidTerms =
  <V, C extends string, I extends string>(
    ports: RealEstatePorts,
    changed: () => Promise<OfProperty | null>,
    change: UseCase<V, C, I>,
  ): UseCase<V, C | RunnerCode, I> =>
  async (hooks) => {
    const of = await changed()
    const stored = of ? await storePaidTerms(ports, of) : right(null)
    return isLeft(stored) ? stored : change(hooks)
  }
