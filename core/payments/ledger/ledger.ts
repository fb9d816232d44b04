import { issue } from '../../failure.ts'
import type { RuleCode } from '../../kernel/input/field.ts'
import { allOrNone, type Rule, rule } from '../../kernel/input/input.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  eq,
  type Field,
  gte,
  insert,
  isIn,
  not,
  orNull,
  patch,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import { dayOf, daysBetween, type Instant } from '../../kernel/values/day.ts'
import { type List, listOf } from '../../ports/store.ts'

/** A type of entry. */
export interface TransactionType {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** The direction of its entries: `in` are credits, `out` debits. */
  readonly direction: 'in' | 'out' | 'both'
}

const type = (id: number, slug: string, name: string, goes: TransactionType['direction']): TransactionType => ({
  id,
  slug,
  name,
  direction: goes,
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

export const transactionTypes: readonly TransactionType[] = [
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

const FEE_IDS = [PIX_IN_FEE, PIX_OUT_FEE, BOLETO_FEE, BOLEPIX_FEE].map(({ id }) => id)

/** Reports whether entries of a type are fees. */
export const isFee = (typeId: number): boolean => FEE_IDS.includes(typeId)

const byId = new Map(transactionTypes.map((each) => [each.id, each]))
const bySlug = new Map(transactionTypes.map((each) => [each.slug, each]))

export const transactionType = (idOrSlug: number | string): TransactionType | undefined =>
  byId.get(Number(idOrSlug)) ?? bySlug.get(String(idOrSlug))

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
  /** The number of the entry among the account's entries in both books, without gaps, from 1. Set at commit, like balance, time and day. */
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

/** A line of an account's statement, with the balance after it. */
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
    // Card entries are a small part.
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

/** An earlier release could post one end-to-end id to several accounts. */
const MAX_POSTED = 100

/**
 * The entries of these types that posted the payment with an end-to-end id, in one account or in all. Since 0.2.0 an id is
 * posted once.
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
  /** `7:main` or `7:card`, or a counterpart: `7:clearing`, `7:fees`, `7:receivable`. */
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
