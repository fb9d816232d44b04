import test from 'ava'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { aPayment } from './given/given.ts'
import { outcomeOf, worked, wrongIn } from './test-api.ts'

const TERMS = { finePercentage: 10, interestPercentage: 1, discountValueCents: 10_000 }

test('a quote returns the total of a payment on a day, today by default, with reasons', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { id: contractId } = await storedIn(api, admin).contractOf(TERMS)
  const { id } = await aPayment(api, admin, { contractId })
  const quoted = (query = '') => ask('GET', `/api/payments/${id}/quote${query}`)
  t.like(worked(await quoted('?on=2026-11-20')), {
    ...{ daysLate: 10, value: 2500, fine: 250, interest: 8.33, discount: 0, total: 2758.33 },
    reasons: { fine: 'Multa por atraso de 10% do valor.' },
  })
  t.like(worked(await quoted('?on=2026-11-10')), { fine: 0, interest: 0, discount: 100, total: 2400 })
  t.like(worked(await quoted()), { on: '2026-11-23', daysLate: 13 })
  t.is((await quoted('?on=2199-12-31')).status, 200)
  t.deepEqual(wrongIn(await quoted('?on=2200-01-01')), { on: ['quote.far'] })
  const body = { method: 'Pix', paidAt: '2026-11-20T12:00:00Z', paidValue: 2758.33 }
  // Still the same day in São Paulo.
  api.clock.set('2026-11-24T02:59:00.000Z')
  const late = await api.sign({ sub: admin.uid, email: admin.email, email_verified: true })
  t.like(worked(await api.ask('GET', `/api/payments/${id}/quote`, { token: late })), { on: '2026-11-23' })
  worked(await api.ask('PATCH', `/api/payments/${id}/pay`, { token: late, body }))
  t.is(outcomeOf(await api.ask('GET', `/api/payments/${id}/quote`, { token: late })), '422 payment.closed')
})
