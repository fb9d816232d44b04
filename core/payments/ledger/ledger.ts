import { issue } from '../../failure.ts'
import { t } from '../../fp.ts'
import type { RuleCode } from '../../kernel/input/field.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import { allOrNone, type Rule, rule } from '../../kernel/input/rules.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { type Field, orNull, record, word } from '../../kernel/records/record.ts'
import { all, eq, isIn, not } from '../../kernel/records/where.ts'
import { dayOf, daysBetween, type Instant } from '../../kernel/values/day.ts'
import { type List, listOf } from '../../ports/store.ts'

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

const party = record({
  name: t.string,
  document: t.string,
  bank: orNull(t.string),
  branch: orNull(t.string),
  account: orNull(t.string),
})

export const CONFIRMED = 1
/** Of a line on the card book. */
export const CARD = 5

const entry = record({
  id: t.number,
  accountId: t.number,
  book: t.string,
  journalId: t.string,
  /** Its place among the account's entries on all its books, without gaps, from 1. Taken at the moment of commit, like balance, time and day. */
  seq: t.number,
  balanceCents: t.number,
  datetime: t.string,
  day: t.string,
  typeId: t.number,
  /** 1 confirmed, 2 pending, 4 reversed, 5 card. */
  status: t.number,
  /** Signed: a debit is negative. */
  valueCents: t.number,
  direction: word('in', 'out'),
  description: t.string,
  chargeId: orNull(t.number),
  txid: orNull(t.string),
  endToEnd: orNull(t.string),
  payer: orNull(party),
  receiver: orNull(party),
  /** Folded: description, txid, endtoend and names. */
  search: t.string,
})

/** A line of a merchant's statement, with the balance after it. */
export type Entry = t.TypeOf<typeof entry>

/** Returns the account's balance after the entry; null for an entry of the card book, which has a balance of its own. */
export const accountBalanceOf = ({ status, balanceCents }: Pick<Entry, 'status' | 'balanceCents'>): number | null =>
  status === CONFIRMED ? balanceCents : null

export const entries: Collection<Entry> = {
  name: 'payments.entries',
  ids: 'integer',
  codec: entry,
  owner: 'accountId',
  conditions: { confirmed: eq('status', CONFIRMED), charged: not(eq('chargeId', null)) },
  keys: { place: ({ book, seq }) => `${book}|${seq}` },
  indexes: [
    { sort: 'seq', search: 'search' },
    { sort: 'day', include: ['seq'] },
    { eq: 'typeId', sort: 'seq' },
    // Those on the card book are few among the others.
    { eq: 'status', sort: 'seq' },
    { eq: 'chargeId', sort: 'seq' },
    // A bank's id is of one payment, whatever account it is told for.
    { eq: 'endToEnd', sort: 'seq', acrossOwners: true },
  ],
  tallies: [
    // Days come first: what is summed is nearly always some of them, and the latest.
    { by: ['accountId', 'day', 'status', 'typeId', 'direction'], sum: ['valueCents'] },
    { by: ['accountId', 'day', 'status', 'typeId', 'direction'], sum: ['valueCents'], when: 'charged' },
  ],
}

/** The earlier release let one bank's id be posted to several accounts; more of them tell nothing more. */
const MAX_POSTED = 100

/**
 * The lines that posted the payment of a bank's id, of these types; whosever they are where no account is named. Of an id that
 * was posted since 0.2.0, one.
 */
export const postedPayments = (
  endToEndId: string,
  typeIds: readonly number[],
  accountId: number | null = null,
): List<Entry> =>
  listOf(entries, {
    where: all(
      ...(accountId === null ? [] : [eq<Field<Entry>>('accountId', accountId)]),
      eq<Field<Entry>>('endToEnd', endToEndId),
      isIn('typeId', typeIds),
    ),
    sort: { by: 'seq', dir: 'asc' },
    limit: MAX_POSTED,
  })

const leg = record({
  /** `7:main` for a merchant's book; `7:clearing`, `7:fees`, `7:receivable` for what it stands against. */
  book: t.string,
  /** Positive is credit. */
  cents: t.number,
})
export type Leg = t.TypeOf<typeof leg>

const journal = record({
  id: t.string,
  accountId: t.number,
  /** What happened outside, once: `pix-in:E123…`. No two journals have the same. */
  cause: t.string,
  /** They add up to zero. */
  legs: t.array(leg),
  createdAt: t.string,
})

/** A money movement, whole and for ever: nothing of it is updated or deleted; a reversal is another one. */
export type Journal = t.TypeOf<typeof journal>

export const journals: Collection<Journal> = {
  name: 'payments.journals',
  ids: 'text',
  codec: journal,
  owner: 'accountId',
  keys: { cause: ({ accountId, cause }) => causeKey(accountId, cause) },
}

export const causeKey = (accountId: number, cause: string): string => `${accountId}|${cause}`

/** How far apart the ends of a range of payment dates may be. Source: decisions.md §11, Sums. */
const MAX_PAYMENT_DAYS = 45

const notTooLong: Rule<DayRange, 'range.max'> = rule(['from', 'to'], ({ from, to }) =>
  from && to && daysBetween(from, to) > MAX_PAYMENT_DAYS ? [issue('to', 'range.max', { max: MAX_PAYMENT_DAYS })] : [],
)

/** The days on which something was paid: both ends, or none. Fails: as a range does, `required`, `range.max`. */
export const paidRange = inQuery.range<RuleCode | 'range.max'>(
  'payment_date',
  `Pagamento (as duas datas ou nenhuma, com no máximo ${MAX_PAYMENT_DAYS} dias entre elas)`,
  allOrNone('from', 'to'),
  notTooLong,
)
