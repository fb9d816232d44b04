// Also runs on MongoDB.
import test from 'ava'
import { brokers, clients } from '../../../core/real-estate/records/people.ts'
import { properties } from '../../../core/real-estate/records/property.ts'
import { openDesk } from './given/given.ts'
import { outcomeOf, worked, wrongIn } from './test-api.ts'

const AGREED = {
  startDate: '2026-12-01',
  endDate: '2029-05-31',
  dueDay: 10,
  indexer: 'IGPM',
  value: 2450.5,
  documentUrl: 'https://docs.example.com/contrato.pdf',
}

const openConversion = async (t: Parameters<typeof openDesk>[0]) => {
  const desk = await openDesk(t)
  const convert = (id: string, over: object = {}) =>
    desk.asAdmin('POST', `/api/proposals/${id}/convert`, { ...AGREED, ...over })
  const propertyNow = async (id = desk.property.id) => (await desk.api.every(properties)).find((each) => each.id === id)
  return { ...desk, convert, propertyNow }
}

test('an approved proposal becomes an active contract, which rents the property and counts for all parties', async (t) => {
  const { api, admin, approved, convert, property, maria, broker, propertyNow, asAdmin, open } = await openConversion(t)
  const { id } = await approved()
  const answer = await convert(id, { startDate: '2026-12-01T02:59:59Z', status: 'Cancelled' })
  t.is(answer.status, 201)
  const made = worked(answer)
  t.like(made, {
    type: 'Lease',
    status: 'Active',
    value: 2450.5,
    startDate: '2026-11-30',
    endDate: '2029-05-31',
    dueDay: 10,
    indexer: 'IGPM',
    indexerPercentage: null,
    documentUrl: AGREED.documentUrl,
    proposalId: id,
    payments: [],
    periods: [],
  })
  t.is(made.property.id, property.id)
  t.deepEqual([made.client.id, made.broker.id], [maria.id, broker.id])
  t.like(await propertyNow(), { status: 'Rented', activeContracts: 1, activeTenures: 1, openProposals: 0 })
  t.like((await propertyNow())?.statusHistory.at(-1), { status: 'Rented', changedBy: admin.userId })
  t.deepEqual(
    [(await api.every(clients)).find((each) => each.id === maria.id), ...(await api.every(brokers))].map(
      (each) => each?.activeContracts,
    ),
    [1, 1],
  )
  t.deepEqual((await open()).brokers, { 'bruno@example.com': 0 })
  t.like(worked(await asAdmin('GET', `/api/proposals/${id}`)), { status: 'Approved' })
  t.deepEqual(worked(await asAdmin('GET', `/api/contracts/${made.id}`)), made)
})

test('a converted sale sells the property, also a rented one without an active lease', async (t) => {
  const { stored, approved, convert, propertyNow } = await openConversion(t)
  const sale = await approved({ type: 'Sale' })
  t.is((await convert(sale.id)).status, 201)
  t.is((await propertyNow())?.status, 'Sold')
  const rented = await stored.propertyOf({ status: 'Rented' })
  const { id } = await approved({ type: 'Sale', propertyId: rented.id })
  t.is((await convert(id)).status, 201)
  t.is((await propertyNow(rented.id))?.status, 'Sold')
})

test('a proposal that is not approved, is expired or converted is refused, and nothing is written', async (t) => {
  const { api, made, move, approved, convert } = await openConversion(t)
  const refused = async (id: string, code: string) => {
    const before = await api.everything()
    t.like(await convert(id), { status: 422, body: { code } }, code)
    t.deepEqual(await api.everything(), before)
  }
  const { id } = await made()
  await refused(id, 'proposal.not-approved')
  worked(await move(id, 'Negotiating'))
  await refused(id, 'proposal.not-approved')
  worked(await move(id, 'Rejected'))
  await refused(id, 'proposal.not-approved')
  const soon = await approved({ validUntil: '2026-11-23T14:00:00Z' })
  const later = await approved()
  api.clock.advance(60 * 60)
  await refused(soon.id, 'proposal.expired')
  t.is((await convert(later.id)).status, 201)
  await refused(later.id, 'proposal.converted')
})

