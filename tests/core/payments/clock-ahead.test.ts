import test from 'ava'
import { memorySender } from '../../../adapters/memory/memory-services.ts'
import { statusAt } from '../../../core/payments/charges/charge.ts'
import { entries } from '../../../core/payments/ledger/ledger.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { column, openPayments, right } from './world.ts'

const DAY = 86_400
const TODAY = '2026-11-23'

const opened = async (instead: (own: PaymentsPorts) => Partial<PaymentsPorts> = () => ({})) => {
  const world = openPayments({ instead })
  const { pay, clock, drain, merchant, charge } = world
  const owner = await merchant()
  const issue = () => charge(owner, { dueDate: TODAY, webhook: 'https://merchant.example/hook' })
  const statusOf = async ({ id }: { readonly id: number }) => {
    const { charge: found, asOf } = right(await pay.charges.read(owner.member, `${id}`)())
    return statusAt(found, asOf)
  }
  /** Lets two minutes pass, in which the worker does what is due. */
  const twoMinutes = async () => {
    for (let times = 0; times < 4; times += 1) {
      await drain()
      clock.advance(30)
    }
    await drain()
  }
  return { ...world, issue, statusOf, twoMinutes }
}

test('a clock that is a day ahead for some minutes makes nothing come early, late or twice', async (t) => {
  const failing = memorySender(() => ({ status: 500, body: '', retryAfterSeconds: null }))
  const { clock, every, issue, statusOf, twoMinutes, bank } = await opened(() => ({ webhooks: failing }))
  const before = await issue()
  await twoMinutes()

  clock.jump(DAY)
  const during = await issue()
  await twoMinutes()
  for (const each of [before, during]) t.is(await statusOf(each), 'pending')

  clock.jump(-DAY)
  await twoMinutes()
  for (const each of [before, during]) {
    t.is(await statusOf(each), 'pending')
    right(await bank.pay({ txid: each.txid ?? '' })())
    t.is(await statusOf(each), 'paid')
  }
  t.deepEqual(column(await every(entries), 'day'), [TODAY, TODAY])
  // No webhook waits for a time on the wrong day.
  for (const { dueAt } of await every(deliveries))
    t.true(dueAt !== null && dueAt < '2026-11-23T14:00:00.000Z', `${dueAt}`)
})

test('a charge that is issued while the clock jumps can be paid', async (t) => {
  for (const seconds of [DAY, -3_600]) {
    const { clock, every, issue, statusOf, twoMinutes, bank } = await opened((own) => ({
      bank: {
        ...own.bank,
        createTitle: (order) => {
          clock.jump(seconds)
          return own.bank.createTitle(order)
        },
      },
    }))
    const issued = await issue()
    await twoMinutes()
    clock.jump(-seconds)
    t.is(await statusOf(issued), 'pending', `${seconds}`)
    right(await bank.pay({ txid: issued.txid ?? '' })())
    await twoMinutes()
    t.is(await statusOf(issued), 'paid')
    t.deepEqual(column(await every(entries), 'day'), [TODAY])
  }
})
