import { issue } from '../../failure.ts'
import { allOrNone, type DayRange, inQuery, type Rule, type RuleCode, rule } from '../../kernel/input/mod.ts'
import {
  all,
  always,
  at,
  type Change,
  type Collection,
  check,
  ensure,
  eq,
  type Field,
  gte,
  insert,
  isIn,
  not,
  orNull,
  patch,
  record,
  type Take,
  type Taken,
  t,
  type Where,
  word,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { dayOf, daysBetween, type Instant } from '../../kernel/values/day.ts'
import { foldLines } from '../../kernel/values/text.ts'
import { byId, type Find, type List, listOf } from '../../ports/store.ts'

/** A type of entry. */
export interface TransactionType {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** The direction of its entries: `in` are credits, `out` debits. */
  readonly direction: 'in' | 'out' | 'both'
}

const type = (id: number, slug: string, name: string, direction: TransactionType['direction']): TransactionType => ({
  id,
  slug,
  name,
  direction,
})

export const PIX_IN = type(1, 'pix-in', 'Pix In', 'in')
export const PIX_OUT = type(2, 'pix-out', 'Pix Out', 'out')
export const PIX_IN_FEE = type(3, 'pix-in-fee', 'Tarifa Pix In', 'out')
export const PIX_OUT_FEE = type(4, 'pix-out-fee', 'Tarifa Pix Out', 'out')
export const PIX_REFUND = type(5, 'pix-refund', 'Devolução Pix', 'out')
export const BOLETO_IN = type(6, 'boleto-in', 'Boleto In', 'in')
export const TRANSFER_IN = type(7, 'transfer-in', 'Transferência Recebida', 'in')
export const TRANSFER_OUT = type(8, 'transfer-out', 'Transferência Enviada', 'out')
export const BOLETO_FEE = type(9, 'boleto-fee', 'Tarifa Boleto', 'out')
export const BOLEPIX_IN = type(11, 'bolepix-in', 'Bolepix In', 'in')
export const BOLEPIX_FEE = type(12, 'bolepix-fee', 'Tarifa Bolepix', 'out')
export const CARD_SETTLEMENT = type(16, 'card-settlement', 'Liquidação Cartão', 'in')
/** Moves money from the card book to the main book. */
export const CARD_WITHDRAWAL = type(17, 'card-withdrawal', 'Saque Cartão', 'both')
/** The debit of the share of a payment that another account receives, and the credit of that account. */
export const SPLIT_OUT = type(18, 'split-out', 'Split Repassado', 'out')
export const SPLIT_IN = type(19, 'split-in', 'Split Recebido', 'in')
/** The reversal of a share for a refund: a debit of its receiver, and a credit of the refunding account. */
export const SPLIT_RETURN = type(20, 'split-return', 'Devolução de Split', 'both')

/** The types that the enumerations list: those of accounts without splits. */
export const listedTransactionTypes: readonly TransactionType[] = [
  PIX_IN,
  PIX_OUT,
  PIX_IN_FEE,
  PIX_OUT_FEE,
  PIX_REFUND,
  BOLETO_IN,
  TRANSFER_IN,
  TRANSFER_OUT,
  BOLETO_FEE,
  type(10, 'adjustment', 'Ajuste', 'both'),
  BOLEPIX_IN,
  BOLEPIX_FEE,
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
]

export const transactionTypes: readonly TransactionType[] = [
  ...listedTransactionTypes,
  SPLIT_OUT,
  SPLIT_IN,
  SPLIT_RETURN,
]

/** The types of entries that post payments of titles. */
export const PAYMENT_TYPE_IDS: readonly number[] = [PIX_IN, BOLETO_IN, BOLEPIX_IN].map(({ id }) => id)

const FEE_IDS = [PIX_IN_FEE, PIX_OUT_FEE, BOLETO_FEE, BOLEPIX_FEE].map(({ id }) => id)

const SHARE_IDS = [SPLIT_OUT, SPLIT_RETURN].map(({ id }) => id)

/** Reports whether an entry is the issuer's side of a share of its payment, or of the return of a share. */
export const isShareOfPayment = ({ typeId, chargeId }: Pick<Entry, 'typeId' | 'chargeId'>): boolean =>
  SHARE_IDS.includes(typeId) && chargeId !== null

/**
 * Reports whether an entry shows the payer and the receiver of the payment that caused it, between whom its amount did
 * not pass: true of a fee, and of a share of a payment or its return as 0.18.0 posted them, with one side at most.
 */
export const isPartOfPayment = ({
  typeId,
  chargeId,
  payer,
  receiver,
}: Pick<Entry, 'typeId' | 'chargeId' | 'payer' | 'receiver'>): boolean =>
  FEE_IDS.includes(typeId) || (SHARE_IDS.includes(typeId) && chargeId !== null && (payer === null || receiver === null))

const typesById = new Map(transactionTypes.map((each) => [each.id, each]))
const typesBySlug = new Map(transactionTypes.map((each) => [each.slug, each]))

export const transactionType = (idOrSlug: number | string): TransactionType | undefined =>
  typesById.get(Number(idOrSlug)) ?? typesBySlug.get(String(idOrSlug))

const book = record({
  /** `7:main`. */
  id: t.string,
  accountId: t.number,
  kind: word('main', 'card'),
  /** The sum of the entries. */
  balanceCents: t.number,
  /** The balance without reserved amounts. */
  availableCents: t.number,
  /** The number of entries; of `main`, the number of entries of both books. */
  seq: t.number,
  /** The time and day of the last entry, which never decrease; of `main`, of the last entry of both books. */
  lastAt: t.string,
  lastDay: t.string,
  /** Of a card book: the number of settled sales and their net sum, regardless of withdrawals. */
  settlements: t.number,
  settledCents: t.number,
})

/** A book of an account, `main` or `card`. Every posting to the book patches this record. */
export type LedgerAccount = t.TypeOf<typeof book>
export type LedgerAccountKind = LedgerAccount['kind']

export const ledgerAccounts: Collection<LedgerAccount> = {
  name: 'payments.books',
  ids: 'text',
  codec: book,
  owner: 'accountId',
  oldest: { upgrades: ['settlements', 'settledCents'] },
}

export const ledgerAccountId = (accountId: number, kind: LedgerAccountKind): string => `${accountId}:${kind}`

/** Queries a book of an account, by default the main one. */
export const bookOf = (accountId: number, kind: LedgerAccountKind = 'main'): Find<LedgerAccount> =>
  byId(ledgerAccounts, ledgerAccountId(accountId, kind))

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

/** Reserves an amount of the main balance; the commit fails if less is available. */
export const reserveBalance = (accountId: number, cents: number): Change =>
  patch(ledgerAccounts, ledgerAccountId(accountId, 'main'), {
    add: { availableCents: -cents },
    when: gte('availableCents', cents),
  })

/** Releases a reserved amount of the main balance. */
export const releaseBalance = (accountId: number, cents: number): Change =>
  patch(ledgerAccounts, ledgerAccountId(accountId, 'main'), { add: { availableCents: cents }, when: always })

/** Reports whether both the balance and the available amount of a book are zero. */
export const isEmptyBook = ({ balanceCents, availableCents }: LedgerAccount): boolean =>
  balanceCents === 0 && availableCents === 0

/** Returns the guard that a book has no money at the commit. */
export const checkEmptyBook = ({ id }: LedgerAccount): Change =>
  check(ledgerAccounts, id, all(eq('balanceCents', 0), eq('availableCents', 0)))

const party = record({
  name: t.string,
  document: t.string,
  bank: orNull(t.string),
  branch: orNull(t.string),
  account: orNull(t.string),
})

export const CONFIRMED = 1
/** The status of entries on the card book. */
export const CARD = 5

const entry = record({
  id: t.number,
  accountId: t.number,
  book: t.string,
  journalId: t.string,
  /**
   * The number of the entry among the account's entries in both books, without gaps, from 1. Set at commit, like
   * balance, time and day.
   */
  seq: t.number,
  balanceCents: t.number,
  datetime: t.string,
  day: t.string,
  typeId: t.number,
  /** 1 confirmed, 2 pending, 4 reversed, 5 card. */
  status: t.number,
  /** Negative for a debit. */
  valueCents: t.number,
  direction: word('in', 'out'),
  description: t.string,
  chargeId: orNull(t.number),
  txid: orNull(t.string),
  endToEnd: orNull(t.string),
  payer: orNull(party),
  receiver: orNull(party),
  /** Folded description, txid, end-to-end id and names. */
  search: t.string,
})

/**
 * A line of an account's statement, with the balance after it. Only its texts may change: an erasure and the release of
 * a share change them.
 */
export type Entry = t.TypeOf<typeof entry>

/** Returns the account's balance after the entry; null for an entry of the card book, which has its own. */
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
    // For card entries, which are a small part.
    { eq: 'status', sort: 'seq' },
    { eq: 'chargeId', sort: 'seq' },
    // An end-to-end id identifies one payment across all accounts.
    { eq: 'endToEnd', sort: 'seq', acrossOwners: true },
  ],
  tallies: [
    // Days come first, since most sums cover a range of recent days.
    { by: ['accountId', 'day', 'status', 'typeId', 'direction'], sum: ['valueCents'] },
    { by: ['accountId', 'day', 'status', 'typeId', 'direction'], sum: ['valueCents'], when: 'charged' },
  ],
}

