import { ensure } from '../../kernel/records/change.ts'
import { addSeconds, type Day, type Instant } from '../../kernel/values/day.ts'
import type { Movement } from '../../ports/bank.ts'
import { type Difference, differences, listedMovements } from './records.ts'

/** One comparison of a day: what it finds is its own, whoever compares the day besides. */
export interface Run {
  readonly id: string
  readonly day: Day
}

/** Where a run goes on: what the bank lists first, page by page, then the books, entry by entry. */
export type Place =
  | { readonly phase: 'bank'; readonly page: string | null }
  | { readonly phase: 'ledger'; readonly bookId: string; readonly seq: number }

export const FIRST_PLACE: Place = { phase: 'bank', page: null }
export const FIRST_BOOK: Place = { phase: 'ledger', bookId: '', seq: 0 }

/** How long a run may take: what it listed is forgotten after it. */
const LISTED_SECONDS = 3 * 86_400
/** How long differences are there to be read. */
const KEPT_SECONDS = 30 * 86_400

export const listedId = (run: Run, { kind, id }: Pick<Movement, 'kind' | 'id'>): string => `${run.id}|${kind}|${id}`

/** The change that remembers that the bank has listed a movement. */
export const listed = (run: Run, movement: Pick<Movement, 'kind' | 'id'>, now: Instant) =>
  ensure(listedMovements, { id: listedId(run, movement), expiresAt: addSeconds(now, LISTED_SECONDS) })

export type Found = Omit<Difference, 'id' | 'runId' | 'expiresAt'>

/** The change that keeps a difference; found again it is one. */
export const kept = (run: Run, found: Found, now: Instant) =>
  ensure(differences, {
    ...found,
    id: `${run.id}|${found.what}|${found.kind}|${found.movementId}|${found.bankTxid ?? ''}`,
    runId: run.id,
    expiresAt: addSeconds(now, KEPT_SECONDS),
  })
