// Also runs on MongoDB, in test:long.
import test from 'ava'
import { events } from '../../../core/real-estate/office.ts'
import { proposals } from '../../../core/real-estate/records/proposal.ts'
import { openDesk } from './given/given.ts'
import { outcomeOf, worked, wrongIn } from './test-api.ts'

test('a proposal is valid until a time in the future', async (t) => {
  const { asAdmin, offer } = await openDesk(t)
  const post = async (over: object) => wrongIn(await asAdmin('POST', '/api/proposals', { ...offer, ...over }))
  t.deepEqual(await post({ validUntil: '2026-11-23T13:05:09.122Z' }), { validUntil: ['past'] })
  t.is((await asAdmin('GET', '/api/proposals')).body.total, 0)
})
test('a proposal for the wrong purpose or for an occupied property is refused', async (t) => {
  const { api, stored, asAdmin, offer } = await openDesk(t)
  const isFor = async (type: string, of: object) => {
    const { id } = await stored.propertyOf(of)
    const before = await api.everything()
    const answer = await asAdmin('POST', '/api/proposals', { ...offer, type, propertyId: id })
    if (answer.status !== 201) t.deepEqual(await api.everything(), before)
    return answer.status === 201 ? 'made' : `${answer.status} ${answer.body.code}`
  }
  t.is(await isFor('Lease', { purpose: 'Lease' }), 'made')
  t.is(await isFor('Lease', { status: 'Reserved' }), 'made')
  t.is(await isFor('Lease', { purpose: 'Sale' }), '422 property.other-purpose')
  t.is(await isFor('Sale', { purpose: 'Lease' }), '422 property.other-purpose')
  t.is(await isFor('Lease', { status: 'Rented', activeTenures: 1 }), '422 property.occupied')
  t.is(await isFor('Lease', { status: 'Sold' }), '422 property.occupied')
  t.is(await isFor('Sale', { status: 'Sold' }), '422 property.occupied')
  t.is(await isFor('Sale', { status: 'Rented', activeTenures: 1 }), 'made')
})

test('a rented property whose last lease was renewed accepts a proposal', async (t) => {
  const { api, stored, maria, asAdmin, offer } = await openDesk(t)
  const rented = await stored.propertyOf({ status: 'Rented' })
  const lease = { propertyId: rented.id, clientId: maria.id, propertyCode: rented.code, clientName: maria.name }
  await stored.contractOf({ ...lease, status: 'Terminated' })
  const post = () => asAdmin('POST', '/api/proposals', { ...offer, propertyId: rented.id })
  t.is(outcomeOf(await post()), '422 property.occupied')
  api.clock.advance(1)
  await stored.contractOf({ ...lease, status: 'Renewed' })
  t.is((await post()).status, 201)
})

test('a broker sees and creates only their own proposals, and none without a record with a verified e-mail', async (t) => {
  const { api, admin, stored, bruno, broker, offer, made } = await openDesk(t)
  const other = await stored.brokerOf({ email: 'outro@example.com' })
  const [own, theirs] = [await made(), await made({ brokerId: other.id })]
  const asBruno = (method: string, path: string, body?: unknown) =>
    api.ask(method, path, { token: bruno.token, ...(body === undefined ? {} : { body }) })
  const idsOf = async (path: string) => worked(await asBruno('GET', path)).data.map(({ id }: { id: string }) => id)
  t.deepEqual(await idsOf('/api/proposals'), [own.id])
  t.deepEqual(await idsOf(`/api/proposals?brokerId=${broker.id}`), [own.id])
  t.deepEqual(await idsOf(`/api/proposals?brokerId=${other.id}`), [])
  const before = await api.everything()
  t.is((await asBruno('GET', `/api/proposals/${theirs.id}`)).status, 404)
  t.is((await asBruno('PUT', `/api/proposals/${theirs.id}`, offer)).status, 404)
  t.is((await asBruno('PATCH', `/api/proposals/${theirs.id}/status`, { status: 'Rejected' })).status, 404)
  const foreign = { ...offer, brokerId: other.id, clientId: other.id, validUntil: '2020-01-01T00:00:00Z' }
  t.is(outcomeOf(await asBruno('POST', '/api/proposals', foreign)), '403 proposal.broker')
  t.is((await asBruno('PUT', `/api/proposals/${own.id}`, { ...offer, brokerId: other.id })).status, 403)
  t.deepEqual(await api.everything(), before)
  t.is((await asBruno('POST', '/api/proposals', offer)).status, 201)
  t.is((await asBruno('PATCH', `/api/proposals/${own.id}/status`, { status: 'Negotiating' })).status, 200)

  const unknown = await api.colleague(admin, 'Broker', 'sem-cadastro@example.com')
  const unverified = await api.sign({ sub: bruno.uid, email: bruno.email, email_verified: false })
  for (const token of [unknown.token, unverified]) {
    t.like(worked(await api.ask('GET', '/api/proposals', { token })), { data: [], total: 0 })
    t.is((await api.ask('POST', '/api/proposals', { token, body: offer })).status, 403)
    t.is((await api.ask('GET', `/api/proposals/${own.id}`, { token })).status, 404)
  }
})

