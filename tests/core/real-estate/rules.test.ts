import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { compile } from '../../../core/kernel/records/record.ts'
import { newCharge, patchCharge } from '../../../core/real-estate/charging/charge.ts'
import { offerRefusal } from '../../../core/real-estate/contracts/tenure.ts'
import { ownClientIds } from '../../../core/real-estate/reads.ts'
import { realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { client } from '../../../core/real-estate/records/people.ts'
import { NOW, right } from '../payments/world.ts'
import { aProperty } from './records.ts'
import { ADMIN, codeOf, freshAt, openAgency } from './world.ts'

const STRANGER = { ...ADMIN, companyId: '00000000-0000-4000-8000-00000000000a' }
const RECEIPT = { method: 'Cash', paidValueCents: 100 } as const
const PERIOD = { periodFrom: '2026-10', periodTo: '2026-11' }

test('of two simultaneous leases of a property whose lease was renewed one is refused', async (t) => {
  const { agency, leaseOf, tryLease } = openAgency()
  const { id, propertyId, clientId } = await leaseOf()
  right(await agency.contracts.move(ADMIN, id, { status: 'Renewed' })())
  const parties = { propertyId, clientId }
  t.deepEqual((await Promise.all([tryLease(parties), tryLease(parties)])).map(codeOf), [null, 'property.occupied'])
})

test('a rented property accepts an offer only after a renewed lease', (t) => {
  const property = aProperty({ status: 'Rented' })
  const refusal = (status: 'Renewed' | 'Terminated') => offerRefusal({ property, lastLease: { status } }, 'Lease')?.code
  t.deepEqual([refusal('Renewed'), refusal('Terminated')], [undefined, 'property.occupied'])
})

test('the total revenue is the sum of all months', async (t) => {
  const { agency, leaseOf, rentOf } = openAgency()
  const { id } = await leaseOf()
  for (const paidAt of ['2026-10-10T12:00:00.000Z', '2026-11-10T12:00:00.000Z'])
    right(await agency.payments.pay(ADMIN, (await rentOf(id)).id, { ...RECEIPT, paidAt })())
  t.is(right(await agency.payments.reportRevenue(ADMIN, PERIOD)()).totalRevenueCents, 200)
  t.is(right(await agency.payments.reportRevenue(STRANGER, PERIOD)()).totalRevenueCents, 0)
})

test('a client that is linked to another user is not the actor’s', async (t) => {
  const store = memoryStore(realEstateCollections)
  const none = { taxId: null, phone: null, source: null, preferences: null, address: null, notes: null }
  const person = { name: 'Maria', email: 'maria@example.com', type: 'Individual', interest: 'Both', ...none } as const
  const fresh = freshAt(NOW)
  const built = [null, 'another'].map((linkedUserId) => client.build(ADMIN.companyId, person, fresh, { linkedUserId }))
  await store.commit(built.flatMap(({ changes }) => changes))
  t.deepEqual(await ownClientIds(store, { ...ADMIN, verifiedEmail: person.email }), [built[0]?.record.id])
})

test('a proposal is valid up to and including its last instant', async (t) => {
  const { agency, clock, clientOf, brokerOf, propertyOf } = openAgency()
  const [{ id: clientId }, { id: brokerId }] = [await clientOf(), await brokerOf()]
  const offer = {
    type: 'Lease',
    clientId,
    brokerId,
    proposedValueCents: 1,
    validUntil: '2026-11-24T00:00:00.000Z',
  } as const
  const { id: propertyId } = await propertyOf(clientId)
  const { proposal } = right(await agency.proposals.create(ADMIN, { ...offer, propertyId })())
  const moveAt = (instant: string, status: 'Negotiating' | 'Rejected') => {
    clock.set(instant)
    return agency.proposals.move(ADMIN, proposal.id, { status })()
  }
  t.is(codeOf(await moveAt('2026-11-24T00:00:00.000Z', 'Negotiating')), null)
  t.is(codeOf(await moveAt('2026-11-24T00:00:00.001Z', 'Rejected')), 'proposal.expired')
})

test('a change of a charge is not committed if its state has changed since the read', (t) => {
  const fresh = freshAt(NOW)
  const order = {} as Parameters<typeof newCharge>[2]
  const charge = newCharge({ seal: (text) => text }, { id: 'p', companyId: 'c' }, order, fresh)
  const change = patchCharge(charge, { state: 'open' }, fresh)
  if (change.kind !== 'patch') return t.fail()
  const holds = compile(change.when)
  t.deepEqual([holds(charge), holds({ ...charge, state: 'cancelling' })], [true, false])
})

test('a renewal ends after the current last day', async (t) => {
  const { agency, leaseOf } = openAgency()
  const { id, endDate } = await leaseOf()
  const renew = (newEndDate: string) =>
    agency.contracts.renew(ADMIN, id, { newEndDate, newValueCents: 1, indexer: 'IGPM' })()
  t.is(codeOf(await renew(endDate)), 'fields')
  t.is(codeOf(await renew('2029-06-01')), null)
})

test('CRECI and e-mail of a broker are unique in the company, regardless of case', async (t) => {
  const { agency } = openAgency()
  const bruno = { name: 'Bruno Lima', creci: ' creci-sp 123 ', email: 'Bruno@Example.com', status: 'Active' } as const
  const create = async (over: object, by: typeof ADMIN | typeof STRANGER = ADMIN) =>
    codeOf(await agency.brokers.create(by, { ...bruno, ...over })())
  t.is(await create({}), null)
  t.is(await create({ creci: 'Creci-SP 123', email: 'x@example.com' }), 'broker.creci.taken')
  t.is(await create({ creci: '9', email: 'BRUNO@example.com' }), 'broker.email.taken')
  t.is(await create({}, STRANGER), null)
})

test('a person has a CPF and a company a CNPJ, unique in the agency', async (t) => {
  const { agency } = openAgency()
  const maria = { name: 'Maria', email: 'maria@example.com', interest: 'Lease', taxId: '11.222.333/0001-81' } as const
  const create = async (over: { readonly type: 'Individual' | 'Company'; readonly taxId?: string }) =>
    codeOf(await agency.clients.create(ADMIN, { ...maria, ...over })())
  t.is(await create({ type: 'Individual' }), 'fields')
  t.is(await create({ type: 'Company', taxId: '123.456.789-09' }), 'fields')
  t.is(await create({ type: 'Company' }), null)
  t.is(await create({ type: 'Company', taxId: '11222333000181' }), 'client.taxId.taken')
})
