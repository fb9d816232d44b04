import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record, word } from '../../kernel/records/record.ts'
import { dayOf, type Instant } from '../../kernel/values/day.ts'

const book = record({
  /** `7:main`. */
  id: t.string,
  accountId: t.number,
  kind: word('main', 'card'),
  /** The sum of the book's entries. */
  balanceCents: t.number,
  /** The balance less what is reserved: what may be spent. */
  availableCents: t.number,
  /** How many entries it has. The main one counts those of all the account's books: it is the last one's place. */
  seq: t.number,
  /** The last entry's time and day, which never run backwards; of the main one those of all books. */
  lastAt: t.string,
  lastDay: t.string,
  /** Of a card book: how many sales it was settled for, and what they came to, whatever was withdrawn since. */
  settlements: t.number,
  settledCents: t.number,
})

/** A merchant's book, `main` or `card`: the one record that every posting to it patches. */
export type LedgerAccount = t.TypeOf<typeof book>
export type LedgerAccountKind = LedgerAccount['kind']

export const ledgerAccounts: Collection<LedgerAccount> = {
  name: 'payments.books',
  ids: 'text',
  codec: book,
  owner: 'accountId',
  // Until 0.5.0 nothing was withdrawn: a card book was its settlements.
  upgrades: {
    settlements: ({ kind, seq }) => (kind === 'card' ? seq : 0),
    settledCents: ({ kind, balanceCents }) => (kind === 'card' ? balanceCents : 0),
  },
}

export const ledgerAccountId = (accountId: number, kind: LedgerAccountKind): string => `${accountId}:${kind}`

export const emptyLedgerAccount = (accountId: number, kind: LedgerAccountKind, now: Instant): LedgerAccount => ({
  id: ledgerAccountId(accountId, kind),
  accountId,
  kind,
  balanceCents: 0,
  availableCents: 0,
  seq: 0,
  lastAt: now,
  lastDay: dayOf(now),
  settlements: 0,
  settledCents: 0,
})

export const newLedgerAccount = (accountId: number, kind: LedgerAccountKind, now: Instant): Change =>
  insert(ledgerAccounts, emptyLedgerAccount(accountId, kind, now))
