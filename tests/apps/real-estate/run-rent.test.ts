// Also runs on MongoDB.
import test from 'ava'
import { notifications } from '../../../core/real-estate/office.ts'
import { contracts } from '../../../core/real-estate/records/contract.ts'
import { payments } from '../../../core/real-estate/records/payment.ts'
import { openAgency } from './given/basics.ts'
import { aLease, aPayment } from './given/given.ts'
import { type EstateTestApi, worked } from './test-api.ts'

const opened = async (...opening: Parameters<typeof openAgency>) => {
  const agency = await openAgency(...opening)
  return { ...agency, run: (body: object) => agency.ask('POST', '/api/contracts/run-rent', body) }
}

interface Skipped {
  readonly contractId: string
  readonly code: string
}

const skippedIn = ({ skipped }: { readonly skipped: readonly Skipped[] }) =>
  skipped.map(({ contractId, code }) => [contractId, code])

const rentsOf = async (api: EstateTestApi) =>
  (await api.every(payments)).filter(({ removedAt }) => removedAt === null).map(({ contractId }) => contractId)

const countsOf = async (api: EstateTestApi, id: string) =>
  (await api.every(contracts)).find((each) => each.id === id)?.paymentCount

test('a run creates one rent for each lease of the month, and returns the reason for each skipped lease', async (t) => {
  const { api, admin, ask, run, contractOf } = await opened(t)
  const lease = await aLease(api, admin)
  const begins = await contractOf({ startDate: '2026-11-16', dueDay: 5, valueCents: 100_000 })
  const ended = await contractOf({ startDate: '2024-01-01', endDate: '2026-10-31', propertyCode: 'CASA-7' })
  const later = await contractOf({ startDate: '2026-12-01' })
  const billed = await aLease(api, admin)
  await aPayment(api, admin, { contractId: billed.id, value: 1 })
  const moved = await contractOf({ status: 'Terminated', endedOn: '2026-10-31' })
  for (const type of ['Sale', 'Management'] as const) await contractOf({ type })
  await aLease(api, await api.agency())

  const done = worked(await run({ period: '2026-11' }))
  t.like(done, { period: '2026-11', dryRun: false })
  const made = new Map(done.created.map((each: { readonly contractId: string }) => [each.contractId, each]))
  t.deepEqual([...made.keys()].sort(), [lease.id, begins.id].sort())
  const rent = { type: 'Rent', period: '2026-11', notes: null, paidAt: null }
  t.like(made.get(lease.id), {
    ...rent,
    value: 2500,
    dueDate: '2026-11-10',
    contract: {
      id: lease.id,
      client: { id: lease.clientId, name: 'Maria da Silva' },
      property: { id: lease.propertyId, code: lease.propertyCode },
    },
  })
  t.like(made.get(begins.id), { ...rent, value: 500, dueDate: '2026-11-16' })
  t.deepEqual(
    skippedIn(done).sort(),
    [
      [billed.id, 'rent.billed'],
      [ended.id, 'lease.ended'],
      [moved.id, 'lease.ended'],
      [later.id, 'lease.not-begun'],
    ].sort(),
  )
  t.like(
    done.skipped.find(({ contractId }: Skipped) => contractId === ended.id),
    {
      propertyCode: 'CASA-7',
      reason: 'O prazo do contrato terminou, ou o contrato foi encerrado, antes deste mês.',
    },
  )
  for (const each of done.created) t.deepEqual(worked(await ask('GET', `/api/payments/${each.id}`)), each)
  t.is(await countsOf(api, lease.id), 1)
})

