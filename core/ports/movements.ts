import type { Instant } from '../kernel/values/day.ts'
import type { BankAnswer, UnreadableRecord } from './bank-answer.ts'

export const MOVEMENT_KINDS = ['pix', 'boleto', 'refund', 'pay-out'] as const
/** What moved at a bank: a Pix that came in, a boleto that was paid, a Pix that went back, one that was paid out. */
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** Money that moved, as the bank has it in its books. */
export interface Movement {
  readonly kind: MovementKind
  /** Of a Pix its endToEndId, of a boleto its nosso número, of a refund or pay-out our own id. */
  readonly id: string
  /** That of the Pix that came in, went back or was paid out; of a boleto its nosso número. */
  readonly endToEndId: string
  /** That of its title; null where it has none. */
  readonly txid: string | null
  /** The key that it was paid to; null where the bank does not say. */
  readonly pixKey: string | null
  readonly valueCents: number
  readonly at: Instant
}

/** Which movement is meant. */
export type MovementKey = Pick<Movement, 'kind' | 'id' | 'endToEndId'>

/** From a moment on and before another, page by page. */
export interface MovementsAsked {
  readonly from: Instant
  readonly to: Instant
  /** Where the page begins, as the one before it said; null for the first. */
  readonly place: string | null
}

/** A movement that the bank listed in a form that cannot be read. */
export interface UnreadableMovement extends UnreadableRecord {
  readonly kind: MovementKind
}

export interface MovementPage {
  /** At most 200, in any order. */
  readonly movements: readonly Movement[]
  /** The movements of the page that cannot be read; none without it. */
  readonly unreadable?: readonly UnreadableMovement[]
  /** Where the next page begins; null at the end. */
  readonly next: string | null
}

/**
 * What moved at the bank, by which the ledger is compared with it. What it has not carried out yet is not among it. Never
 * rejects. Source: issue 14, Reconciliation.
 */
export interface Movements {
  /** The kinds that it can tell of: of any other nothing follows from its silence. */
  readonly kinds: readonly MovementKind[]
  list(asked: MovementsAsked): Promise<BankAnswer<MovementPage>>
  /** One of them, whenever it was; null where the bank has none. */
  findMovement(key: MovementKey): Promise<BankAnswer<Movement | null>>
}
