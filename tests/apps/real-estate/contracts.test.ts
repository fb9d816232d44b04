// Also runs on MongoDB, in test:long.
import test, { type ExecutionContext } from 'ava'
import { contractMoves } from '../../../core/real-estate/records/contract.ts'
import { properties } from '../../../core/real-estate/records/property.ts'
import { type Proposal, proposals } from '../../../core/real-estate/records/proposal.ts'
import { openAgency } from './given/basics.ts'
import { aContract, aPayment, aProposal, LEASE, someParties } from './given/given.ts'
import { type EstateTestApi, outcomeOf, worked, wrongIn } from './test-api.ts'

const propertyIn = async (api: EstateTestApi, id: string) =>
  (await api.every(properties)).find((each) => each.id === id)

const writesNothing = async (t: ExecutionContext, api: EstateTestApi, act: () => Promise<unknown>) => {
  const before = await api.everything()
  await act()
  t.deepEqual(await api.everything(), before)
}

test('a lease rents its property, with its history', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { house, person, agent, body } = await someParties(api, admin)
  const days = { startDate: '2026-12-01T02:00:00Z', endDate: '2029-05-31T00:00:00.000Z' }
  const asked = { ...LEASE, ...body, ...days, status: 'Cancelled', indexerPercentage: 3 }
  const made = worked(await ask('POST', '/api/contracts', asked))
  t.like(made, {
    type: 'Lease',
    status: 'Active',
    value: 2500,
    // A datetime means its São Paulo day; midnight UTC means its own date.
    startDate: '2026-11-30',
    endDate: '2029-05-31',
    indexerPercentage: null,
    finePercentage: null,
    allowNegativeAdjustment: false,
    periods: [],
    payments: [],
  })
  t.deepEqual(made.client, { id: person.id, name: person.name })
  t.deepEqual(made.broker, { id: agent.id, name: agent.name })
  t.is(made.property.code, house.code)
  t.is((await propertyIn(api, house.id))?.status, 'Rented')
  t.like((await propertyIn(api, house.id))?.statusHistory.at(-1), { status: 'Rented', changedBy: admin.userId })
  t.deepEqual(worked(await ask('GET', `/api/contracts/${made.id}`)), made)
})

test('a fixed adjustment requires a percentage, and a contract ends after it begins', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { body } = await someParties(api, admin)
  const lease = { ...LEASE, ...body }
  t.deepEqual(wrongIn(await ask('POST', '/api/contracts', { ...lease, indexer: 'Fixed' })), {
    indexerPercentage: ['required'],
  })
  t.deepEqual(wrongIn(await ask('POST', '/api/contracts', { ...lease, endDate: lease.startDate })), {
    endDate: ['after'],
  })
})

test('a property has one lease or sale at a time, for its purpose, and can always be managed', async (t) => {
  const { api, ask, propertyOf, clientOf } = await openAgency(t)
  const clientId = (await clientOf()).id
  const post = (propertyId: string, type: string) =>
    ask('POST', '/api/contracts', { ...LEASE, type, clientId, propertyId })
  const codeOf = async (propertyId: string, type: string) => (await post(propertyId, type)).body.code
  const [toLet, toSell, both] = [
    (await propertyOf({ purpose: 'Lease' })).id,
    (await propertyOf({ purpose: 'Sale' })).id,
    (await propertyOf()).id,
  ]
  t.is(await codeOf(toLet, 'Sale'), 'property.other-purpose')
  t.is(await codeOf(toSell, 'Lease'), 'property.other-purpose')
  t.is((await post(both, 'Management')).status, 201)
  t.is((await propertyIn(api, both))?.status, 'Available')
  const answers = await Promise.all(['Lease', 'Sale', 'Lease', 'Sale'].map((type) => post(both, type)))
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422])
  t.is((await post(both, 'Management')).status, 201)
  for (const status of ['Rented', 'Sold'] as const) {
    const { id } = await propertyOf({ status })
    await writesNothing(t, api, async () => t.is(await codeOf(id, 'Lease'), 'property.occupied'))
  }
  t.is((await post((await propertyOf({ status: 'Rented' })).id, 'Sale')).status, 201)
  t.is(await codeOf((await propertyOf({ status: 'Sold' })).id, 'Sale'), 'property.occupied')
})

for (const status of contractMoves.next('Active'))
  test(`a contract that becomes ${status} frees its property, unless it is Renewed`, async (t) => {
    const { api, admin, ask } = await openAgency(t)
    const { id, property } = await aContract(api, admin)
    worked(await ask('PATCH', `/api/contracts/${id}/status`, { status, reason: 'combinado' }))
    t.is((await propertyIn(api, property.id))?.status, status === 'Renewed' ? 'Rented' : 'Available')
  })

test('the end of a contract cancels payments due later, and not those due', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { id } = await aContract(api, admin)
  for (const [period, dueDate] of [
    ['2026-11', '2026-11-23'],
    ['2026-12', '2026-12-10'],
    ['2027-01', '2027-01-10'],
  ])
    await aPayment(api, admin, { contractId: id, period, dueDate })
  const ended = worked(await ask('PATCH', `/api/contracts/${id}/status`, { status: 'Cancelled' }))
  const statuses = ({ payments }: typeof ended) => payments.map(({ status }: { status: string }) => status)
  t.deepEqual(statuses(ended), ['Pending', 'Cancelled', 'Cancelled'])
  t.deepEqual(statuses(worked(await ask('GET', `/api/contracts/${id}`))), ['Pending', 'Cancelled', 'Cancelled'])
})

