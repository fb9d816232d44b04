// Also runs on MongoDB, in test:long.
import test from 'ava'
import { aCondominium, aProperty, aTaxId, PLACE } from './given/basics.ts'
import { openEstateApi, worked, wrongIn } from './test-api.ts'

test('a condominium is created, shown with its units, listed, replaced and removed only by its company', async (t) => {
  const api = await openEstateApi(t)
  const [admin, other] = [await api.agency(), await api.agency()]
  const { token } = admin
  const syndic = await api.colleague(admin, 'Syndic')
  const body = { name: 'Edifício Aurora', taxId: '11.222.333/0001-81', syndicId: syndic.userId, address: PLACE }
  const made = await api.ask('POST', '/api/condominiums', { token, body })
  t.is(made.status, 201, made.text)
  t.like(made.body, { name: body.name, taxId: '11222333000181', email: null, totalUnits: 0, properties: [] })
  t.deepEqual(made.body.syndic, { id: syndic.userId, name: `Pessoa ${syndic.uid}`, email: syndic.email })
  const path = `/api/condominiums/${made.body.id}`
  const units: Awaited<ReturnType<typeof aProperty>>[] = []
  for (const code of ['b-2', 'É-1', 'A-1'])
    units.push(await aProperty(api, admin, { code, condominiumId: made.body.id }))
  const shown = worked(await api.ask('GET', path, { token }))
  t.deepEqual(
    shown.properties,
    [2, 0, 1].map((at) => ({ id: units[at].id, code: units[at].code, status: 'Available' })),
  )
  t.is(shown.totalUnits, 3)
  t.is((await api.ask('GET', path, { token: other.token })).status, 404)
  const { properties: _, ...listed } = shown
  const found = worked(await api.ask('GET', '/api/condominiums?search=11.222.333', { token }))
  t.deepEqual(found.data, [listed])
  t.is(worked(await api.ask('GET', '/api/condominiums?search=edificio', { token })).total, 1)
  t.is(worked(await api.ask('GET', '/api/condominiums?search=edificio', { token: other.token })).total, 0)
  const put = await api.ask('PUT', path, { token, body: { ...body, name: 'Edifício Sol', phone: '(11) 3333-0000' } })
  t.like(put.body, { name: 'Edifício Sol', phone: '1133330000', totalUnits: 3 })
  t.is(put.body.properties.length, 3)
  const blocked = await api.ask('DELETE', path, { token })
  t.like(blocked, { status: 400, body: { code: 'condominium.in-use' } })
  for (const { id } of units) worked(await api.ask('DELETE', `/api/properties/${id}`, { token }))
  t.is((await api.ask('DELETE', path, { token })).status, 204)
  t.is((await api.ask('GET', path, { token })).status, 404)
})

test('the CNPJ is validated and unique in the company, and the syndic must be a Syndic of the company', async (t) => {
  const api = await openEstateApi(t)
  const [admin, other] = [await api.agency(), await api.agency()]
  const { userId: syndicId } = await api.colleague(admin, 'Syndic')
  const owner = await api.colleague(admin, 'Owner')
  const elsewhere = await api.colleague(other, 'Syndic')
  const ask = (over: object) =>
    api.ask('POST', '/api/condominiums', {
      token: admin.token,
      body: { name: 'Aurora', taxId: '11.222.333/0001-81', syndicId, address: PLACE, ...over },
    })
  t.deepEqual(wrongIn(await ask({ taxId: '123.456.789-09', address: undefined, syndicId: 'x' })), {
    taxId: ['document'],
    address: ['required'],
    syndicId: ['guid'],
  })
  for (const userId of [owner.userId, elsewhere.userId])
    t.deepEqual(wrongIn(await ask({ syndicId: userId })), { syndicId: ['unknown'] })
  t.is((await ask({})).status, 201)
  t.like(await ask({ taxId: '11222333000181' }), { status: 409, body: { code: 'condominium.taxId.taken' } })
  t.is((await ask({ taxId: aTaxId() })).status, 201)
})

test('a Syndic reads their own condominiums and changes none', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { token, userId } = await api.colleague(admin, 'Syndic')
  const own = await aCondominium(api, admin, { syndicId: userId })
  const others = await aCondominium(api, admin)
  const listed = worked(await api.ask('GET', '/api/condominiums', { token }))
  t.deepEqual([listed.total, listed.data[0].id], [1, own.id])
  const asked = await api.ask('GET', `/api/condominiums?syndicId=${others.syndic.id}`, { token })
  t.like(worked(asked), { total: 0, data: [] })
  t.is((await api.ask('GET', `/api/condominiums/${own.id}`, { token })).status, 200)
  t.is((await api.ask('GET', `/api/condominiums/${others.id}`, { token })).status, 404)
  t.is((await api.ask('DELETE', `/api/condominiums/${own.id}`, { token })).status, 403)
  t.is((await api.ask('POST', `/api/condominiums/${own.id}/expense-split`, { token, body: {} })).status, 403)
  for (const role of ['Broker', 'Financial', 'Owner', 'Tenant'] as const) {
    const person = await api.colleague(admin, role)
    t.is((await api.ask('GET', '/api/condominiums', { token: person.token })).status, 403, role)
  }
})

test('of a removal and a simultaneous new unit of a condominium exactly one succeeds', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { token } = admin
  const first = await aProperty(api, admin)
  for (let round = 0; round < 5; round += 1) {
    const { id } = await aCondominium(api, admin)
    const { code, ownerId, address } = first
    const body = { code, ownerId, address, type: 'House', purpose: 'Sale', salePrice: 1, condominiumId: id }
    const [put, removed] = await Promise.all([
      api.ask('PUT', `/api/properties/${first.id}`, { token, body }),
      api.ask('DELETE', `/api/condominiums/${id}`, { token }),
    ])
    t.true(
      (put.status === 200 && removed.status === 400) || (put.status === 400 && removed.status === 204),
      `${put.status} ${removed.status}`,
    )
  }
})
