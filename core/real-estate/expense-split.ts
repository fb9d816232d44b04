import { conflict, failure, left } from '../failure.ts'
import { type AnyView, type DecodedOf, day, input, money, month, text, viewEach } from '../kernel/input/mod.ts'
import { all, check, eq, type Json, patch } from '../kernel/records/record.ts'
import { listWithin, recordsById } from '../kernel/resources/queries.ts'
import { accept, type Fresh } from '../kernel/running/use-case.ts'
import { compareCodePoints } from '../kernel/values/text.ts'
import { MAX_CHANGES_PER_COMMIT } from '../limits.ts'
import { listOf, type Store } from '../ports/store.ts'
import { listOfCompany } from './reads.ts'
import { type Contract, contracts } from './records/contract.ts'
import { type Payment, payment } from './records/payment.ts'
import { clients } from './records/people.ts'
import { type Condominium, condominiums, type Property, properties } from './records/property.ts'
import { paymentView } from './rents/read-payment.ts'

const MAX_DESCRIPTION = 5_000
/** Changes of a commit that are reserved for the idempotency key and the condominium. */
const OTHER_CHANGES = 20
const CHANGES_A_UNIT = 2
/** An expense is one commit: a payment and the payment count of its contract for each unit. */
export const MAX_SPLIT_UNITS = Math.floor((MAX_CHANGES_PER_COMMIT - OTHER_CHANGES) / CHANGES_A_UNIT)

/** An expense to split among the units of a condominium. */
export const expense = input('ExpenseSplit', {
  description: text({ max: MAX_DESCRIPTION, about: 'Descrição; torna-se a observação dos pagamentos' }),
  totalValueCents: money({ wire: 'totalValue', minCents: 1, about: 'Valor a ratear' }),
  period: month({ about: 'Mês de referência' }),
  dueDate: day({ about: 'Vencimento' }),
})

/** A unit of a condominium with its active lease, if any. */
export interface Unit {
  readonly property: Pick<Property, 'id' | 'code' | 'idealFraction'>
  readonly lease: Pick<Contract, 'id' | 'clientId'> | null
  /** The name of the tenant. */
  readonly clientName: string
}

/** The payments of an expense. */
export interface Split {
  readonly payments: readonly Payment[]
  /** The codes of the units without an active lease or with an ideal fraction of 0, by code. */
  readonly skipped: readonly string[]
}

type LeasedUnit = Unit & { readonly lease: NonNullable<Unit['lease']> }

const isLeased = (unit: Unit): unit is LeasedUnit => unit.lease !== null

/** Builds the payment of a unit's share, and counts it for the lease. */
const buildShare = (
  companyId: string,
  { description: notes, period, dueDate }: DecodedOf<typeof expense>,
  { property, lease, clientName }: LeasedUnit,
  valueCents: number,
  fresh: Fresh,
) => {
  const { record, changes } = payment.build(
    companyId,
    { contractId: lease.id, type: 'Condo', period, valueCents, dueDate, notes },
    fresh,
    { propertyId: property.id, clientId: lease.clientId, propertyCode: property.code, clientName },
  )
  const isActive = all(eq('removedAt', null), eq('status', 'Active'))
  const counted = patch<Contract>(contracts, lease.id, { add: { paymentCount: 1 }, when: isActive })
  return { record, changes: [...changes, counted] }
}

