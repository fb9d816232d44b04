import { failure } from '../../failure.ts'
import { type FieldOptions, money, nullIfAbsent, pick, text } from '../../kernel/input/mod.ts'
import { type Collection, eq, newRecord, not, orNull, record, t, word } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { maskTaxId } from '../../kernel/values/tax-id.ts'
import { digitsAndLetters, foldLines } from '../../kernel/values/text.ts'
import { BANK_ACCOUNT_TYPES, type Bank } from '../../ports/bank.ts'
import type { Actor } from '../payments-ports.ts'
import { pixKey } from '../pix/pix-key.ts'

const withdrawal = record({
  id: t.number,
  accountId: t.number,
  /** The receiver is named by a Pix key, or by the data of a bank account. */
  by: word('key', 'account'),
  /** `awaiting`: looked up and not confirmed. `pending`: sent to the bank, without an answer yet. */
  status: word('awaiting', 'pending', 'completed', 'failed'),
  /** The id of the order at the bank. The bank pays one order per txid. */
  txid: t.string,
  endToEndId: orNull(t.string),
  /** Null until confirmation, if the key was looked up without a value. */
  valueCents: orNull(t.number),
  feeCents: t.number,
  key: orNull(t.string),
  name: t.string,
  document: t.string,
  ispb: t.string,
  branch: t.string,
  account: t.string,
  accountType: word(...BANK_ACCOUNT_TYPES),
  /** Identifies the receiving account: `destinationOf`. */
  destination: t.string,
  message: orNull(t.string),
  /** Value and message of the look-up while a confirmation is at the bank: restored if the bank did not receive it. */
  lookedUp: orNull(record({ valueCents: orNull(t.number), message: orNull(t.string) })),
  /** The bank's answer, as JSON. */
  answer: orNull(t.string),
  /** The reason of the failure: the bank's own, or `unavailable`. */
  failure: orNull(t.string),
  operationId: orNull(t.string),
  /** The sums of the daily and the nightly limit in which it counts; null when it does not count. */
  sumId: orNull(t.string),
  nightSumId: orNull(t.string),
  /** The window in which its look-up counts; null without a look-up, and after confirmation. */
  lookupSince: orNull(t.string),
  userId: t.number,
  /** Folded: name, document as shown, txid and endToEndId. */
  search: t.string,
  /** The time at which it was sent to the bank; null before. */
  handedAt: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** A payment by Pix out of an account of the platform. */
export type Withdrawal = t.TypeOf<typeof withdrawal>

/** A withdrawal whose value is known. */
export type ValuedWithdrawal = Withdrawal & { readonly valueCents: number }

export const withdrawals: Collection<Withdrawal> = {
  name: 'payments.withdrawals',
  ids: 'integer',
  codec: withdrawal,
  owner: 'accountId',
  conditions: { handed: not(eq('handedAt', null)) },
  keys: { txid: ({ txid }) => txid },
  indexes: [{ sort: 'handedAt', when: 'handed', search: 'search' }],
  tallies: [{ by: ['accountId'], sum: [], when: 'handed' }],
}

export const NO_WITHDRAWAL = failure('not-found', 'withdrawal.unknown')
export const BANK_UNSUPPORTED = failure('refused', 'bank.unsupported')

/** The receiver of a withdrawal. */
export type Receiver = Pick<Withdrawal, 'key' | 'name' | 'document' | 'ispb' | 'branch' | 'account' | 'accountType'>

const BRANCH_DIGITS = 4

/** Returns one text for each receiving account: its Pix key, or its bank, branch and account in normal form. */
export const destinationOf = ({ key, ispb, branch, account }: Omit<Receiver, 'name' | 'document' | 'accountType'>) =>
  key ?? `${ispb}/${branch.padStart(BRANCH_DIGITS, '0')}/${accountNumber(account)}`

/** Removes punctuation, and the zeros with which banks pad account numbers. */
const accountNumber = (account: string): string =>
  account
    .replace(/[^0-9A-Za-z]/g, '')
    .replace(/^0+(?=.)/, '')
    .toUpperCase()

/** Masks the document of a receiver found by key; a document that the payer entered is shown. */
export const shownDocument = ({ key, document }: Pick<Receiver, 'key' | 'document'>): string =>
  key === null ? document : maskTaxId(document)

/** Returns the texts by which a receiver's document is found, without the digits that `shownDocument` hides. */
export const searchableDocument = ({ key, document }: Pick<Receiver, 'key' | 'document'>): readonly string[] => {
  // A key that is the document shows it.
  if (key === null || key === document) return [document]
  const masked = maskTaxId(document)
  return [masked, digitsAndLetters(masked)]
}

export const searchOf = ({
  name,
  txid,
  endToEndId,
  ...receiver
}: Pick<Withdrawal, 'name' | 'document' | 'key' | 'txid' | 'endToEndId'>) =>
  foldLines([name, ...searchableDocument(receiver), txid, endToEndId])

/** The paying account, and the user who orders the withdrawal. */
export type WithdrawalPayer = Pick<Actor, 'accountId' | 'userId' | 'confirmation'>

/** Creates a withdrawal that awaits confirmation. */
export const newWithdrawal = <V extends number | null>(
  { txidLength }: Pick<Bank, 'txidLength'>,
  { accountId, userId }: WithdrawalPayer,
  to: Receiver,
  {
    valueCents,
    message,
    lookupSince = null,
  }: { readonly valueCents: V; readonly message: string | null; readonly lookupSince?: Instant | null },
  fresh: Fresh,
): Withdrawal & { readonly valueCents: V } => {
  const txid = randomCode(fresh, txidLength)
  const awaiting = newRecord(withdrawals, {
    id: fresh.id(withdrawals),
    accountId,
    userId,
    by: to.key === null ? 'account' : 'key',
    status: 'awaiting',
    txid,
    feeCents: 0,
    ...receiverOf(to),
    destination: destinationOf(to),
    message,
    lookupSince,
    search: searchOf({ ...to, txid, endToEndId: null }),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  })
  return { ...awaiting, valueCents }
}

/** Returns the fields of a receiver without those of its record. */
export const receiverOf = (of: Receiver): Receiver =>
  pick(of, 'key', 'name', 'document', 'ispb', 'branch', 'account', 'accountType')

/** The longest message that a receiver's bank accepts. */
const MAX_MESSAGE = 140
export const truncateMessage = (message: string | null): string | null =>
  message === null ? null : [...message].slice(0, MAX_MESSAGE).join('')

/** The message to the receiver; a row may give it another name and another maximum. */
export const messageField = ({ max = MAX_MESSAGE, ...about }: { readonly max?: number } & FieldOptions = {}) =>
  nullIfAbsent(text({ max, about: 'Mensagem a quem recebe', ...about }))

export const LEAST_CENTS = 1
export const valueField = money({ wire: 'value', minCents: LEAST_CENTS, about: 'Valor' })
export const keyField = pixKey({ wire: 'keypix', about: 'Chave Pix: CPF, CNPJ, e-mail, telefone ou chave aleatória' })