/** The entries in a page of one end-to-end id: an earlier release could post it to several accounts. */
export const MAX_POSTED = 100

/**
 * Queries the entries of these types with the end-to-end id of a payment, unique since 0.2.0, in one account or all.
 */
export const postedPayments = (
  endToEndId: string,
  typeIds: readonly number[],
  accountId: number | null = null,
): List<Entry> =>
  listOf(entries, {
    where: all(
      ...(accountId === null ? [] : [eq('accountId', accountId)]),
      eq('endToEnd', endToEndId),
      isIn('typeId', typeIds),
    ),
    sort: { by: 'seq', dir: 'asc' },
    limit: MAX_POSTED,
  })

const leg = record({
  /** `7:main` or `7:card`, or a counterpart: `7:clearing`, `7:fees`, `7:receivable`, `7:shares`. */
  book: t.string,
  /** Positive is credit. */
  cents: t.number,
})
export type Leg = t.TypeOf<typeof leg>

const journal = record({
  id: t.string,
  accountId: t.number,
  /** The unique external cause: `pix-in:E123…`. */
  cause: t.string,
  /** The legs sum to zero. */
  legs: t.array(leg),
  createdAt: t.string,
})

/** A money movement. It is never updated or deleted: a reversal is another journal. */
export type Journal = t.TypeOf<typeof journal>

