// Also runs on MongoDB.
import test from 'ava'
import { aChargeable } from '../given/rents.ts'
import { storedIn } from '../stored.ts'
import { worked } from '../test-api.ts'
import { openCharging } from './open-charging.ts'

test('a rent is charged by Pix with the terms of its contract, once, and is paid once by what came', async (t) => {
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
    discountHundredths: 5_000,
    typeDiscount: 'ABSOLUTE',
  })
  t.is((await show(id)).boletoUrl, null)
  await bank.paid(own?.txid ?? '')
  t.is((await show(id)).status, 'Pending')
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Pix', paidValue: 2450, paidAt: '2026-11-23T13:05:09.123Z' })
  // What comes after that adds to the charge, and to no payment.
  await bank.paid(own?.txid ?? '', { valueCents: 1_000 })
  await work()
  t.like(await show(id), { status: 'Paid', paidValue: 2450 })
  t.is((await charge(id)).status, 422)
})

test('a late rent is charged by boleto with all that is due today, and nothing more', async (t) => {
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
  await bank.paid(own?.txid ?? '', { method: 'boleto', valueCents: 200_000 })
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Boleto', paidValue: 2000, boletoUrl: asked.boletoUrl })
})

test('an open charge that asks less than a late rent owes is cancelled, and the rent charged with what the quote says', async (t) => {
  const { api, admin, ask, bank, charge, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin, { finePercentage: 10, interestPercentage: 1 })
  const first = worked(await charge(id, 'Boleto'))
  t.is(worked(await charge(id, 'Boleto')).id, first.id)
  // Late by a day, and by two: a boleto can be paid for 30 days.
  for (const [instant, value] of [
    ['2026-12-11T12:00:00.000Z', 2750.83],
    ['2026-12-12T12:00:00.000Z', 2751.67],
  ] as const) {
    api.clock.set(instant)
    const dueDate = instant.slice(0, 10)
    t.like(worked(await charge(id, 'Boleto')), { value, dueDate, discount: 0 })
    t.is(worked(await ask('GET', `/api/payments/${id}/quote`)).total, value)
  }
  t.deepEqual(
    (await issued()).map(({ status }) => status),
    ['DELETED', 'DELETED', 'pending'],
  )
  api.clock.set('2026-12-15T12:00:00.000Z')
  await bank.fail('cancel_title', 'refuse')
  t.is((await charge(id, 'Boleto')).body.code, 'charge.uncancelled')
})

test('whoever charges at once, or again under a key, is given the one charge that there is', async (t) => {
  const { api, admin, charge, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  const answers = await Promise.all([1, 2, 3, 4].map(() => charge(id)))
  const once = { 'idempotency-key': 'aluguel de dezembro' }
  answers.push(await charge(id, 'Pix', once), await charge(id, 'Pix', once))
  const ids = answers.map((answer) => worked(answer).id)
  t.deepEqual([...new Set(ids)], [ids[0]])
  t.is((await issued()).length, 1)
})
