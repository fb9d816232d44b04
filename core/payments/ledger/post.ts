import {
  always,
  at,
  type Change,
  ensure,
  type Field,
  insert,
  patch,
  type Take,
  type Taken,
  type Where,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { foldLines } from '../../kernel/values/text.ts'
import type { TransactionType } from './ledger.ts'
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

/** The descriptive fields of an entry. */
export type EntryDetails = Pick<Entry, 'description' | 'chargeId' | 'txid' | 'endToEnd' | 'payer' | 'receiver'>

/** The balancing accounts of the books. */
type Counterpart = 'clearing' | 'fees' | 'receivable'

/** A line of a movement on an account's book, and its counterpart. */
export interface Line {
  readonly type: TransactionType
  /** An integer, negative for a debit; not zero, with the sign that its type allows. */
  readonly valueCents: number
  /** The counterpart. If it is the account's other book, that book gets an entry too. */
  readonly against: Counterpart | LedgerAccountKind
  /** A guard on the line's book; by default the line is posted whatever the balance. */
  readonly when?: Where<Field<LedgerAccount>>
}

/** A movement between counterparts, which is in the journal and in no statement. */
export interface SideLeg {
  readonly from: Counterpart
  readonly to: Counterpart
  /** A positive integer. */
  readonly cents: number
}

const TAKEN_AT_COMMIT = { seq: 0, balanceCents: 0, datetime: '', day: '' }

/** The balance comes from the line's book; number and time from the main book, which counts the entries of both books. */
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
 * The changes that post a movement: a journal whose legs sum to zero, and for each line a patch of the book and an entry, which
 * takes balance, number and time at commit. Only the lines' guards depend on balances, so postings commute and can share a
 * commit. A second movement with the same cause is a `Conflict`. The card book is created by its first movement.
 *
 * Throws a RangeError for an invalid line, which is a defect of the caller.
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
  const { accountId, kind, cause, lines, sideLegs = [], details } = movement
  for (const line of lines) assertPostable(line, kind)
  for (const side of sideLegs) assertSide(side)
  const book = ledgerAccountId(accountId, kind)
  const journalId = fresh.uuid()
  const legs = [
    ...lines.flatMap(({ valueCents, against }): Leg[] => [
      { book, cents: valueCents },
      { book: `${accountId}:${against}`, cents: -valueCents },
    ]),
    ...sideLegs.flatMap(({ from, to, cents }): Leg[] => [
      { book: `${accountId}:${from}`, cents: -cents },
      { book: `${accountId}:${to}`, cents },
    ]),
  ]
  const journal = insert(journals, { id: journalId, accountId, cause, legs, createdAt: fresh.now })
  const onCard = kind === 'card' || lines.some(({ against }) => against === 'card')
  const opened = onCard ? [ensure(ledgerAccounts, emptyLedgerAccount(accountId, 'card', fresh.steady))] : []
  const entered = lines
    .flatMap((line) => [{ kind, line }, ...otherSide(line)])
    .flatMap((each) => enter(fresh, { ...each, accountId, journalId, details }))
  return [...opened, journal, ...entered]
}

/** Returns the entries of a commit, with the fields taken at commit. */
export const postedEntries = (changes: readonly Change[], taken: Taken): readonly Entry[] =>
  changes.flatMap((change) => {
    if (change.kind !== 'insert' || change.at[0] !== entries.name) return []
    const entry = change.record as Entry
    const later = Object.keys(TAKEN_AT_COMMIT).map((field) => [field, taken(change.at, field)])
    return [{ ...entry, ...Object.fromEntries(later) }]
  })

const isBook = (against: Line['against']): against is LedgerAccountKind => against === 'main' || against === 'card'

/** Returns the line on the other book, if the line moves money between the books. */
const otherSide = ({ type, valueCents, against }: Line): readonly { kind: LedgerAccountKind; line: Line }[] =>
  isBook(against) ? [{ kind: against, line: { type, valueCents: -valueCents, against } }] : []

const assertSide = ({ cents }: SideLeg): void => {
  if (!Number.isSafeInteger(cents) || cents <= 0)
    throw new RangeError(`invalid leg of ${cents} cents: a positive integer is expected`)
}

const assertPostable = ({ type, valueCents, against }: Line, kind: LedgerAccountKind): void => {
  const isWhole = Number.isSafeInteger(valueCents) && valueCents !== 0
  if (!isWhole || (type.direction !== 'both' && type.direction !== directionOf(valueCents)))
    throw new RangeError(`invalid ${type.slug} of ${valueCents} cents: expected an integer, ${type.direction}`)
  // A movement between the books is a debit of one and a credit of the other, with one type.
  if (isBook(against) && (against === kind || type.direction !== 'both'))
    throw new RangeError(`${type.slug} cannot move money from ${kind} to ${against}`)
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
  const { accountId, kind, journalId, line, details } = to
  const { valueCents, type, when = always } = line
  const book = ledgerAccountId(accountId, kind)
  const entry: Entry = {
    ...TAKEN_AT_COMMIT,
    ...details,
    id: fresh.id(entries),
    accountId,
    book,
    journalId,
    typeId: type.id,
    status: STATUS[kind],
    valueCents,
    direction: directionOf(valueCents),
    search: searchOf(details),
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

/** Card sales are not part of the spendable balance until they are withdrawn. */
const STATUS: Readonly<Record<LedgerAccountKind, number>> = { main: CONFIRMED, card: CARD }

const searchOf = ({ description, txid, endToEnd, payer, receiver }: EntryDetails): string =>
  foldLines([description, txid, endToEnd, payer?.name, receiver?.name])
