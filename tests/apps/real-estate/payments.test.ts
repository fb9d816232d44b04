// Also runs on MongoDB.

import test from 'ava'
import { PAYMENT_STATUSES } from '../../../core/real-estate/records/payment.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { aChargeable, aLease, aPayment } from './given/given.ts'
import { openCharging } from './payments-of.ts'
import { outcomeOf, worked, wrongIn } from './test-api.ts'

const RECEIPT = { method: 'Pix', paidAt: '2026-11-01T02:59:59Z', paidValue: 2400.5 }

test('a payment is paid once, with any value', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { id } = await aPayment(api, admin, { notes: 'primeiro' })
  const path = `/api/payments/${id}`
  const tomorrow = { ...RECEIPT, paidAt: '2026-11-24T13:05:09Z' }
  t.deepEqual(wrongIn(await ask('PATCH', `${path}/pay`, tomorrow)), { paidAt: ['future'] })
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask('PATCH', `${path}/pay`, RECEIPT)))
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422])
  const paid = answers.find(({ status }) => status === 200)?.body
  t.like(paid, {
    status: 'Paid',
    method: 'Pix',
    paidValue: 2400.5,
    paidAt: '2026-11-01T02:59:59.000Z',
    notes: 'primeiro',
  })
})

test('a payment is removed with every status but Paid', async (t) => {
  const { api, admin, ask, paymentOf } = await openAgency(t)
  const lease = await aLease(api, admin)
  for (const status of PAYMENT_STATUSES) {
    const { id } = await paymentOf(lease, { status })
    const before = await api.everything()
    const removed = await ask('DELETE', `/api/payments/${id}`)
    if (status !== 'Paid') t.is(removed.status, 204, status)
    else {
      t.is(outcomeOf(removed), '400 payment.paid')
      t.deepEqual(await api.everything(), before)
    }
  }
})

test('an owner sees the payments of their properties and a tenant their own, and no others', async (t) => {
  const { api, admin, clientOf, propertyOf, contractOf } = await openAgency(t)
  const [owner, tenant] = [await api.colleague(admin, 'Owner'), await api.colleague(admin, 'Tenant')]
  const [dona, inquilina] = [await clientOf({ email: owner.email }), await clientOf({ email: tenant.email })]
  const house = await propertyOf({ ownerId: dona.id })
  const lease = await contractOf({ propertyId: house.id, clientId: inquilina.id })
  const own = await aPayment(api, admin, { contractId: lease.id })
  const others = await aPayment(api, admin)
  for (const { token } of [owner, tenant]) {
    const list = worked(await api.ask('GET', '/api/payments', { token }))
    t.deepEqual([list.total, list.data], [1, [own]])
    t.deepEqual(worked(await api.ask('GET', `/api/payments/${own.id}`, { token })), own)
    t.is((await api.ask('GET', `/api/payments/${others.id}`, { token })).status, 404)
  }
  // An unverified e-mail gives no access.
  const unverified = await api.sign({ sub: owner.uid, email: owner.email, email_verified: false })
  t.is(worked(await api.ask('GET', '/api/payments', { token: unverified })).total, 0)
})

test('the report of overdue payments contains the Defaulted and the Pending past their due date, with their sum', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const late = await aPayment(api, admin, { dueDate: '2026-11-19' })
  // A holiday, and the weekend after it: they are due today.
  for (const dueDate of ['2026-11-20', '2026-11-22', '2026-11-23']) await aPayment(api, admin, { dueDate })
  const paid = await aPayment(api, admin, { dueDate: '2026-11-01' })
  worked(await ask('PATCH', `/api/payments/${paid.id}/pay`, RECEIPT))
  api.clock.advance(1)
  const { contractOf, paymentOf } = storedIn(api, admin)
  const marked = await paymentOf(await contractOf(), { status: 'Defaulted', dueDate: '2026-12-10', valueCents: 1 })
  const known = worked(await ask('GET', `/api/payments/${marked.id}`))
  const report = worked(await ask('GET', '/api/payments/report/defaulted'))
  t.deepEqual(report, { totalDefaulted: 2, totalValue: 2500.01, payments: [known, late] })
  t.like(worked(await ask('GET', '/api/payments/report/defaulted?period=2026-10')), { totalValue: 0 })
})