test('a renewal continues the contract and stores its former period', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { id } = await aContract(api, admin, { indexer: 'Fixed', indexerPercentage: 4.5 })
  const renew = (body: object) => ask('POST', `/api/contracts/${id}/renew`, body)
  const body = { newEndDate: '2031-11-30', newValue: 2700.5, indexer: 'Fixed' }
  t.deepEqual(wrongIn(await renew({ ...body, newEndDate: '2029-05-31' })), { newEndDate: ['after'] })
  const renewed = worked(await renew(body))
  t.like(renewed, {
    status: 'Active',
    startDate: '2029-06-01',
    endDate: '2031-11-30',
    value: 2700.5,
    indexerPercentage: 4.5,
  })
  const former = {
    startDate: '2026-12-01',
    endDate: '2029-05-31',
    value: 2500,
    indexer: 'Fixed',
    indexerPercentage: 4.5,
  }
  t.deepEqual(renewed.periods, [former])
  t.like(worked(await renew({ ...body, newEndDate: '2032-01-01', indexer: 'IPCA' })), { indexerPercentage: null })
  worked(await ask('PATCH', `/api/contracts/${id}/status`, { status: 'Terminated' }))
  t.is(outcomeOf(await renew({ ...body, newEndDate: '2040-01-01' })), '422 contract.ended')
})

test('the terms of an active contract are replaced; property, parties and type stay', async (t) => {
  const { api, admin, ask, brokerOf, propertyOf, clientOf } = await openAgency(t)
  const { body } = await someParties(api, admin)
  const { id } = worked(await ask('POST', '/api/contracts', { ...LEASE, ...body }))
  const put = (over: object) => ask('PUT', `/api/contracts/${id}`, { ...LEASE, ...body, ...over })
  const other = await brokerOf()
  t.like(worked(await put({ value: 3000, brokerId: other.id, finePercentage: 10 })), {
    value: 3000,
    finePercentage: 10,
    broker: { id: other.id },
  })
  const { made: offer } = await aProposal(api, admin)
  const bound = [
    { propertyId: (await propertyOf()).id },
    { clientId: (await clientOf()).id },
    { type: 'Sale' },
    { proposalId: offer.id },
  ]
  for (const over of bound)
    await writesNothing(t, api, async () => t.like(await put(over), { status: 422, body: { code: 'contract.bound' } }))
})

test('an Admin removes a contract without payments; an active one frees its property', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { id, property } = await aContract(api, admin)
  const { id: owed } = await aPayment(api, admin, { contractId: id })
  t.is(outcomeOf(await ask('DELETE', `/api/contracts/${id}`)), '400 contract.in-use')
  worked(await ask('DELETE', `/api/payments/${owed}`))
  t.is((await ask('DELETE', `/api/contracts/${id}`)).status, 204)
  t.is((await ask('GET', `/api/contracts/${id}`)).status, 404)
  t.is((await propertyIn(api, property.id))?.status, 'Available')
})

test('a contract converts an approved proposal of the same parties once', async (t) => {
  const { api, ask, propertyOf, contractOf, brokerOf, proposalOf } = await openAgency(t)
  const offered = async (over: Partial<Proposal> = {}) => {
    const { id: brokerId } = await brokerOf()
    const of = await contractOf({ type: 'Management', propertyId: (await propertyOf()).id })
    const state = { status: 'Approved', validUntil: '2026-11-24T00:00:00.000Z', ...over } as const
    const { id: proposalId } = await proposalOf(of, brokerId, state)
    return { ...LEASE, propertyId: of.propertyId, clientId: of.clientId, brokerId, proposalId }
  }
  for (const over of [
    { status: 'Negotiating' },
    { validUntil: '2026-11-23T13:05:09.122Z' },
    { isConverted: true },
    { type: 'Sale' },
  ] as const) {
    const body = await offered(over)
    await writesNothing(t, api, async () => {
      t.is(outcomeOf(await ask('POST', '/api/contracts', body)), '422 proposal.unconvertible')
    })
  }
  const body = await offered()
  const answers = await Promise.all([ask('POST', '/api/contracts', body), ask('POST', '/api/contracts', body)])
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
  t.like(
    (await api.every(proposals)).find(({ id }) => id === body.proposalId),
    { isConverted: true, status: 'Approved' },
  )
})
test('owners see the contracts of their properties and tenants their own', async (t) => {
  const { api, admin, clientOf, propertyOf } = await openAgency(t)
  const owner = await api.colleague(admin, 'Owner')
  const tenant = await api.colleague(admin, 'Tenant')
  const house = await propertyOf({ ownerId: owner.userId })
  const person = await clientOf({ email: tenant.email })
  const own = await aContract(api, admin, { propertyId: house.id, clientId: person.id })
  const other = await aContract(api, admin)
  for (const { token } of [owner, tenant]) {
    const list = worked(await api.ask('GET', '/api/contracts', { token }))
    t.deepEqual([list.total, list.data[0].id], [1, own.id])
    t.is((await api.ask('GET', `/api/contracts/${own.id}`, { token })).status, 200)
    t.is((await api.ask('GET', `/api/contracts/${other.id}`, { token })).status, 404)
  }
})
