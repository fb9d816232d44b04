import { type Change, insert, patch, type Take } from '../../kernel/records/change.ts'
import { at, type Field } from '../../kernel/records/collection.ts'
import { always } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { fold } from '../../kernel/values/text.ts'
import { CONFIRMED, type Entry, entries } from './entry.ts'
import { journals, type Leg } from './journal.ts'
import { type LedgerAccountKind, ledgerAccountId, ledgerAccounts } from './ledger-account.ts'
import type { TransactionType } from './transaction-type.ts'

/** What a statement line tells besides its amount. */
export type EntryDetails = Pick<Entry, 'description' | 'chargeId' | 'txid' | 'endToEnd' | 'payer' | 'receiver'>

/** One line of a movement on a merchant's book, and what it stands against. */
export interface Line {
  readonly type: TransactionType
  /** Whole and signed: a debit is negative. Not zero, and never against the way that its type goes. */
  readonly valueCents: number
  readonly against: 'clearing' | 'fees' | 'receivable'
}

const TAKEN_LATER = { seq: 0, balanceCents: 0, datetime: '', day: '' }

const ofBook = (id: string): Take<Field<Entry>> => {
  const from = at(ledgerAccounts, id)
  return {
    seq: [from, 'seq'],
    balanceCents: [from, 'balanceCents'],
    datetime: [from, 'lastAt'],
    day: [from, 'lastDay'],
  }
}

/**
 * The changes that post one movement: a journal whose legs add up to zero, and per line the book's patch and the
 * entry that takes its place, time and balance from it. Nothing here depends on what the book holds, so postings
 * commute and any number of them join into one commit. A second movement of the same cause is a Conflict.
 *
 * Fails: throws a RangeError where a line is not what a line is: whoever decided it is wrong, and nothing is written.
 */
export const post = (
  fresh: Fresh,
  movement: {
    readonly accountId: number
    readonly kind: LedgerAccountKind
    readonly cause: string
    readonly lines: readonly Line[]
    readonly telling: EntryDetails
  },
): readonly Change[] => {
  const { accountId, cause, lines, telling } = movement
  for (const line of lines) assertPostable(line)
  const book = ledgerAccountId(accountId, movement.kind)
  const journalId = fresh.uuid()
  const legs = lines.flatMap(({ valueCents, against }): Leg[] => [
    { book, cents: valueCents },
    { book: `${accountId}:${against}`, cents: -valueCents },
  ])
  const journal = insert(journals, { id: journalId, accountId, cause, legs, createdAt: fresh.now })
  return [journal, ...lines.flatMap((line) => enter(fresh, { accountId, book, journalId, line, telling }))]
}

const assertPostable = ({ type, valueCents }: Line): void => {
  const isWhole = Number.isSafeInteger(valueCents) && valueCents !== 0
  if (!isWhole || (type.goes !== 'both' && type.goes !== directionOf(valueCents)))
    throw new RangeError(`${valueCents} cents are no ${type.slug}`)
}

const directionOf = (valueCents: number): Entry['direction'] => (valueCents < 0 ? 'out' : 'in')

const enter = (
  fresh: Fresh,
  to: {
    readonly accountId: number
    readonly book: string
    readonly journalId: string
    readonly line: Line
    readonly telling: EntryDetails
  },
): readonly Change[] => {
  const { accountId, book, journalId, line, telling } = to
  const { valueCents, type } = line
  const entry: Entry = {
    ...TAKEN_LATER,
    ...telling,
    id: fresh.id(entries),
    accountId,
    book,
    journalId,
    typeId: type.id,
    status: CONFIRMED,
    valueCents,
    direction: directionOf(valueCents),
    search: searchOf(telling),
  }
  return [
    patch(ledgerAccounts, book, {
      add: { balanceCents: valueCents, availableCents: valueCents, seq: 1 },
      max: { lastAt: fresh.now, lastDay: fresh.today },
      when: always,
    }),
    insert(entries, entry, ofBook(book)),
  ]
}

const searchOf = ({ description, txid, endToEnd, payer, receiver }: EntryDetails): string =>
  fold([description, txid, endToEnd, payer?.name, receiver?.name].filter((text) => text != null).join('\n'))