test('a rent that is overdue at creation is Defaulted and notified once', async (t) => {
  const { api, admin, ask, run, contractOf } = await opened(t)
  const financial = await api.colleague(admin, 'Financial')
  // 20 November is a holiday: it moves to today.
  for (const dueDay of [5, 10, 20]) await contractOf({ dueDay })
  const { created } = worked(await run({ period: '2026-11' }))
  t.deepEqual(
    created
      .map(({ status, dueDate }: { readonly status: string; readonly dueDate: string }) => [dueDate, status])
      .sort(),
    [
      ['2026-11-05', 'Defaulted'],
      ['2026-11-10', 'Defaulted'],
      ['2026-11-20', 'Pending'],
    ],
  )
  const { financial: figures } = worked(await ask('GET', '/api/dashboard'))
  t.like(figures, { defaultedPayments: 2, defaultedValue: 5000, pendingPayments: 1 })
  t.is(worked(await ask('GET', '/api/payments/report/defaulted')).totalDefaulted, 2)
  await api.drain()
  const notified = (await api.every(notifications)).filter(({ type }) => type === 'PaymentDefault')
  const userIds = notified.map(({ userId }) => userId).sort()
  t.deepEqual(userIds, [admin, admin, financial, financial].map(({ userId }) => userId).sort())
  const alerts = await ask('POST', '/api/notifications/check-alerts', {})
  t.like(worked(alerts), { paymentsDefaulted: 0, notificationsCreated: 0 })
})

test('a dry run returns the rents that would be created and writes nothing', async (t) => {
  const { api, admin, run } = await opened(t)
  await aLease(api, admin)
  const before = await api.everything()
  const dry = worked(await run({ period: '2026-11', dryRun: true }))
  t.like(dry, { dryRun: true, skipped: [] })
  t.like(dry.created[0], { id: null, createdAt: null, value: 2500, dueDate: '2026-11-10', status: 'Defaulted' })
  const { status, body } = await run({ period: '2026-11', dry_run: true })
  const message = 'Nome desconhecido. O nome do campo é dryRun.'
  t.deepEqual([status, body.errors], [400, [{ field: 'dry_run', code: 'misspelt', message }]])
  t.deepEqual(await api.everything(), before)
})

test('more leases than fit one commit are billed in batches, each once by two runs', async (t) => {
  const { api, ask, contractOf, propertyOf, clientOf } = await opened(t)
  const [{ id: propertyId }, { id: clientId }] = [await propertyOf(), await clientOf()]
  // Many that end on one day, and others.
  for (let index = 0; index < 230; index += 1)
    await contractOf({ propertyId, clientId, endDate: index < 150 ? '2028-06-30' : '2029-01-31' })
  const runs = await Promise.all([1, 2].map(() => ask('POST', '/api/contracts/run-rent', { period: '2026-11' })))
  const made = runs.flatMap((each) => worked(each).created)
  t.is(made.length, 230)
  t.is(new Set(made.map(({ contractId }) => contractId)).size, 230)
  t.is((await rentsOf(api)).length, 230)
  t.true((await api.every(contracts)).every(({ paymentCount }) => paymentCount === 1))
})

test('rents are created on RENT_RUN_DAY of each month, and never without it', async (t) => {
  const monthly = await opened(t, { env: { RENT_RUN_DAY: '25' } })
  const never = await opened(t)
  for (const { api, admin } of [monthly, never]) {
    await aLease(api, admin)
    await api.drain()
    t.deepEqual(await rentsOf(api), [], 'a start makes none')
    // 06:59 in São Paulo, and 07:00.
    api.clock.set('2026-11-25T09:59:00.000Z')
    await api.drain()
    t.deepEqual(await rentsOf(api), [])
    api.clock.set('2026-11-25T10:00:00.000Z')
    await api.drain()
  }
  t.is((await rentsOf(monthly.api)).length, 1)
  t.is((await rentsOf(never.api)).length, 0)
  // The process did not run on the day: the run is made later, for the month of that day.
  monthly.api.clock.set('2027-01-03T12:00:00.000Z')
  await monthly.api.drain()
  t.deepEqual((await monthly.api.every(payments)).map(({ period }) => period).sort(), ['2026-11', '2026-12'])
})
