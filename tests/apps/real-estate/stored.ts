import type { Change } from '../../../core/kernel/records/change.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { always } from '../../../core/kernel/records/where.ts'
import type { Clock } from '../../../core/ports/runtime.ts'
import type { Store } from '../../../core/ports/store.ts'
import { type EventType, recordEvent } from '../../../core/real-estate/office.ts'
import { type Commission, commission } from '../../../core/real-estate/records/commission.ts'
import { type Contract, contract } from '../../../core/real-estate/records/contract.ts'
import { type Payment, payment } from '../../../core/real-estate/records/payment.ts'
import { type Broker, broker, type Client, client } from '../../../core/real-estate/records/people.ts'
import { type Property, property } from '../../../core/real-estate/records/property.ts'
import { type Proposal, proposal } from '../../../core/real-estate/records/proposal.ts'
import type { EstateTestApi, Person } from './test-api.ts'

let count = 0
const next = (): number => {
  count += 1
  return count
}

export const ADDRESS = {
  street: 'Rua das Flores',
  number: '100',
  complement: null,
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zipCode: '01310100',
}

/** The store of records, and the source of their ids and times. */
interface Storing extends Pick<EstateTestApi, 'fresh'> {
  readonly host: { readonly store: Pick<Store, 'commit'>; readonly clock: Clock }
}

/** Returns functions that write records of an agency directly to the store. */
export const storedIn = ({ host, fresh }: Storing, { companyId }: Pick<Person, 'companyId'>) => {
  const put = async <R>({
    record,
    changes,
  }: {
    readonly record: R
    readonly changes: readonly Change[]
  }): Promise<R> => {
    const outcome = await host.store.commit(changes)
    if (!outcome.ok) throw new Error('the record exists')
    return record
  }
  const clientOf = (over: Partial<Client> = {}) =>
    put(
      client.build(
        companyId,
        {
          name: 'Maria da Silva',
          email: `cliente${next()}@example.com`,
          type: 'Individual',
          interest: 'Lease',
          taxId: null,
          phone: null,
          source: null,
          preferences: null,
          address: null,
          notes: null,
          ...over,
        },
        fresh(),
        over,
      ),
    )
  const brokerOf = (over: Partial<Broker> = {}) =>
    put(
      broker.build(
        companyId,
        {
          name: 'Bruno Lima',
          creci: `CRECI-SP ${next()}`,
          email: `corretor${next()}@example.com`,
          status: 'Active',
          phone: null,
          address: null,
          notes: null,
          ...over,
        },
        fresh(),
        over,
      ),
    )
  const propertyOf = async (over: Partial<Property> = {}) =>
    put(
      property.build(
        companyId,
        {
          code: `AP-${next()}`,
          type: 'Apartment',
          purpose: 'Both',
          description: null,
          address: ADDRESS,
          bedrooms: 2,
          bathrooms: 1,
          parkingSpots: 1,
          privateArea: 60.5,
          totalArea: 80,
          rentPriceCents: 250_000,
          salePriceCents: 50_000_000,
          condoFeeCents: 60_000,
          annualIptuCents: 120_000,
          brokerId: null,
          condominiumId: null,
          images: [],
          floorPlanUrl: null,
          idealFraction: null,
          ownerId: over.ownerId ?? (await clientOf()).id,
          ...over,
        },
        fresh(),
        over,
      ),
    )
  const contractOf = async (over: Partial<Contract> = {}) => {
    const of = over.propertyId ? null : await propertyOf({ status: 'Rented', activeContracts: 1, activeTenures: 1 })
    const by = over.clientId ? null : await clientOf({ activeContracts: 1 })
    return put(
      contract.build(
        companyId,
        {
          type: 'Lease',
          propertyId: of?.id ?? '',
          clientId: by?.id ?? '',
          brokerId: null,
          proposalId: null,
          valueCents: 250_000,
          startDate: '2026-01-01',
          endDate: '2028-06-30',
          dueDay: 10,
          indexer: 'IGPM',
          indexerPercentage: null,
          documentUrl: null,
          finePercentage: null,
          interestPercentage: null,
          discountValueCents: null,
          administrationPercentage: null,
          terminationFineCents: null,
          allowNegativeAdjustment: false,
          ...over,
        },
        fresh(),
        { propertyCode: of?.code ?? '', clientName: by?.name ?? '', ...over },
      ),
    )
  }
  const paymentOf = (of: Contract, over: Partial<Payment> = {}) =>
    put(
      payment.build(
        companyId,
        {
          contractId: of.id,
          type: 'Rent',
          period: '2026-11',
          valueCents: of.valueCents,
          dueDate: '2026-11-10',
          notes: null,
          ...over,
        },
        fresh(),
        {
          propertyId: of.propertyId,
          clientId: of.clientId,
          propertyCode: of.propertyCode,
          clientName: of.clientName,
          ...over,
        },
      ),
    )
  const proposalOf = (of: Contract, brokerId: string, over: Partial<Proposal> = {}) =>
    put(
      proposal.build(
        companyId,
        {
          type: 'Lease',
          propertyId: of.propertyId,
          clientId: of.clientId,
          brokerId,
          proposedValueCents: 240_000,
          paymentConditions: null,
          validUntil: '2026-12-31T23:59:59.000Z',
          notes: null,
          ...over,
        },
        fresh(),
        { propertyCode: of.propertyCode, clientName: of.clientName, ...over },
      ),
    )
  const commissionOf = (of: Contract, brokerId: string, over: Partial<Commission> = {}) =>
    put(
      commission.build(
        companyId,
        { brokerId, contractId: of.id, valueCents: 125_050, percentage: null, notes: null, ...over },
        fresh(),
        { propertyCode: of.propertyCode, clientName: of.clientName, ...over },
      ),
    )
  const softDelete = async <R extends Rec>(from: Collection<R>, { id }: R): Promise<void> => {
    const set: Rec = { id, removedAt: host.clock.now() }
    const outcome = await host.store.commit([{ kind: 'patch', at: [from.name, id], set, when: always }])
    if (!outcome.ok) throw new Error('no such record')
  }
  /** Records an event. */
  const emit = async (type: EventType, subjectId: string): Promise<void> => {
    const outcome = await host.store.commit([recordEvent(fresh(), { companyId, subjectId, type, data: null })])
    if (!outcome.ok) throw new Error('the event was not recorded')
  }
  return { put, clientOf, brokerOf, propertyOf, contractOf, paymentOf, proposalOf, commissionOf, softDelete, emit }
}
