import { type Collection, ensure, expiringCollection, orNull, record, t, word } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { queueConditions, queueIndex } from '../../kernel/running/queue.ts'
import { addSeconds, type Day, type Instant } from '../../kernel/values/day.ts'
import { MOVEMENT_KINDS, type Movement } from '../../ports/bank.ts'

const listed = record({
  /** The run, and the kind and id of the movement. */
  id: t.string,
  expiresAt: t.string,
})

/** The movements that the bank has listed in a run, stored so that memory does not grow with the day. */
export const listedMovements = expiringCollection('payments.listed-movements', listed)

const difference = record({
  /** The run, the difference and the movement. */
  id: t.string,
  runId: t.string,
  /** Null if the account is unknown. */
  accountId: orNull(t.number),
  /** `missing` in the ledger, `extra` there, `different` from the bank's record, or `unreadable` and not compared. */
  what: word('missing', 'extra', 'different', 'unreadable'),
  kind: word(...MOVEMENT_KINDS),
  movementId: t.string,
  /** The values of the bank and of the ledger; null if there is none. */
  bankCents: orNull(t.number),
  ledgerCents: orNull(t.number),
  bankTxid: orNull(t.string),
  ledgerTxid: orNull(t.string),
  expiresAt: t.string,
})

/** A difference between the ledger and the bank. */
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
  /** The compared day, so that several processes compare it once. */
  id: t.string,
  /** The time of its next slice; null when it has ended. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The position of its next slice, as JSON; null at the start. */
  place: orNull(t.string),
  /** The number of consecutive calls without an answer of the bank. */
  unanswered: t.number,
  createdAt: t.string,
  /** Null while it runs. */
  expiresAt: orNull(t.string),
})

/** The scheduled comparison of a day. */
export type Reconciliation = t.TypeOf<typeof reconciliation>

export const reconciliations: Collection<Reconciliation> = {
  name: 'payments.reconciliations',
  ids: 'text',
  codec: reconciliation,
  owner: null,
  conditions: queueConditions,
  indexes: [queueIndex(), { sort: 'expiresAt', acrossOwners: true }],
}

/** Counts differences by what they are; the rows are grouped by `what`. */
export const countsOf = (rows: readonly GroupRow[]) => {
  const count = (what: Difference['what']) => rows.find(({ by }) => by.what === what)?.count ?? 0
  return {
    missing: count('missing'),
    extra: count('extra'),
    different: count('different'),
    unreadable: count('unreadable'),
  }
}

/** A comparison of a day. Two runs of one day do not share their differences. */
export interface Run {
  readonly id: string
  readonly day: Day
}

/** The position of a run: first the pages of the bank's list, then the entries of each book. */
export type Position =
  | { readonly phase: 'bank'; readonly page: string | null }
  | { readonly phase: 'ledger'; readonly bookId: string; readonly seq: number }

export const FIRST_POSITION: Position = { phase: 'bank', page: null }
export const FIRST_BOOK_POSITION: Position = { phase: 'ledger', bookId: '', seq: 0 }

/** Exceeds the longest run, which needs its listed movements. */
const LISTED_SECONDS = 3 * 86_400
export const STORED_SECONDS = 30 * 86_400

export const listedId = (run: Run, { kind, id }: Pick<Movement, 'kind' | 'id'>): string => `${run.id}|${kind}|${id}`

/** Records that the bank has listed a movement. */
export const rememberListed = (run: Run, movement: Pick<Movement, 'kind' | 'id'>, now: Instant) =>
  ensure(listedMovements, { id: listedId(run, movement), expiresAt: addSeconds(now, LISTED_SECONDS) })

export type NewDifference = Omit<Difference, 'id' | 'runId' | 'expiresAt'>

/** Stores a difference, once in a run. */
export const recordDifference = (run: Run, found: NewDifference, now: Instant) =>
  ensure(differences, {
    ...found,
    id: `${run.id}|${found.what}|${found.kind}|${found.movementId}|${found.bankTxid ?? ''}`,
    runId: run.id,
    expiresAt: addSeconds(now, STORED_SECONDS),
  })
