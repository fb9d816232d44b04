import test from 'ava'
import { rows } from '../../../apps/real-estate/catalogue.ts'
import { exampleId } from '../../../apps/real-estate/examples.ts'
import { file } from '../../../core/real-estate/files.ts'
import { condominium } from '../../../core/real-estate/records/property.ts'
import { ADDRESS, storedIn } from '../../core/real-estate/records.ts'
import { aProperty, aTaxId, openAgency, PLACE } from './given/basics.ts'
import { aContract, aPayment, LEASE } from './given/given.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from './test-api.ts'

/** A record, and the filters with values for which a list returns it and not the other one. */
interface Found {
  readonly id: string
  readonly by: Readonly<Record<string, string | readonly string[]>>
}

type Pair = readonly [Found, Found]

/** Returns functions that store records of a company. */
const making = (api: EstateTestApi, admin: Person) => {
  const stored = storedIn(api, admin)
  const { companyId, userId } = admin
  const [fresh, put] = [api.fresh, stored.put]
  return {
    ...stored,
    condominiumOf: (name: string, taxId: string, syndicId: string) =>
      put(condominium.build(companyId, { name, taxId, syndicId, email: null, phone: null, address: ADDRESS }, fresh())),
    fileOf: (fileName: string, contentType: 'image/png' | 'application/pdf') => {
      const sent = { fileName, contentType, storagePath: 'a/b', url: 'https://fotos.example/a', sizeBytes: 1 }
      return put(file.build(companyId, sent, fresh(), { uploadedBy: userId }))
    },
    /** Stores a property and a client, by whose code and name other records are found. */
    async about(code: string, name: string) {
      const [property, client] = [await stored.propertyOf({ code }), await stored.clientOf({ name })]
      const ids = { propertyId: property.id, clientId: client.id }
      return { ids, of: { ...ids, propertyCode: code, clientName: name } }
    },
  }
}

type Made = ReturnType<typeof making>

/** Stores the properties, clients and brokers of two records. */
const two = async ({ about, brokerOf }: Made) => ({
  one: { ...(await about('CASA_7', 'João Peçanha')), brokerId: (await brokerOf({ name: 'Íris Lima' })).id },
  other: { ...(await about('AP-9', 'Maria da Silva')), brokerId: (await brokerOf({ name: 'Bruno Reis' })).id },
})

const [ONE, OTHER] = [
  ['casa_7', 'JOAO pecanha'],
  ['ap-9', 'da silva'],
] as const

const properties = async ({ propertyOf, clientOf, brokerOf, condominiumOf }: Made): Promise<Pair> => {
  const [brokerId, ownerId] = [(await brokerOf()).id, (await clientOf()).id]
  const { id: condominiumId } = await condominiumOf('Edifício Sol', aTaxId(), '')
  const address = { ...ADDRESS, street: 'Avenida São João', neighborhood: 'Sé', city: 'Santos', zipCode: '11010000' }
  const one = await propertyOf({
    code: 'CS-2',
    type: 'House',
    purpose: 'Lease',
    brokerId,
    ownerId,
    condominiumId,
    address,
  })
  const other = await propertyOf({ code: 'T%3', type: 'Land', purpose: 'Sale', status: 'Sold' })
  const search = ['cs-', 'AVENIDA sao', 'sé', 'santos', '11010']
  return [
    {
      id: one.id,
      by: { search, type: 'House', purpose: 'Lease', status: 'Available', brokerId, ownerId, condominiumId },
    },
    {
      id: other.id,
      by: {
        search: ['t%3', 'flores', 'centro', 'sao paulo', '01310'],
        type: 'Land',
        purpose: 'Sale',
        status: 'Sold',
        ownerId: other.ownerId,
      },
    },
  ]
}

const clients = async ({ clientOf }: Made): Promise<Pair> => {
  const person = { name: 'João Peçanha', email: 'joao@a.example', taxId: '12345678909', phone: '21987654321' }
  const one = await clientOf(person)
  const firm = { name: 'Aurora', email: 'oi@b.example', taxId: '11222333000181' }
  const other = await clientOf({ ...firm, type: 'Company', interest: 'Both' })
  return [
    {
      id: one.id,
      by: { search: ['pecanha', 'JOAO@A', '456789', '(21) 98765'], type: 'Individual', interest: 'Lease' },
    },
    { id: other.id, by: { search: ['aurora', 'b.example', '1122'], type: 'Company', interest: 'Both' } },
  ]
}

