import { always, type Change, type Collection, type Rec } from '../../../core/kernel/records/record.ts'
import type { Fresh } from '../../../core/kernel/running/use-case.ts'
import type { Clock } from '../../../core/ports/runtime.ts'
import type { Store } from '../../../core/ports/store.ts'
import { type EventType, recordEvent } from '../../../core/real-estate/office.ts'
import { type Commission, commission } from '../../../core/real-estate/records/commission.ts'
import { type Contract, contract } from '../../../core/real-estate/records/contract.ts'
import { type Payment, payment } from '../../../core/real-estate/records/payment.ts'
import { type Broker, broker, type Client, client } from '../../../core/real-estate/records/people.ts'
import { type Property, property } from '../../../core/real-estate/records/property.ts'
import { type Proposal, proposal } from '../../../core/real-estate/records/proposal.ts'
import { type Visit, visit } from '../../../core/real-estate/records/visit.ts'
import { freshAt } from './world.ts'

export const ADDRESS = {
  ...{ street: 'Rua das Flores', number: '100', complement: null, neighborhood: 'Centro' },
  ...{ city: 'São Paulo', state: 'SP', zipCode: '01310100' },
}

let count = 0
/** Returns a new number with each call. */
export const next = (): number => {
  count += 1
  return count
}

/** A flat for lease and sale with the required fields. */
export const aProperty = (over: Partial<Property> = {}): Property => ({
  ...property.build(
    'company',
    {
      ...{ code: 'AP-1', type: 'Apartment', purpose: 'Both', description: null },
      address: { ...ADDRESS, street: 'Rua A', number: '1', neighborhood: null, city: 'Santos', zipCode: '11010000' },
      ...{ bedrooms: null, bathrooms: null, parkingSpots: null, privateArea: null, totalArea: null },
      ...{ rentPriceCents: 1, salePriceCents: 1, condoFeeCents: null, annualIptuCents: null },
      ...{ ownerId: 'owner', brokerId: null, condominiumId: null, idealFraction: null },
      ...{ images: [], floorPlanUrl: null },
    },
    freshAt(),
  ).record,
  ...over,
})

/** The store of records, and the source of their ids and times: an API or a core. */
interface Storing {
  readonly host: { readonly store: Pick<Store, 'commit'>; readonly clock: Clock }
  fresh(): Fresh
}

/** Returns functions that write records of an agency directly to the store. */
export const storedIn = ({ host, fresh }: Storing, { companyId }: { readonly companyId: string }) => {
  const put = async <R>(made: { readonly record: R; readonly changes: readonly Change[] }): Promise<R> => {
    const outcome = await host.store.commit(made.changes)
    if (!outcome.ok) throw new Error('the record exists')
    return made.record
  }
  const clientOf = (over: Partial<Client> = {}) => {
    const own = { name: 'Maria da Silva', email: `cliente${next()}@example.com` }
    const kind = { type: 'Individual', interest: 'Lease' } as const
    const none = { taxId: null, phone: null, source: null, preferences: null, address: null, notes: null }
    return put(client.build(companyId, { ...own, ...kind, ...none, ...over }, fresh(), over))
  }
  const brokerOf = (over: Partial<Broker> = {}) => {
    const own = { name: 'Bruno Lima', creci: `CRECI-SP ${next()}`, email: `corretor${next()}@example.com` }
    const none = { phone: null, address: null, notes: null }
    return put(broker.build(companyId, { ...own, status: 'Active', ...none, ...over }, fresh(), over))
  }
  const propertyOf = async (over: Partial<Property> = {}) => {
    const own = { code: `AP-${next()}`, type: 'Apartment', purpose: 'Both', address: ADDRESS, images: [] } as const
    const size = { bedrooms: 2, bathrooms: 1, parkingSpots: 1, privateArea: 60.5, totalArea: 80 }
    const prices = {
      rentPriceCents: 250_000,
      salePriceCents: 50_000_000,
      condoFeeCents: 60_000,
      annualIptuCents: 120_000,
    }
    const none = { description: null, brokerId: null, condominiumId: null, floorPlanUrl: null, idealFraction: null }
    const ownerId = over.ownerId ?? (await clientOf()).id
    return put(property.build(companyId, { ...own, ...size, ...prices, ...none, ownerId, ...over }, fresh(), over))
  }
  const contractOf = async (over: Partial<Contract> = {}) => {
    const of = over.propertyId ? null : await propertyOf({ status: 'Rented', activeContracts: 1, activeTenures: 1 })
    const by = over.clientId ? null : await clientOf({ activeContracts: 1 })
    const parties = { propertyId: of?.id ?? '', clientId: by?.id ?? '', brokerId: null, proposalId: null }
    const term = { startDate: '2026-01-01', endDate: '2028-06-30', dueDay: 10 }
    const terms = { type: 'Lease', valueCents: 250_000, indexer: 'IGPM', indexerPercentage: null } as const
    const none = {
      ...{ documentUrl: null, finePercentage: null, interestPercentage: null, discountValueCents: null },
      ...{ administrationPercentage: null, terminationFineCents: null, allowNegativeAdjustment: false },
    }
    const copies = { propertyCode: of?.code ?? '', clientName: by?.name ?? '', ...over }
    return put(contract.build(companyId, { ...parties, ...term, ...terms, ...none, ...over }, fresh(), copies))
  }
  const namesOf = ({ propertyCode, clientName }: Contract) => ({ propertyCode, clientName })
  const partiesOf = ({ propertyId, clientId }: Contract) => ({ propertyId, clientId })
  const paymentOf = (of: Contract, over: Partial<Payment> = {}) => {
    const due = { period: '2026-11', dueDate: '2026-11-10', valueCents: of.valueCents }
    const sent = { contractId: of.id, type: 'Rent', ...due, notes: null, ...over } as const
    return put(payment.build(companyId, sent, fresh(), { ...partiesOf(of), ...namesOf(of), ...over }))
  }
  const proposalOf = (of: Contract, brokerId: string, over: Partial<Proposal> = {}) => {
    const offer = { type: 'Lease', proposedValueCents: 240_000, validUntil: '2026-12-31T23:59:59.000Z' } as const
    const sent = { ...offer, ...partiesOf(of), brokerId, paymentConditions: null, notes: null, ...over }
    return put(proposal.build(companyId, sent, fresh(), { ...namesOf(of), ...over }))
  }
  const commissionOf = (of: Contract, brokerId: string, over: Partial<Commission> = {}) => {
    const sent = { brokerId, contractId: of.id, valueCents: 125_050, percentage: null, notes: null, ...over }
    return put(commission.build(companyId, sent, fresh(), { ...namesOf(of), ...over }))
  }
  const visitOf = (over: Partial<Visit> & Pick<Visit, 'propertyId'>) => {
    const sent = { clientId: 'c', brokerId: 'b', scheduledAt: '2026-11-30T17:00:00.000Z', notes: null, ...over }
    return put(visit.build(companyId, sent, fresh(), over))
  }
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
  return {
    put,
    clientOf,
    brokerOf,
    propertyOf,
    contractOf,
    paymentOf,
    proposalOf,
    commissionOf,
    visitOf,
    softDelete,
    emit,
  }
}
