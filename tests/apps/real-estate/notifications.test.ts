// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { jobs, notifications } from '../../../core/real-estate/office.ts'
import { commissions } from '../../../core/real-estate/records/commission.ts'
import { contracts } from '../../../core/real-estate/records/contract.ts'
import { type PaymentStatus, payments } from '../../../core/real-estate/records/payment.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { type EstateTestApi, openEstateApi, type Person, TODAY, worked } from './test-api.ts'

/** Returns the notifications of a user, newest first. */
const notificationsOf = async (api: EstateTestApi, { token }: Person) =>
  worked(await api.ask('GET', '/api/notifications', { token })).data

/** Founds a company with an Admin, a broker who is a user, and a contract. */
const openDeal = async (t: ExecutionContext) => {
  const { api, admin, ask, stored } = await openAgency(t)
  const bruno = await api.colleague(admin, 'Broker')
  const broker = await stored.brokerOf({ email: bruno.email })
  const property = await stored.propertyOf({ code: 'AP-101' })
  const of = { propertyId: property.id, propertyCode: 'AP-101', clientName: 'Maria da Silva' }
  return { api, admin, ask, bruno, stored, broker, property, contract: await stored.contractOf(of) }
}

test('a new proposal notifies its broker and all Admins once each', async (t) => {
  const { api, admin, bruno, stored, broker, contract } = await openDeal(t)
  const second = await api.colleague(admin, 'Admin')
  const [financial, other] = [await api.colleague(admin, 'Financial'), await api.agency()]
  const proposal = await stored.proposalOf(contract, broker.id)
  await stored.emit('proposal.created', proposal.id)
  await api.drain()
  for (const person of [admin, second, bruno]) {
    const [notification, ...more] = await notificationsOf(api, person)
    const { id, createdAt, ...rest } = notification
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
  for (const person of [financial, other]) t.deepEqual(await notificationsOf(api, person), [])
  // An Admin who is also the broker is notified once.
  const own = await stored.brokerOf({ email: admin.email })
  const theirs = await stored.proposalOf(contract, own.id, { type: 'Sale' })
  await stored.emit('proposal.created', theirs.id)
  await api.drain()
  t.is((await notificationsOf(api, admin)).length, 2)
  t.is((await notificationsOf(api, bruno)).length, 1)
})

test('a user with a broker’s e-mail whose role may not read proposals is not notified', async (t) => {
  const { api, admin, stored, contract } = await openDeal(t)
  for (const role of ['Tenant', 'Owner', 'Syndic', 'Financial'] as const) {
    const broker = await stored.brokerOf()
    const claimant = await api.colleague(admin, role, broker.email)
    const proposal = await stored.proposalOf(contract, broker.id)
    await stored.emit('proposal.created', proposal.id)
    await api.drain()
    t.deepEqual(await notificationsOf(api, claimant), [], role)
  }
})

test('events of a broker notify only the user with their e-mail, each with its own text', async (t) => {
  const { api, admin, bruno, stored, broker, contract } = await openDeal(t)
  const proposal = await stored.proposalOf(contract, broker.id)
  const commission = await stored.commissionOf(contract, broker.id)
  const cases = [
    ['proposal.approved', proposal.id, 'ProposalApproved', 'Proposal', 'Proposta aprovada'],
    ['commission.approved', commission.id, 'CommissionApproved', 'Commission', 'Comissão aprovada'],
    ['commission.paid', commission.id, 'CommissionPaid', 'Commission', 'Comissão paga'],
  ] as const
  for (const [event, id, type, resourceType, title] of cases) {
    await stored.emit(event, id)
    await api.drain()
    t.like((await notificationsOf(api, bruno))[0], { type, title, resourceType, resourceId: id, isRead: false }, event)
    api.clock.advance(1)
  }
  t.deepEqual(
    (await notificationsOf(api, bruno)).map(({ message }: { message: string }) => message),
    [
      'Sua comissão de R$ 1.250,50 pelo contrato do imóvel AP-101 foi paga.',
      'Sua comissão de R$ 1.250,50 pelo contrato do imóvel AP-101 foi aprovada.',
      'A proposta de Maria da Silva de R$ 2.400,00 pelo imóvel AP-101 foi aprovada.',
    ],
  )
  t.deepEqual(await notificationsOf(api, admin), [])
})

test('a removed record, and a broker without a user in the company, notify no user', async (t) => {
  const { api, stored, broker, contract } = await openDeal(t)
  const stranger = await api.agency()
  const lonely = await stored.brokerOf()
  const foreign = await stored.brokerOf({ email: stranger.email })
  const removed = await stored.commissionOf(contract, broker.id)
  await stored.softDelete(commissions, removed)
  await stored.emit('commission.paid', (await stored.commissionOf(contract, lonely.id)).id)
  await stored.emit('commission.paid', (await stored.commissionOf(contract, foreign.id)).id)
  await stored.emit('commission.paid', removed.id)
  await stored.emit('visit.confirmed', contract.id)
  await api.drain()
  t.deepEqual(await api.every(notifications), [])
})

test('a confirmed visit notifies its broker, with its São Paulo time', async (t) => {
  const { api, ask, bruno, stored, broker, property } = await openDeal(t)
  const client = await stored.clientOf({ name: 'João Lima' })
  const parties = { propertyId: property.id, clientId: client.id, brokerId: broker.id }
  const visit = worked(await ask('POST', '/api/visits', { ...parties, scheduledAt: '2026-12-01T01:30:00Z' }))
  worked(await ask('PATCH', `/api/visits/${visit.id}/status`, { status: 'Confirmed' }))
  await api.drain()
  t.like(await notificationsOf(api, bruno), [
    {
      type: 'VisitConfirmed',
      message: 'A visita de João Lima ao imóvel AP-101 em 30/11/2026 às 22:30 foi confirmada.',
      resourceType: 'Visit',
      resourceId: visit.id,
    },
  ])
})

test('a user lists, reads and counts their own notifications', async (t) => {
  const { api, admin, bruno, stored, broker, contract } = await openDeal(t)
  const { token } = bruno
  for (let count = 0; count < 3; count += 1) {
    const { id } = await stored.commissionOf(contract, broker.id)
    await stored.emit('commission.paid', id)
    await api.drain()
    api.clock.advance(60)
  }
  const list = (query: string) => api.ask('GET', `/api/notifications?${query}`, { token })
  const all = worked(await list(''))
  t.like(all, { page: 1, pageSize: 20, total: 3, totalPages: 1, hasNext: false, hasPrevious: false, unreadCount: 3 })
  const [newest, middle, oldest] = all.data
  t.true(newest.createdAt > middle.createdAt && middle.createdAt > oldest.createdAt)
  t.is((await api.ask('PATCH', `/api/notifications/${middle.id}/read`, { token: admin.token })).status, 404)
  const read = await api.ask('PATCH', `/api/notifications/${middle.id}/read`, { token, body: {} })
  t.is(read.status, 200, read.text)
  t.deepEqual(read.body, { id: middle.id, isRead: true, readAt: api.clock.now() })
  api.clock.advance(60)
  t.deepEqual((await api.ask('PATCH', `/api/notifications/${middle.id}/read`, { token })).body, read.body)
  const unread = worked(await list('unreadOnly=true&pageSize=1'))
  t.like(unread, { total: 2, totalPages: 2, hasNext: true, unreadCount: 2, data: [{ id: newest.id, isRead: false }] })
  t.is(worked(await list('unreadOnly=false')).total, 3)
  const readAll = () => api.ask('PATCH', '/api/notifications/read-all', { token, body: {} })
  t.deepEqual(worked(await readAll()), { markedAsRead: 2 })
  t.deepEqual(worked(await readAll()), { markedAsRead: 0 })
  t.is(worked(await list('')).unreadCount, 0)
})

const check = async (api: EstateTestApi, { token }: Person) =>
  worked(await api.ask('POST', '/api/notifications/check-alerts', { token, body: {} }))

const NOTHING = { contractsExpiring: 0, paymentsDefaulted: 0, notificationsCreated: 0 }

test('contracts that end within 30 days notify Admins and Financial once per end date', async (t) => {
  const { api, admin } = await openAgency(t)
  const [financial, broker, other] = [
    await api.colleague(admin, 'Financial'),
    await api.colleague(admin, 'Broker'),
    await api.agency(),
  ]
  const stored = storedIn(api, admin)
  const [first, last] = [
    await stored.contractOf({ endDate: TODAY, propertyCode: 'AP-1', clientName: 'Maria' }),
    await stored.contractOf({ endDate: '2026-12-23' }),
  ]
  await stored.contractOf({ endDate: '2026-12-24' })
  await stored.contractOf({ endDate: '2026-11-22' })
  await stored.contractOf({ endDate: TODAY, status: 'Terminated' })
  await stored.softDelete(contracts, await stored.contractOf({ endDate: TODAY }))
  t.deepEqual(await check(api, admin), { contractsExpiring: 2, paymentsDefaulted: 0, notificationsCreated: 4 })
  for (const { userId } of [admin, financial]) {
    const notified = (await api.every(notifications)).filter((each) => each.userId === userId)
    t.deepEqual(notified.map(({ resourceId }) => resourceId).sort(), [first.id, last.id].sort())
    t.like(
      notified.find(({ resourceId }) => resourceId === first.id),
      {
        type: 'ContractExpiry',
        message: 'O contrato de Maria para o imóvel AP-1 termina em 23/11/2026.',
        resourceType: 'Contract',
      },
    )
  }
  t.is((await api.every(notifications)).filter(({ userId }) => userId === broker.userId).length, 0)
  t.deepEqual(await check(api, admin), { contractsExpiring: 2, paymentsDefaulted: 0, notificationsCreated: 0 })
  t.deepEqual(await check(api, other), NOTHING)
  // A renewal has another end, which is notified again.
  await api.host.store.commit([patch(contracts, first.id, { set: { endDate: '2026-12-01' }, when: always })])
  t.deepEqual(await check(api, admin), { contractsExpiring: 2, paymentsDefaulted: 0, notificationsCreated: 2 })
})

test('payments past their due date become Defaulted and notify once each time', async (t) => {
  const { api, admin } = await openAgency(t)
  await api.colleague(admin, 'Financial')
  const other = await api.agency()
  const stored = storedIn(api, admin)
  const contract = await stored.contractOf({ propertyCode: 'AP-1', clientName: 'Maria' })
  const late = await stored.paymentOf(contract, { dueDate: '2026-11-19', type: 'Condo', valueCents: 60_010 })
  // Due on a Saturday: payable today.
  await stored.paymentOf(contract, { dueDate: '2026-11-21' })
  for (const status of ['Paid', 'Cancelled', 'Defaulted'] as const satisfies readonly PaymentStatus[])
    await stored.paymentOf(contract, { dueDate: '2026-10-10', status })
  await stored.softDelete(payments, await stored.paymentOf(contract, { dueDate: '2026-10-10' }))
  const before = await api.everything()
  t.deepEqual(await check(api, other), NOTHING)
  t.deepEqual((await api.everything())[payments.name], before[payments.name])
  t.deepEqual(await check(api, admin), { contractsExpiring: 0, paymentsDefaulted: 1, notificationsCreated: 2 })
  t.is((await api.every(payments)).find(({ id }) => id === late.id)?.status, 'Defaulted')
  t.is((await api.every(payments)).filter(({ status }) => status === 'Pending').length, 2, 'one due today, one removed')
  t.like((await api.every(notifications))[0], {
    type: 'PaymentDefault',
    message: 'O condomínio de 11/2026 de Maria (imóvel AP-1), de R$ 600,10, venceu em 19/11/2026.',
    resourceType: 'Payment',
    resourceId: late.id,
  })
  t.deepEqual(await check(api, admin), NOTHING)
  // A refund leaves it Pending if its due date was moved; it may be overdue a second time.
  await api.host.store.commit([patch(payments, late.id, { set: { status: 'Pending' }, when: always })])
  t.deepEqual(await check(api, admin), { contractsExpiring: 0, paymentsDefaulted: 1, notificationsCreated: 2 })
})

test('every company is checked once a day at ALERTS_AT, and never at a start', async (t) => {
  const api = await openEstateApi(t, { env: { ALERTS_AT: '07:00' } })
  const [first, second] = [await api.agency(), await api.agency()]
  for (const each of [first, second]) {
    const stored = storedIn(api, each)
    await stored.paymentOf(await stored.contractOf(), { dueDate: '2026-11-01' })
  }
  await api.drain()
  t.deepEqual(await api.every(notifications), [])
  t.is((await api.every(jobs)).find(({ id }) => id === 'check-alerts')?.dueAt, '2026-11-24T10:00:00.000Z')
  api.clock.set('2026-11-24T10:00:01.000Z')
  await api.drain()
  t.deepEqual((await api.every(notifications)).map(({ userId }) => userId).sort(), [first.userId, second.userId].sort())
  t.is((await api.every(jobs)).find(({ id }) => id === 'check-alerts')?.dueAt, '2026-11-25T10:00:00.000Z')
})