export const journals: Collection<Journal> = {
  name: 'payments.journals',
  ids: 'text',
  codec: journal,
  owner: 'accountId',
  keys: { cause: ({ accountId, cause }) => causeKey(accountId, cause) },
}

export const causeKey = (accountId: number, cause: string): string => `${accountId}|${cause}`

const MAX_PAYMENT_DAYS = 45

const notTooLong: Rule<DayRange, 'range.max'> = rule(['from', 'to'], ({ from, to }) =>
  from && to && daysBetween(from, to) > MAX_PAYMENT_DAYS ? [issue('to', 'range.max', { max: MAX_PAYMENT_DAYS })] : [],
)

/** A range of payment days: both ends or none. Fails: as a range does, `required`, `range.max`. */
export const paidRange = inQuery.range<RuleCode | 'range.max'>(
  'payment_date',
  `Pagamento (as duas datas ou nenhuma, com no máximo ${MAX_PAYMENT_DAYS} dias entre elas)`,
  allOrNone('from', 'to'),
  notTooLong,
)

/** The descriptive fields of an entry. */
export type EntryDetails = Pick<Entry, 'description' | 'chargeId' | 'txid' | 'endToEnd' | 'payer' | 'receiver'>

/** The two sides of an entry. */
export type EntrySides = Pick<Entry, 'payer' | 'receiver'>

