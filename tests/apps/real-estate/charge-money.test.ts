// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { charges } from '../../../core/real-estate/charging/charge.ts'
import { right } from '../../core/payments/world.ts'
import { aChargeable, anOwner } from './given/given.ts'
import { openCharging } from './payments-of.ts'
import { outcomeOf, worked } from './test-api.ts'

/** A charged rent of R$ 2,500.00 with a discount of R$ 50.00, whose account receives partial payments. */
const charged = async (t: ExecutionContext, over: Parameters<typeof aChargeable>[2] = {}) => {
  const opened = await openCharging(t)
  const { api, admin, bank, charge, work, issued, ask } = opened
  const { owner, house } = await anOwner(api, admin)
  const rent = await aChargeable(api, admin, { propertyId: house.id, propertyCode: house.code, ...over })
  const first = worked(await charge(rent.id))
  const [{ accountId = 0, id: chargeId = 0, txid = '' } = {}] = await issued()
  await api.host.store.commit([patch(accounts, accountId, { set: { acceptPartial: true }, when: always })])
  return {
    ...opened,
    ...{ rent, first, id: rent.id },
    statement: async (period: string) => worked(await ask('GET', `/api/owners/${owner.id}/statement?period=${period}`)),
    /** Pays the first charge. */
    pay: async (valueCents?: number, title = txid) => {
      await bank.payTitle(title ?? '', valueCents === undefined ? {} : { valueCents })
      await work()
    },
    /** Refunds the payments of a charge; by default of the first one. */
    refund: async (valueCents?: number, of = chargeId) => {
      right(
        await bank.pay.charges.refund({ accountId, userId: 1 }, of, valueCents === undefined ? {} : { valueCents })(),
      )
      await work()
    },
    /** Deletes the first charge in the payments app. */
    deleteCharge: async () => {
      right(await bank.pay.charges.delete({ accountId }, chargeId)())
      await work()
    },
    quote: async () => worked(await ask('GET', `/api/payments/${rent.id}/quote`)),
    payRest: (paidValue: number) =>
      ask('PATCH', `/api/payments/${rent.id}/pay`, { method: 'Cash', paidAt: '2026-11-23T12:00:00Z', paidValue }),
    remove: () => ask('DELETE', `/api/payments/${rent.id}`),
  }
}

test('payments to a deleted charge count as parts, and pay the rent once they and a receipt are all that is owed', async (t) => {
  const { id, pay, deleteCharge, show, payRest } = await charged(t)
  await pay(30_000)
  await deleteCharge()
  await pay(100_000)
  t.like(await show(id), { status: 'Pending', paidValue: null, receivedValue: 1300 })
  t.like(worked(await payRest(1150)), { status: 'Paid', method: 'Cash', paidValue: 2450, receivedValue: 1300 })
})

test('a rent with a part is not deleted until the part is refunded', async (t) => {
  const { id, pay, refund, remove, show, issued } = await charged(t)
  await pay(30_000)
  const refused = await remove()
  t.is(outcomeOf(refused), '422 payment.part-paid')
  t.regex(refused.body.detail, /R\$\s300,00/)
  t.is((await issued())[0]?.status, 'pending')
  await refund()
  t.like(await show(id), { status: 'Pending', receivedValue: null })
  t.is((await remove()).status, 204)
  t.is((await issued())[0]?.status, 'DELETED')
})

test('a refund of a part leaves the rent Paid by the rest; a full one opens it again, and it is charged and paid again', async (t) => {
  const { id, pay, refund, show, charge, issued, api } = await charged(t)
  await pay()
  await refund(10_000)
  t.like(await show(id), { status: 'Paid', paidValue: 2350, receivedValue: 2350 })
  await refund()
  t.like(await show(id), { status: 'Pending', method: null, paidAt: null, paidValue: null, receivedValue: null })
  worked(await charge(id))
  t.deepEqual((await api.every(charges)).map(({ state }) => state).sort(), ['ended', 'open'])
  await pay(undefined, (await issued())[1]?.txid ?? '')
  t.like(await show(id), { status: 'Paid', method: 'Pix', paidValue: 2450 })
})