test('revenue is the sum of payments by São Paulo month, with months of zero', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const pay = async (paidAt: string, paidValue: number) => {
    const { id } = await aPayment(api, admin)
    worked(await ask('PATCH', `/api/payments/${id}/pay`, { ...RECEIPT, paidAt, paidValue }))
  }
  // The last moment of October in São Paulo, and the first one of November.
  await pay('2026-11-01T02:59:59Z', 0.1)
  await pay('2026-11-01T03:00:00Z', 0.2)
  await pay('2026-10-05T12:00:00Z', 100)
  const report = async (query: string) => ask('GET', `/api/payments/report/revenue?${query}`)
  t.deepEqual(worked(await report('periodFrom=2026-09&periodTo=2026-11')), {
    totalRevenue: 100.3,
    byMonth: [
      { period: '2026-09', value: 0 },
      { period: '2026-10', value: 100.1 },
      { period: '2026-11', value: 0.2 },
    ],
  })
  const usual = worked(await report(''))
  t.deepEqual([usual.byMonth.length, usual.byMonth[0].period, usual.byMonth[11].period], [12, '2025-12', '2026-11'])
  t.is(worked(await report('periodTo=2026-03')).byMonth[0].period, '2025-04')
  t.deepEqual(wrongIn(await report('periodFrom=2026-12&periodTo=2026-11')), { periodTo: ['not-before'] })
  t.deepEqual(wrongIn(await report('periodFrom=2027-01')), { periodTo: ['not-before'] })
  t.deepEqual(wrongIn(await report('periodFrom=1900-01')), { periodFrom: ['period.long'] })
})

test('a rent is charged once by Pix with the terms of its contract, and paid once', async (t) => {
  const { api, admin, bank, charge, show, work, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin, { interestPercentage: 1.2345 })
  const first = worked(await charge(id))
  t.like(first, { paymentId: id, method: 'Pix', status: 'Open', value: 2500, dueDate: '2026-12-10', discount: 50 })
  t.regex(first.pixCode, /^000201/)
  t.is(first.digitableLine, null)
  t.deepEqual(worked(await charge(id, 'Boleto')), first)
  const [own, ...others] = await issued()
  t.deepEqual(others, [])
  t.like(own, {
    valueCents: 250_000,
    dueDate: '2026-12-10',
    paymentMethod: 'PIX',
    amountRateHundredths: 123,
    typeRate: 'PERCENTAGE',
    fineHundredths: 0,
    discountHundredths: 5_000,
    typeDiscount: 'ABSOLUTE',
  })
  t.is((await show(id)).boletoUrl, null)
  await bank.payTitle(own?.txid ?? '')
  t.is((await show(id)).status, 'Pending')
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Pix', paidValue: 2450, paidAt: '2026-11-23T13:05:09.123Z' })
  // A further payment adds to the charge only.
  await bank.payTitle(own?.txid ?? '', { valueCents: 1_000 })
  await work()
  t.like(await show(id), { status: 'Paid', paidValue: 2450 })
  t.is((await charge(id)).status, 422)
})

test('a late rent is charged by boleto with the total of today', async (t) => {
  const { api, admin, bank, charge, show, work, issued } = await openCharging(t)
  const { contractOf, clientOf, paymentOf } = storedIn(api, admin)
  const payer = await clientOf({ taxId: '12345678909' })
  const terms = { finePercentage: 10, interestPercentage: 1, discountValueCents: 5_000 }
  const { id } = await paymentOf(await contractOf({ ...terms, clientId: payer.id }), { status: 'Defaulted' })
  const asked = worked(await charge(id, 'Boleto'))
  t.like(asked, { method: 'Boleto', value: 2760.83, dueDate: '2026-11-23', discount: 0, pixCode: null })
  t.regex(asked.digitableLine, /^\d{47}$/)
  t.is((await show(id)).boletoUrl, asked.boletoUrl)
  const [own] = await issued()
  t.like(own, { valueCents: 276_083, dueDate: '2026-11-23', amountRateHundredths: 0, discountHundredths: 0 })
  await bank.payTitle(own?.txid ?? '', { method: 'boleto', valueCents: 200_000 })
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Boleto', paidValue: 2000, boletoUrl: asked.boletoUrl })
})