/**
 * The balancing accounts of the books. In each journal, the legs of `shares` sum to zero: the receivers are credited
 * what the issuer is debited.
 */
type Counterpart = 'clearing' | 'fees' | 'receivable' | 'shares'

/** A line of a movement on an account's book, and its counterpart. */
export interface Line {
  readonly type: TransactionType
  /** An integer, negative for a debit; not zero, with the sign that its type allows. */
  readonly valueCents: number
  /** The counterpart. If it is the account's other book, that book gets an entry too. */
  readonly against: Counterpart | LedgerAccountKind
  /** A guard on the line's book; by default the line is posted whatever the balance. */
  readonly when?: Where<Field<LedgerAccount>>
  /** The sides of its entry, if other than those of the movement. */
  readonly sides?: EntrySides
}

/** A line on the main book of another account, against the `shares` of the movement's account. */
export interface ShareLine extends Pick<Line, 'type' | 'valueCents'> {
  readonly accountId: number
  readonly details: EntryDetails
  /** The part of a credit that is reserved at once. */
  readonly heldCents: number
  /** The id of its entry, if the caller stores it. */
  readonly entryId?: number | null
}

/** A movement between counterparts, which is in the journal and in no statement. */
export interface SideLeg {
  readonly from: Counterpart
  readonly to: Counterpart
  /** A positive integer. */
  readonly cents: number
}

/** A money movement of an account. */
export interface Movement {
  readonly accountId: number
  /** The book of its lines. */
  readonly kind: LedgerAccountKind
  /** A movement is posted once for each cause of the account. */
  readonly cause: string
  readonly lines: readonly Line[]
  readonly sideLegs?: readonly SideLeg[]
  readonly shares?: readonly ShareLine[]
  readonly details: EntryDetails
  /** The id of its journal, if the caller stores it. */
  readonly journalId?: string
}

/**
 * The changes that post a movement: a journal whose legs sum to zero, and for each line a patch of the book and an
 * entry, which takes balance, number and time at commit. Only the lines' guards depend on balances, so postings commute
 * and can be combined in one commit. Share lines are on the books of other accounts. The commit of a second movement
 * with the same cause is a conflict. The first movement of the card book creates it.
 *
 * Throws a RangeError for an invalid line, which is a defect of the caller.
 */
export const post = (fresh: Fresh, movement: Movement): readonly Change[] => {
  const { accountId, kind, cause, lines, shares = [], details, journalId = fresh.uuid() } = movement
  assertMovement(movement)
  const onCard = kind === 'card' || lines.some(({ against }) => against === 'card')
  return [
    ...(onCard ? [ensure(ledgerAccounts, emptyLedgerAccount(accountId, 'card', fresh.steady))] : []),
    insert(journals, { id: journalId, accountId, cause, legs: legsOf(movement), createdAt: fresh.now }),
    ...lines
      .flatMap((line) => [{ kind, line }, ...otherSide(line)])
      .flatMap((each) => enter(fresh, { accountId, journalId, details, ...each })),
    ...shares.flatMap((share) => enter(fresh, { journalId, kind: 'main', line: againstShares(share), ...share })),
  ]
}

