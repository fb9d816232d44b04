import type { Failure } from '../failure.ts'
import type { Either } from '../fp.ts'
import type { PaymentNotice } from './bank.ts'

/**
 * Where a bank tells the platform what happened to its titles. A notice is told until it was taken or refused: only after
 * `unavailable` is it worth telling again.
 */
export interface BankNotifications {
  /**
   * Resolves after the platform has committed.
   * Fails: `fields`, `title.unknown`, `payment.elsewhere` and `payment.contradictory` (its id was posted before, otherwise).
   */
  paid(notice: PaymentNotice): Promise<Either<Failure, unknown>>
  cancelled(txid: string): Promise<Either<Failure, unknown>>
  /** What the title asks today, in cents; null for none of ours. */
  amountDue(txid: string): Promise<number | null>
}
