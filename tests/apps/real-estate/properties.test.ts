// Also runs on MongoDB, in test:long.
import test from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { events } from '../../../core/real-estate/office.ts'
import { properties } from '../../../core/real-estate/records/property.ts'
import { visit, visits } from '../../../core/real-estate/records/visit.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { aClient, aProperty, openAgency, PLACE } from './given/basics.ts'
import { type EstateTestApi, openEstateApi, outcomeOf, type Person, worked, wrongIn } from './test-api.ts'

const HOUSE = { code: 'CASA-1', type: 'House', purpose: 'Sale', salePrice: 500_000, address: PLACE }

test('the price of its purpose is required, the owner known, and a code unique in a company', async (t) => {
  const { api, admin, token } = await openAgency(t)
  const other = await api.agency()
  const { id: ownerId } = await aClient(api, admin)
  const ask = (over: object) => api.ask('POST', '/api/properties', { token, body: { ...HOUSE, ownerId, ...over } })
  t.deepEqual(wrongIn(await ask({ purpose: 'Lease', salePrice: null })), { rentPrice: ['required'] })
  t.deepEqual(wrongIn(await ask({ purpose: 'Both', salePrice: undefined })), {
    rentPrice: ['required'],
    salePrice: ['required'],
  })
  const tenant = await api.colleague(admin, 'Tenant')
  t.deepEqual(wrongIn(await ask({ ownerId: tenant.userId })), { ownerId: ['unknown'] })
  const made = await Promise.all([ask({}), ask({}), ask({})])
  t.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409])
  t.is(made.find(({ status }) => status === 409)?.body.code, 'property.code.taken')
  t.is((await aProperty(api, other, { code: HOUSE.code })).code, HOUSE.code)
})

test('an Owner sees only properties of their user id and of clients with their e-mail', async (t) => {
  const { api, admin } = await openAgency(t)
  const owner = await api.colleague(admin, 'Owner')
  const client = await aClient(api, admin, { email: owner.email.toUpperCase() })
  const own = [
    await aProperty(api, admin, { ownerId: owner.userId }),
    await aProperty(api, admin, { ownerId: client.id }),
  ]
  const others = await aProperty(api, admin)
  t.deepEqual(own[0].owner, { id: owner.userId, name: `Pessoa ${owner.uid}` })
  const { token } = owner
  const listed = worked(await api.ask('GET', `/api/properties?pageSize=1&page=2`, { token }))
  t.like(listed, { total: 2, totalPages: 2 })
  t.is(listed.data.length, 1)
  for (const { id } of own) t.is((await api.ask('GET', `/api/properties/${id}`, { token })).status, 200)
  t.is((await api.ask('GET', `/api/properties/${others.id}`, { token })).status, 404)
  const unverified = await api.sign({ sub: owner.uid, email: owner.email, email_verified: false })
  t.is(worked(await api.ask('GET', '/api/properties', { token: unverified })).total, 1)
})

test('a new code of a property is copied to its records; the same code starts no work', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const made = await aProperty(api, admin, { code: 'OLD' })
  const { type, purpose, address, ownerId, rentPrice, salePrice } = made
  const body = { type, purpose, address, ownerId, rentPrice, salePrice }
  const put = async (code: string) => worked(await ask('PUT', `/api/properties/${made.id}`, { ...body, code }))
  await put('OLD')
  t.deepEqual(await api.every(events), [])
  await put('NEW')
  const recorded = await api.every(events)
  t.deepEqual(
    recorded.map((event) => [event.type, event.subjectId]),
    [['property.renamed', made.id]],
  )
})

test('only an Admin changes the owner of a leased property', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const broker = await api.colleague(admin, 'Broker')
  const stored = storedIn(api, admin)
  const { id } = await stored.propertyOf()
  const path = `/api/properties/${id}`
  const put = async ({ token }: Person, ownerId?: string) => {
    const { body } = await api.ask('GET', path, { token })
    return api.ask('PUT', path, { token, body: { ...body, ownerId: ownerId ?? body.ownerId } })
  }
  const [client, user] = [await stored.clientOf(), await api.colleague(admin, 'Owner')]
  t.is((await put(broker, client.id)).status, 200, 'without a contract')
  const dates = { startDate: '2026-11-01', endDate: '2027-10-31', dueDay: 10, indexer: 'IPCA' }
  const lease = { ...dates, type: 'Lease', propertyId: id, clientId: (await stored.clientOf()).id, value: 2500 }
  const contract = worked(await api.ask('POST', '/api/contracts', { token: broker.token, body: lease }))
  for (const ownerId of [user.userId, (await stored.clientOf()).id])
    t.is(outcomeOf(await put(broker, ownerId)), '403 property.owner.let')
  t.is((await put(broker)).status, 200, 'the owner that it has')
  t.is((await put(admin, user.userId)).status, 200)
  const end = async ({ id: contractId }: { id: string }, status: string) =>
    worked(await ask('PATCH', `/api/contracts/${contractId}/status`, { status }))
  await end(contract, 'Renewed')
  worked(await api.ask('PATCH', `${path}/status`, { token: broker.token, body: { status: 'Available' } }))
  t.is((await put(broker, client.id)).status, 403, 'a Renewed lease is billed until its end')
  api.clock.advance(1)
  await end(worked(await api.ask('POST', '/api/contracts', { token: broker.token, body: lease })), 'Terminated')
  t.is((await put(broker, client.id)).status, 200, 'after its end')
})

