import { t } from '../../../core/fp.ts'
import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../../core/kernel/records/record.ts'
import { eq, not } from '../../../core/kernel/records/where.ts'
import { BANK_ACCOUNT_TYPES } from '../../../core/ports/bank.ts'

/** Source: decisions.md §8. */
export const OPERATIONS = [
  'create_pix',
  'create_boleto',
  'charge_card',
  'pay_out',
  'lookup_key',
  'cancel_title',
  'refund',
] as const
export const FAULT_MODES = ['refuse', 'timeout', 'timeout_lost', 'unavailable'] as const
export type Operation = (typeof OPERATIONS)[number]

const boleto = record({ nossoNumero: t.string, barcode: t.string, digitableLine: t.string })

const title = record({
  /** The txid. */
  id: t.string,
  boleto: orNull(boleto),
  /** Empty for a boleto without a Pix. */
  pixKey: t.string,
  valueCents: t.number,
  status: word('open', 'cancelled'),
  createdAt: t.string,
  /** When the platform is to be told again that it was cancelled; null where there is nothing to tell. */
  dueAt: orNull(t.string),
  attempts: t.number,
})
export type Title = t.TypeOf<typeof title>

const payment = record({
  /** The end-to-end id; of a further title that was paid under the same one, with its txid behind it. */
  id: t.string,
  /** Null where the id is it. */
  endToEndId: orNull(t.string),
  txid: t.string,
  /** The key that it was paid to by an open code, of which there is no title; null where there is one. */
  pixKey: orNull(t.string),
  /** Null where a release until 0.4.0 took it: by Pix. */
  method: orNull(word('pix', 'boleto')),
  valueCents: t.number,
  payerName: t.string,
  payerDocument: t.string,
  paidAt: t.string,
  /** When the platform is to be told again; null once it took the notice, or refused it. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** What went back of it to its payer; null before the first refund. */
  refundedCents: orNull(t.number),
  /** The code with which the platform refused the notice; null while it did not. */
  refusal: orNull(t.string),
})
export type Payment = t.TypeOf<typeof payment>

/** A boleto's place in the bank's sequence of numbers. */
const number = record({ id: t.number, txid: t.string })

const fault = record({ id: word(...OPERATIONS), mode: word(...FAULT_MODES), times: t.number })
export type Fault = t.TypeOf<typeof fault>

const opened = record({ id: t.string, agency: t.string, account: t.string, pixKey: t.string, createdAt: t.string })
export type Opening = t.TypeOf<typeof opened>

const waiting = not(eq('dueAt', null))

export const titles: Collection<Title> = {
  name: 'fake-bank.titles',
  ids: 'text',
  codec: title,
  owner: null,
  conditions: { waiting },
  indexes: [{ sort: 'dueAt', when: 'waiting', acrossOwners: true }],
}

export const payments: Collection<Payment> = {
  name: 'fake-bank.payments',
  ids: 'text',
  codec: payment,
  owner: null,
  conditions: { waiting },
  indexes: [
    { eq: 'txid', sort: 'paidAt', acrossOwners: true },
    { sort: 'paidAt', acrossOwners: true },
    { sort: 'dueAt', when: 'waiting', acrossOwners: true },
  ],
}

export const faults: Collection<Fault> = {
  name: 'fake-bank.faults',
  ids: 'text',
  codec: fault,
  owner: null,
}

export const openings: Collection<Opening> = {
  name: 'fake-bank.accounts',
  ids: 'text',
  codec: opened,
  owner: null,
}

export const numbers: Collection<t.TypeOf<typeof number>> = {
  name: 'fake-bank.numbers',
  ids: 'integer',
  codec: number,
  owner: null,
}

const card = record({
  /** The platform's own id of the charge. */
  id: t.string,
  status: word('approved', 'pending', 'declined', 'voided'),
  /** By which the card is known here; its number is not written down. */
  token: t.string,
  reason: orNull(t.string),
  valueCents: t.number,
  createdAt: t.string,
  /** When the platform is to be told again what was decided; null where there is nothing to tell. */
  dueAt: orNull(t.string),
  attempts: t.number,
})
export type ChargedCard = t.TypeOf<typeof card>

/** What the fake acquirer was asked to charge. */
export const chargedCards: Collection<ChargedCard> = {
  name: 'fake-bank.cards',
  ids: 'text',
  codec: card,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: 'waiting', acrossOwners: true }],
}

const refund = record({
  /** The platform's own id. */
  id: t.string,
  /** The payment that it gives back, or a part of. */
  paymentId: t.string,
  endToEndId: t.string,
  /** By which the banks know it. */
  returnId: t.string,
  valueCents: t.number,
  reason: orNull(t.string),
  createdAt: t.string,
})
export type Refund = t.TypeOf<typeof refund>

/** What the fake bank has given back to payers. */
export const refunds: Collection<Refund> = {
  name: 'fake-bank.refunds',
  ids: 'text',
  codec: refund,
  owner: null,
  indexes: [{ sort: 'createdAt', acrossOwners: true }],
}

const payOut = record({
  /** The platform's own id: what is asked twice by it is paid once. */
  id: t.string,
  endToEndId: t.string,
  valueCents: t.number,
  /** Null where it was paid by the data of an account. */
  key: orNull(t.string),
  name: t.string,
  document: t.string,
  ispb: t.string,
  branch: t.string,
  account: t.string,
  accountType: word(...BANK_ACCOUNT_TYPES),
  paidAt: t.string,
})
export type PayOut = t.TypeOf<typeof payOut>

/** What the fake bank has paid out. */
export const payOuts: Collection<PayOut> = {
  name: 'fake-bank.payouts',
  ids: 'text',
  codec: payOut,
  owner: null,
  indexes: [{ sort: 'paidAt', acrossOwners: true }],
}

/** The fake bank's books: they live in the store and outlive a restart. */
export const fakeBankCollections: readonly AnyCollection[] = [
  titles,
  payments,
  faults,
  openings,
  chargedCards,
  numbers,
  refunds,
  payOuts,
]
