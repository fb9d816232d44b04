import test from 'ava'
import { memoryCharging } from '../../../../adapters/charging/memory-charging.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always, type Change, patch } from '../../../../core/kernel/records/record.ts'
import { charges } from '../../../../core/real-estate/charging/charge.ts'
import { realEstateCollections } from '../../../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../../../core/real-estate/real-estate-ports.ts'
import { commissions } from '../../../../core/real-estate/records/commission.ts'
import { contracts } from '../../../../core/real-estate/records/contract.ts'
import { type Payment, payments } from '../../../../core/real-estate/records/payment.ts'
import { brokers } from '../../../../core/real-estate/records/people.ts'
import { type Property, properties } from '../../../../core/real-estate/records/property.ts'
import { type Proposal, proposals } from '../../../../core/real-estate/records/proposal.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { right } from '../../payments/world.ts'
import { storedIn } from '../records.ts'
import { ADMIN, codeOf, openAgency } from '../world.ts'

/** An agency; `since` is done after the next decision has read its records, and before it commits. */
const openChanging = (ports: Pick<RealEstatePorts, 'charging'> = {}) => {
  const store = memoryStore(realEstateCollections)
  const since: (() => Promise<unknown>)[] = []
  const changeSince = (...changes: readonly Change[]) => since.push(() => store.commit(changes))
  const opened = openAgency({ ...ports, store: beforeCommits(store, async () => since.pop()?.()) })
  return { since, changeSince, ...opened }
}

test('a lease is refused if its property has been sold since the read, and keeps newer moves in its history', async (t) => {
  const { changeSince, clientOf, propertyOf, tryLease, every } = openChanging()
  const { id: clientId } = await clientOf()
  const leaseAfter = async (set: Partial<Property>) => {
    const { id: propertyId } = await propertyOf(clientId)
    changeSince(patch(properties, propertyId, { set, when: always }))
    const code = codeOf(await tryLease({ propertyId, clientId }))
    const found = (await every(properties)).find(({ id }) => id === propertyId)
    return [code, found?.statusHistory.map(({ status }) => status)]
  }
  t.deepEqual(await leaseAfter({ status: 'Sold' }), ['property.occupied', ['Available']])
  const moved = { statusHistory: [], updatedAt: '2026-11-23T13:05:09.124Z' }
  t.deepEqual(await leaseAfter(moved), [null, ['Rented']], 'moved there and back')
})

test('a proposal that has been moved or converted since the read is neither moved nor converted again', async (t) => {
  const { changeSince, agency, clientOf, brokerOf, propertyOf, tryLease } = openChanging()
  const { id: clientId } = await clientOf()
  const parties = { clientId, propertyId: (await propertyOf(clientId)).id }
  const terms = { type: 'Lease', proposedValueCents: 1, validUntil: '2026-12-31T00:00:00.000Z' } as const
  const offer = { ...terms, ...parties, brokerId: (await brokerOf()).id }
  const { id: proposalId } = right(await agency.proposals.create(ADMIN, offer)()).proposal
  const change = (set: Partial<Proposal>) => changeSince(patch(proposals, proposalId, { set, when: always }))
  const move = async (status: 'Negotiating' | 'Approved') =>
    codeOf(await agency.proposals.move(ADMIN, proposalId, { status })())
  change({ status: 'Negotiating' })
  t.is(await move('Negotiating'), 'proposal.move')
  t.is(await move('Approved'), null)
  change({ isConverted: true })
  t.is(codeOf(await tryLease(parties, { proposalId })), 'proposal.unconvertible')
})

test('a proposal is refused if its property has another purpose since the read, and uncounts the broker it has had since', async (t) => {
  const { since, changeSince, agency, clientOf, brokerOf, propertyOf, host, every } = openChanging()
  const { id: clientId } = await clientOf()
  const { id: propertyId } = await propertyOf(clientId)
  const [first, second] = [await brokerOf(), await brokerOf('rui@example.com')]
  const terms = { type: 'Lease', proposedValueCents: 1, validUntil: '2026-12-31T00:00:00.000Z' } as const
  const offer = { ...terms, clientId, propertyId, brokerId: first.id }
  const create = agency.proposals.create(ADMIN, offer)
  const become = (purpose: Property['purpose']) => patch(properties, propertyId, { set: { purpose }, when: always })
  changeSince(become('Sale'))
  t.is(codeOf(await create()), 'property.other-purpose')
  await host.store.commit([become('Both')])
  const { id } = right(await create()).proposal
  since.push(agency.proposals.replace(ADMIN, id, { ...offer, brokerId: second.id }))
  right(await agency.proposals.move(ADMIN, id, { status: 'Rejected' })())
  t.deepEqual(
    (await every(brokers)).map(({ openProposals }) => openProposals),
    [0, 0],
  )
})

test('a commission that has been paid since the read is not removed', async (t) => {
  const world = openChanging()
  const { contractOf, brokerOf, commissionOf } = storedIn(world, ADMIN)
  const { id } = await commissionOf(await contractOf(), (await brokerOf()).id)
  world.changeSince(patch(commissions, id, { set: { status: 'Paid' }, when: always }))
  t.is(codeOf(await world.agency.commissions.remove(ADMIN, id)()), 'commission.paid')
})

