import type { StateMachine } from '../../../../core/kernel/state-machine.ts'
import { type CommissionStatus, commissionMoves } from '../../../../core/real-estate/records/commission.ts'
import { type ContractStatus, contractMoves } from '../../../../core/real-estate/records/contract.ts'
import { type PaymentStatus, paymentMoves } from '../../../../core/real-estate/records/payment.ts'
import { type PropertyStatus, propertyMoves } from '../../../../core/real-estate/records/property.ts'
import { type ProposalStatus, proposalMoves } from '../../../../core/real-estate/records/proposal.ts'
import { type VisitStatus, visit, visitMoves } from '../../../../core/real-estate/records/visit.ts'
import { LEASE } from '../given/contracts.ts'
import { PLACE } from '../given/listings.ts'
import { storedIn } from '../stored.ts'
import { type Answer, type EstateTestApi, NOW, type Person } from '../test-api.ts'

type Fields = Readonly<Record<string, unknown>>
type Ask = (method: string, path: string, body?: Fields) => Promise<Answer>

/** A record in some state, and what a PUT says of it. */
interface Made {
  readonly path: string
  readonly told: Fields
}

/** One resource whose records have states. */
export interface Machine<S extends string> {
  readonly name: string
  /** What each state may become, as the specification has it. */
  readonly specified: Readonly<Record<S, readonly S[]>>
  /** The same, as the product has it. */
  readonly moves: StateMachine<S>
  /** The code of a move that is refused. */
  readonly refusal: string
  /** The code of a PUT in a final state; null where a PUT is taken in every state. */
  readonly closed: string | null
  /** A record in one state, which is to be asked to become another. */
  make(api: EstateTestApi, admin: Person, status: S, to: S): Promise<Made>
  move(ask: Ask, made: Made, to: S): Promise<Answer>
  /** What a record becomes by what happens to others alone, which is done whatever becomes of it. */
  readonly indirect?: readonly S[]
}

const patched = (ask: Ask, { path }: Made, status: string): Promise<Answer> =>
  // A visit asks for the check-in; the others do not know of it.
  ask('PATCH', `${path}/status`, { status, checkinDone: true })

/** Source: 03-real-estate.md, States and transitions. */
export const proposalMachine: Machine<ProposalStatus> = {
  name: 'proposal',
  specified: {
    UnderReview: ['Negotiating', 'Rejected'],
    Negotiating: ['Approved', 'Rejected'],
    Approved: [],
    Rejected: [],
  },
  moves: proposalMoves,
  refusal: 'proposal.move',
  closed: 'proposal.closed',
  async make(api, admin, status) {
    const { contractOf, brokerOf, propertyOf, proposalOf } = storedIn(api, admin)
    const [{ id: propertyId }, { id: brokerId }] = [
      await propertyOf({ openProposals: 1 }),
      await brokerOf({ openProposals: 1 }),
    ]
    const { id, clientId } = await proposalOf(await contractOf({ propertyId }), brokerId, { status })
    const of = { type: 'Lease', propertyId, clientId, brokerId }
    return { path: `/api/proposals/${id}`, told: { ...of, proposedValue: 1, validUntil: '2026-12-31T00:00:00Z' } }
  },
  move: patched,
}

/** Source: 03-real-estate.md, States and transitions; decisions.md §6, Contracts. */
export const contractMachine: Machine<ContractStatus> = {
  name: 'contract',
  specified: { Active: ['Terminated', 'Cancelled', 'Renewed'], Renewed: [], Terminated: [], Cancelled: [] },
  moves: contractMoves,
  refusal: 'contract.move',
  closed: 'contract.ended',
  async make(api, admin, status) {
    const { id, propertyId, clientId } = await storedIn(api, admin).contractOf({ status })
    return { path: `/api/contracts/${id}`, told: { ...LEASE, propertyId, clientId } }
  },
  move: patched,
}

/** Source: 03-real-estate.md, States and transitions. */
export const commissionMachine: Machine<CommissionStatus> = {
  name: 'commission',
  specified: { Pending: ['Approved'], Approved: ['Paid'], Paid: [] },
  moves: commissionMoves,
  refusal: 'commission.move.refused',
  closed: 'commission.closed',
  async make(api, admin, status) {
    const { brokerOf, contractOf, commissionOf } = storedIn(api, admin)
    const { id, brokerId, contractId } = await commissionOf(await contractOf(), (await brokerOf()).id, { status })
    return { path: `/api/commissions/${id}`, told: { brokerId, contractId, value: 1 } }
  },
  move: patched,
}

/** Source: 03-real-estate.md, States and transitions. */
export const visitMachine: Machine<VisitStatus> = {
  name: 'visit',
  specified: { Scheduled: ['Confirmed', 'Cancelled'], Confirmed: ['Done', 'Cancelled'], Done: [], Cancelled: [] },
  moves: visitMoves,
  refusal: 'visit.move',
  closed: 'visit.closed',
  async make(api, admin, status) {
    const { propertyOf, clientOf, brokerOf, put } = storedIn(api, admin)
    const of = {
      propertyId: (await propertyOf()).id,
      clientId: (await clientOf()).id,
      brokerId: (await brokerOf()).id,
    }
    const scheduledAt = '2026-11-30T17:00:00.000Z'
    const { id } = await put(visit.build(admin.companyId, { ...of, scheduledAt, notes: null }, api.fresh(), { status }))
    return { path: `/api/visits/${id}`, told: { scheduledAt } }
  },
  move: patched,
}

/** Source: decisions.md §6, Property status. */
export const propertyMachine: Machine<PropertyStatus> = {
  name: 'property',
  specified: {
    Available: ['Reserved', 'Rented', 'Sold'],
    Reserved: ['Available', 'Rented', 'Sold'],
    Rented: ['Available'],
    Sold: [],
  },
  moves: propertyMoves,
  refusal: 'property.move',
  closed: null,
  async make(api, admin, status) {
    const { id, code, ownerId } = await storedIn(api, admin).propertyOf({ status })
    const told = { code, ownerId, type: 'House', purpose: 'Both', address: PLACE, rentPrice: 1, salePrice: 1 }
    return { path: `/api/properties/${id}`, told }
  },
  move: patched,
}

/** Source: 03-real-estate.md, States and transitions; decisions.md §6, Contracts and Payments. */
export const paymentMachine: Machine<PaymentStatus> = {
  name: 'payment',
  specified: { Pending: ['Paid', 'Defaulted', 'Cancelled'], Defaulted: ['Paid'], Paid: [], Cancelled: [] },
  moves: paymentMoves,
  refusal: 'payment.closed',
  closed: 'payment.closed',
  async make(api, admin, status, to) {
    const { contractOf, paymentOf } = storedIn(api, admin)
    const of = await contractOf()
    // The end of a contract cancels what is due later, and a check finds what is overdue.
    const dueDate = to === 'Cancelled' ? '2026-12-10' : '2026-11-10'
    const { id, contractId, type, period } = await paymentOf(of, { status, dueDate })
    return { path: `/api/payments/${id}`, told: { contractId, type, period, value: 1, dueDate } }
  },
  async move(ask, { path, told }, to) {
    if (to === 'Paid') return ask('PATCH', `${path}/pay`, { method: 'Pix', paidAt: NOW, paidValue: 1 })
    if (to === 'Cancelled') return ask('PATCH', `/api/contracts/${told.contractId}/status`, { status: to })
    return to === 'Defaulted'
      ? ask('POST', '/api/notifications/check-alerts', {})
      : ask('PUT', path, { ...told, status: to })
  },
  indirect: ['Pending', 'Defaulted', 'Cancelled'],
}
