import { type Change, ensure, insert, patch, type Take, type Taken } from '../../kernel/records/change.ts'
import { at, type Field } from '../../kernel/records/record.ts'
import { always, type Where } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { foldLines } from '../../kernel/values/text.ts'
import {
  CARD,
  CONFIRMED,
  type Entry,
  emptyLedgerAccount,
  entries,
  journals,
  type LedgerAccount,
  type LedgerAccountKind,
  type Leg,
  ledgerAccountId,
  ledgerAccounts,
} from './ledger.ts'
import type { TransactionType } from './transaction-type.ts'

/** What a statement line tells besides its amount. */
export type EntryDetails = Pick<Entry, 'description' | 'chargeId' | 'txid' | 'endToEnd' | 'payer' | 'receiver'>

/** What a merchant's book stands against. */
type Counterpart = 'clearing' | 'fees' | 'receivable'

/** One line of a movement on a merchant's book, and what it stands against. */
export interface Line {
  readonly type: TransactionType
  /** Whole and signed: a debit is negative. Not zero, and never against the way that its type goes. */
  readonly valueCents: number
  /** What has the other side of it; where that is the account's other book, there is a line on that one, too. */
  readonly against: Counterpart | LedgerAccountKind
  /** What the line's own book must have for it; it is posted whatever is there where this is left out. */
  readonly when?: Where<Field<LedgerAccount>>
}

/** Money that moves beside a merchant's book: it is in the journal, and in no line of a statement. */
export interface SideLeg {
  readonly from: Counterpart
  readonly to: Counterpart
  /** Whole; of zero there is none. */
  readonly cents: number
}

const TAKEN_AT_COMMIT = { seq: 0, balanceCents: 0, datetime: '', day: '' }

/** The balance is of the book that the line is on; place and time are of all that the account has, which its main book counts. */
const taken = (main: string, book: string): Take<Field<Entry>> => {
  const from = at(ledgerAccounts, main)
  return {
    seq: [from, 'seq'],
    balanceCents: [at(ledgerAccounts, book), 'balanceCents'],
    datetime: [from, 'lastAt'],
    day: [from, 'lastDay'],
  }
}

/**
 * The changes that post one movement: a journal whose legs add up to zero, and per line the book's patch and the
 * entry that takes its balance from it, and its place and time among all entries of the account. Nothing here depends on what
 * the books hold but what a line asks for, so postings commute and any number of them join into one commit. A second movement
 * of the same cause is a Conflict. An account's card book is there from its first movement on.
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
    readonly sideLegs?: readonly SideLeg[]
    readonly details: EntryDetails
  },
): readonly Change[] => {
  const { accountId, kind, cause, lines, sideLegs: besides = [], details: telling } = movement
  for (const line of lines) assertPostable(line, kind)
  for (const side of besides) assertSide(side)
  const book = ledgerAccountId(accountId, kind)
  const journalId = fresh.uuid()
  const legs = [
    ...lines.flatMap(({ valueCents, against }): Leg[] => [
      { book, cents: valueCents },
      { book: `${accountId}:${against}`, cents: -valueCents },
    ]),
    ...besides.flatMap(({ from, to, cents }): Leg[] => [
      { book: `${accountId}:${from}`, cents: -cents },
      { book: `${accountId}:${to}`, cents },
    ]),
  ]
  const journal = insert(journals, { id: journalId, accountId, cause, legs, createdAt: fresh.now })
  const onCard = kind === 'card' || lines.some(({ against }) => against === 'card')
  const opened = onCard ? [ensure(ledgerAccounts, emptyLedgerAccount(accountId, 'card', fresh.steady))] : []
  const entered = lines
    .flatMap((line) => [{ kind, line }, ...otherSide(line)])
    .flatMap((each) => enter(fresh, { ...each, accountId, journalId, details: telling }))
  return [...opened, journal, ...entered]
}

/** The entries among the changes of a commit, as they are in it. */
export const postedEntries = (changes: readonly Change[], taken: Taken): readonly Entry[] =>
  changes.flatMap((change) => {
    if (change.kind !== 'insert' || change.at[0] !== entries.name) return []
    const entry = change.record as Entry
    const later = Object.keys(TAKEN_AT_COMMIT).map((field) => [field, taken(change.at, field)])
    return [{ ...entry, ...Object.fromEntries(later) }]
  })

const isBook = (against: Line['against']): against is LedgerAccountKind => against === 'main' || against === 'card'

/** The line on the other book of one that moves money between both. */
const otherSide = ({ type, valueCents, against }: Line): readonly { kind: LedgerAccountKind; line: Line }[] =>
  isBook(against) ? [{ kind: against, line: { type, valueCents: -valueCents, against } }] : []

const assertSide = ({ cents }: SideLeg): void => {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError(`${cents} cents are no leg`)
}

const assertPostable = ({ type, valueCents, against }: Line, kind: LedgerAccountKind): void => {
  const isWhole = Number.isSafeInteger(valueCents) && valueCents !== 0
  if (!isWhole || (type.direction !== 'both' && type.direction !== directionOf(valueCents)))
    throw new RangeError(`${valueCents} cents are no ${type.slug}`)
  // What leaves one book comes into the other, by the same type.
  if (isBook(against) && (against === kind || type.direction !== 'both'))
    throw new RangeError(`${type.slug} moves nothing from ${kind} to ${against}`)
}

const directionOf = (valueCents: number): Entry['direction'] => (valueCents < 0 ? 'out' : 'in')

const enter = (
  fresh: Fresh,
  to: {
    readonly accountId: number
    readonly kind: LedgerAccountKind
    readonly journalId: string
    readonly line: Line
    readonly details: EntryDetails
  },
): readonly Change[] => {
  const { accountId, kind, journalId, line, details: telling } = to
  const { valueCents, type, when = always } = line
  const book = ledgerAccountId(accountId, kind)
  const entry: Entry = {
    ...TAKEN_AT_COMMIT,
    ...telling,
    id: fresh.id(entries),
    accountId,
    book,
    journalId,
    typeId: type.id,
    status: STATUS[kind],
    valueCents,
    direction: directionOf(valueCents),
    search: searchOf(telling),
  }
  const main = ledgerAccountId(accountId, 'main')
  const max = { lastAt: fresh.steady, lastDay: fresh.today }
  const add = { balanceCents: valueCents, availableCents: valueCents, seq: 1 }
  return [
    ...(book === main ? [] : [patch(ledgerAccounts, main, { add: { seq: 1 }, max, when: always })]),
    patch(ledgerAccounts, book, { add, max, when }),
    insert(entries, entry, taken(main, book)),
  ]
}

/** What is sold by card stays apart from what can be spent, until it is withdrawn. Source: decisions.md §4. */
const STATUS: Readonly<Record<LedgerAccountKind, number>> = { main: CONFIRMED, card: CARD }

const searchOf = ({ description, txid, endToEnd, payer, receiver }: EntryDetails): string =>
  foldLines([description, txid, endToEnd, payer?.name, receiver?.name])
