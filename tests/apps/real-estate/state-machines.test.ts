import test from 'ava'
import type { StateMachine } from '../../../core/kernel/records/record.ts'
import { type CommissionStatus, commissionMoves } from '../../../core/real-estate/records/commission.ts'
import { type ContractStatus, contractMoves } from '../../../core/real-estate/records/contract.ts'
import { type PaymentStatus, paymentMoves } from '../../../core/real-estate/records/payment.ts'
import { type PropertyStatus, propertyMoves } from '../../../core/real-estate/records/property.ts'
import { type ProposalStatus, proposalMoves } from '../../../core/real-estate/records/proposal.ts'
import { type VisitStatus, visitMoves } from '../../../core/real-estate/records/visit.ts'
import { openAgency, PLACE } from './given/basics.ts'
import { LEASE } from './given/given.ts'
import { storedIn } from './stored.ts'
import { type Answer, type EstateTestApi, NOW, outcomeOf, type Person, worked } from './test-api.ts'

type Fields = Readonly<Record<string, unknown>>
type Ask = (method: string, path: string, body?: Fields) => Promise<Answer>

/** A record with some status, and the body of a PUT. */
interface Made {
  readonly path: string
  readonly body: Fields
}

/** A resource with a status. */
interface Machine<S extends string> {
  readonly name: string
  /** The specified moves. */
  readonly specified: Readonly<Record<S, readonly S[]>>
  /** The moves of the product. */
  readonly moves: StateMachine<S>
  /** The code of a refused move. */
  readonly refusal: string
  /** The code of a PUT in a final status, or null if a PUT is accepted in every status. */
  readonly closed: string | null
  /** Stores a record with a status, ready for the move. */
  make(api: EstateTestApi, admin: Person, status: S, to: S): Promise<Made>
  move(ask: Ask, made: Made, to: S): Promise<Answer>
  /** Statuses that only requests for other records set; these succeed whether or not the record moves. */
  readonly indirect?: readonly S[]
}

const patched = (ask: Ask, { path }: Made, status: string): Promise<Answer> =>
  // A visit requires the check-in; the others ignore it.
  ask('PATCH', `${path}/status`, { status, checkinDone: true })

const proposalMachine: Machine<ProposalStatus> = {
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
    return { path: `/api/proposals/${id}`, body: { ...of, proposedValue: 1, validUntil: '2026-12-31T00:00:00Z' } }
  },
  move: patched,
}

const contractMachine: Machine<ContractStatus> = {
  name: 'contract',
  specified: { Active: ['Terminated', 'Cancelled', 'Renewed'], Renewed: [], Terminated: [], Cancelled: [] },
  moves: contractMoves,
  refusal: 'contract.move',
  closed: 'contract.ended',
  async make(api, admin, status) {
    const { id, propertyId, clientId } = await storedIn(api, admin).contractOf({ status })
    return { path: `/api/contracts/${id}`, body: { ...LEASE, propertyId, clientId } }
  },
  move: patched,
}

const commissionMachine: Machine<CommissionStatus> = {
  name: 'commission',
  specified: { Pending: ['Approved'], Approved: ['Paid'], Paid: [] },
  moves: commissionMoves,
  refusal: 'commission.move.refused',
  closed: 'commission.closed',
  async make(api, admin, status) {
    const { brokerOf, contractOf, commissionOf } = storedIn(api, admin)
    const { id, brokerId, contractId } = await commissionOf(await contractOf(), (await brokerOf()).id, { status })
    return { path: `/api/commissions/${id}`, body: { brokerId, contractId, value: 1 } }
  },
  move: patched,
}

const visitMachine: Machine<VisitStatus> = {
  name: 'visit',
  specified: { Scheduled: ['Confirmed', 'Cancelled'], Confirmed: ['Done', 'Cancelled'], Done: [], Cancelled: [] },
  moves: visitMoves,
  refusal: 'visit.move',
  closed: 'visit.closed',
  async make(api, admin, status) {
    const { propertyOf, clientOf, brokerOf, visitOf } = storedIn(api, admin)
    const [{ id: propertyId }, { id: clientId }, { id: brokerId }] = [
      await propertyOf(),
      await clientOf(),
      await brokerOf(),
    ]
    const { id, scheduledAt } = await visitOf({ propertyId, clientId, brokerId, status })
    return { path: `/api/visits/${id}`, body: { scheduledAt } }
  },
  move: patched,
}

