// Also runs on MongoDB, in test:long.
import test from 'ava'
import { properties } from '../../../../core/real-estate/records/property.ts'
import { visit, visits } from '../../../../core/real-estate/records/visit.ts'
import { aProperty, PLACE } from '../given/listings.ts'
import { storedIn } from '../stored.ts'
import { type EstateTestApi, openEstateApi, type Person, worked, wrongIn } from '../test-api.ts'

const move = (api: EstateTestApi, { token }: Pick<Person, 'token'>, id: string, status: string, more: object = {}) =>
  api.ask('PATCH', `/api/properties/${id}/status`, { token, body: { status, ...more } })

test('a property for one purpose alone never becomes what it is not for', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { propertyOf } = storedIn(api, admin)
  for (const [purpose, status, expected] of [
    ['Lease', 'Sold', 422],
    ['Sale', 'Rented', 422],
    ['Lease', 'Rented', 200],
    ['Sale', 'Sold', 200],
  ] as const) {
    const { id } = await propertyOf({ purpose })
    const answer = await move(api, admin, id, status)
    t.is(answer.status, expected)
    if (expected === 422) t.is(answer.body.code, 'property.purpose')
  }
})

test('a property that is let or sold keeps a purpose for it', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  for (const [status, kept, refused] of [
    ['Rented', 'Lease', 'Sale'],
    ['Sold', 'Sale', 'Lease'],
  ] as const) {
    const { id, owner, code } = await aProperty(api, admin)
    worked(await move(api, admin, id, status))
    const own = { code, type: 'Apartment', address: PLACE, ownerId: owner.id, rentPrice: 2500, salePrice: 500_000 }
    const put = (purpose: string) =>
      api.ask('PUT', `/api/properties/${id}`, { token: admin.token, body: { ...own, purpose } })
    t.like(await put(refused), { status: 422, body: { code: 'property.purpose' } }, status)
    t.like(await put(kept), { status: 200, body: { purpose: kept, status } })
  }
})

test('who moved a property, when and why stays in its history, and Financial may move it', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
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
  t.deepEqual(wrongIn(await move(api, admin, made.id, 'reserved')), { status: ['one-of'] })
  const other = await api.agency()
  t.is((await move(api, other, made.id, 'Reserved')).status, 404)
})

test('a property under an active lease is not freed by hand', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { propertyOf } = storedIn(api, admin)
  const { id } = await propertyOf({ status: 'Rented', activeContracts: 1, activeTenures: 1 })
  const before = await api.everything()
  t.like(await move(api, admin, id, 'Available'), { status: 422, body: { code: 'property.leased' } })
  t.deepEqual(await api.everything(), before)
})

test('of two who move a property at once to what excludes the other, one is refused, and its history tells of the other', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { id } = await aProperty(api, admin)
  const moved = await Promise.all(['Sold', 'Sold', 'Sold'].map((status) => move(api, admin, id, status)))
  t.deepEqual(moved.map(({ status }) => status).sort(), [200, 422, 422])
  const [stored] = await api.every(properties)
  t.deepEqual(
    stored?.statusHistory.map(({ status }) => status),
    ['Available', 'Sold'],
  )
})

const aVisit = (propertyId: string) => ({
  ...{ propertyId, clientId: 'c', brokerId: 'b', notes: null },
  scheduledAt: '2026-11-23T13:05:10.000Z',
})

test('a property with active contracts, open proposals or visits to come is not removed', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { propertyOf, put } = storedIn(api, admin)
  const visited = await propertyOf()
  await put(visit.build(admin.companyId, aVisit(visited.id), api.fresh()))
  const kept = [await propertyOf({ activeContracts: 1 }), await propertyOf({ openProposals: 1 }), visited]
  for (const { id } of kept) {
    const before = await api.everything()
    const refused = await api.ask('DELETE', `/api/properties/${id}`, { token: admin.token })
    t.like(refused, { status: 400, body: { code: 'property.in-use' } })
    t.deepEqual(await api.everything(), before)
  }
  // A second later it is past.
  api.clock.advance(1)
  t.is((await api.ask('DELETE', `/api/properties/${visited.id}`, { token: admin.token })).status, 204)
})

test('visits that are done, cancelled or removed keep no property', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { propertyOf, put } = storedIn(api, admin)
  const { id } = await propertyOf()
  for (const status of ['Done', 'Cancelled'] as const)
    await put(visit.build(admin.companyId, aVisit(id), api.fresh(), { status }))
  const gone = await put(visit.build(admin.companyId, aVisit(id), api.fresh()))
  const removal = { kind: 'patch', at: [visits.name, gone.id], set: { removedAt: api.clock.now() }, when: { all: [] } }
  await api.host.store.commit([removal as never])
  t.is((await api.ask('DELETE', `/api/properties/${id}`, { token: admin.token })).status, 204)
})

test('a property to which a visit comes while it is being removed stays', async (t) => {
  const booked: string[] = []
  const api = await openEstateApi(t, {
    instead: ({ store }) => ({
      store: {
        ...store,
        // The visit comes between what the removal reads and what it commits.
        async list(ask) {
          const listed = await store.list(ask as never)
          const [propertyId] = booked
          if ((ask.from.name as string) !== visits.name || propertyId === undefined) return listed as never
          booked.pop()
          const { changes } = visit.build(companyId, aVisit(propertyId), api.fresh())
          const counted = {
            kind: 'patch',
            at: [properties.name, propertyId],
            add: { visitWrites: 1 },
            when: { all: [] },
          }
          await store.commit([...changes, counted as never])
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
  t.like(refused, { status: 400, body: { code: 'property.in-use' } })
  t.is((await api.ask('GET', `/api/properties/${id}`, { token: admin.token })).status, 200)
})
