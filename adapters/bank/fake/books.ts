import {
  type AnyCollection,
  type Collection,
  orNull,
  type Rec,
  record,
  t,
  word,
} from '../../../core/kernel/records/record.ts'
import { queueConditions, queueIndex, queueParts } from '../../../core/kernel/running/queue.ts'
import { BANK_ACCOUNT_TYPES } from '../../../core/ports/bank.ts'

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
  /** The next notification of the cancellation; null if none is due. */
  dueAt: orNull(t.string),
  attempts: t.number,
})
export type Title = t.TypeOf<typeof title>

const payment = record({
  /** The end-to-end id; followed by the txid or the amount if another payment has the same end-to-end id. */
  id: t.string,
  /** Null if it is `id`. */
  endToEndId: orNull(t.string),
  txid: t.string,
  /** The key of the open code that was paid; null if a title was paid. */
  pixKey: orNull(t.string),
  /** Null means Pix, in records of releases up to 0.4.0. */
  method: orNull(word('pix', 'boleto')),
  valueCents: t.number,
  payerName: t.string,
  payerDocument: t.string,
  paidAt: t.string,
  /** The next notification; null once the platform accepted or refused it. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The sum of its refunds; null before the first one. */
  refundedCents: orNull(t.number),
  /** The code with which the platform refused the notification; null if it did not. */
  refusal: orNull(t.string),
})
export type Payment = t.TypeOf<typeof payment>

/** The number of a boleto in the bank's sequence. */
const number = record({ id: t.number, txid: t.string })

const fault = record({ id: word(...OPERATIONS), mode: word(...FAULT_MODES), times: t.number })
export type Fault = t.TypeOf<typeof fault>

const opening = record({ id: t.string, agency: t.string, account: t.string, pixKey: t.string, createdAt: t.string })
type Opening = t.TypeOf<typeof opening>

const book = <R extends Rec>(
  name: string,
  codec: Collection<R>['codec'],
  more: Partial<Pick<Collection<R>, 'ids' | 'conditions' | 'indexes' | 'isFlushedLater'>> = {},
): Collection<R> => ({ name: `fake-bank.${name}`, ids: 'text', codec, owner: null, ...more })

/** The platform commits the answer to each order, which makes the order durable too. */
const ORDERED = { isFlushedLater: true } as const

export const titles: Collection<Title> = book('titles', title, { ...queueParts(), ...ORDERED })

export const payments: Collection<Payment> = book('payments', payment, {
  conditions: queueConditions,
  indexes: [{ eq: 'txid', sort: 'paidAt', acrossOwners: true }, { sort: 'paidAt', acrossOwners: true }, queueIndex()],
})

export const faults: Collection<Fault> = book('faults', fault)

export const openings: Collection<Opening> = book('accounts', opening)

export const numbers: Collection<t.TypeOf<typeof number>> = book('numbers', number, {
  ids: 'integer',
  ...ORDERED,
})

const card = record({
  /** The platform's own id of the charge. */
  id: t.string,
  status: word('approved', 'pending', 'declined', 'voided'),
  /** The acquirer's token for the card. The card number is not stored. */
  token: t.string,
  reason: orNull(t.string),
  valueCents: t.number,
  createdAt: t.string,
  /** The next notification of the decision; null if none is due. */
  dueAt: orNull(t.string),
  attempts: t.number,
})
export type ChargedCard = t.TypeOf<typeof card>

/** The card charges at the embedded acquirer. */
export const chargedCards: Collection<ChargedCard> = book('cards', card, queueParts())

const refund = record({
  /** The platform's own id. */
  id: t.string,
  /** The refunded payment. */
  paymentId: t.string,
  endToEndId: t.string,
  /** The id of the refund between banks. */
  returnId: t.string,
  valueCents: t.number,
  reason: orNull(t.string),
  createdAt: t.string,
})
export type Refund = t.TypeOf<typeof refund>

export const refunds: Collection<Refund> = book('refunds', refund, {
  indexes: [{ sort: 'createdAt', acrossOwners: true }],
})

const payOut = record({
  /** The platform's own id: two orders with one id pay once. */
  id: t.string,
  endToEndId: t.string,
  valueCents: t.number,
  /** Null if the order named an account. */
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

export const payOuts: Collection<PayOut> = book('payouts', payOut, {
  ...ORDERED,
  indexes: [{ sort: 'paidAt', acrossOwners: true }],
})

/** The books of the embedded bank and acquirer, which a store is opened with. */
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
