// Also runs on MongoDB, in test:long.

import test from 'ava'
import { PDFDocument } from 'pdf-lib'
import { ADDRESS } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { anOwner, LEASE, paidOf, someParties } from './given/given.ts'
import { type EstateTestApi, type Person, worked } from './test-api.ts'

const LATER = { now: '2026-12-02T12:00:00.000Z' }

const readStatement = (api: EstateTestApi, { token }: Pick<Person, 'token'>, id: string, query = 'period=2026-11') =>
  api.ask('GET', `/api/owners/${id}/statement?${query}`, { token })

test('a statement lists income and expenses of an owner’s properties by São Paulo month of payment', async (t) => {
  const { api, admin } = await openAgency(t, LATER)
  const { owner, house, lease, management } = await anOwner(api, admin)
  const rent = await paidOf(api, admin, { contractId: lease.id, value: 2500.06, period: '2026-10', notes: 'outubro' })
  await paidOf(api, admin, { contractId: lease.id, type: 'Fine', value: 250 }, '2026-12-01T02:59:59Z')
  await paidOf(api, admin, { contractId: management.id, type: 'IPTU', value: 100 }, '2026-11-12T12:00:00Z')
  await paidOf(api, admin, { contractId: lease.id, type: 'Condo', value: 600 }, '2026-11-11T12:00:00Z')
  // Another month, another owner, and not paid.
  await paidOf(api, admin, { contractId: lease.id }, '2026-12-01T03:00:00Z')
  await paidOf(api, admin, {})
  const others = await anOwner(api, admin, 'outra@example.com')
  await paidOf(api, admin, { contractId: others.lease.id })
  const statement = worked(await readStatement(api, admin, owner.id))
  const { entries, ...sums } = statement
  t.deepEqual(sums, {
    owner: { id: owner.id, name: 'Dona Alice' },
    period: '2026-11',
    totalIncome: 2750.06,
    totalAdministration: 212.51,
    totalExpenses: 100,
    net: 2437.55,
  })
  t.deepEqual(entries[0], {
    paymentId: rent.id,
    contractId: lease.id,
    property: { id: house.id, code: house.code },
    type: 'Rent',
    period: '2026-10',
    paidAt: '2026-11-10T12:00:00.000Z',
    flow: 'In',
    value: 2500.06,
    administrationPercentage: 8.5,
    administration: 212.51,
    notes: 'outubro',
  })
  t.deepEqual(
    entries.map(({ type, flow }: { readonly type: string; readonly flow: string }) => [type, flow]),
    [
      ['Rent', 'In'],
      ['Condo', 'Listed'],
      ['IPTU', 'Out'],
      ['Fine', 'In'],
    ],
  )
  t.like(worked(await readStatement(api, admin, owner.id, 'period=2027-01')), { entries: [], net: 0 })
})

test('Admin, Financial and the owner see a statement, by user id and by client id; others do not', async (t) => {
  const { api, admin, propertyOf, contractOf } = await openAgency(t, LATER)
  const dona = await api.colleague(admin, 'Owner', 'dona@example.com')
  const { owner } = await anOwner(api, admin, dona.email)
  const house = await propertyOf({ ownerId: dona.userId })
  const lease = await contractOf({ propertyId: house.id })
  await paidOf(api, admin, { contractId: lease.id, value: 7 })
  const other = await api.colleague(admin, 'Owner', 'outra@example.com')
  const financial = await api.colleague(admin, 'Financial')
  for (const who of [admin, financial, dona]) {
    t.is((await readStatement(api, who, owner.id)).status, 200)
    t.is((await readStatement(api, who, owner.id.toUpperCase())).status, 200)
    t.like(worked(await readStatement(api, who, dona.userId)), { totalIncome: 7, totalAdministration: 0, net: 7 })
  }
  const unverified = await api.sign({ sub: dona.uid, email: dona.email, email_verified: false })
  t.is((await readStatement(api, { token: unverified }, owner.id)).status, 404)
  for (const id of [owner.id, dona.userId]) t.is((await readStatement(api, other, id)).status, 404)
  for (const id of [financial.userId, house.id, 'x']) t.is((await readStatement(api, admin, id)).status, 404, id)
})

