import test from 'ava'
import { memoryCharging } from '../../../adapters/charging/memory-charging.ts'
import { memoryLog } from '../../../adapters/telemetry/log.ts'
import { NOW, right } from '../payments/world.ts'
import { ADMIN, codeOf, openAgency } from './world.ts'

const KEY = 'chave da conta'
const RECEIPT = { method: 'Cash', paidAt: NOW, paidValueCents: 250_000 } as const

/** An agency in memory with a pending rent and a payment account. */
const owedRent = async (terms: { readonly discountValueCents?: number } = {}, hasAccount = true) => {
  const charging = memoryCharging({ [KEY]: 'Aurora' })
  const { agency, clock, leaseOf, rentOf } = openAgency({ charging })
  const { id } = await rentOf((await leaseOf({ interestPercentage: 1, ...terms })).id)
  if (hasAccount) right(await agency.charging.setAccount(ADMIN, { apiKey: KEY })())
  const worker = agency.worker()
  return {
    ...{ agency, charging, clock, id },
    drain: () => worker.drain(),
    charge: () => agency.payments.charge(ADMIN, id, { method: 'Pix' })(),
    status: async () => right(await agency.payments.read(ADMIN, id)()).status,
    notice: (reference: string) =>
      agency.charging.paid({ reference, valueCents: 249_000, paidAt: NOW, method: 'Pix' })(),
  }
}

test('a payment is charged once and paid once', async (t) => {
  const { agency, charging, charge, notice, id } = await owedRent({}, false)
  t.is(codeOf(await charge()), 'payment.no-account')
  t.is(codeOf(await agency.charging.setAccount(ADMIN, { apiKey: 'outra' })()), 'fields')
  right(await agency.charging.setAccount(ADMIN, { apiKey: KEY })())
  const [first, second] = [right(await charge()), right(await charge())]
  t.is(second.charge.id, first.charge.id)
  t.is(charging.orders.length, 1)
  const { apiKey, interestPercentage, payer } = charging.orders[0] ?? {}
  t.deepEqual([apiKey, interestPercentage, payer?.taxId], [KEY, 1, '12345678909'])
  for (const _ of [1, 2]) t.deepEqual(right(await notice(first.charge.id)), { isTaken: true })
  const receipt = { status: 'Paid', method: 'Pix', paidMonth: '2026-11', paidValueCents: 249_000 }
  t.like(right(await agency.payments.read(ADMIN, id)()), { ...receipt, chargeId: null })
  t.is(codeOf(await notice(id)), 'charge.unknown')
})

test('the worker resumes an issue without an answer under the same reference', async (t) => {
  const { charging, charge, clock, drain } = await owedRent()
  charging.answer({ outcome: 'unknown' })
  t.is(codeOf(await charge()), 'charging.unavailable')
  await drain()
  t.is(charging.orders.length, 0)
  charging.answer({ outcome: 'unknown' })
  clock.set('2026-11-23T13:06:10.000Z')
  await drain()
  clock.set('2026-11-23T13:06:25.000Z')
  await drain()
  t.is(charging.orders.length, 1)
  t.deepEqual(
    [right(await charge()).charge.id],
    charging.orders.map(({ reference }) => reference),
  )
})

test('a notice for a payment that was paid by hand does not pay it again', async (t) => {
  const { agency, charge, notice, id, status } = await owedRent()
  const { charge: own } = right(await charge())
  right(await agency.payments.pay(ADMIN, id, RECEIPT)())
  t.deepEqual(right(await notice(own.id)), { isTaken: false })
  t.is(await status(), 'Paid')
  t.is(right(await agency.payments.read(ADMIN, id)()).method, 'Cash')
})

test('logs no expected part of the money of a charge, and the change of a paid one', async (t) => {
  const log = memoryLog()
  const charging = memoryCharging({ [KEY]: 'Aurora' })
  const { agency, leaseOf, rentOf } = openAgency({ charging, log })
  const { id } = await rentOf((await leaseOf({})).id)
  right(await agency.charging.setAccount(ADMIN, { apiKey: KEY })())
  const { charge } = right(await agency.payments.charge(ADMIN, id, { method: 'Pix' })())
  const change = async (receivedCents: number) =>
    right(await agency.charging.changed({ reference: charge.id, receivedCents, paid: null })())
  await change(10_000)
  await change(20_000)
  t.deepEqual(log.warnings, [])
  right(await agency.payments.pay(ADMIN, id, RECEIPT)())
  await change(30_000)
  t.is(log.warnings.length, 1)
})

test('without a charging port charges are unavailable', async (t) => {
  const { agency } = openAgency()
  t.is(codeOf(await agency.charging.setAccount(ADMIN, { apiKey: KEY })()), 'charging.unavailable')
  t.is(codeOf(await agency.charging.readAccount(ADMIN)()), 'payment-account.unknown')
})

test('two simultaneous requests charge a payment once', async (t) => {
  const { charging, charge } = await owedRent()
  const [first, second] = await Promise.all([charge(), charge()])
  t.is(right(first).charge.id, right(second).charge.id)
  t.is(charging.orders.length, 1)
})

test('two simultaneous receipts pay a payment once', async (t) => {
  const { agency, id } = await owedRent()
  const pay = () => agency.payments.pay(ADMIN, id, RECEIPT)()
  t.deepEqual((await Promise.all([pay(), pay()])).map(codeOf), [null, 'payment.closed'])
})

test('of a simultaneous receipt and removal one is made', async (t) => {
  const { agency, id } = await owedRent()
  const both = [agency.payments.pay(ADMIN, id, RECEIPT)(), agency.payments.remove(ADMIN, id)()]
  t.is((await Promise.all(both)).map(codeOf).filter((code) => code === null).length, 1)
})

test('a rent whose discount is its whole value is not charged', async (t) => {
  const { charge } = await owedRent({ discountValueCents: 250_000 })
  t.is(codeOf(await charge()), 'payment.nothing-due')
})
