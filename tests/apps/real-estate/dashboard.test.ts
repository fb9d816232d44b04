// Also runs on MongoDB, in test:long.
import test from 'ava'
import { payment } from '../../../core/real-estate/records/payment.ts'
import { openAgency } from './given/basics.ts'
import { worked } from './test-api.ts'

test('the dashboard of an empty agency is all zeros, with five months of no revenue', async (t) => {
  const { ask } = await openAgency(t)
  const shown = worked(await ask('GET', '/api/dashboard'))
  t.deepEqual(shown, {
    properties: { total: 0, available: 0, reserved: 0, rented: 0, sold: 0 },
    contracts: { active: 0, expiringSoon: 0, terminated: 0, cancelled: 0 },
    financial: {
      monthlyRevenue: 0,
      pendingPayments: 0,
      pendingValue: 0,
      defaultedPayments: 0,
      defaultedValue: 0,
      defaultRate: 0,
    },
    brokers: [],
    proposals: { underReview: 0, negotiating: 0, approved: 0, rejected: 0 },
    visits: { scheduled: 0, confirmed: 0, done: 0, cancelled: 0 },
    revenueByMonth: ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'].map((period) => ({ period, value: 0 })),
    generatedAt: '2026-11-23T13:05:09.123Z',
  })
})

test('the dashboard counts records by status, this month’s money and overdue payments; a broker sees their own', async (t) => {
  const { api, admin, ask, brokerOf, propertyOf, contractOf, put } = await openAgency(t)
  const other = await api.agency()
  const bruno = await brokerOf({ email: 'bruno@example.com' })
  const [own] = [await propertyOf({ brokerId: bruno.id }), await propertyOf({ status: 'Sold' })]
  // The last of the thirty days counts; the next one and yesterday do not.
  const lease = await contractOf({ propertyId: own.id, brokerId: bruno.id, endDate: '2026-12-23' })
  await contractOf({ endDate: '2026-12-24', type: 'Sale', brokerId: bruno.id })
  await contractOf({ endDate: '2026-11-22' })
  await contractOf({ status: 'Cancelled', brokerId: bruno.id, endDate: '2026-11-30' })
  const owed = { contractId: lease.id, type: 'Rent', period: '2026-11', dueDate: '2026-11-10', notes: null } as const
  const pay = (valueCents: number, state: object) =>
    put(payment.build(admin.companyId, { ...owed, valueCents }, api.fresh(), state))
  await pay(100_000, {})
  await pay(50_000, { status: 'Defaulted' })
  await pay(100_000, { status: 'Paid', paidMonth: '2026-11', paidValueCents: 150_050 })
  await pay(100_000, { status: 'Paid', paidMonth: '2026-07', paidValueCents: 10 })
  await pay(100_000, { status: 'Paid', paidMonth: '2026-06', paidValueCents: 7 })
  const shown = worked(await ask('GET', '/api/dashboard'))
  t.deepEqual(shown.properties, { total: 5, available: 1, reserved: 0, rented: 3, sold: 1 })
  t.deepEqual(shown.contracts, { active: 3, expiringSoon: 1, terminated: 0, cancelled: 1 })
  t.deepEqual(shown.financial, {
    monthlyRevenue: 1500.5,
    pendingPayments: 1,
    pendingValue: 1000,
    defaultedPayments: 1,
    defaultedValue: 500,
    defaultRate: 0.2499,
  })
  t.deepEqual(shown.brokers, [{ id: bruno.id, name: 'Bruno Lima', totalSales: 1, totalLeases: 1, conversionRate: 0 }])
  const values = shown.revenueByMonth.map(({ value }: { value: number }) => value)
  t.deepEqual(values, [0.1, 0, 0, 0, 1500.5])
  const asBroker = await api.colleague(admin, 'Broker', 'bruno@example.com')
  const his = worked(await api.ask('GET', '/api/dashboard', { token: asBroker.token }))
  t.deepEqual(his.properties, { total: 1, available: 1, reserved: 0, rented: 0, sold: 0 })
  t.deepEqual(his.contracts, { active: 2, expiringSoon: 1, terminated: 0, cancelled: 1 })
  t.deepEqual([his.financial.monthlyRevenue, his.financial.pendingPayments, his.brokers.length], [0, 0, 1])
  const stranger = await api.colleague(admin, 'Broker')
  t.like(worked(await api.ask('GET', '/api/dashboard', { token: stranger.token })), {
    properties: { total: 0 },
    contracts: { active: 0, expiringSoon: 0 },
    brokers: [],
  })
  t.like(worked(await api.ask('GET', '/api/dashboard', { token: other.token })), { properties: { total: 0 } })
})
