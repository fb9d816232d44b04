// Money of charges that arrives in parts, twice or too late, and money that goes back.

import test, { type ExecutionContext } from 'ava'
import { memoryCharging } from '../../../adapters/charging/memory-charging.ts'
import type { NewContract } from '../../../core/real-estate/mod.ts'
import { column, NOW, right } from '../payments/world.ts'
import { ADMIN, codeOf, openAgency } from './world.ts'

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

test('a part whose notice has not arrived is read from the bank, so that its rent is not removed and stays payable', async (t) => {
  const { agency, charge, charging, id, read } = await owedRent()
  const { charge: own } = await charge()
  charging.receive(own.id, 40_000)
  t.is(codeOf(await agency.payments.remove(ADMIN, id)()), 'payment.part-paid')
  t.like(await read(), { receivedCents: 40_000, chargeId: own.id })
  t.like(await charging.find({ apiKey: KEY, reference: own.id }), { value: { status: 'Open' } })
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

test('a rent that was paid twice stays Paid after the refund of either payment, and is owed after both', async (t) => {
  for (const isFirst of [true, false]) {
    const { charge, endedCharge, pay, change, read } = await owedRent({ finePercentage: 10 })
    const former = await endedCharge()
    const { charge: own } = await charge()
    await pay(own.id)
    await pay(former)
    t.like(await read(), { status: 'Paid', receivedCents: 500_000 })
    const [first, second] = isFirst ? [own.id, former] : [former, own.id]
    await change(first, 0, NOW)
    t.like(await read(), { status: 'Paid', paidValueCents: 250_000, receivedCents: 250_000 })
    await change(second, 0, NOW)
    t.like(await read(), { status: 'Pending', paidValueCents: null, receivedCents: null })
  }
})

test('an open rent is Paid once the parts of its charges are all that is owed, and the open charge is closed', async (t) => {
  const { charge, endedCharge, change, read, charging, drain } = await owedRent({ discountValueCents: 5_000 })
  const former = await endedCharge()
  const { charge: own } = await charge('Boleto')
  await change(former, 40_000)
  await change(own.id, 204_999)
  t.like(await read(), { status: 'Pending' })
  await change(own.id, 205_000)
  t.like(await read(), {
    status: 'Paid',
    method: 'Boleto',
    paidValueCents: 245_000,
    paidMonth: '2026-11',
    chargeId: null,
  })
  await drain()
  t.like(await charging.find({ apiKey: KEY, reference: own.id }), { value: { status: 'Ended' } })
})

test('a part of a former charge that completes the rent closes the open charge', async (t) => {
  const { charge, endedCharge, change, read, charging, drain } = await owedRent()
  const former = await endedCharge()
  const { charge: own } = await charge()
  await change(own.id, 50_000)
  await change(former, 200_000)
  t.like(await read(), { status: 'Paid', method: 'Pix', paidValueCents: 250_000 })
  await drain()
  t.like(await charging.find({ apiKey: KEY, reference: own.id }), { value: { status: 'Ended' } })
})

test('a rent whose value is lowered to what has arrived is Paid', async (t) => {
  const { agency, endedCharge, change, read, id } = await owedRent()
  await change(await endedCharge(), 60_000)
  const replace = async (valueCents: number) => {
    const { contractId, type, period, dueDate, notes } = await read()
    return right(await agency.payments.replace(ADMIN, id, { contractId, type, period, dueDate, notes, valueCents })())
  }
  t.like(await replace(60_001), { status: 'Pending', paidValueCents: null })
  const paid = { paidValueCents: 60_000, receivedCents: 60_000, valueCents: 50_000, method: 'Pix' }
  t.like(await replace(50_000), { status: 'Paid', ...paid })
})

test('a rent that the days until the end of its contract pay is Paid with the method of the part', async (t) => {
  const { agency, charge, charging, change, read, drain } = await owedRent()
  const { charge: own } = await charge('Boleto')
  await change(own.id, 245_000)
  await charging.cancel({ apiKey: KEY, reference: own.id })
  await drain()
  const { contractId } = await read()
  right(await agency.contracts.move(ADMIN, contractId, { status: 'Terminated' })())
  t.like(await read(), { status: 'Paid', paidValueCents: 245_000, method: 'Boleto' })
})

test('a rent that owes nothing more since its fine was waived is Paid when it is charged', async (t) => {
  const { agency, endedCharge, change, read, clock, id } = await owedRent({ finePercentage: 10 })
  const former = await endedCharge()
  clock.set('2026-12-22T12:00:00.000Z')
  await change(former, 250_000)
  const { contractId, status } = await read()
  t.is(status, 'Pending')
  const { contract } = right(await agency.contracts.read(ADMIN, contractId)())
  right(await agency.contracts.replace(ADMIN, contractId, { ...contract, finePercentage: null })())
  t.is(codeOf(await agency.payments.charge(ADMIN, id, { method: 'Pix' })()), 'payment.closed')
  t.like(await read(), { status: 'Paid', paidValueCents: 250_000, paidMonth: '2026-12', method: 'Pix' })
})

test('a rent is owed again after the full refund of a part, whether a charge or a receipt paid the rest', async (t) => {
  for (const isByHand of [true, false]) {
    const { agency, charge, endedCharge, pay, change, read, quote, id } = await owedRent()
    const former = await endedCharge()
    await change(former, 30_000)
    const receipt = { method: 'Cash', paidAt: NOW, paidValueCents: 220_000 } as const
    if (isByHand) right(await agency.payments.pay(ADMIN, id, receipt)())
    else await pay((await charge()).charge.id, 220_000)
    t.like(await read(), { status: 'Paid', paidValueCents: 250_000 })
    // A refund of a part leaves the rent Paid by what is left, with a line for the operator.
    await change(former, 10_000)
    t.like(await read(), { status: 'Paid', paidValueCents: 230_000 })
    await change(former, 0)
    t.like(await read(), { status: 'Pending', paidValueCents: null, receivedCents: 220_000 })
    t.is((await quote()).totalCents, 30_000)
    await pay((await charge()).charge.id, 30_000)
    t.like(await read(), { status: 'Paid', paidValueCents: 250_000, receivedCents: 250_000 })
  }
})

test('a rent paid by hand stays Paid after the refund of a charge that was paid, too', async (t) => {
  const { agency, endedCharge, pay, change, read, id } = await owedRent()
  const former = await endedCharge()
  right(await agency.payments.pay(ADMIN, id, { method: 'Pix', paidAt: NOW, paidValueCents: 250_000 })())
  await pay(former)
  await change(former, 0, NOW)
  t.like(await read(), { status: 'Paid', paidValueCents: 250_000, receivedCents: null })
})

/**
 * An owed rent with the income of its owner in each month, which the revenue of the month and the administration
 * follow.
 */
const statedRent = async (t: ExecutionContext) => {
  const rent = await owedRent({ administrationPercentage: 10 })
  const { agency, read } = rent
  // The tenant of the world's leases owns the property, too.
  const { clientId: ownerId } = await read()
  const months = ['2026-11', '2026-12', '2027-01', '2027-02', '2027-03']
  const stated = async () => {
    const statements = await Promise.all(
      months.map(async (period) => right(await agency.owners.readStatement(ADMIN, ownerId ?? '', { period })())),
    )
    const { byMonth } = right(
      await agency.payments.reportRevenue(ADMIN, { periodFrom: '2026-11', periodTo: '2027-03' })(),
    )
    const incomes = statements.map(({ incomeCents }) => incomeCents)
    t.deepEqual(column(byMonth, 'valueCents'), incomes)
    t.deepEqual(
      column(statements, 'administrationCents'),
      incomes.map((cents) => cents / 10),
    )
    return incomes
  }
  return { ...rent, stated }
}

test('a refund in a later month returns what went, and the parts that stay are stated once', async (t) => {
  const { endedCharge, charge, pay, change, read, clock, stated } = await statedRent(t)
  const first = await endedCharge()
  await change(first, 30_000)
  clock.set('2026-12-02T12:00:00.000Z')
  const second = (await charge()).charge.id
  await pay(second, 220_000, '2026-12-02T12:00:00.000Z')
  t.deepEqual(await stated(), [0, 250_000, 0, 0, 0])
  clock.set('2027-01-05T12:00:00.000Z')
  await change(second, 0, '2026-12-02T12:00:00.000Z')
  t.like(await read(), { status: 'Defaulted', receivedCents: 30_000 })
  t.deepEqual(await stated(), [0, 250_000, -220_000, 0, 0])
  clock.set('2027-02-05T12:00:00.000Z')
  const third = (await charge()).charge.id
  await pay(third, 220_000, '2027-02-05T12:00:00.000Z')
  t.deepEqual(await stated(), [0, 250_000, -220_000, 220_000, 0])
  // The refund of the part that was stated first opens the rent again: this month's receipt is undone.
  await change(first, 0)
  t.like(await read(), { status: 'Defaulted', receivedCents: 220_000 })
  t.deepEqual(await stated(), [0, 250_000, -220_000, 0, 0])
  clock.set('2027-03-05T12:00:00.000Z')
  await change(third, 0, '2027-02-05T12:00:00.000Z')
  t.like(await read(), { receivedCents: null })
  t.deepEqual(await stated(), [0, 250_000, -220_000, 0, -30_000])
})

test('a refund that leaves a rent paid leaves its statement, or is returned in its own month', async (t) => {
  const { charge, pay, change, read, clock, stated } = await statedRent(t)
  const reference = (await charge()).charge.id
  await pay(reference, 400_000)
  await change(reference, 300_000, NOW)
  t.like(await read(), { status: 'Paid', receivedCents: 300_000 })
  t.deepEqual(await stated(), [300_000, 0, 0, 0, 0])
  clock.set('2026-12-02T12:00:00.000Z')
  await change(reference, 260_000, NOW)
  t.like(await read(), { status: 'Paid', receivedCents: 260_000 })
  t.deepEqual(await stated(), [300_000, -40_000, 0, 0, 0])
  clock.set('2027-01-05T12:00:00.000Z')
  await change(reference, 0, NOW)
  t.like(await read(), { status: 'Defaulted', receivedCents: null, statedCents: null })
  t.deepEqual(await stated(), [300_000, -40_000, -260_000, 0, 0])
})

test('the refund of a part beside a receipt by hand that pays the rent leaves the receipt alone in statements', async (t) => {
  for (const isLater of [false, true]) {
    const { agency, endedCharge, change, read, clock, id, stated } = await statedRent(t)
    const former = await endedCharge()
    await change(former, 30_000)
    right(await agency.payments.pay(ADMIN, id, { method: 'Cash', paidAt: NOW, paidValueCents: 250_000 })())
    t.deepEqual((await stated()).slice(0, 2), [280_000, 0])
    if (isLater) clock.set('2026-12-02T12:00:00.000Z')
    await change(former, 0)
    t.like(await read(), { status: 'Paid', receivedCents: null })
    t.deepEqual((await stated()).slice(0, 2), isLater ? [280_000, -30_000] : [250_000, 0])
  }
})
