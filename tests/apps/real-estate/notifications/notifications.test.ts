// Also runs on MongoDB, in test:long.
import test from 'ava'
import { notifications } from '../../../../core/real-estate/office.ts'
import { commissions } from '../../../../core/real-estate/records/commission.ts'
import { storedIn } from '../stored.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from '../test-api.ts'

/** What somebody is told, the newest first. */
const toldTo = async (api: EstateTestApi, { token }: Person) =>
  worked(await api.ask('GET', '/api/notifications', { token })).data

/** A company with an Admin, a broker who signs in, and a contract. */
const openAgency = async (api: EstateTestApi) => {
  const admin = await api.agency()
  const bruno = await api.colleague(admin, 'Broker')
  const stored = storedIn(api, admin)
  const broker = await stored.brokerOf({ email: bruno.email })
  const property = await stored.propertyOf({ code: 'AP-101' })
  const contract = await stored.contractOf({
    propertyId: property.id,
    propertyCode: 'AP-101',
    clientName: 'Maria da Silva',
  })
  return { admin, bruno, stored, broker, property, contract }
}

test('a new proposal is told to the broker who has it and to all Admins, once each', async (t) => {
  const api = await openEstateApi(t)
  const { admin, bruno, stored, broker, contract } = await openAgency(api)
  const second = await api.colleague(admin, 'Admin')
  const [financial, other] = [await api.colleague(admin, 'Financial'), await api.agency()]
  const proposal = await stored.proposalOf(contract, broker.id)
  await stored.tell('proposal.created', proposal.id)
  await api.drain()
  for (const person of [admin, second, bruno]) {
    const [told, ...more] = await toldTo(api, person)
    const { id, createdAt, ...rest } = told
    t.deepEqual(rest, {
      type: 'NewProposal',
      title: 'Nova proposta',
      message: 'Maria da Silva propôs R$ 2.400,00 pela locação do imóvel AP-101.',
      isRead: false,
      readAt: null,
      resourceType: 'Proposal',
      resourceId: proposal.id,
    })
    t.deepEqual(more, [])
    t.regex(id, /^[0-9a-f-]{36}$/)
    t.true(createdAt <= api.clock.now())
  }
  for (const person of [financial, other]) t.deepEqual(await toldTo(api, person), [])
  // An Admin who is the broker, too, is told once.
  const own = await stored.brokerOf({ email: admin.email })
  const theirs = await stored.proposalOf(contract, own.id, { type: 'Sale' })
  await stored.tell('proposal.created', theirs.id)
  await api.drain()
  t.is((await toldTo(api, admin)).length, 2)
  t.is((await toldTo(api, bruno)).length, 1)
})

test('who has registered themselves by a broker’s e-mail, and not as one who may see proposals, is told nothing', async (t) => {
  const api = await openEstateApi(t)
  const { admin, stored, contract } = await openAgency(api)
  for (const role of ['Tenant', 'Owner', 'Syndic', 'Financial'] as const) {
    const broker = await stored.brokerOf()
    const claimant = await api.colleague(admin, role, broker.email)
    const proposal = await stored.proposalOf(contract, broker.id)
    await stored.tell('proposal.created', proposal.id)
    await api.drain()
    t.deepEqual(await toldTo(api, claimant), [], role)
  }
})

test('what happens to a broker is told to the user with their e-mail alone, in words of its own', async (t) => {
  const api = await openEstateApi(t)
  const { admin, bruno, stored, broker, contract } = await openAgency(api)
  const proposal = await stored.proposalOf(contract, broker.id)
  const commission = await stored.commissionOf(contract, broker.id)
  const cases = [
    ['proposal.approved', proposal.id, 'ProposalApproved', 'Proposal', 'Proposta aprovada'],
    ['commission.approved', commission.id, 'CommissionApproved', 'Commission', 'Comissão aprovada'],
    ['commission.paid', commission.id, 'CommissionPaid', 'Commission', 'Comissão paga'],
  ] as const
  for (const [event, id, type, resourceType, title] of cases) {
    await stored.tell(event, id)
    await api.drain()
    t.like((await toldTo(api, bruno))[0], { type, title, resourceType, resourceId: id, isRead: false }, event)
    api.clock.advance(1)
  }
  t.deepEqual(
    (await toldTo(api, bruno)).map(({ message }: { message: string }) => message),
    [
      'Sua comissão de R$ 1.250,50 pelo contrato do imóvel AP-101 foi paga.',
      'Sua comissão de R$ 1.250,50 pelo contrato do imóvel AP-101 foi aprovada.',
      'A proposta de Maria da Silva de R$ 2.400,00 pelo imóvel AP-101 foi aprovada.',
    ],
  )
  t.deepEqual(await toldTo(api, admin), [])
})