test('a statement is a PDF on request, with as many pages as it needs', async (t) => {
  const { api, admin } = await openAgency(t, LATER)
  const { owner, lease } = await anOwner(api, admin)
  for (let index = 0; index < 25; index += 1)
    await paidOf(api, admin, { contractId: lease.id, notes: `nº ${index} 🙂` })
  const path = `/api/owners/${owner.id}/statement?period=2026-11`
  for (const [target, accept] of [
    [`${path}&format=pdf`, undefined],
    [path, 'application/pdf'],
  ] as const) {
    const answer = await fetch(`${api.url}${target}`, {
      headers: { authorization: `Bearer ${admin.token}`, ...(accept && { accept }) },
    })
    t.is(answer.status, 200)
    t.is(answer.headers.get('content-type'), 'application/pdf')
    t.regex(`${answer.headers.get('content-disposition')}`, /extrato-.+-2026-11\.pdf/)
    const pdf = await answer.arrayBuffer()
    const document = await PDFDocument.load(pdf)
    t.is(document.getPageCount(), 2)
    t.is(document.getTitle(), 'Extrato do proprietário 11/2026')
  }
  const asJson = await api.ask('GET', `${path}&format=json`, {
    token: admin.token,
    headers: { accept: 'application/pdf' },
  })
  t.is(worked(asJson).entries.length, 25)
})

test('a paid rent keeps the owner and the administration fee of its payment; one of release 0.10.0 those before a change', async (t) => {
  const { api, admin, clientOf, contractOf, paymentOf } = await openAgency(t, LATER)
  const ask = async (method: string, path: string, body: object) =>
    worked(await api.ask(method, path, { token: admin.token, body }))
  const [before, after] = [await clientOf(), await clientOf()]
  const { house, body: parties } = await someParties(api, admin)
  const { code, type, purpose } = house
  const property = { code, type, purpose, address: ADDRESS, rentPrice: 2000, salePrice: 1 }
  await ask('PUT', `/api/properties/${house.id}`, { ...property, ownerId: before.id })
  const lease = { ...LEASE, ...parties, startDate: '2026-01-01', value: 2000 }
  const { id: contractId } = await ask('POST', '/api/contracts', { ...lease, administrationPercentage: 10 })
  await paidOf(api, admin, { contractId, value: 2000 }, '2026-10-10T12:00:00Z')
  // Paid without a percentage in the lease, while the property is managed for 5%; and both kinds by release 0.10.0.
  const managed = await contractOf({ propertyId: house.id, status: 'Renewed' })
  const management = { ...lease, type: 'Management', administrationPercentage: 5 }
  const { id: managementId } = await ask('POST', '/api/contracts', management)
  await paidOf(api, admin, { contractId: managed.id, value: 100 }, '2026-10-11T12:00:00Z')
  const old = { status: 'Paid', paidAt: '2026-10-12T12:00:00.000Z', paidMonth: '2026-10' } as const
  await paymentOf({ ...managed, id: contractId }, { ...old, paidValueCents: 200_000 })
  await paymentOf(managed, { ...old, paidValueCents: 10_000 })
  const october = async (of: { readonly id: string }) => {
    const { totalIncome, totalAdministration, net } = worked(await readStatement(api, admin, of.id, 'period=2026-10'))
    return [totalIncome, totalAdministration, net]
  }
  t.deepEqual(await october(before), [4200, 410, 3790])
  await ask('PUT', `/api/contracts/${contractId}`, { ...lease, administrationPercentage: 8 })
  t.deepEqual(await october(before), [4200, 410, 3790])
  await ask('PUT', `/api/contracts/${managementId}`, { ...management, administrationPercentage: 6 })
  await ask('PATCH', `/api/contracts/${managementId}/status`, { status: 'Cancelled' })
  await ask('PUT', `/api/properties/${house.id}`, { ...property, ownerId: after.id })
  t.deepEqual(
    [await october(before), await october(after)],
    [
      [4200, 410, 3790],
      [0, 0, 0],
    ],
  )
  await paidOf(api, admin, { contractId, value: 2000 }, '2026-10-13T12:00:00Z')
  t.deepEqual(
    [await october(before), await october(after)],
    [
      [4200, 410, 3790],
      [2000, 160, 1840],
    ],
  )
})
