import test from 'ava'
import { always, type Change, insert, patch } from '../../../../core/kernel/records/record.ts'
import { cardTransactions, newCardTransaction } from '../../../../core/payments/charges/card.ts'
import { type Refund, refunds } from '../../../../core/payments/charges/refund-records.ts'
import {
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
  type Entry,
  entries,
  type Journal,
  journals,
  ledgerAccountId,
  ledgerAccounts,
  PIX_IN,
  PIX_IN_FEE,
  post,
} from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { verifyCardSales } from '../../../../core/payments/reserves/verify-card-sales.ts'
import { verifyMoneyOut } from '../../../../core/payments/reserves/verify-money-out.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import { type Transfer, transfers } from '../../../../core/payments/transfers/transfer.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { draws } from '../statements/random-ledger.ts'
import { NOW, right } from '../world.ts'
import { twoAccounts } from './two-accounts.ts'

const CENTS = 5_000
const VERIFIERS = { verifyLedger, verifyReserves, verifyMoneyOut, verifyCardSales }
const details = { description: '', chargeId: null, txid: null, endToEnd: null, payer: null, receiver: null }

const faultsOf = async (store: Store, names = Object.keys(VERIFIERS) as (keyof typeof VERIFIERS)[]) =>
  (await Promise.all(names.map((name) => VERIFIERS[name](store)))).flatMap(({ faults }) => faults)

/** A Pix of 1,000 reais, a refund and a transfer of a part of it, two card sales and the withdrawal of the first. */
const sound = async () => {
  const { store, send, pay, from, to, charge, every } = await twoAccounts()
  right(await pay.charges.refund(from.member, charge.id, { valueCents: CENTS })())
  right(await send(CENTS)())
  const { freshAt } = draws()
  // Ids that no record of the accounts has.
  const fresh = {
    ...freshAt(NOW),
    id: (
      () =>
      (id = 900) =>
      () =>
        ++id
    )()(),
  }
  const posted = (
    accountId: number,
    kind: 'main' | 'card',
    cause: string,
    lines: Parameters<typeof post>[1]['lines'],
  ) => post(fresh, { accountId, kind, cause, lines, details })
  for (const chargeId of [901, 902])
    await store.commit([
      ...posted(from.id, 'card', `card:${chargeId}`, [
        { type: CARD_SETTLEMENT, valueCents: CENTS, against: 'receivable' },
      ]),
      ...newCardTransaction({ accountId: from.id, chargeId, grossCents: CENTS, feeCents: 0, netCents: CENTS }),
    ])
  await store.commit(
    posted(from.id, 'card', 'card-withdrawal:1', [{ type: CARD_WITHDRAWAL, valueCents: -CENTS, against: 'main' }]),
  )
  const all = await every(entries)
  const [refund] = await every(refunds)
  const [transfer] = await every(transfers)
  const second = all.find(({ accountId, seq }) => accountId === from.id && seq === 2) as Entry
  const last = all.find(({ accountId, seq }) => accountId === from.id && seq === 7) as Entry
  const journal = (await every(journals)).find(({ id }) => id === second.journalId) as Journal
  const [main, card] = [ledgerAccountId(from.id, 'main'), ledgerAccountId(from.id, 'card')]
  return {
    store,
    posted,
    from,
    to,
    main,
    card,
    second,
    last,
    journal,
    refund: refund as Refund,
    transfer: transfer as Transfer,
  }
}
type Sound = Awaited<ReturnType<typeof sound>>

test('a store with payments, refunds, transfers and card sales has no fault', async (t) => {
  const { store } = await sound()
  t.deepEqual(await faultsOf(store), [])
})

const entryOf = ({ second }: Sound, set: Partial<Entry>) => patch(entries, second.id, { set, when: always })
const book = (id: string, add: { readonly [field: string]: number }) => patch(ledgerAccounts, id, { add, when: always })

type Row = readonly [change: (found: Sound) => readonly Change[], fault: (found: Sound) => string]

