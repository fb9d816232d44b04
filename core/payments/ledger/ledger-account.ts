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
  /** How many entries the book has: the last one's place. */
  seq: t.number,
  /** The last entry's time and day, which never run backwards. */
  lastAt: t.string,
  lastDay: t.string,
})

/** A merchant's book, `main` or `card`: the one record that every posting to it patches. */
export type LedgerAccount = t.TypeOf<typeof book>
export type LedgerAccountKind = LedgerAccount['kind']

export const ledgerAccounts: Collection<LedgerAccount> = {
  name: 'payments.books',
  ids: 'text',
  codec: book,
  owner: 'accountId',
}

export const ledgerAccountId = (accountId: number, kind: LedgerAccountKind): string => `${accountId}:${kind}`

export const newLedgerAccount = (accountId: number, kind: LedgerAccountKind, now: Instant): Change =>
  insert(ledgerAccounts, {
    id: ledgerAccountId(accountId, kind),
    accountId,
    kind,
    balanceCents: 0,
    availableCents: 0,
    seq: 0,
    lastAt: now,
    lastDay: dayOf(now),
  })
