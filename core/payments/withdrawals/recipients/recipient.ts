import { failure } from '../../../failure.ts'
import { t } from '../../../fp.ts'
import { type Change, insert, patch } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record, word } from '../../../kernel/records/record.ts'
import { always } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { foldLines } from '../../../kernel/values/text.ts'
import { BANK_ACCOUNT_TYPES } from '../../../ports/bank.ts'
import { destinationOf, type Receiver } from '../withdrawal.ts'

const recipient = record({
  id: t.number,
  accountId: t.number,
  /** One recipient of an account for each. */
  destination: t.string,
  key: orNull(t.string),
  name: t.string,
  document: t.string,
  ispb: t.string,
  branch: t.string,
  account: t.string,
  accountType: word(...BANK_ACCOUNT_TYPES),
  /** How many withdrawals reached it. */
  count: t.number,
  lastUsedAt: t.string,
  createdAt: t.string,
  /** Folded: name, document, key. */
  search: t.string,
})

/** Where an account has paid out to: written by what is paid out, and by nothing else. */
export type Recipient = t.TypeOf<typeof recipient>

const destinationKey = (accountId: number, destination: string): string => `${accountId}|${destination}`

export const recipients: Collection<Recipient> = {
  name: 'payments.recipients',
  ids: 'integer',
  codec: recipient,
  owner: 'accountId',
  keys: { destination: ({ accountId, destination }) => destinationKey(accountId, destination) },
  indexes: [
    { sort: 'count', search: 'search' },
    { eq: 'document', sort: 'lastUsedAt' },
  ],
}

const payee = record({
  id: t.number,
  accountId: t.number,
  document: t.string,
  /** As the first of its recipients says it. */
  name: t.string,
  createdAt: t.string,
  /** Folded: name, document, and what reaches it first. */
  search: t.string,
})

/** Who has been paid: one for all recipients of a document. */
export type PaidParty = t.TypeOf<typeof payee>

export const paidParties: Collection<PaidParty> = {
  name: 'payments.paid-parties',
  ids: 'integer',
  codec: payee,
  owner: 'accountId',
  keys: { document: ({ accountId, document }) => destinationKey(accountId, document) },
  indexes: [{ sort: 'createdAt', search: 'search' }],
  tallies: [{ by: ['accountId'], sum: [] }],
}

export const NO_RECIPIENT = failure('not-found', 'recipient.unknown')

/** By the key `destination` of recipients, and `document` of those who were paid. */
export const recipientKey = destinationKey

/** Who is known already of those that a withdrawal reaches. */
export interface KnownRecipient {
  readonly recipient: Recipient | null
  readonly party: PaidParty | null
}

/** Remembers whom a withdrawal has reached, once more. */
export const rememberRecipient = (
  accountId: number,
  to: Receiver,
  { recipient: known, party }: KnownRecipient,
  fresh: Fresh,
): readonly Change[] => {
  const { now, steady } = fresh
  if (known) return [patch(recipients, known.id, { add: { count: 1 }, max: { lastUsedAt: steady }, when: always })]
  const { key, name, document, ispb, branch, account, accountType } = to
  const search = foldLines([name, document, key])
  const made: Recipient = {
    id: fresh.id(recipients),
    accountId,
    destination: destinationOf(to),
    ...{ key, name, document, ispb, branch, account, accountType },
    ...{ count: 1, lastUsedAt: steady, createdAt: now, search },
  }
  const first = { id: fresh.id(paidParties), accountId, document, name, createdAt: now, search }
  return [insert(recipients, made), ...(party ? [] : [insert(paidParties, first)])]
}