const assertMovement = ({ kind, lines, sideLegs = [], shares = [] }: Movement): void => {
  for (const line of lines) assertPostable(line, kind)
  for (const share of shares) assertPostable(againstShares(share), 'main')
  for (const { cents } of sideLegs)
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

const againstShares = ({ type, valueCents }: ShareLine): Line => ({ type, valueCents, against: 'shares' })

/** Returns the legs of a journal, in pairs that sum to zero. */
const legsOf = ({ accountId, kind, lines, sideLegs = [], shares = [] }: Movement): Leg[] => {
  const pair = (book: string, counterpart: string, cents: number): readonly Leg[] => [
    { book, cents },
    { book: `${accountId}:${counterpart}`, cents: -cents },
  ]
  return [
    ...lines.flatMap(({ valueCents, against }) => pair(ledgerAccountId(accountId, kind), against, valueCents)),
    ...shares.flatMap((share) => pair(ledgerAccountId(share.accountId, 'main'), 'shares', share.valueCents)),
    ...sideLegs.flatMap(({ from, to, cents }) => pair(`${accountId}:${from}`, to, -cents)),
  ]
}

const isBook = (against: Line['against']): against is LedgerAccountKind => against === 'main' || against === 'card'

/** Returns the line on the other book, if the line moves money between the books. */
const otherSide = ({ type, valueCents, against }: Line): readonly { kind: LedgerAccountKind; line: Line }[] =>
  isBook(against) ? [{ kind: against, line: { type, valueCents: -valueCents, against } }] : []

/** The changes that add an entry to a book. The main book counts the entries of both. */
const enter = (
  fresh: Fresh,
  to: {
    readonly accountId: number
    readonly kind: LedgerAccountKind
    readonly journalId: string
    readonly line: Line
    readonly details: EntryDetails
    readonly heldCents?: number
    readonly entryId?: number | null
  },
): readonly Change[] => {
  const { accountId, kind, journalId, line, heldCents = 0, entryId } = to
  const { valueCents, type, when = always, sides } = line
  const details = sides ? { ...to.details, ...sides } : to.details
  const book = ledgerAccountId(accountId, kind)
  const entry: Entry = {
    id: entryId ?? fresh.id(entries),
    accountId,
    book,
    journalId,
    typeId: type.id,
    status: STATUS[kind],
    valueCents,
    direction: directionOf(valueCents),
    search: searchOf(details),
    ...TAKEN_AT_COMMIT,
    ...details,
  }
  const main = ledgerAccountId(accountId, 'main')
  const max = { lastAt: fresh.steady, lastDay: fresh.today }
  const add = { balanceCents: valueCents, availableCents: valueCents - heldCents, seq: 1 }
  return [
    ...(book === main ? [] : [patch(ledgerAccounts, main, { add: { seq: 1 }, max, when: always })]),
    patch(ledgerAccounts, book, { add, max, when }),
    insert(entries, entry, takenFields(main, book)),
  ]
}

const TAKEN_AT_COMMIT = { seq: 0, balanceCents: 0, datetime: '', day: '' }

/** The balance is that of the line's book; number and time are those of the main book, which counts both books. */
const takenFields = (main: string, book: string): Take<Field<Entry>> => {
  const from = at(ledgerAccounts, main)
  return {
    seq: [from, 'seq'],
    balanceCents: [at(ledgerAccounts, book), 'balanceCents'],
    datetime: [from, 'lastAt'],
    day: [from, 'lastDay'],
  }
}

/** Card sales are not part of the spendable balance until they are withdrawn. */
const STATUS: Readonly<Record<LedgerAccountKind, number>> = { main: CONFIRMED, card: CARD }

export const searchOf = ({ description, txid, endToEnd, payer, receiver }: EntryDetails): string =>
  foldLines([description, txid, endToEnd, payer?.name, receiver?.name])

/** Returns the entries of a commit, with the fields taken at commit. */
export const postedEntries = (changes: readonly Change[], taken: Taken): readonly Entry[] =>
  changes.flatMap((change) => {
    if (change.kind !== 'insert' || change.at[0] !== entries.name) return []
    const entry = change.record as Entry
    const later = Object.keys(TAKEN_AT_COMMIT).map((field) => [field, taken(change.at, field)])
    return [{ ...entry, ...Object.fromEntries(later) }]
  })