test('a proposal is valid until validUntil, is extended by a PUT, and stores its changes of status with reasons', async (t) => {
  const { api, admin, offer, asAdmin, made, move, open, property } = await openDesk(t)
  const { id } = await made({ validUntil: '2026-11-23T14:00:00Z' })
  api.clock.set('2026-11-23T14:00:00.000Z')
  worked(await move(id, 'Negotiating', 'valor baixo'))
  api.clock.set('2026-11-23T14:00:00.001Z')
  const before = await api.everything()
  for (const status of ['Approved', 'Rejected'] as const)
    t.is(outcomeOf(await move(id, status)), '422 proposal.expired')
  t.deepEqual(await api.everything(), before)
  worked(await asAdmin('PUT', `/api/proposals/${id}`, offer))
  worked(await move(id, 'Approved'))
  const [record] = await api.every(proposals)
  t.deepEqual(
    record?.statusHistory.map(({ status, reason, changedBy }) => ({ status, reason, changedBy })),
    [
      { status: 'UnderReview', reason: null, changedBy: admin.userId },
      { status: 'Negotiating', reason: 'valor baixo', changedBy: admin.userId },
      { status: 'Approved', reason: null, changedBy: admin.userId },
    ],
  )
  t.deepEqual((await api.every(events)).map(({ type }) => type).sort(), ['proposal.approved', 'proposal.created'])
  // An approved proposal is open until its conversion.
  t.is((await open()).properties[property.code], 1)
})

test('an Admin removes a proposal, which then no longer counts as open, unless it became a contract', async (t) => {
  const { api, stored, broker, asAdmin, made, move, open, property } = await openDesk(t)
  const [first, second] = [await made(), await made()]
  worked(await move(second.id, 'Rejected'))
  t.is((await open()).properties[property.code], 1)
  const gone = await Promise.all([first, first].map(({ id }) => asAdmin('DELETE', `/api/proposals/${id}`)))
  t.deepEqual(gone.map(({ status }) => status).sort(), [204, 404])
  t.is((await asAdmin('DELETE', `/api/proposals/${second.id}`)).status, 204)
  t.deepEqual(await open(), { properties: { [property.code]: 0 }, brokers: { 'bruno@example.com': 0 } })
  t.is((await asAdmin('GET', `/api/proposals/${first.id}`)).status, 404)
  t.is(worked(await asAdmin('GET', '/api/proposals')).total, 0)
  const converted = await stored.proposalOf(await stored.contractOf(), broker.id, {
    status: 'Approved',
    isConverted: true,
  })
  const before = await api.everything()
  t.is(outcomeOf(await asAdmin('DELETE', `/api/proposals/${converted.id}`)), '400 proposal.in-use')
  t.deepEqual(await api.everything(), before)
})