test('of what is gone, and of a broker who has no user in the company, nobody is told', async (t) => {
  const api = await openEstateApi(t)
  const { stored, broker, contract } = await openAgency(api)
  const stranger = await api.agency()
  const lonely = await stored.brokerOf()
  const foreign = await stored.brokerOf({ email: stranger.email })
  const removed = await stored.commissionOf(contract, broker.id)
  await stored.gone(commissions, removed)
  await stored.tell('commission.paid', (await stored.commissionOf(contract, lonely.id)).id)
  await stored.tell('commission.paid', (await stored.commissionOf(contract, foreign.id)).id)
  await stored.tell('commission.paid', removed.id)
  await stored.tell('visit.confirmed', contract.id)
  await api.drain()
  t.deepEqual(await api.every(notifications), [])
})

test('a visit that is confirmed is told to its broker, with its São Paulo time', async (t) => {
  const api = await openEstateApi(t)
  const { admin, bruno, stored, broker, property } = await openAgency(api)
  const client = await stored.clientOf({ name: 'João Lima' })
  const visit = worked(
    await api.ask('POST', '/api/visits', {
      token: admin.token,
      body: {
        propertyId: property.id,
        clientId: client.id,
        brokerId: broker.id,
        scheduledAt: '2026-12-01T01:30:00Z',
      },
    }),
  )
  const body = { status: 'Confirmed' }
  worked(await api.ask('PATCH', `/api/visits/${visit.id}/status`, { token: admin.token, body }))
  await api.drain()
  t.like(await toldTo(api, bruno), [
    {
      type: 'VisitConfirmed',
      message: 'A visita de João Lima ao imóvel AP-101 em 30/11/2026 às 22:30 foi confirmada.',
      resourceType: 'Visit',
      resourceId: visit.id,
    },
  ])
})

test('a person lists, reads and counts their own notifications', async (t) => {
  const api = await openEstateApi(t)
  const { admin, bruno, stored, broker, contract } = await openAgency(api)
  const { token } = bruno
  for (let count = 0; count < 3; count += 1) {
    const { id } = await stored.commissionOf(contract, broker.id)
    await stored.tell('commission.paid', id)
    await api.drain()
    api.clock.advance(60)
  }
  const list = (query: string) => api.ask('GET', `/api/notifications?${query}`, { token })
  const all = worked(await list(''))
  t.like(all, { page: 1, pageSize: 20, total: 3, totalPages: 1, hasNext: false, hasPrevious: false, unreadCount: 3 })
  const [newest, middle, oldest] = all.data
  t.true(newest.createdAt > middle.createdAt && middle.createdAt > oldest.createdAt)
  t.is((await api.ask('PATCH', `/api/notifications/${middle.id}/read`, { token: admin.token })).status, 404)
  t.is((await api.ask('PATCH', '/api/notifications/x/read', { token })).status, 404)
  const read = await api.ask('PATCH', `/api/notifications/${middle.id}/read`, { token, body: {} })
  t.is(read.status, 200, read.text)
  t.deepEqual(read.body, { id: middle.id, isRead: true, readAt: api.clock.now() })
  api.clock.advance(60)
  t.deepEqual((await api.ask('PATCH', `/api/notifications/${middle.id}/read`, { token })).body, read.body)
  const unread = worked(await list('unreadOnly=true&pageSize=1'))
  t.like(unread, { total: 2, totalPages: 2, hasNext: true, unreadCount: 2, data: [{ id: newest.id, isRead: false }] })
  t.is(worked(await list('unreadOnly=false')).total, 3)
  for (const query of ['unreadOnly=maybe', 'pageSize=0', 'pageSize=101', 'page=0', 'unreadOnly[$ne]=1'])
    t.is((await list(query)).status, 400, query)
  const readAll = () => api.ask('PATCH', '/api/notifications/read-all', { token, body: {} })
  t.deepEqual(worked(await readAll()), { markedAsRead: 2 })
  t.deepEqual(worked(await readAll()), { markedAsRead: 0 })
  t.is(worked(await list('')).unreadCount, 0)
})

test('every role has notifications, and a caller without a token none', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  for (const role of ['Broker', 'Financial', 'Owner', 'Tenant', 'Syndic'] as const) {
    const { token } = await api.colleague(admin, role)
    t.is((await api.ask('GET', '/api/notifications', { token })).status, 200, role)
    t.is((await api.ask('POST', '/api/notifications/check-alerts', { token, body: {} })).status, 403, role)
  }
  t.is((await api.ask('GET', '/api/notifications')).status, 401)
})