/** Creates a payment for each unit with an active lease and a share of the expense, and lists the other units. */
export const splitExpense = (
  condominium: Condominium | null,
  units: readonly Unit[],
  request: DecodedOf<typeof expense>,
  fresh: Fresh,
) => {
  if (!condominium) return left(failure('not-found', 'condominium.unknown'))
  const byCode = units.toSorted((a, b) => compareCodePoints(a.property.code, b.property.code))
  const leased = byCode.filter(isLeased)
  if (leased.length === 0) return conflict('condominium.not-leased')
  if (leased.length > MAX_SPLIT_UNITS) return conflict('condominium.too-many-units')
  const weights = weightsOf(leased.map(({ property }) => property.idealFraction))
  const shares = sharesOf(request.totalValueCents, weights)
  const sharing = leased.flatMap((unit, index) =>
    weights[index] === 0n ? [] : [{ unit, valueCents: shares[index] ?? 0 }],
  )
  if (sharing.length === 0 || sharing.some(({ valueCents }) => valueCents < 1))
    return conflict('condominium.share-too-small')
  const made = sharing.map(({ unit, valueCents }) =>
    buildShare(condominium.companyId, request, unit, valueCents, fresh),
  )
  const owing = new Set<Unit>(sharing.map(({ unit }) => unit))
  return accept<Split>(
    {
      payments: made.map(({ record }) => record),
      skipped: byCode.filter((unit) => !owing.has(unit)).map(({ property }) => property.code),
    },
    check<Condominium>(condominiums, condominium.id, eq('removedAt', null)),
    ...made.flatMap(({ changes }) => changes),
  )
}

/** Fractions have at most 8 decimals and are added up exactly, as integers. */
const STEPS = 100_000_000

/**
 * Returns the weight of each unit in a whole: its ideal fraction if each unit has one, else the same for all. A unit of
 * fraction 0 has no weight in either case.
 */
export const weightsOf = (fractions: readonly (number | null)[]): readonly bigint[] => {
  const isKnown = fractions.every((fraction) => fraction !== null)
  return fractions.map((fraction) => {
    if (fraction === 0) return 0n
    return isKnown && fraction !== null ? BigInt(Math.round(fraction * STEPS)) : 1n
  })
}

/**
 * Splits cents by weight, exactly: each share is rounded down, and the left-over cents go to the first shares with a
 * weight, one each. All shares are 0 if no unit has a weight.
 */
export const sharesOf = (totalCents: number, weights: readonly bigint[]): readonly number[] => {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map(() => 0)
  const parts = weights.map((weight) => Number((BigInt(totalCents) * weight) / whole))
  const leftOver = totalCents - parts.reduce((sum, part) => sum + part, 0)
  const withWeight = weights.flatMap((weight, index) => (weight > 0n ? [index] : []))
  const withExtraCent = new Set(withWeight.slice(0, leftOver))
  return parts.map((part, index) => (withExtraCent.has(index) ? part + 1 : part))
}

/** Reads the properties that are units of a condominium. */
export const readUnits = (
  store: Pick<Store, 'list'>,
  companyId: string,
  condominiumId: string,
): Promise<readonly Property[]> =>
  listOfCompany(store, properties, companyId, { where: eq('condominiumId', condominiumId), when: 'live' })

const readLeases = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  units: readonly Property[],
): Promise<ReadonlyMap<string, Contract>> => {
  const list = listOf(contracts, {
    where: all(eq('companyId', companyId), eq('status', 'Active'), eq('type', 'Lease')),
    when: 'live',
    limit: units.length,
  })
  const propertyIds = units.map(({ id }) => id)
  const { records } = await listWithin(store, list, 'propertyId', propertyIds)
  return new Map(records.map((lease) => [lease.propertyId, lease]))
}

/** Reads the units of a condominium, each with its active lease and tenant. */
export const readLeasedUnits = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  condominiumId: string,
): Promise<readonly Unit[]> => {
  const units = await readUnits(store, companyId, condominiumId)
  if (units.length === 0) return []
  const leases = await readLeases(store, companyId, units)
  const clientIds = [...leases.values()].map(({ clientId }) => clientId)
  const tenants = await recordsById(store, clients, companyId, clientIds)
  return units.map((property) => {
    const lease = leases.get(property.id) ?? null
    const clientName = lease ? (tenants.get(lease.clientId)?.name ?? lease.clientName) : ''
    return { property, lease, clientName }
  })
}

const eachPayment = viewEach(paymentView)

/** A split as a plain list of payments. */
export const splitView: AnyView<Split, Json> = {
  name: null,
  on: (side) => {
    const { schema, encode } = eachPayment.on(side)
    return { schema, encode: ({ payments }) => encode(payments) }
  },
}
