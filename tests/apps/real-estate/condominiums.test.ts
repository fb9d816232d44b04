// Also runs on MongoDB, in test:long.
import test from 'ava'
import { aCondominium, aProperty, aTaxId, openAgency, PLACE } from './given/basics.ts'
import { outcomeOf, worked, wrongIn } from './test-api.ts'

test('a condominium is created, shown with its units, listed, replaced and removed', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const syndic = await api.colleague(admin, 'Syndic')
  const body = { name: 'Edifício Aurora', taxId: '11.222.333/0001-81', syndicId: syndic.userId, address: PLACE }
  const made = await ask('POST', '/api/condominiums', body)
  t.is(made.status, 201, made.text)
  t.like(made.body, { name: body.name, taxId: '11222333000181', email: null, totalUnits: 0, properties: [] })
  t.deepEqual(made.body.syndic, { id: syndic.userId, name: `Pessoa ${syndic.uid}`, email: syndic.email })
  const path = `/api/condominiums/${made.body.id}`
  const units: Awaited<ReturnType<typeof aProperty>>[] = []
  for (const code of ['b-2', 'É-1', 'A-1'])
    units.push(await aProperty(api, admin, { code, condominiumId: made.body.id }))
  const shown = worked(await ask('GET', path))
  t.deepEqual(
    shown.properties,
    [2, 0, 1].map((at) => ({ id: units[at].id, code: units[at].code, status: 'Available' })),
  )
  t.is(shown.totalUnits, 3)
  const { properties: _, ...listed } = shown
  t.deepEqual(worked(await ask('GET', '/api/condominiums?search=11.222.333')).data, [listed])
  t.is(worked(await ask('GET', '/api/condominiums?search=edificio')).total, 1)
  const put = await ask('PUT', path, { ...body, name: 'Edifício Sol', phone: '(11) 3333-0000' })
  t.like(put.body, { name: 'Edifício Sol', phone: '1133330000', totalUnits: 3 })
  t.is(put.body.properties.length, 3)
  t.is(outcomeOf(await ask('DELETE', path)), '400 condominium.in-use')
  for (const { id } of units) worked(await ask('DELETE', `/api/properties/${id}`))
  t.is((await ask('DELETE', path)).status, 204)
  t.is((await ask('GET', path)).status, 404)
})
test('the CNPJ is validated and unique in the company, and the syndic must be a Syndic of the company', async (t) => {
  const { api, admin } = await openAgency(t)
  const other = await api.agency()
  const { userId: syndicId } = await api.colleague(admin, 'Syndic')
  const owner = await api.colleague(admin, 'Owner')
  const elsewhere = await api.colleague(other, 'Syndic')
  const ask = (over: object) =>
    api.ask('POST', '/api/condominiums', {
      token: admin.token,
      body: { name: 'Aurora', taxId: '11.222.333/0001-81', syndicId, address: PLACE, ...over },
    })
  t.deepEqual(wrongIn(await ask({ taxId: '123.456.789-09' })), { taxId: ['document'] })
  for (const userId of [owner.userId, elsewhere.userId])
    t.deepEqual(wrongIn(await ask({ syndicId: userId })), { syndicId: ['unknown'] })
  t.is((await ask({})).status, 201)
  t.is(outcomeOf(await ask({ taxId: '11222333000181' })), '409 condominium.taxId.taken')
  t.is((await ask({ taxId: aTaxId() })).status, 201)
})

test('a Syndic reads their own condominiums', async (t) => {
  const { api, admin } = await openAgency(t)
  const { token, userId } = await api.colleague(admin, 'Syndic')
  const own = await aCondominium(api, admin, { syndicId: userId })
  const others = await aCondominium(api, admin)
  const listed = worked(await api.ask('GET', '/api/condominiums', { token }))
  t.deepEqual([listed.total, listed.data[0].id], [1, own.id])
  const asked = await api.ask('GET', `/api/condominiums?syndicId=${others.syndic.id}`, { token })
  t.like(worked(asked), { total: 0, data: [] })
  t.is((await api.ask('GET', `/api/condominiums/${own.id}`, { token })).status, 200)
  t.is((await api.ask('GET', `/api/condominiums/${others.id}`, { token })).status, 404)
})