/** A change of a sound store, and the fault that a verifier reports. */
const ROWS: Readonly<Record<string, Row>> = {
  'a gap in the numbers of entries': [
    ({ last, main }) => [patch(entries, last.id, { set: { seq: 8 }, when: always }), book(main, { seq: 1 })],
    ({ last, main }) => `entry ${last.id} of ${main} has number 8, expected 7`,
  ],
  'an entry of another day': [
    (found) => [entryOf(found, { day: '2026-11-22' })],
    ({ second, main }) =>
      `entry ${second.id} of ${main} is dated before the entry before it, or on another day than its time`,
  ],
  'an entry in the book of another account': [
    (found) => [entryOf(found, { book: ledgerAccountId(found.to.id, 'main') })],
    ({ second, from, to }) => `entry ${second.id} of ${to.id}:main has account ${from.id}`,
  ],
  'an entry of the main book with the status of a card sale': [
    (found) => [entryOf(found, { status: 5 })],
    ({ second, main }) => `entry ${second.id} of ${main} has status 5`,
  ],
  'a leg of another account': [
    ({ journal: { id, legs } }) => [
      patch(journals, id, {
        set: { legs: [...legs.slice(0, -1), { ...legs.at(-1), book: '99:fees' } as never] },
        when: always,
      }),
    ],
    ({ journal }) => `journal ${journal.id} has a leg of another account`,
  ],
  'a journal with a cent too little': [
    ({ journal: { id, legs } }) => [
      patch(journals, id, { set: { legs: [...legs, { ...legs[0], cents: -1 } as never] }, when: always }),
    ],
    ({ journal }) => `journal ${journal.id} does not add up to zero`,
  ],
  'a number of entries of the card book': [
    ({ card }) => [book(card, { seq: 1 })],
    ({ card }) => `book ${card} counts 4 entries, and the last is 3`,
  ],
  'an entry above the number of its account': [
    ({ main }) => [book(main, { seq: -6 })],
    ({ second, main }) => `entry ${second.id} is not counted by book ${main}`,
  ],
  'a reserve of the card book': [
    ({ card }) => [book(card, { availableCents: -1 })],
    ({ card }) => `book ${card} has 1 reserved, and 0 is pending`,
  ],
  'a transfer that is credited twice': [
    ({ posted, to, transfer }) =>
      posted(to.id, 'main', `pix-in:${transfer.endToEndId}`, [
        { type: PIX_IN, valueCents: CENTS, against: 'clearing' },
      ]),
    ({ to, transfer }) => `transfer ${transfer.id} is not posted with ${CENTS} in account ${to.id}`,
  ],
  'a transfer with another value': [
    ({ transfer }) => [patch(transfers, transfer.id, { set: { valueCents: 1 }, when: always })],
    ({ from, transfer }) => `transfer ${transfer.id} is not posted with -1 in account ${from.id}`,
  ],
  'a transfer to another account': [
    ({ transfer }) => [patch(transfers, transfer.id, { set: { toAccountId: 99 }, when: always })],
    ({ transfer }) => `transfer ${transfer.id} is completed, but not posted in account 99`,
  ],
  'a failed transfer that is posted': [
    ({ transfer }) => [patch(transfers, transfer.id, { set: { status: 'failed' }, when: always })],
    ({ transfer }) => `transfer ${transfer.id} is failed, but posted`,
  ],
  'a refund above its Pix, after a page of others': [
    ({ refund }) =>
      Array.from({ length: 101 }, (_, at) =>
        insert(refunds, { ...refund, id: `z${100 + at}`, status: 'pending', entryId: 1_000 + at }),
      ),
    () => `the Pix of entry 1000 has 0, and refunds of ${CENTS}, and 100 more`,
  ],
  'a gap in the numbers of card sales': [
    () => [patch(cardTransactions, 902, { set: { place: 3 }, when: always })],
    ({ from }) => `card sale 902 of account ${from.id} has number 3 and sum ${2 * CENTS}`,
  ],
  'a wrong sum of card sales': [
    () => [patch(cardTransactions, 902, { set: { settledCents: 3 * CENTS }, when: always })],
    ({ from }) => `card sale 902 of account ${from.id} has number 2 and sum ${3 * CENTS}`,
  ],
  'a missing card sale': [
    ({ card }) => [book(card, { settledCents: 1 })],
    ({ from }) => `card sales of account ${from.id} sum to ${2 * CENTS}, and its book has ${2 * CENTS + 1}`,
  ],
  'more sales shown as withdrawn than were withdrawn': [
    ({ card }) => [book(card, { balanceCents: -CENTS })],
    ({ from }) =>
      `card sales of account ${from.id} are shown as withdrawn for ${2 * CENTS}, and ${CENTS} was withdrawn`,
  ],
}

for (const [what, [change, fault]] of Object.entries(ROWS))
  test(`the audit reports ${what}`, async (t) => {
    const found = await sound()
    t.true((await found.store.commit(change(found))).ok)
    const faults = await faultsOf(found.store)
    t.true(faults.includes(fault(found)), faults.join('\n'))
  })

test('a failed refund does not count against its Pix', async (t) => {
  const { store, refund } = await sound()
  const failed = { ...refund, id: 'z1', valueCents: 1_000_000, status: 'failed' } as const
  await store.commit([insert(refunds, failed)])
  t.deepEqual(await faultsOf(store), [])
})

test('an account with more than a page of entries has no fault', async (t) => {
  const { store, posted, from } = await sound()
  const lines = Array.from({ length: 255 }, (_, at) =>
    at === 0
      ? ({ type: PIX_IN, valueCents: 1_000, against: 'clearing' } as const)
      : ({ type: PIX_IN_FEE, valueCents: -1, against: 'fees' } as const),
  )
  for (const cause of ['a', 'b']) t.true((await store.commit(posted(from.id, 'main', cause, lines))).ok)
  t.deepEqual(await faultsOf(store), [])
})

test('money that the bank has not answered for is reserved', async (t) => {
  const silent = async () => ({ outcome: 'unknown' }) as const
  const { pay, send, store, from, charge, books } = await twoAccounts({
    instead: ({ payOuts, refunds: own }) => ({
      payOuts: { ...payOuts, payOut: silent },
      refunds: { ...own, refund: silent },
    }),
  })
  right(await pay.accounts.setTerms(from.id, { fees: { pixOutCents: 50 } })())
  right(await send(CENTS)())
  right(await pay.withdrawals.payKey(from.member, { key: 'ana@cliente.test', valueCents: CENTS })())
  right(await pay.charges.refund(from.member, charge.id, { valueCents: CENTS })())
  t.deepEqual((await books())[0], [100_000, 100_000 - 3 * CENTS - 50])
  t.deepEqual(await faultsOf(store), [])
})

test('a book that is written while it is checked is checked again', async (t) => {
  const { store, main } = await sound()
  let writes = 4
  // The scan sees the book before four writes, and each further read after one more of them.
  const busy = {
    ...store,
    async *scan(...args: Parameters<Store['scan']>) {
      for await (const found of store.scan(...args)) yield found.id === main ? { ...found, availableCents: 0 } : found
    },
    async find(query: Parameters<Store['find']>[0]) {
      const found = await store.find(query)
      return found && { ...found, availableCents: Number(Reflect.get(found, 'availableCents')) - --writes }
    },
  } as Store
  t.deepEqual((await verifyReserves(busy)).faults, [])
})
