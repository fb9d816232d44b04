import test from 'ava'
import { memoryCharging } from '../../../../adapters/charging/memory-charging.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import type { NewContract, NewPayment } from '../../../../core/real-estate/mod.ts'
import { realEstateCollections } from '../../../../core/real-estate/real-estate.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { NOW, right } from '../../payments/world.ts'
import { ADMIN, openAgency } from '../world.ts'

const KEY = 'chave da conta'

/** A lease of 3,000.00 a month, of which 23 of 30 days of November 2026 have been let today. */
const openLease = async (over: Partial<NewContract> = {}, more: Parameters<typeof openAgency>[0] = {}) => {
  const charging = memoryCharging({ [KEY]: 'Aurora' })
  const world = openAgency({ charging, ...more })
  const { agency, leaseOf } = world
  right(await agency.charging.setAccount(ADMIN, { apiKey: KEY })())
  const terms = { startDate: '2026-01-01', valueCents: 300_000, dueDay: 28, administrationPercentage: 10, ...over }
  const lease = await leaseOf(terms)
  const read = async (id: string) => right(await agency.payments.read(ADMIN, id)())
  const run = async (period = '2026-11') => right(await agency.payments.runRent(ADMIN, { period })())
  const charge = async (id: string) => right(await agency.payments.charge(ADMIN, id, { method: 'Pix' })()).charge.id
  return {
    ...{ ...world, lease, read, run, charge },
    rent: async () => (await run()).created[0]?.id ?? '',
    make: async (over: Partial<NewPayment> = {}) => {
      const rent = { type: 'Rent', period: '2026-11', valueCents: 300_000, dueDate: '2026-11-28' } as const
      return right(await agency.payments.create(ADMIN, { ...rent, contractId: lease.id, ...over })()).id
    },
    /** Charges a payment, and receives a part. */
    receive: async (id: string, receivedCents: number) => {
      const reference = await charge(id)
      charging.receive(reference, receivedCents)
      right(await agency.charging.changed({ reference, receivedCents, paid: null })())
      return reference
    },
    /** Pays the charge of a reference in full. */
    pay: async (reference: string, valueCents: number) =>
      right(await agency.charging.paid({ reference, valueCents, paidAt: NOW, method: 'Pix' })()),
    /** Records that all money of a charge went back to its payer. */
    refund: async (reference: string, paid: { readonly paidAt: string; readonly method: 'Pix' } | null = null) =>
      right(await agency.charging.changed({ reference, receivedCents: 0, paid })()),
    end: async () => right(await agency.contracts.move(ADMIN, lease.id, { status: 'Terminated' })()),
    total: async (id: string) => right(await agency.payments.quote(ADMIN, id)()).totalCents,
    statement: async () => right(await agency.owners.readStatement(ADMIN, lease.clientId, { period: '2026-11' })()),
  }
}

test('the end of a lease leaves a part-paid rent open for the days that were let, and they are billed and paid once', async (t) => {
  const { rent, receive, end, read, total, run, charge, pay, statement } = await openLease()
  const id = await rent()
  await receive(id, 200_000)
  const ended = await end()
  const owed = {
    ...{ status: 'Pending', valueCents: 230_000, receivedCents: 200_000 },
    billedDays: [{ firstDay: '2026-11-01', lastDay: '2026-11-23' }],
    notes: 'Valor dos dias até o fim do contrato, em 23/11/2026.',
  } as const
  t.like(await read(id), owed)
  t.like(ended.payments, [{ id, ...owed }])
  t.is(await total(id), 30_000)
  t.like(await run(), { created: [], skipped: [{ code: 'rent.billed' }] })
  await pay(await charge(id), 30_000)
  t.like(await read(id), { status: 'Paid', paidValueCents: 230_000 })
  t.like(await statement(), { incomeCents: 230_000, administrationCents: 23_000 })
})

test('a rent whose part covers the days that were let is paid by it', async (t) => {
  const { rent, receive, end, read, run, statement } = await openLease()
  const id = await rent()
  await receive(id, 250_000)
  await end()
  t.like(await read(id), { status: 'Paid', valueCents: 230_000, paidValueCents: 250_000, paidMonth: '2026-11' })
  t.like(await run(), { created: [], skipped: [{ code: 'rent.billed' }] })
  t.like(await statement(), { incomeCents: 250_000, administrationCents: 25_000 })
})

test('of later months and other payments no more is owed than the part that came', async (t) => {
  const { make, receive, end, read } = await openLease()
  const later = [
    await make({ period: '2026-12', dueDate: '2026-12-28' }),
    await make({ type: 'Condo', valueCents: 60_000 }),
  ]
  const unpaid = await make({ type: 'IPTU', valueCents: 60_000 })
  for (const id of later) await receive(id, 10_000)
  await end()
  for (const id of later) t.like(await read(id), { status: 'Paid', paidValueCents: 10_000 })
  t.like(await read(unpaid), { status: 'Cancelled', paidValueCents: null })
})

test('a part-paid rent of a month in which the lease began owes its days until the end', async (t) => {
  const { rent, receive, end, read, run } = await openLease({ startDate: '2026-11-11' })
  const id = await rent()
  await receive(id, 10_000)
  await end()
  t.like(await read(id), { valueCents: 130_000, billedDays: [{ firstDay: '2026-11-11', lastDay: '2026-11-23' }] })
  t.like(await run(), { created: [], skipped: [{ code: 'rent.billed' }] })
})