test('a property that was leased meanwhile is neither leased again nor sold while the lease is active', async (t) => {
  const { api, approved, convert, stored, asAdmin } = await openConversion(t)
  const [lease, sale] = [await approved(), await approved({ type: 'Sale' })]
  const { id: clientId } = await stored.clientOf()
  const { property } = worked(await asAdmin('GET', `/api/proposals/${lease.id}`))
  const { documentUrl: _, ...agreed } = AGREED
  const let_ = await asAdmin('POST', '/api/contracts', { ...agreed, type: 'Lease', propertyId: property.id, clientId })
  const before = await api.everything()
  t.is(outcomeOf(await convert(lease.id)), '422 property.occupied')
  t.is(outcomeOf(await convert(sale.id)), '422 property.occupied')
  t.deepEqual(await api.everything(), before)
  // The next lease of a tenant whose lease was renewed.
  worked(await asAdmin('PATCH', `/api/contracts/${worked(let_).id}/status`, { status: 'Renewed' }))
  t.is((await convert(lease.id)).status, 201)
})

test('a contract by hand converts its proposal', async (t) => {
  const { approved, asAdmin, convert, property, maria } = await openConversion(t)
  const { id: proposalId } = await approved()
  const { documentUrl: _, ...agreed } = AGREED
  const body = { ...agreed, type: 'Lease', propertyId: property.id, clientId: maria.id, proposalId }
  const { id } = worked(await asAdmin('POST', '/api/contracts', body))
  t.is(outcomeOf(await convert(proposalId)), '422 proposal.converted')
  t.is((await asAdmin('DELETE', `/api/proposals/${proposalId}`)).status, 400)
  // The proposal stays converted after the removal of its contract.
  t.is((await asAdmin('DELETE', `/api/contracts/${id}`)).status, 204)
  t.is(outcomeOf(await convert(proposalId)), '422 proposal.converted')
})

test('a percentage is optional with Fixed and ignored with an index; a contract ends after it begins', async (t) => {
  const { approved, convert, stored } = await openConversion(t)
  const { id } = await approved()
  t.deepEqual(wrongIn(await convert(id, { endDate: AGREED.startDate })), { endDate: ['after'] })
  const made = worked(await convert(id, { indexer: 'Fixed', documentUrl: undefined }))
  t.like(made, { indexer: 'Fixed', indexerPercentage: null, documentUrl: null })
  const second = await approved({ propertyId: (await stored.propertyOf()).id })
  const fixed = worked(await convert(second.id, { indexer: 'Fixed', indexerPercentage: 4.5 }))
  t.like(fixed, { indexer: 'Fixed', indexerPercentage: 4.5 })
  const third = await approved({ propertyId: (await stored.propertyOf()).id })
  t.like(worked(await convert(third.id, { indexerPercentage: 4.5 })), { indexer: 'IGPM', indexerPercentage: null })
})

test('a broker converts only their own proposals', async (t) => {
  const { api, bruno, stored, approved } = await openConversion(t)
  const other = await stored.brokerOf()
  const [own, theirs] = [await approved(), await approved({ brokerId: other.id })]
  const asBruno = (id: string) => api.ask('POST', `/api/proposals/${id}/convert`, { token: bruno.token, body: AGREED })
  t.is((await asBruno(theirs.id)).status, 404)
  t.is((await asBruno(own.id)).status, 201)
})

test('a contract by hand cannot name a proposal that the user may not see', async (t) => {
  const { api, admin, approved, property, maria, broker, asAdmin } = await openConversion(t)
  const { id: proposalId } = await approved()
  const { documentUrl: _, ...agreed } = AGREED
  const body = {
    ...agreed,
    type: 'Lease',
    propertyId: property.id,
    clientId: maria.id,
    brokerId: broker.id,
    proposalId,
  }
  for (const role of ['Financial', 'Broker'] as const) {
    const { token } = await api.colleague(admin, role)
    const before = await api.everything()
    t.deepEqual(wrongIn(await api.ask('POST', '/api/contracts', { token, body })), { proposalId: ['unknown'] }, role)
    t.deepEqual(await api.everything(), before, role)
  }
  const { id } = worked(await asAdmin('POST', '/api/contracts', body))
  // A replacement may still name the proposal of the contract.
  const { token } = await api.colleague(admin, 'Financial')
  t.is((await api.ask('PUT', `/api/contracts/${id}`, { token, body: { ...body, value: 3000 } })).status, 200)
})
