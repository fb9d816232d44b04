// Also runs on MongoDB, in test:long.
import test from 'ava'
import { buildRealEstate } from '../../../../apps/real-estate/app.ts'
import { isLeft } from '../../../../core/fp.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { jobs, notifications } from '../../../../core/real-estate/office.ts'
import { realEstate } from '../../../../core/real-estate/real-estate.ts'
import { contracts } from '../../../../core/real-estate/records/contract.ts'
import { type PaymentStatus, payments } from '../../../../core/real-estate/records/payment.ts'
import { storedIn } from '../stored.ts'
import { type EstateTestApi, openEstateApi, type Person, TODAY, worked } from '../test-api.ts'

const check = async (api: EstateTestApi, { token }: Person) =>
  worked(await api.ask('POST', '/api/notifications/check-alerts', { token, body: {} }))

const NOTHING = { contractsExpiring: 0, paymentsDefaulted: 0, notificationsCreated: 0 }

test('contracts that end within 30 days are told to Admins and Financial once for each end date', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
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
  await stored.gone(contracts, await stored.contractOf({ endDate: TODAY }))
  t.deepEqual(await check(api, admin), { contractsExpiring: 2, paymentsDefaulted: 0, notificationsCreated: 4 })
  for (const { userId } of [admin, financial]) {
    const told = (await api.every(notifications)).filter((each) => each.userId === userId)
    t.deepEqual(told.map(({ resourceId }) => resourceId).sort(), [first.id, last.id].sort())
    t.like(
      told.find(({ resourceId }) => resourceId === first.id),
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
  // Renewed, it has another end, and is told of again when that comes.
  const [change] = [
    { kind: 'patch', at: [contracts.name, first.id], set: { endDate: '2026-12-01' }, when: { all: [] } },
  ] as const
  await api.host.store.commit([change])
  t.deepEqual(await check(api, admin), { contractsExpiring: 2, paymentsDefaulted: 0, notificationsCreated: 2 })
})

test('payments that are past their due date become Defaulted, and are told of once', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  await api.colleague(admin, 'Financial')
  const other = await api.agency()
  const stored = storedIn(api, admin)
  const contract = await stored.contractOf({ propertyCode: 'AP-1', clientName: 'Maria' })
  const late = await stored.paymentOf(contract, { dueDate: '2026-11-19', type: 'Condo', valueCents: 60_010 })
  // On a Saturday: due today.
  await stored.paymentOf(contract, { dueDate: '2026-11-21' })
  for (const status of ['Paid', 'Cancelled', 'Defaulted'] as const satisfies readonly PaymentStatus[])
    await stored.paymentOf(contract, { dueDate: '2026-10-10', status })
  await stored.gone(payments, await stored.paymentOf(contract, { dueDate: '2026-10-10' }))
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
})

test('two checks at once tell everything once, however much there is', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  await api.colleague(admin, 'Financial')
  const stored = storedIn(api, admin)
  const of = await stored.contractOf({ endDate: '2030-01-01' })
  for (let count = 0; count < 320; count += 1) {
    await stored.paymentOf(of, { dueDate: '2026-11-01' })
    if (count % 2 === 0)
      await stored.contractOf({ endDate: '2026-12-01', propertyId: of.propertyId, clientId: of.clientId })
  }
  const [one, two] = await Promise.all([check(api, admin), check(api, admin)])
  t.is(one.contractsExpiring, 160)
  t.is(one.paymentsDefaulted + two.paymentsDefaulted, 320)
  t.is(one.notificationsCreated + two.notificationsCreated, 2 * (320 + 160))
  const told = await api.every(notifications)
  t.is(told.length, 2 * (320 + 160))
  t.deepEqual(
    told.map(({ seq }) => seq).sort((a, b) => a - b),
    told.map((_, index) => index + 1),
  )
})

test('five thousand overdue payments are moved in one check, and each is told of once', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const late = await stored.paymentOf(await stored.contractOf({ endDate: '2030-01-01' }), { dueDate: '2026-11-01' })
  const [overdue, atOnce] = [5_000, 500]
  for (let count = 1; count < overdue; count += atOnce) {
    const more = Array.from({ length: Math.min(atOnce, overdue - count) }, () => ({ ...late, id: api.fresh().uuid() }))
    t.true((await api.host.store.commit(more.map((each) => insert(payments, each)))).ok)
  }
  t.deepEqual(await check(api, admin), {
    contractsExpiring: 0,
    paymentsDefaulted: overdue,
    notificationsCreated: overdue,
  })
  t.true((await api.every(payments)).every(({ status }) => status === 'Defaulted'))
  t.is(new Set((await api.every(notifications)).map(({ resourceId }) => resourceId)).size, overdue)
  t.deepEqual(await check(api, admin), NOTHING)
})

test('checks of two processes at once tell everything once', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const of = await stored.contractOf({ endDate: '2026-12-01' })
  for (let count = 0; count < 450; count += 1) await stored.paymentOf(of, { dueDate: '2026-11-01' })
  const processes = await Promise.all([1, 2].map(async () => realEstate((await buildRealEstate(api.host)).ports)))
  const checks = await Promise.all(processes.map(({ notifications: each }) => each.checkAlerts(admin)()))
  const done = checks.map((outcome) => (isLeft(outcome) ? outcome.left.code : outcome.right.notificationsCreated))
  t.is((await api.every(payments)).filter(({ status }) => status === 'Pending').length, 0)
  t.is((await api.every(notifications)).length, 451)
  t.is(
    done.reduce<number>((sum, created) => sum + Number(created), 0),
    451,
    done.join(', '),
  )
})

test('a check under one key is done once and answers the same', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  await stored.paymentOf(await stored.contractOf(), { dueDate: '2026-11-01' })
  const ask = () =>
    api.ask('POST', '/api/notifications/check-alerts', {
      token: admin.token,
      body: {},
      headers: { 'idempotency-key': 'uma vez' },
    })
  const first = await ask()
  t.like(first, { status: 200, body: { paymentsDefaulted: 1 } })
  const again = await ask()
  t.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
})

test('every company is checked once a day at its hour, and never at a start', async (t) => {
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