test('a part-paid rent by hand owes its own value for the days, and one outside the term stays as it is', async (t) => {
  const { make, receive, end, read, run } = await openLease({ endDate: '2026-12-31' })
  const id = await make({ valueCents: 150_000 })
  const before = await make({ period: '2025-12', valueCents: 150_000 })
  for (const each of [id, before]) await receive(each, 10_000)
  await end()
  t.like(await read(id), { status: 'Pending', valueCents: 115_000, billedDays: null })
  t.like(await read(before), { status: 'Pending', valueCents: 150_000, notes: null })
  t.like(await run(), { created: [], skipped: [{ code: 'rent.billed' }] })
})

test('a rent that was cancelled with money is not billed again until the money went back', async (t) => {
  const { rent, charge, pay, end, read, run, refund } = await openLease()
  const id = await rent()
  const reference = await charge(id)
  await end()
  // The tenant had paid before the bank closed the charge.
  await pay(reference, 300_000)
  t.like(await read(id), { status: 'Cancelled', receivedCents: 300_000 })
  t.like(await run(), { created: [], skipped: [{ code: 'rent.received' }] })
  await refund(reference)
  t.like(await run(), { created: [{ valueCents: 230_000 }] })
})

const PAID = { paidAt: NOW, method: 'Pix' } as const

test('a refund after the end of a contract cancels a payment that was due after it', async (t) => {
  const { make, charge, pay, end, read, run, refund, agency } = await openLease()
  const due = { period: '2026-11', dueDate: '2026-11-19' }
  const [ahead, expense, before] = [await make(), await make({ type: 'Expense' }), await make({ type: 'IPTU', ...due })]
  const references = new Map<string, string>()
  for (const id of [ahead, expense, before]) {
    references.set(id, await charge(id))
    await pay(references.get(id) ?? '', 300_000)
  }
  await end()
  for (const id of [ahead, expense, before]) {
    await refund(references.get(id) ?? '', PAID)
    const status = id === before ? 'Defaulted' : 'Cancelled'
    t.like(await read(id), { status, paidAt: null, paidValueCents: null, receivedCents: null })
  }
  t.like(await run(), { created: [{ valueCents: 230_000 }] })
  t.is(right(await agency.payments.reportDefaulted(ADMIN)()).totalDefaulted, 1)
})

test('a refund of the part that paid a rent at the end of its lease cancels it, and the days let are billed', async (t) => {
  const { rent, receive, end, read, run, refund, statement } = await openLease()
  const id = await rent()
  const reference = await receive(id, 250_000)
  await end()
  await refund(reference)
  t.like(await read(id), { status: 'Cancelled', paidAt: null, paidValueCents: null, receivedCents: null })
  t.is((await statement()).incomeCents, 0)
  t.like(await run(), { created: [{ valueCents: 230_000 }] })
})

test('a refund after the end leaves the days that were let owed, less the money that stays', async (t) => {
  for (const isByHand of [true, false]) {
    const { rent, receive, end, read, total, run, charge, pay, refund, agency } = await openLease()
    const id = await rent()
    const part = await receive(id, 200_000)
    await end()
    const byHand = { method: 'Cash', paidAt: NOW, paidValueCents: 30_000 } as const
    const rest = isByHand ? '' : await charge(id)
    if (isByHand) right(await agency.payments.pay(ADMIN, id, byHand)())
    else await pay(rest, 30_000)
    t.like(await read(id), { status: 'Paid', valueCents: 230_000, paidValueCents: 230_000 })
    await refund(isByHand ? part : rest, isByHand ? null : PAID)
    const leftCents = isByHand ? 30_000 : 200_000
    t.like(await read(id), { status: 'Pending', valueCents: 230_000, receivedCents: leftCents, paidAt: null })
    t.is(await total(id), 230_000 - leftCents)
    t.like(await run(), { created: [], skipped: [{ code: 'rent.billed' }] })
    await pay(await charge(id), 230_000 - leftCents)
    t.like(await read(id), { status: 'Paid', paidValueCents: 230_000 })
  }
})

test('of a rent that was paid before the end, a refund after it reduces what is owed to the days that were let', async (t) => {
  for (const [byHandCents, status] of [
    [200_000, 'Pending'],
    [240_000, 'Paid'],
  ] as const) {
    const { rent, receive, end, read, total, refund, agency } = await openLease()
    const id = await rent()
    const part = await receive(id, 300_000 - byHandCents)
    right(await agency.payments.pay(ADMIN, id, { method: 'Cash', paidAt: NOW, paidValueCents: byHandCents })())
    await end()
    await refund(part)
    t.like(await read(id), { status, valueCents: 230_000, paidValueCents: status === 'Paid' ? byHandCents : null })
    if (status === 'Pending') t.is(await total(id), 30_000)
  }
})

test('a rent whose part and discount cover the days that were let is paid by the part', async (t) => {
  const { rent, receive, end, read } = await openLease({ discountValueCents: 10_000 })
  const id = await rent()
  await receive(id, 220_000)
  await end()
  t.like(await read(id), { status: 'Paid', valueCents: 230_000, paidValueCents: 220_000 })
})

for (const first of ['refund', 'end'] as const)
  test(`a contract that ends during a refund cancels the payment that the refund opens: ${first} reads first`, async (t) => {
    const store = memoryStore(realEstateCollections)
    const since: (() => Promise<unknown>)[] = []
    const world = await openLease({}, { store: beforeCommits(store, async () => since.pop()?.()) })
    const id = await world.make()
    const reference = await world.charge(id)
    await world.pay(reference, 300_000)
    const both = { refund: () => world.refund(reference, PAID), end: world.end }
    since.push(first === 'refund' ? both.end : both.refund)
    await both[first]()
    t.like(await world.read(id), { status: 'Cancelled', receivedCents: null })
  })