const contracts = async (made: Made): Promise<Pair> => {
  const { one, other } = await two(made)
  const first = await made.contractOf({ ...one.of, brokerId: one.brokerId, endDate: '2026-12-23' })
  const second = await made.contractOf({ ...other.of, brokerId: other.brokerId, type: 'Sale', status: 'Renewed' })
  return [
    {
      id: first.id,
      by: { search: ONE, ...one.ids, brokerId: one.brokerId, type: 'Lease', status: 'Active', expiringDays: '30' },
    },
    { id: second.id, by: { search: OTHER, ...other.ids, brokerId: other.brokerId, type: 'Sale', status: 'Renewed' } },
  ]
}

const proposals = async (made: Made): Promise<Pair> => {
  const { one, other } = await two(made)
  const first = await made.proposalOf(await made.contractOf(one.of), one.brokerId)
  const second = await made.proposalOf(await made.contractOf(other.of), other.brokerId, {
    type: 'Sale',
    status: 'Rejected',
  })
  return [
    { id: first.id, by: { search: ONE, brokerId: one.brokerId, type: 'Lease', status: 'UnderReview' } },
    { id: second.id, by: { search: OTHER, brokerId: other.brokerId, type: 'Sale', status: 'Rejected' } },
  ]
}

const payments = async (made: Made): Promise<Pair> => {
  const { one, other } = await two(made)
  const [lease, sale] = [await made.contractOf(one.of), await made.contractOf(other.of)]
  const first = await made.paymentOf(lease, { period: '2026-10' })
  const second = await made.paymentOf(sale, { type: 'IPTU', status: 'Defaulted' })
  return [
    { id: first.id, by: { search: ONE, contractId: lease.id, type: 'Rent', status: 'Pending', period: '2026-10' } },
    { id: second.id, by: { search: OTHER, contractId: sale.id, type: 'IPTU', status: 'Defaulted', period: '2026-11' } },
  ]
}

const commissions = async (made: Made): Promise<Pair> => {
  const { one, other } = await two(made)
  const [lease, sale] = [await made.contractOf(one.of), await made.contractOf(other.of)]
  const first = await made.commissionOf(lease, one.brokerId, { brokerName: 'Íris Lima' })
  const second = await made.commissionOf(sale, other.brokerId, { brokerName: 'Bruno Reis', status: 'Paid' })
  return [
    { id: first.id, by: { search: [...ONE, 'IRIS'], brokerId: one.brokerId, contractId: lease.id, status: 'Pending' } },
    {
      id: second.id,
      by: { search: [...OTHER, 'reis'], brokerId: other.brokerId, contractId: sale.id, status: 'Paid' },
    },
  ]
}

const visits = async (made: Made): Promise<Pair> => {
  const { one, other } = await two(made)
  // The last millisecond of November in São Paulo, and the first of December.
  const first = await made.visitOf({ ...one.of, brokerId: one.brokerId, scheduledAt: '2026-12-01T02:59:59.999Z' })
  const second = await made.visitOf({
    ...other.of,
    brokerId: other.brokerId,
    scheduledAt: '2026-12-01T03:00:00.000Z',
    status: 'Done',
  })
  const [{ propertyId }, { propertyId: otherId }] = [one.ids, other.ids]
  return [
    {
      id: first.id,
      by: { search: ONE, propertyId, brokerId: one.brokerId, status: 'Scheduled', dateTo: '2026-11-30' },
    },
    {
      id: second.id,
      by: { search: OTHER, propertyId: otherId, brokerId: other.brokerId, status: 'Done', dateFrom: '2026-12-01' },
    },
  ]
}

const condominiums = async ({ condominiumOf }: Made): Promise<Pair> => {
  const [one, other] = [exampleId(1), exampleId(2)]
  const first = await condominiumOf('Edifício Sol', '11222333000181', one)
  const second = await condominiumOf('Solar', '12345678000195', other)
  return [
    { id: first.id, by: { search: ['edificio', '112223'], syndicId: one } },
    { id: second.id, by: { search: ['SOLAR', '123456'], syndicId: other } },
  ]
}

const brokers = async ({ brokerOf }: Made): Promise<Pair> => {
  const first = await brokerOf({
    name: 'Íris Lima',
    email: 'iris@a.example',
    creci: 'CRECI-SP A',
    phone: '21987654321',
  })
  const second = await brokerOf({ name: 'Bruno Reis', email: 'b@b.example', creci: 'CRECI-RJ B', status: 'Inactive' })
  return [
    { id: first.id, by: { search: ['IRIS lima', '@a.ex', 'creci-sp', '98765-4321'], status: 'Active' } },
    { id: second.id, by: { search: ['reis', '@b.ex', 'creci-rj'], status: 'Inactive' } },
  ]
}

const files = async ({ fileOf }: Made): Promise<Pair> => {
  const first = await fileOf('Planta do térreo.png', 'image/png')
  const second = await fileOf('contrato.pdf', 'application/pdf')
  return [
    { id: first.id, by: { search: 'TERREO', contentType: 'image/png' } },
    { id: second.id, by: { search: '.pdf', contentType: 'application/pdf' } },
  ]
}

