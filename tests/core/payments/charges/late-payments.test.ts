import test from 'ava'
import { always, eq, patch } from '../../../../core/kernel/records/record.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { byId, groupOf } from '../../../../core/ports/store.ts'
import { openPayments, right } from '../world.ts'

/** A deleted charge of R$ 100.00 that was paid before, and one that was not, each with a payment after the deletion. */
const opened = async () => {
  const world = openPayments()
  const { pay, store, bank, charge } = world
  const merchant = await world.merchant()
  const deleted = async (isPaidBefore: boolean) => {
    const { id, txid } = await charge(merchant, { valueCents: 10_000 })
    const payBy = async (valueCents: number) => right(await bank.pay({ txid: txid ?? '', valueCents })())
    if (isPaidBefore) await payBy(10_000)
    right(await pay.charges.delete(merchant.member, id)())
    await payBy(2_500)
    return { id, payBy }
  }
  const [paid, unpaid] = [await deleted(true), await deleted(false)]
  const amounts = async () =>
    Promise.all([paid, unpaid].map(async ({ id }) => (await store.find(byId(charges, id)))?.amountPaidCents))
  /** Sets the amounts that releases before 0.22.0 stored. */
  const asBefore = () =>
    store.commit([
      patch(charges, paid.id, { set: { amountPaidCents: 10_000 }, when: always }),
      patch(charges, unpaid.id, { set: { amountPaidCents: null }, when: always }),
    ])
  const tallied = async () => {
    const where = eq('accountId', merchant.id)
    const [row] = await store.group(groupOf(charges, { where, by: [], sum: ['amountPaidCents'] }))
    return row?.sums.amountPaidCents
  }
  /** Runs the jobs and migrations. */
  const work = async () => {
    const worker = pay.worker()
    await worker.prepare()
    await worker.drain()
  }
  return { ...world, paid, unpaid, amounts, asBefore, tallied, work }
}

test('counts the payments of deleted charges, also those that former releases posted without counting them', async (t) => {
  const { work, clock, unpaid, amounts, asBefore, tallied } = await opened()
  t.deepEqual(await amounts(), [12_500, 2_500])
  await asBefore()
  t.is(await tallied(), 10_000)
  await work()
  t.deepEqual(await amounts(), [12_500, 2_500])
  t.is(await tallied(), 15_000)
  await unpaid.payBy(500)
  t.deepEqual(await amounts(), [12_500, 3_000])
  clock.advance(3_600)
  await work()
  t.deepEqual(await amounts(), [12_500, 3_000])
  t.is(await tallied(), 15_500)
})

test('counts a payment that arrives while the former ones are counted', async (t) => {
  const { work, unpaid, amounts, asBefore } = await opened()
  await asBefore()
  await Promise.all([work(), unpaid.payBy(500)])
  t.is((await amounts())[1], 3_000)
})