test('the end of a contract does not cancel a payment that has become due, been paid or been charged since the read', async (t) => {
  const changes: readonly [since: Partial<Payment>, code: string | null, status: Payment['status']][] = [
    [{ dueDate: '2026-11-10' }, null, 'Pending'],
    [{ status: 'Paid' }, null, 'Paid'],
    [{ receivedCents: 40_000 }, null, 'Paid'],
    [{ chargeId: 'charge' }, 'payment.charged', 'Pending'],
  ]
  for (const [set, code, status] of changes) {
    const { changeSince, agency, leaseOf, rentOf, every } = openChanging()
    const { id } = await leaseOf()
    changeSince(patch(payments, (await rentOf(id)).id, { set, when: always }))
    t.is(codeOf(await agency.contracts.move(ADMIN, id, { status: 'Terminated' })()), code)
    t.is((await every(payments))[0]?.status, status, JSON.stringify(set))
  }
})

test('a rent run does not bill a lease that has ended, or whose rent has been created by hand, since the read', async (t) => {
  const rent = { type: 'Rent', period: '2026-12', valueCents: 1, dueDate: '2026-12-10' } as const
  type World = ReturnType<typeof openChanging>
  const changes: readonly [code: string, change: (world: World, contractId: string, fineId: string) => unknown][] = [
    ['rent.billed', ({ since, rentOf }, id) => since.push(() => rentOf(id))],
    [
      'rent.billed',
      ({ since, agency }, contractId, fineId) =>
        since.push(() => agency.payments.replace(ADMIN, fineId, { ...rent, contractId })()),
    ],
    [
      'lease.ended',
      ({ changeSince }, id) =>
        changeSince(patch(contracts, id, { set: { status: 'Terminated', endedOn: '2026-11-30' }, when: always })),
    ],
  ]
  for (const [code, change] of changes) {
    const world = openChanging()
    const { id } = await world.leaseOf()
    const fine = await world.rentOf(id, { type: 'Fine' })
    change(world, id, fine.id)
    const { created, skipped } = right(await world.agency.payments.runRent(ADMIN, { period: '2026-12' })())
    t.deepEqual([created.length, skipped[0]?.code], [0, code])
  }
})

test('a rent run does not bill a renewed lease whose property has been let again since the read', async (t) => {
  const { since, agency, leaseOf, tryLease } = openChanging()
  const { id, propertyId, clientId } = await leaseOf()
  right(await agency.contracts.move(ADMIN, id, { status: 'Renewed' })())
  since.push(() => tryLease({ propertyId, clientId }, { startDate: '2026-12-01' }))
  const { created, skipped } = right(await agency.payments.runRent(ADMIN, { period: '2026-12' })())
  t.false(created.some(({ contractId }) => contractId === id))
  t.deepEqual([created.length, skipped.map(({ contractId }) => contractId)], [1, [id]])
})

test('the end of a contract counts the broker that it has had since the read', async (t) => {
  const { changeSince, agency, leaseOf, brokerOf, every } = openChanging()
  const { id: brokerId } = await brokerOf()
  const { id } = await leaseOf({ brokerId })
  changeSince(
    patch(contracts, id, { set: { brokerId: null }, when: always }),
    patch(brokers, brokerId, { add: { activeContracts: -1 }, when: always }),
  )
  right(await agency.contracts.move(ADMIN, id, { status: 'Terminated' })())
  t.is((await every(brokers))[0]?.activeContracts, 0)
})

test('a contract that has ended since the read is not counted again by its removal or another end', async (t) => {
  const { changeSince, agency, leaseOf, every } = openChanging()
  const { contracts: uses } = agency
  const ends = [
    [(id: string) => uses.remove(ADMIN, id), null],
    [(id: string) => uses.move(ADMIN, id, { status: 'Terminated' }), 'contract.move'],
  ] as const
  for (const [end, code] of ends) {
    const { id } = await leaseOf()
    changeSince(patch(contracts, id, { set: { status: 'Renewed' }, when: always }))
    t.is(codeOf(await end(id)()), code)
  }
  for (const property of await every(properties)) t.like(property, { status: 'Rented', activeContracts: 1 })
})

/** An agency with a payment account, and a pending rent of R$ 2,500.00. */
const openCharging = async () => {
  const charging = memoryCharging({ chave: 'Aurora' })
  const world = openChanging({ charging })
  const { id } = await world.rentOf((await world.leaseOf()).id)
  right(await world.agency.charging.setAccount(ADMIN, { apiKey: 'chave' })())
  const charge = async () => right(await world.agency.payments.charge(ADMIN, id, { method: 'Pix' })())
  return { ...world, charging, id, charge }
}

test('a charge is for the value that a payment has had since the read', async (t) => {
  const { changeSince, charge, id } = await openCharging()
  changeSince(patch(payments, id, { set: { valueCents: 200_000 }, when: always }))
  t.is((await charge()).issued.valueCents, 200_000)
})

test('money of a charge is added to the money that its payment or the charge has received since the read', async (t) => {
  const receive = async (from: 'payment' | 'charge') => {
    const { changeSince, charging, charge, id, agency } = await openCharging()
    const { id: reference } = (await charge()).charge
    charging.receive(reference, 40_000)
    changeSince(
      from === 'payment'
        ? patch(payments, id, { set: { receivedCents: 10_000 }, when: always })
        : patch(charges, reference, { set: { receivedCents: 40_000 }, when: always }),
    )
    right(await agency.charging.changed({ reference, receivedCents: 40_000, paid: null })())
    return right(await agency.payments.read(ADMIN, id)()).receivedCents
  }
  t.is(await receive('payment'), 50_000)
  t.is(await receive('charge'), null, 'the notice of the money was recorded before')
})