/** Two overdue payments, of which one is marked. */
const overdue = async (made: Made): Promise<Pair> => {
  const { one, other } = await two(made)
  const [lease, sale] = [await made.contractOf(one.of), await made.contractOf(other.of)]
  const first = await made.paymentOf(lease, { period: '2026-10' })
  const second = await made.paymentOf(sale, { status: 'Defaulted' })
  return [
    { id: first.id, by: { contractId: lease.id, period: '2026-10' } },
    { id: second.id, by: { contractId: sale.id, period: '2026-11' } },
  ]
}

/** Two records for each list, which differ in every filter. */
const pairs: Readonly<Record<string, (made: Made) => Promise<Pair>>> = {
  'properties.list': properties,
  'clients.list': clients,
  'contracts.list': contracts,
  'proposals.list': proposals,
  'payments.list': payments,
  'payments.report-defaulted': overdue,
  'commissions.list': commissions,
  'visits.list': visits,
  'condominiums.list': condominiums,
  'brokers.list': brokers,
  'files.list': files,
}

/** Query parameters that are no filters. */
const PAGING = ['page', 'pageSize']
/** Lists without pairs have tests of their own. */
const narrowed = rows.filter(({ name }) => name in pairs)

test('every pair belongs to a list', (t) => {
  t.deepEqual(narrowed.map(({ name }) => name).sort(), Object.keys(pairs).sort())
})

for (const { name, paths, input } of narrowed)
  test(`${name}: each filter and each search returns exactly the matching record`, async (t) => {
    const api = await openEstateApi(t)
    const admin = await api.agency()
    const found = (await pairs[name]?.(making(api, admin))) ?? []
    const idsOf = async (query: string): Promise<readonly string[]> => {
      const { data, payments } = worked(await api.ask('GET', `${paths[0]}?${query}`, { token: admin.token }))
      return (data ?? payments).map(({ id }: { id: string }) => id)
    }
    t.deepEqual([...(await idsOf(''))].sort(), found.map(({ id }) => id).sort())
    for (const { id, by } of found)
      for (const [field, values] of Object.entries(by))
        for (const value of [values].flat())
          t.deepEqual(await idsOf(`${new URLSearchParams({ [field]: value })}`), [id], `${field}: ${value}`)
    const asked = new Set(found.flatMap(({ by }) => Object.keys(by)))
    const offered = Object.keys(input.query?.fields ?? {}).filter((field) => !PAGING.includes(field))
    t.deepEqual([...asked].sort(), offered.sort(), 'every filter is tested')
  })

test('a created record is found by the names of its parties, with wildcards taken literally', async (t) => {
  const { api, admin, ask, propertyOf, clientOf, brokerOf } = await openAgency(t)
  const [house, person, agent] = [
    await propertyOf({ code: 'CASA_7' }),
    await clientOf({ name: 'João d’Ávila' }),
    await brokerOf({ name: 'Íris Peçanha' }),
  ]
  const parties = { propertyId: house.id, clientId: person.id, brokerId: agent.id }
  const post = async (path: string, body: object) => worked(await ask('POST', path, body)).id
  const offer = { type: 'Lease', proposedValue: 2400, validUntil: '2030-12-15T23:59:59Z' }
  const visit = await post('/api/visits', { ...parties, scheduledAt: '2030-11-25T14:00:00-03:00' })
  const proposal = await post('/api/proposals', { ...parties, ...offer })
  const contract = await post('/api/contracts', { ...parties, ...LEASE })
  const rent = { type: 'Rent', period: '2026-12', value: 2500, dueDate: '2026-12-10' }
  const found = {
    '/api/visits': visit,
    '/api/proposals': proposal,
    '/api/contracts': contract,
    '/api/payments': await post('/api/payments', { contractId: contract, ...rent }),
    '/api/commissions': await post('/api/commissions', { contractId: contract, brokerId: agent.id, value: 10 }),
  }
  const others = await aContract(api, admin)
  await aPayment(api, admin, { contractId: others.id })
  for (const [path, id] of Object.entries(found)) {
    const names = ['casa_7', 'JOAO d’avila', ...(path === '/api/commissions' ? ['iris PECANHA'] : [])]
    for (const search of names)
      t.like(worked(await ask('GET', `${path}?${new URLSearchParams({ search })}`)), { total: 1, data: [{ id }] }, path)
    t.is(worked(await ask('GET', `${path}?search=casa%257`)).total, 0, path)
  }
  const { id } = await aProperty(api, admin, { code: 'T%3', address: { ...PLACE, city: 'Santos' } })
  for (const search of ['t%3', 'SANTOS'])
    t.like(worked(await ask('GET', `/api/properties?${new URLSearchParams({ search })}`)), { total: 1, data: [{ id }] })
})
