import test from 'ava'
import { type Either, isLeft } from '../../../core/failure.ts'
import type { Collection, Rec } from '../../../core/kernel/records/record.ts'
import { realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { type CommissionStatus, commission } from '../../../core/real-estate/records/commission.ts'
import { type ContractStatus, contract } from '../../../core/real-estate/records/contract.ts'
import { type PaymentStatus, payment } from '../../../core/real-estate/records/payment.ts'
import { type PropertyStatus, property } from '../../../core/real-estate/records/property.ts'
import { type ProposalStatus, proposal } from '../../../core/real-estate/records/proposal.ts'
import { type VisitStatus, visit } from '../../../core/real-estate/records/visit.ts'
import { NOW } from '../payments/world.ts'
import { storedIn } from './records.ts'
import { ADMIN, codeOf, openAgency } from './world.ts'

const openStored = () => {
  const world = openAgency()
  const stored = storedIn(world, ADMIN)
  const parties = async () => {
    const { id: propertyId } = await stored.propertyOf({ openProposals: 1 })
    const { id: brokerId } = await stored.brokerOf({ openProposals: 1 })
    return { propertyId, brokerId, clientId: (await stored.clientOf()).id }
  }
  const everything = () => Promise.all(realEstateCollections.map((each) => world.every(each as Collection<Rec>)))
  return { ...world, ...stored, parties, everything }
}

type World = ReturnType<typeof openStored>
type Task = () => Promise<Either<{ readonly code: string }, unknown>>

/** A stored record: its move to a status, and its replacement. */
interface Made {
  readonly id: string
  readonly move: Task
  readonly replace: Task
}

/** A resource with a status. */
interface Machine<S extends string> {
  readonly of: { readonly collection: { readonly name: string } }
  /** The moves from each status. */
  readonly moves: Readonly<Record<S, readonly S[]>>
  /** The code of a refused move. */
  readonly refusal: string
  /** The code of a replacement in a final status, or null if every status accepts one. */
  readonly closed: string | null
  /** Stores a record with a status. */
  make(world: World, status: S, to: S): Promise<Made>
  /** Statuses that only operations on other records set; these succeed whether or not the record moves. */
  readonly indirect?: readonly S[]
}

const proposalMachine: Machine<ProposalStatus> = {
  of: proposal,
  moves: {
    UnderReview: ['Negotiating', 'Rejected'],
    Negotiating: ['Approved', 'Rejected'],
    Approved: [],
    Rejected: [],
  },
  refusal: 'proposal.move',
  closed: 'proposal.closed',
  async make({ agency: { proposals }, parties, contractOf, proposalOf }, status, to) {
    const { propertyId, brokerId } = await parties()
    const { id, clientId } = await proposalOf(await contractOf({ propertyId }), brokerId, { status })
    const terms = { type: 'Lease', proposedValueCents: 1, validUntil: '2026-12-31T00:00:00.000Z' } as const
    return {
      id,
      move: proposals.move(ADMIN, id, { status: to }),
      replace: proposals.replace(ADMIN, id, { ...terms, propertyId, clientId, brokerId }),
    }
  },
}

const contractMachine: Machine<ContractStatus> = {
  of: contract,
  moves: { Active: ['Terminated', 'Cancelled', 'Renewed'], Renewed: [], Terminated: [], Cancelled: [] },
  refusal: 'contract.move',
  closed: 'contract.ended',
  async make({ agency: { contracts }, contractOf }, status, to) {
    const made = await contractOf({ status })
    return {
      id: made.id,
      move: contracts.move(ADMIN, made.id, { status: to }),
      replace: contracts.replace(ADMIN, made.id, made),
    }
  },
}

const paymentMachine: Machine<PaymentStatus> = {
  of: payment,
  moves: { Pending: ['Paid', 'Defaulted', 'Cancelled'], Defaulted: ['Paid'], Paid: [], Cancelled: [] },
  refusal: 'payment.closed',
  closed: 'payment.closed',
  async make({ agency: { payments, contracts, notifications }, contractOf, paymentOf }, status, to) {
    const of = await contractOf()
    // The end of a contract cancels later payments, and a check finds overdue ones.
    const { id, ...sent } = await paymentOf(of, { status, dueDate: to === 'Cancelled' ? '2026-12-10' : '2026-11-10' })
    const replace = payments.replace(ADMIN, id, sent)
    const moves: Readonly<Record<PaymentStatus, Task>> = {
      Pending: replace,
      Paid: payments.pay(ADMIN, id, { method: 'Pix', paidAt: NOW, paidValueCents: 100 }),
      Cancelled: contracts.move(ADMIN, of.id, { status: 'Cancelled' }),
      Defaulted: notifications.checkAlerts(ADMIN),
    }
    return { id, move: moves[to], replace }
  },
  indirect: ['Pending', 'Defaulted', 'Cancelled'],
}

const commissionMachine: Machine<CommissionStatus> = {
  of: commission,
  moves: { Pending: ['Approved'], Approved: ['Paid'], Paid: [] },
  refusal: 'commission.move.refused',
  closed: 'commission.closed',
  async make({ agency: { commissions }, brokerOf, contractOf, commissionOf }, status, to) {
    const { id, brokerId, contractId } = await commissionOf(await contractOf(), (await brokerOf()).id, { status })
    return {
      id,
      move: commissions.move(ADMIN, id, { status: to }),
      replace: commissions.replace(ADMIN, id, { brokerId, contractId, valueCents: 1 }),
    }
  },
}

const visitMachine: Machine<VisitStatus> = {
  of: visit,
  moves: { Scheduled: ['Confirmed', 'Cancelled'], Confirmed: ['Done', 'Cancelled'], Done: [], Cancelled: [] },
  refusal: 'visit.move',
  closed: 'visit.closed',
  async make({ agency: { visits }, parties, visitOf }, status, to) {
    const { id, scheduledAt } = await visitOf({ ...(await parties()), status })
    return {
      id,
      move: visits.move(ADMIN, id, { status: to, checkinDone: true }),
      replace: visits.replace(ADMIN, id, { scheduledAt }),
    }
  },
}

const propertyMachine: Machine<PropertyStatus> = {
  of: property,
  moves: {
    Available: ['Reserved', 'Rented', 'Sold'],
    Reserved: ['Available', 'Rented', 'Sold'],
    Rented: ['Available'],
    Sold: [],
  },
  refusal: 'property.move',
  closed: null,
  async make({ agency: { properties }, propertyOf }, status, to) {
    const made = await propertyOf({ status })
    return {
      id: made.id,
      move: properties.move(ADMIN, made.id, { status: to }),
      replace: properties.replace(ADMIN, made.id, made),
    }
  },
}

/** Tests that the agency makes exactly the moves of the table. */
const testMachine = <S extends string>({ of, moves, refusal, closed, make, indirect = [] }: Machine<S>): void => {
  const name = of.collection.name.replace(/^estate\./, '')
  const statuses = Object.keys(moves) as S[]
  const collection = of.collection as Collection<Rec & { readonly status: S }>
  const statusOf = async ({ every }: World, id: string) =>
    (await every(collection)).find((each) => each.id === id)?.status

  test(`${name} make each move of their table; every other one is refused and writes nothing`, async (t) => {
    const world = openStored()
    for (const from of statuses)
      for (const to of statuses) {
        const about = `${from} to ${to}`
        const { id, move } = await make(world, from, to)
        const before = await world.everything()
        const outcome = await move()
        const isMade = moves[from].includes(to)
        if (!isMade && !indirect.includes(to)) {
          t.is(codeOf(outcome), refusal, about)
          t.deepEqual(await world.everything(), before, about)
        } else if (isMade) t.false(isLeft(outcome), about)
        t.is(await statusOf(world, id), isMade ? to : from, about)
      }
  })

  test(`of two simultaneous equal moves of ${name} one is made`, async (t) => {
    const world = openStored()
    for (const from of statuses)
      for (const to of moves[from].filter((each) => !indirect.includes(each))) {
        const { move } = await make(world, from, to)
        t.deepEqual((await Promise.all([move(), move()])).map(codeOf), [null, refusal], `${from} to ${to}`)
      }
  })

  // The end of a contract reads its payments first, so that the replacement is committed before it.
  if (name !== 'contracts')
    test(`of a simultaneous move to the end and replacement of ${name} the second is refused`, async (t) => {
      const world = openStored()
      for (const from of statuses)
        for (const to of moves[from].filter((each) => moves[each].length === 0 && !indirect.includes(each))) {
          const { move, replace } = await make(world, from, to)
          t.deepEqual((await Promise.all([move(), replace()])).map(codeOf), [null, closed], `${from} to ${to}`)
        }
    })

  test(`${name} are replaced until their status is final, without a change of status`, async (t) => {
    const world = openStored()
    for (const from of statuses) {
      const { id, replace } = await make(world, from, from)
      const before = await world.everything()
      const code = codeOf(await replace())
      const isClosed = closed !== null && moves[from].length === 0
      t.is(code, isClosed ? closed : null, from)
      if (isClosed) t.deepEqual(await world.everything(), before, from)
      t.is(await statusOf(world, id), from)
    }
  })
}

testMachine(proposalMachine)
testMachine(contractMachine)
testMachine(paymentMachine)
testMachine(commissionMachine)
testMachine(visitMachine)
testMachine(propertyMachine)
