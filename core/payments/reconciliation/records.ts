import { t } from '../../fp.ts'
import { ensure } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { addSeconds, type Day, type Instant } from '../../kernel/values/day.ts'
import { MOVEMENT_KINDS, type Movement } from '../../ports/bank.ts'

const listed = record({
  /** The run, kind and id of a movement that the bank has listed. */
  id: t.string,
  expiresAt: t.string,
})

/** What the bank has listed in a run: kept beside memory, which does not grow with the day. */
export const listedMovements: Collection<t.TypeOf<typeof listed>> = {
  name: 'payments.listed-movements',
  ids: 'text',
  codec: listed,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

const difference = record({
  /** The run, and which movement differs how. */
  id: t.string,
  runId: t.string,
  /** Whose it is; null where nobody knows. */
  accountId: orNull(t.number),
  /** `missing` in the ledger, `extra` there, `different` from the bank's record, or not to be compared: `unreadable`. */
  what: word('missing', 'extra', 'different', 'unreadable'),
  kind: word(...MOVEMENT_KINDS),
  movementId: t.string,
  /** What the bank says, and what the ledger has; null where there is nothing. */
  bankCents: orNull(t.number),
  ledgerCents: orNull(t.number),
  bankTxid: orNull(t.string),
  ledgerTxid: orNull(t.string),
  expiresAt: t.string,
})

/** Something in which the ledger and the bank differ. */
export type Difference = t.TypeOf<typeof difference>

export const differences: Collection<Difference> = {
  name: 'payments.differences',
  ids: 'text',
  codec: difference,
  owner: null,
  indexes: [
    { eq: 'runId', sort: 'id', acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

const reconciliation = record({
  /** The day that is compared: once, however many processes there are. */
  id: t.string,
  /** When its next slice is due; null once it has ended. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** Where it goes on, as JSON; null where it begins. */
  place: orNull(t.string),
  /** How often in a row the bank did not answer. */
  unanswered: t.number,
  createdAt: t.string,
  /** When it is forgotten; null while it runs. */
  expiresAt: orNull(t.string),
})

/** The comparison of a day that the schedule asked for. */
export type Reconciliation = t.TypeOf<typeof reconciliation>

export const reconciliations: Collection<Reconciliation> = {
  name: 'payments.reconciliations',
  ids: 'text',
  codec: reconciliation,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [
    { sort: 'dueAt', when: WAITING, acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

/** One comparison of a day: what it finds is its own, whoever compares the day besides. */
export interface Run {
  readonly id: string
  readonly day: Day
}

/** Where a run goes on: what the bank lists first, page by page, then the books, entry by entry. */
export type Position =
  | { readonly phase: 'bank'; readonly page: string | null }
  | { readonly phase: 'ledger'; readonly bookId: string; readonly seq: number }

export const FIRST_POSITION: Position = { phase: 'bank', page: null }
export const FIRST_BOOK_POSITION: Position = { phase: 'ledger', bookId: '', seq: 0 }

/** How long a run may take: what it listed is forgotten after it. */
const LISTED_SECONDS = 3 * 86_400
/** How long differences are there to be read. */
const KEPT_SECONDS = 30 * 86_400

export const listedId = (run: Run, { kind, id }: Pick<Movement, 'kind' | 'id'>): string => `${run.id}|${kind}|${id}`

/** The change that remembers that the bank has listed a movement. */
export const rememberListed = (run: Run, movement: Pick<Movement, 'kind' | 'id'>, now: Instant) =>
  ensure(listedMovements, { id: listedId(run, movement), expiresAt: addSeconds(now, LISTED_SECONDS) })

export type NewDifference = Omit<Difference, 'id' | 'runId' | 'expiresAt'>

/** The change that keeps a difference; found again it is one. */
export const recordDifference = (run: Run, found: NewDifference, now: Instant) =>
  ensure(differences, {
    ...found,
    id: `${run.id}|${found.what}|${found.kind}|${found.movementId}|${found.bankTxid ?? ''}`,
    runId: run.id,
    expiresAt: addSeconds(now, KEPT_SECONDS),
  })
