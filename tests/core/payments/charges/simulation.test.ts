import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { failureOf, openPayments, right } from '../world.ts'

/** A boleto of R$ 150.50 in a test account, of which R$ 100.50 were paid. */
const withPart = async () => {
  const world = openPayments()
  const merchant = await world.merchant()
  await world.store.commit([patch(accounts, merchant.id, { set: { acceptPartial: true }, when: always })])
  const { id, txid } = await world.charge(merchant, { paymentMethod: 'BOLETO', dueDate: '2026-12-31' })
  return {
    ...world,
    payPart: async () => right(await world.bank.pay({ txid: txid ?? '', valueCents: 10_050 })()),
    simulate: () => world.pay.charges.simulatePayment(merchant.member, `${id}`)(),
    stored: async () => right(await world.pay.charges.read(merchant.member, `${id}`)()).charge,
  }
}

test('simulates the payment of the rest of a boleto once the boleto of the rest is registered', async (t) => {
  const { payPart, simulate, drain } = await withPart()
  await payPart()
  t.is(failureOf(await simulate())?.code, 'charge.busy')
  await drain()
  t.like(right(await simulate()).charge, { status: 'paid', amountPaidCents: 15_050 })
})

test('simulates no payment of a rest whose boleto the bank refused', async (t) => {
  const { payPart, simulate, drain, bank, stored } = await withPart()
  right(await bank.fail({ id: 'create_boleto', mode: 'refuse', times: 1 })())
  await payPart()
  await drain()
  t.is(failureOf(await simulate())?.code, 'boleto.unknown')
  t.like(await stored(), { status: 'pending', amountPaidCents: 10_050 })
})
