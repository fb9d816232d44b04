import { failure } from '../../failure.ts'
import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { maskTaxId } from '../../kernel/values/tax-id.ts'
import { foldLines } from '../../kernel/values/text.ts'
import { BANK_ACCOUNT_TYPES, type Bank } from '../../ports/bank.ts'

const withdrawal = record({
  id: t.number,
  accountId: t.number,
  /** By a key that was looked up, or by the data of an account. */
  by: word('key', 'account'),
  /** Awaiting: it was looked up, and nobody has confirmed it. */
  status: word('awaiting', 'pending', 'completed', 'failed'),
  /** Our own id at the bank: whatever is tried, it is paid once. */
  txid: t.string,
  endToEndId: orNull(t.string),
  /** Null where it was looked up without one, until it is confirmed. */
  valueCents: orNull(t.number),
  feeCents: t.number,
  key: orNull(t.string),
  name: t.string,
  document: t.string,
  ispb: t.string,
  branch: t.string,
  account: t.string,
  accountType: word(...BANK_ACCOUNT_TYPES),
  /** The same for all that reaches one place: `destinationOf`. */
  destination: t.string,
  message: orNull(t.string),
  /** What the bank has answered, as JSON. */
  answer: orNull(t.string),
  /** Why it failed: the bank's own reason, or `unavailable`. */
  failure: orNull(t.string),
  operationId: orNull(t.string),
  /** In which sums of the limits it counts, while it does: of its day, and of its night. */
  sumId: orNull(t.string),
  nightSumId: orNull(t.string),
  /** The window in which its look-up counts, until it is confirmed; null without a look-up. */
  lookupSince: orNull(t.string),
  userId: t.number,
  /** Folded: name, document, txid and endToEndId. */
  search: t.string,
  /** When it was handed to the bank; null while it was not. */
  handedAt: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** Money that leaves an account by Pix. Source: 02-billing.md, Withdraw record; decisions.md §5. */
export type Withdrawal = t.TypeOf<typeof withdrawal>

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

/** Whom money reaches. */
export type Receiver = Pick<Withdrawal, 'key' | 'name' | 'document' | 'ispb' | 'branch' | 'account' | 'accountType'>

const BRANCH_DIGITS = 4

/**
 * One place, however it is written: the key in its one form, or bank, branch and account. Source: decisions.md §11, Withdrawals.
 */
export const destinationOf = ({ key, ispb, branch, account }: Omit<Receiver, 'name' | 'document' | 'accountType'>) =>
  key ?? `${ispb}/${branch.padStart(BRANCH_DIGITS, '0')}/${accountNumber(account)}`

/** Without marks, and without the zeros by which banks pad it. */
const accountNumber = (account: string): string =>
  account
    .replace(/[^0-9A-Za-z]/g, '')
    .replace(/^0+(?=.)/, '')
    .toUpperCase()

/** Whose a key is nobody learns from it: only who gave the document themselves is shown it. Source: decisions.md §11, Withdrawals. */
export const shownDocument = ({ key, document }: Pick<Receiver, 'key' | 'document'>): string =>
  key === null ? document : maskTaxId(document)

export const searchOf = ({
  name,
  document,
  txid,
  endToEndId,
}: Pick<Withdrawal, 'name' | 'document' | 'txid' | 'endToEndId'>) => foldLines([name, document, txid, endToEndId])

/** The account that pays out, and the user who orders it. */
export interface WithdrawalPayer {
  readonly accountId: number
  readonly userId: number
}

/** A withdrawal that was not handed to the bank yet. */
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
  return {
    id: fresh.id(withdrawals),
    accountId,
    userId,
    by: to.key === null ? 'account' : 'key',
    status: 'awaiting',
    txid,
    endToEndId: null,
    valueCents,
    feeCents: 0,
    ...receiverOf(to),
    destination: destinationOf(to),
    message,
    answer: null,
    failure: null,
    operationId: null,
    sumId: null,
    nightSumId: null,
    lookupSince,
    search: searchOf({ ...to, txid, endToEndId: null }),
    handedAt: null,
    createdAt: fresh.now,
    updatedAt: fresh.now,
  }
}

const receiverOf = ({ key, name, document, ispb, branch, account, accountType }: Receiver): Receiver => ({
  key,
  name,
  document,
  ispb,
  branch,
  account,
  accountType,
})
