import { always, type Change, insert, patch } from '../../../core/kernel/records/record.ts'
import { addDays, addSeconds, dayOf, type Instant } from '../../../core/kernel/values/day.ts'
import { fold } from '../../../core/kernel/values/text.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { cardTransactions } from '../../../core/payments/charges/card.ts'
import { type Charge, charges, lapsesAtOf } from '../../../core/payments/charges/charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { entries, ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { paidParties, recipients } from '../../../core/payments/withdrawals/recipients.ts'
import { type Withdrawal, withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import type { Store } from '../../../core/ports/store.ts'
import { aCharge, aClient, anAccount } from '../../core/payments/records.ts'
import { keptStore, writeMany } from '../kept-store.ts'

/** The account whose history grows, and another one of fixed size. */
export const GROWING = 1
export const BESIDE = 2
export const FEW = 1_000
export const FEW_LINES = 10_000
export const MANY = 1_000_000
const OF_BESIDE = 5_000
/** The most frequent client has a tenth of all charges, a client in the middle about one in a thousand. */
export const CLIENTS = 1_000
/** The last day of five years of charges. */
export const TODAY = '2026-11-01'
export const NOW = `${TODAY}T13:00:00.000Z`
const SECONDS = 5 * 365 * 86_400
/** Equal entries after any history: requests for them should take the same time whatever precedes them. */
const OF_SAME = 500
const SAME_DAYS = 30
export const SAME = { from: addDays(TODAY, 1), to: addDays(TODAY, SAME_DAYS) }
const FIRST = addSeconds(NOW, -SECONDS)
const instantOf = (number: number, count: number): Instant => addSeconds(FIRST, (SECONDS * number) / count)

/** Returns a number between 0 and 1, the same for the same arguments, so that runs compare. */
const chance = (number: number, of: number): number => {
  let mixed = Math.imul(number ^ Math.imul(of, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

/** Returns a text that looks random. */
const textOf = (id: number, of: number, length: number): string =>
  `${id.toString(36)}${[0, 1, 2, 3, 4]
    .map((more) =>
      chance(id, of + more)
        .toString(36)
        .slice(2, 8),
    )
    .join('')}`.slice(0, length)

const statusOf = (number: number, dueDate: string): Charge['status'] => {
  const at = chance(number, 1)
  if (at < 0.82) return 'paidwithpix'
  if (at < 0.85) return 'failed'
  if (at < 0.9) return 'cancelled'
  if (at < 0.92) return 'DELETED'
  return dueDate < TODAY ? 'expired' : 'pending'
}

export const chargeOf = (accountId: number, number: number, count: number, id: number): Charge => {
  const createdAt = instantOf(number, count)
  const createdDay = dayOf(createdAt)
  const dueDate = addDays(createdDay, Math.floor(30 * chance(number, 2)))
  const status = statusOf(number, dueDate)
  const paidOn = addDays(createdDay, Math.floor(20 * chance(number, 3)))
  const clientId = 1 + Math.floor(CLIENTS * chance(number, 4) ** 3)
  const [code, txid] = [textOf(id, 7, 22), textOf(id, 12, 25)]
  const methodAt = chance(number, 5)
  return aCharge({
    ...{ id, accountId, code, txid, status, dueDate, clientId, createdAt, createdDay, updatedAt: createdAt },
    paymentMethod: methodAt < 0.7 ? 'PIX' : methodAt < 0.9 ? 'BOLETO' : 'CREDIT_CARD',
    paymentDate: status === 'paidwithpix' ? paidOn : null,
    amountPaidCents: status === 'paidwithpix' ? 15_050 : null,
    lapsesAt: lapsesAtOf({ paymentMethod: 'PIX', dueDate }),
    search: fold([code, txid, '12345678909', `Maria da Silva ${clientId}`].join('\n')),
  })
}

const entryOf = (accountId: number, seq: number, datetime: Instant, id: number) =>
  insert(entries, {
    ...{ id, accountId, book: `${accountId}:main`, journalId: `j${id}`, seq, balanceCents: seq },
    ...{ datetime, day: dayOf(datetime), typeId: chance(seq, 6) < 0.8 ? 1 : 2, status: 1, valueCents: 1 },
    ...{ direction: 'in', description: 'Pix recebido', chargeId: id, txid: null, endToEnd: null },
    ...{ payer: null, receiver: null },
    search: fold(`Pix recebido\nMaria da Silva ${seq % CLIENTS}`),
  })

/** A tenth of all sales is by card, and half of those were withdrawn. */
const CARDS = 10
const NET_CENTS = 9

/** One entry in ten is a withdrawal. */
const PAID_OUT = 10

const saleOf = (accountId: number, number: number, count: number, id: number) => {
  const [place, paidAt] = [number / CARDS, instantOf(number, count)]
  const amounts = { grossCents: NET_CENTS + 1, feeCents: 1, netCents: NET_CENTS, settledCents: NET_CENTS * place }
  return insert(cardTransactions, { id, accountId, place, ...amounts, paymentDate: dayOf(paidAt) })
}

/** Returns the card book after this number of sales. */
const cardBookOf = (accountId: number, sales: number) => {
  const settledCents = NET_CENTS * sales
  const balanceCents = settledCents - NET_CENTS * Math.floor(sales / 2)
  const book = { id: `${accountId}:card`, accountId, kind: 'card', lastAt: NOW, lastDay: TODAY, seq: sales } as const
  return insert(ledgerAccounts, {
    ...book,
    settledCents,
    balanceCents,
    availableCents: balanceCents,
    settlements: sales,
  })
}

const sameOf = (number: number): Instant =>
  addSeconds(`${SAME.from}T03:00:00.000Z`, Math.floor((SAME_DAYS * 86_400 * (number - 1)) / OF_SAME))

const nothing = { balanceCents: 0, availableCents: 0, settlements: 0, settledCents: 0 } as const
const aBook = { kind: 'main', ...nothing, lastAt: NOW, lastDay: TODAY } as const

const fill = async (store: Store, count: number): Promise<void> => {
  await store.commit(
    [GROWING, BESIDE].map((id) =>
      insert(accounts, anAccount({ id, uuid: `u${id}`, codeAccount: `A${id}`, account: `${id}` })),
    ),
  )
  await writeMany(store, CLIENTS, (id) => [
    insert(clients, { ...aClient, id, accountId: GROWING, code: `p${id}`, document: `${id}`, search: `${id}` }),
  ])
  for (const [accountId, size, before] of [
    [GROWING, count, 0],
    [BESIDE, OF_BESIDE, count],
  ] as const) {
    await store.commit([insert(ledgerAccounts, { ...aBook, id: `${accountId}:main`, accountId, seq: size })])
    await store.commit([cardBookOf(accountId, Math.floor(size / CARDS))])
    await writeMany(store, size, (number) => [
      insert(charges, chargeOf(accountId, number, size, before + number)),
      ...(number % CARDS === 0 ? [saleOf(accountId, number, size, before + number)] : []),
      ...(number % PAID_OUT === 0 ? payOutOf(accountId, number, before + number, instantOf(number, size)) : []),
      entryOf(accountId, number, instantOf(number, size), before + number),
    ])
  }
  await writeMany(store, OF_SAME, (number) => [
    entryOf(GROWING, count + number, sameOf(number), count + OF_BESIDE + number),
  ])
  const set = { seq: count + OF_SAME, lastAt: sameOf(OF_SAME), lastDay: SAME.to }
  await store.commit([patch(ledgerAccounts, `${GROWING}:main`, { set, when: always })])
}

/** Returns the file of a store with this number of charges and statement entries. */
export const historyOf = (count: number): Promise<string> =>
  keptStore({ name: 'lists', madeBy: import.meta.url, collections: paymentsCollections, fill }, count)

/** Returns the receiver with this number. */
const receiverOf = (number: number) => {
  const document = `${number}`.padStart(11, '0')
  const account = `${number}-1`
  const place = { ispb: '60701190', branch: '0001', account, accountType: 'CORRENTE' } as const
  return { key: null, name: `Maria da Silva ${number}`, document, ...place, destination: `60701190|0001|${account}` }
}

const aWithdrawal = (accountId: number, number: number, id: number, at: string): Withdrawal => {
  const to = receiverOf(number)
  const [txid, endToEndId] = [`w${id}`, `E${`${id}`.padStart(31, '0')}`]
  return {
    ...{ id, accountId, by: 'account', status: 'completed', txid, endToEndId, valueCents: 1_000, feeCents: 0, ...to },
    ...{ message: null, lookedUp: null, answer: null, failure: null, operationId: null, sumId: null, nightSumId: null },
    ...{ lookupSince: null, userId: 1, handedAt: at, createdAt: at, updatedAt: at },
    search: fold([to.name, to.document, txid, endToEndId].join('\n')),
  }
}

/** Returns a withdrawal to a new receiver, with its recipient and paid party. */
export const payOutOf = (accountId: number, number: number, id: number, at: string): readonly Change[] => {
  const { destination, ...to } = receiverOf(number)
  const { name, document } = to
  const known = { accountId, createdAt: at, search: fold(`${name}\n${document}`) }
  const count = 1 + (number % 100)
  return [
    insert(withdrawals, aWithdrawal(accountId, number, id, at)),
    insert(recipients, { id, ...to, ...known, destination, count, lastUsedAt: at }),
    insert(paidParties, { id, name, document, ...known, recipientChanges: null }),
  ]
}
