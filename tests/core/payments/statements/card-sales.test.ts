import test from 'ava'
import fc from 'fast-check'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { newCardTransaction } from '../../../../core/payments/charges/card.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import {
  CARD_SETTLEMENT,
  entries,
  ledgerAccounts,
  newLedgerAccount,
  post,
} from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { payments } from '../../../../core/payments/payments.ts'
import { byId, listOf, type Store } from '../../../../core/ports/store.ts'
import { aCharge, aClient, anAccount, freshAt } from '../records.ts'
import { failureOf, NOW, openPayments } from '../world.ts'

const noDetails = { chargeId: null, txid: null, endToEnd: null, payer: null, receiver: null }

/** An active account that sells by card. */
const opened = async () => {
  const fresh = freshAt()
  const { pay, store } = openPayments()
  await store.commit([
    insert(accounts, anAccount({ id: 1, status: 'ACTIVE' })),
    insert(clients, aClient),
    newLedgerAccount(1, 'main', NOW),
  ])
  let sold = 0
  const sell = async (netCents: number, feeCents = 0) => {
    sold += 1
    const chargeId = sold
    const card = { brand: 'visa', last4: '1111', holder: 'M', installments: 1, token: 't', feeCents, netCents } as const
    const grossCents = netCents + feeCents
    const sale = { id: chargeId, code: `code${chargeId}`, txid: null, card: { ...card, valueCents: grossCents } }
    await store.commit([
      insert(charges, aCharge(sale)),
      ...post(fresh, {
        accountId: 1,
        kind: 'card',
        cause: `card:${chargeId}`,
        lines: [{ type: CARD_SETTLEMENT, valueCents: netCents, against: 'receivable' }],
        details: { ...noDetails, description: 'Venda', chargeId },
      }),
      ...newCardTransaction({ accountId: 1, chargeId, grossCents, feeCents, netCents }),
    ])
  }
  return { store, sell, pay }
}

const actor = { userId: 1, accountId: 1, roleId: 1, permissions: [] }

test('makes only the simultaneous withdrawals that the balance covers', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 30 }),
      async (netCents, amounts) => {
        const { store, sell, pay } = await opened()
        await sell(netCents)
        const made = await Promise.all(amounts.map((amountCents) => pay.cardSales.withdraw(actor, { amountCents })()))
        const codes = made.map((each) => failureOf(each)?.code ?? '')
        const sum = amounts.reduce((cents, amount, at) => (codes[at] === '' ? cents + amount : cents), 0)
        for (const code of codes) t.true(['', 'card-balance.insufficient', 'store.busy'].includes(code), code)
        const card = await store.find(byId(ledgerAccounts, '1:card'))
        t.like(card, { balanceCents: netCents - sum, availableCents: netCents - sum, settledCents: netCents })
        t.like(await store.find(byId(ledgerAccounts, '1:main')), { balanceCents: sum, availableCents: sum })
        const { records } = await store.list(listOf(entries, { where: always, limit: 100 }))
        t.true(records.every(({ balanceCents }) => balanceCents >= 0))
        t.deepEqual((await verifyLedger(store)).faults, [])
      },
    ),
    { numRuns: 40 },
  )
})

test('withdraws only for an active organization, also if it is suspended between read and commit', async (t) => {
  const { store, sell, pay } = await opened()
  await sell(500)
  await store.commit([patch(accounts, 1, { set: { status: 'INACTIVE' }, when: always })])
  const withdraw = async (by = actor, from = pay) =>
    failureOf(await from.cardSales.withdraw(by, { amountCents: 1 })())?.code
  t.is(await withdraw(), 'organization.inactive')
  t.is(await withdraw({ ...actor, accountId: 9 }), 'account.unknown')
  await store.commit([patch(accounts, 1, { set: { status: 'ACTIVE' }, when: always })])
  const { ports } = openPayments()
  const suspending: Store = {
    ...store,
    async read(asks) {
      const found = await store.read(asks)
      await store.commit([patch(accounts, 1, { set: { status: 'SUSPENDED' }, when: always })])
      return found
    },
  }
  t.is(await withdraw(actor, payments({ ...ports, store: suspending })), 'organization.inactive')
  t.like(await store.find(byId(ledgerAccounts, '1:card')), { balanceCents: 500 })
})
