import { t } from '../../../core/fp.ts'
import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../../core/kernel/records/record.ts'
import { eq, not } from '../../../core/kernel/records/where.ts'
import { chargedCards } from './card-books.ts'
import { payOuts } from './pay-outs/pay-out-books.ts'
import { refunds } from './refunds/refund-books.ts'

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
export type Opened = t.TypeOf<typeof opened>

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

export const openings: Collection<Opened> = {
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