const move = (api: EstateTestApi, { token }: Pick<Person, 'token'>, id: string, status: string, more: object = {}) =>
  api.ask('PATCH', `/api/properties/${id}/status`, { token, body: { status, ...more } })

test('a rented or sold property keeps the purpose', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  for (const [status, allowed, refused] of [
    ['Rented', 'Lease', 'Sale'],
    ['Sold', 'Sale', 'Lease'],
  ] as const) {
    const { id, owner, code } = await aProperty(api, admin)
    worked(await move(api, admin, id, status))
    const own = { code, type: 'Apartment', address: PLACE, ownerId: owner.id, rentPrice: 2500, salePrice: 500_000 }
    const put = (purpose: string) => ask('PUT', `/api/properties/${id}`, { ...own, purpose })
    t.is(outcomeOf(await put(refused)), '422 property.purpose', status)
    t.like(await put(allowed), { status: 200, body: { purpose: allowed, status } })
  }
})

test('the history of a property stores user, time and reason of each change of status; Financial may change it', async (t) => {
  const { api, admin } = await openAgency(t)
  const financial = await api.colleague(admin, 'Financial')
  const made = await aProperty(api, admin)
  api.clock.advance(60)
  const reserved = worked(await move(api, financial, made.id, 'Reserved', { reason: 'Sinal pago' }))
  const freed = worked(await move(api, admin, made.id, 'Available'))
  t.deepEqual(freed.statusHistory, [
    ...made.statusHistory,
    { status: 'Reserved', changedAt: reserved.updatedAt, changedBy: financial.userId, reason: 'Sinal pago' },
    { status: 'Available', changedAt: freed.updatedAt, changedBy: admin.userId, reason: null },
  ])
  t.deepEqual(freed.owner, made.owner)
})

/** A visit of a second from now. */
const SOON = '2026-11-23T13:05:10.000Z'

test('a property with active contracts, open proposals or future visits is not removed', async (t) => {
  const { api, ask, propertyOf, visitOf, softDelete } = await openAgency(t)
  const visited = await propertyOf()
  const propertyId = visited.id
  await visitOf({ propertyId, scheduledAt: SOON })
  for (const status of ['Done', 'Cancelled'] as const) await visitOf({ propertyId, status })
  await softDelete(visits, await visitOf({ propertyId }))
  const inUse = [await propertyOf({ activeContracts: 1 }), await propertyOf({ openProposals: 1 }), visited]
  for (const { id } of inUse) {
    const before = await api.everything()
    t.is(outcomeOf(await ask('DELETE', `/api/properties/${id}`)), '400 property.in-use')
    t.deepEqual(await api.everything(), before)
  }
  // A second later the visit is past; done, cancelled and removed ones do not count.
  api.clock.advance(1)
  t.is((await ask('DELETE', `/api/properties/${propertyId}`)).status, 204)
})

test('a property that gets a visit during its removal is not removed', async (t) => {
  const booked: string[] = []
  const parties = { clientId: 'c', brokerId: 'b' }
  const api = await openEstateApi(t, {
    instead: ({ store }) => ({
      store: {
        ...store,
        // The visit is created between the read and the commit of the removal.
        async list(ask) {
          const listed = await store.list(ask as never)
          const [propertyId] = booked
          if ((ask.from.name as string) !== visits.name || propertyId === undefined) return listed as never
          booked.pop()
          const { changes } = visit.build(
            companyId,
            { ...parties, propertyId, scheduledAt: SOON, notes: null },
            api.fresh(),
          )
          await store.commit([...changes, patch(properties, propertyId, { add: { visitWrites: 1 }, when: always })])
          return listed as never
        },
      },
    }),
  })
  const admin = await api.agency()
  const { companyId } = admin
  const { id } = await storedIn(api, admin).propertyOf()
  booked.push(id)
  const refused = await api.ask('DELETE', `/api/properties/${id}`, { token: admin.token })
  t.is(outcomeOf(refused), '400 property.in-use')
  t.is((await api.ask('GET', `/api/properties/${id}`, { token: admin.token })).status, 200)
})
