// Money of charges that arrives in parts, twice or too late, and money that goes back.

import test from 'ava'
import { memoryCharging } from '../../../adapters/charging/memory-charging.ts'
import type { NewContract } from '../../../core/real-estate/mod.ts'
import { NOW, right } from '../payments/world.ts'
import { ADMIN, openAgency } from './world.ts'

const KEY = 'chave da conta'

/** An agency in memory with a pending rent of R$ 2,500.00 and a payment account. */
const owedRent = async (terms: Partial<NewContract> = {}) => {
  const charging = memoryCharging({ [KEY]: 'Aurora' })
  const { agency, clock, leaseOf, rentOf } = openAgency({ charging })
  const { id } = await rentOf((await leaseOf(terms)).id)
  right(await agency.charging.setAccount(ADMIN, { apiKey: KEY })())
  const worker = agency.worker()
  const charge = async (method: 'Pix' | 'Boleto' = 'Pix') =>
    right(await agency.payments.charge(ADMIN, id, { method })())
  return {
    ...{ agency, charging, clock, id, charge },
    drain: () => worker.drain(),
    read: async () => right(await agency.payments.read(ADMIN, id)()),
    quote: async () => right(await agency.payments.quote(ADMIN, id, {})()),
    /** Issues a charge and ends it at the bank. */
    async endedCharge() {
      const { charge: ended } = await charge()
      await charging.cancel({ apiKey: KEY, reference: ended.id })
      return ended.id
    },
    /** Notifies that a charge was paid in full. */
    pay: async (reference: string, valueCents = 250_000, paidAt = NOW) => {
      charging.pay(reference)
      right(await agency.charging.paid({ reference, valueCents, paidAt, method: 'Pix' })())
    },
    /** Notifies of the money of a charge after a part or a refund. */
    change: async (reference: string, receivedCents: number, paid: string | null = null) => {
      charging.receive(reference, receivedCents)
      const settled = paid === null ? null : ({ paidAt: paid, method: 'Pix' } as const)
      right(await agency.charging.changed({ reference, receivedCents, paid: settled })())
    },
  }
}

test('a part on a former charge replaces the charge that asks the whole rent by one for the rest', async (t) => {
  const { charge, endedCharge, change, quote, charging } = await owedRent()
  const former = await endedCharge()
  const whole = await charge()
  t.is(whole.issued.valueCents, 250_000)
  await change(former, 40_000)
  t.is((await quote()).totalCents, 210_000)
  const rest = await charge()
  t.like(rest.issued, { valueCents: 210_000, status: 'Open' })
  t.like(await charging.find({ apiKey: KEY, reference: whole.charge.id }), { value: { status: 'Ended' } })
  t.is((await charge()).charge.id, rest.charge.id)
  // The refund of the part is due again.
  await change(former, 0)
  t.is((await charge()).issued.valueCents, 250_000)
})

test('an open charge in time that has received a part asks the rest and stays', async (t) => {
  const { charge, change, quote } = await owedRent({ discountValueCents: 5_000, finePercentage: 10 })
  const { charge: own } = await charge()
  await change(own.id, 40_000)
  t.is((await quote()).totalCents, 205_000)
  t.like((await charge()).issued, { id: own.id, receivedCents: 40_000 })
})

test('a part of one cent does not keep the fine and the interest out of the charge of a late rent', async (t) => {
  const { charge, change, quote, clock } = await owedRent({ finePercentage: 10, interestPercentage: 1 })
  const { charge: own } = await charge('Boleto')
  await change(own.id, 1)
  clock.set('2026-12-22T12:00:00.000Z')
  const late = await charge('Boleto')
  t.is((await quote()).totalCents, 250_000 + 25_000 + 1_000 - 1)
  t.is(late.issued.valueCents, 275_999)
  // A part on a late charge does not stop its interest.
  await change(late.charge.id, 999)
  t.is((await charge('Boleto')).charge.id, late.charge.id)
  clock.set('2026-12-25T12:00:00.000Z')
  t.is((await quote()).totalCents, 275_250)
  t.like((await charge('Boleto')).issued, { valueCents: 275_250, receivedCents: 0 })
})

test('a late charge that asks more than is owed since the fine was waived is replaced', async (t) => {
  const { agency, charge, clock, read } = await owedRent({ finePercentage: 10 })
  clock.set('2026-12-22T12:00:00.000Z')
  t.is((await charge()).issued.valueCents, 275_000)
  const { contractId } = await read()
  const { contract } = right(await agency.contracts.read(ADMIN, contractId)())
  right(await agency.contracts.replace(ADMIN, contractId, { ...contract, finePercentage: null })())
  t.is((await charge()).issued.valueCents, 250_000)
})

test('a rent without fine and interest keeps its charge after the due date', async (t) => {
  const { charge, clock, charging } = await owedRent({ discountValueCents: 5_000 })
  const { charge: own } = await charge('Boleto')
  clock.set('2026-12-22T12:00:00.000Z')
  t.is((await charge('Boleto')).charge.id, own.id)
  t.is(charging.orders.length, 1)
})

test('the rate of defaulted payments is at most 1 in a month whose refunds exceed its receipts', async (t) => {
  const { agency, charge, pay, change, clock } = await owedRent()
  const { charge: own } = await charge()
  await pay(own.id)
  clock.set('2026-12-22T12:00:00.000Z')
  await change(own.id, 0, NOW)
  t.like(right(await agency.dashboard.read(ADMIN)()).financial, {
    monthlyRevenueCents: -250_000,
    defaultedValueCents: 250_000,
    defaultRate: 1,
  })
})
