import test from 'ava'
import type { Failure } from '../../../../core/failure.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { verifyRemoved } from '../../../../core/payments/reserves/verify-reserves.ts'
import { byId, type Store } from '../../../../core/ports/store.ts'
import { CARDS, cardBody } from '../../../apps/payments/given/cards.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { twoAccounts } from '../money-out/two-accounts.ts'
import { failureOf, openPayments, right, wrongIn } from '../world.ts'

type Removal = Awaited<ReturnType<ReturnType<ReturnType<typeof openPayments>['pay']['organizations']['remove']>>>

/** Returns the code of a refused removal, and what it names; null for a removal. */
const refusalOf = (outcome: Removal) => {
  const failed: Failure | null = failureOf(outcome)
  return failed && [failed.code, ...wrongIn(outcome)]
}

const CARD = {
  paymentMethod: 'CREDIT_CARD',
  dueDate: '2026-11-30',
  address: cardBody().address,
  card: {
    cardNumber: CARDS.pending,
    cvv: '737',
    cardholderName: 'MARIA',
    expiryMonth: 12,
    expiryYear: 2030,
  },
} as const

test('removes no organization while charges are open or cards undecided, and names each', async (t) => {
  const { pay, activeMerchant, charge, bank, clock } = openPayments()
  const merchant = await activeMerchant()
  const remove = async () => refusalOf(await pay.organizations.remove(merchant.member)())
  const open = [await charge(merchant), await charge(merchant, { paymentMethod: 'BOLETO', dueDate: '2026-12-31' })]
  const card = await charge(merchant, CARD)
  const paid = await charge(merchant)
  const [pix, boleto] = open.map(({ id }) => `charges.${id} organization.charge`)
  const waiting = `charges.${card.id} organization.charge`
  right(await bank.pay({ txid: paid.txid ?? '' })())
  t.deepEqual(await remove(), ['organization.pending', 'balance organization.funds', pix, boleto, waiting])

  right(await pay.charges.refund(merchant.member, paid.id, {})())
  right(await pay.cards.decided({ id: card.code, status: 'declined', token: null, reason: null })())
  right(await pay.charges.delete(merchant.member, open[0]?.id ?? 0)())
  t.deepEqual(await remove(), ['organization.pending', boleto])
  // A boleto is payable for 30 days after its due day.
  clock.set('2027-02-01T12:00:00.000Z')
  t.is(await remove(), null)
})

test('removes no organization while a transfer to it is on its way', async (t) => {
  const { pay, send, bank, from, to, clock, drain, books } = await twoAccounts()
  right(await bank.fail({ id: 'pay_out', mode: 'timeout', times: 1 })())
  const transfer = right(await send(100_000)())
  t.is(transfer.status, 'pending')
  const remove = async ({ member }: typeof to) => refusalOf(await pay.organizations.remove(member)())
  t.deepEqual(await remove(to), ['organization.pending', `transfers.${transfer.id} organization.transfer`])
  // The sender has no money but what is reserved.
  t.deepEqual(await remove(from), ['organization.funds'])
  clock.advance(60)
  await drain()
  t.deepEqual(await remove(to), ['organization.funds'])
  t.deepEqual(await books(), [
    [0, 0],
    [100_000, 100_000],
  ])
})

/** A merchant whose removal meets another action before its first commit, or before its second. */
const withRace = async () => {
  let before: (() => Promise<unknown>)[] = []
  const world = openPayments({
    instead: ({ store }: { readonly store: Store }) => ({
      store: beforeCommits(store, async () => {
        const [act, ...later] = before
        before = []
        await act?.()
        before = later
      }),
    }),
  })
  const [merchant, other] = [await world.activeMerchant(), await world.activeMerchant()]
  await world.paid(other, 10_000)
  return {
    ...world,
    merchant,
    other,
    removeDuring: async (...actions: typeof before) => {
      before = actions
      return refusalOf(await world.pay.organizations.remove(merchant.member)())
    },
    status: async () => (await world.store.find(byId(accounts, merchant.id)))?.status,
  }
}

const nothing = async () => {}

test('removes no organization that gets a charge or a payment meanwhile, and leaves it as it was', async (t) => {
  const { pay, charge, merchant, other, removeDuring, status, clock } = await withRace()
  const issued: number[] = []
  const code = await removeDuring(async () => issued.push((await charge(merchant)).id))
  t.deepEqual(code, ['organization.pending', `charges.${issued[0]} organization.charge`])
  t.is(await status(), 'ACTIVE')
  right(await pay.charges.delete(merchant.member, issued[0] ?? 0)())

  // An open code is paid without a charge.
  const pix = { txid: null, pixKey: merchant.pixKey, valueCents: 500, paidAt: clock.now(), payer: null }
  const receive = async () => right(await pay.bank.received({ ...pix, endToEndId: 'E1' })())
  t.deepEqual(await removeDuring(nothing, receive), ['organization.funds'])
  t.is(await status(), 'ACTIVE')
  right(await pay.transfers.send(merchant.member, { apiKey: other.apiKey, valueCents: 500 })())

  // A transfer is refused once the account is closed.
  const sent: unknown[] = []
  const order = { apiKey: merchant.apiKey, valueCents: 700 }
  const send = async () => sent.push(failureOf(await pay.transfers.send(other.member, order)())?.code)
  t.is(await removeDuring(nothing, send), null)
  t.deepEqual(sent, ['transfer.destination-inactive'])
})

test('a repeat after an interrupted removal opens the organization if money has arrived', async (t) => {
  const { pay, merchant, removeDuring, status, clock } = await withRace()
  const interrupt = () => removeDuring(nothing, () => Promise.reject(new Error('killed')))
  await t.throwsAsync(interrupt, { message: 'killed' })
  t.is(await status(), 'DELETED')
  const pix = { txid: null, pixKey: merchant.pixKey, valueCents: 500, paidAt: clock.now(), payer: null }
  right(await pay.bank.received({ ...pix, endToEndId: 'E1' })())
  t.deepEqual(await removeDuring(), ['organization.funds'])
  t.is(await status(), 'INACTIVE')
})

test('posts a payment of a removed organization, logs it, and the audit finds its money', async (t) => {
  const { pay, merchant, log, clock, store } = await withRace()
  right(await pay.organizations.remove(merchant.member)())
  t.deepEqual((await verifyRemoved(store)).faults, [])
  const { pixKey } = merchant
  const pix = { txid: null, pixKey, endToEndId: 'E7', valueCents: 500, paidAt: clock.now(), payer: null }
  for (const _time of ['first', 'again']) right(await pay.bank.received(pix)())
  const line = 'a payment was posted to a removed organization'
  t.deepEqual(log.errors, [{ message: line, facts: { txid: 'object', endToEndId: 'E7' } }])
  t.deepEqual(await verifyRemoved(store), {
    area: 'removed accounts',
    figures: { accounts: 1 },
    faults: [`account ${merchant.id} is removed, and its book ${merchant.id}:main has 500`],
  })
})