const propertyMachine: Machine<PropertyStatus> = {
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
    const body = { code, ownerId, type: 'House', purpose: 'Both', address: PLACE, rentPrice: 1, salePrice: 1 }
    return { path: `/api/properties/${id}`, body }
  },
  move: patched,
}

const paymentMachine: Machine<PaymentStatus> = {
  name: 'payment',
  specified: { Pending: ['Paid', 'Defaulted', 'Cancelled'], Defaulted: ['Paid'], Paid: [], Cancelled: [] },
  moves: paymentMoves,
  refusal: 'payment.closed',
  closed: 'payment.closed',
  async make(api, admin, status, to) {
    const { contractOf, paymentOf } = storedIn(api, admin)
    const of = await contractOf()
    // The end of a contract cancels later payments, and a check finds overdue ones.
    const dueDate = to === 'Cancelled' ? '2026-12-10' : '2026-11-10'
    const { id, contractId, type, period } = await paymentOf(of, { status, dueDate })
    return { path: `/api/payments/${id}`, body: { contractId, type, period, value: 1, dueDate } }
  },
  async move(ask, { path, body }, to) {
    if (to === 'Paid') return ask('PATCH', `${path}/pay`, { method: 'Pix', paidAt: NOW, paidValue: 1 })
    if (to === 'Cancelled') return ask('PATCH', `/api/contracts/${body.contractId}/status`, { status: to })
    return to === 'Defaulted'
      ? ask('POST', '/api/notifications/check-alerts', {})
      : ask('PUT', path, { ...body, status: to })
  },
  indirect: ['Pending', 'Defaulted', 'Cancelled'],
}

/** Returns the moves of a table, sorted. */
const movesIn = <S extends string>(states: readonly S[], next: (from: S) => readonly S[]): readonly string[] =>
  states.flatMap((from) => next(from).map((to) => `${from} to ${to}`)).sort()

/** Tests that the table is the specified one and that the API follows it. */
const testMachine = <S extends string>({ specified, moves, ...machine }: Machine<S>): void => {
  const { name, refusal, closed, make, move, indirect = [] } = machine
  const states = Object.keys(specified) as S[]

  test(`the moves of a ${name} are the specified ones`, (t) => {
    t.deepEqual(
      movesIn(states, moves.next),
      movesIn(states, (from) => specified[from]),
    )
  })

  test(`a ${name} makes each move of its table; every other one is refused and writes nothing`, async (t) => {
    const { api, admin, ask } = await openAgency(t)
    for (const from of states)
      for (const to of states) {
        const about = `${from} to ${to}`
        const made = await make(api, admin, from, to)
        const before = await api.everything()
        const answer = await move(ask, made, to)
        if (indirect.includes(to)) t.true([200, 422].includes(answer.status), `${about}: ${answer.text}`)
        else if (moves.can(from, to)) t.like(answer, { status: 200, body: { status: to } }, about)
        else {
          t.is(outcomeOf(answer), `422 ${refusal}`, about)
          t.deepEqual(await api.everything(), before, about)
        }
        const { status } = worked(await ask('GET', made.path))
        t.is(status, moves.can(from, to) ? to : from, about)
      }
  })

  if (closed === null) return
  test(`a ${name} is replaced until its status is final, without a change of status`, async (t) => {
    const { api, admin, ask } = await openAgency(t)
    for (const from of states) {
      const { path, body } = await make(api, admin, from, from)
      const before = await api.everything()
      const answer = await ask('PUT', path, body)
      if (!moves.isFinal(from)) t.like(answer, { status: 200, body: { status: from } }, `${from}: ${answer.text}`)
      else {
        t.is(outcomeOf(answer), `422 ${closed}`, from)
        t.deepEqual(await api.everything(), before, from)
      }
    }
  })
}

testMachine(proposalMachine)
testMachine(contractMachine)
testMachine(paymentMachine)
testMachine(commissionMachine)
testMachine(visitMachine)
testMachine(propertyMachine)
