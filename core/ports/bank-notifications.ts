import type { Failure } from '../failure.ts'
import type { Either } from '../fp.ts'
import type { PaymentNotice, ReceivedPix } from './bank.ts'
import type { UnreadableRecord } from './bank-answer.ts'

/**
 * Where a bank tells the platform what happened to its titles. A notice is told until it was taken or refused: only after
 * `unavailable` is it worth telling again.
 */
export interface BankNotifications {
  /**
   * Resolves after the platform has committed.
   * Fails: `fields`, `title.unknown`, `payment.elsewhere` and `payment.contradictory` (its id was posted before, otherwise).
   */
  paid(notice: PaymentNotice): Told<unknown>
  /**
   * Money without a title that we know, credited to the account of its key. Resolves after the platform has committed.
   * Fails: `fields`, `account.unknown` (no account has the key, nor that open code) and `payment.contradictory`.
   */
  received(pix: ReceivedPix): Told<unknown>
  /** Fails: `title.unknown`. */
  cancelled(txid: string): Told<unknown>
  /**
   * Reports a record that the bank gave and that cannot be read, once however often it is told: by a line of the log, a
   * counter and a notification to the ADMINs of its account. Fails: `fields`.
   */
  unreadable(found: UnreadableRecord): Told<unknown>
  /** What the title asks today, in cents. Fails: `title.unknown`, for none of ours. */
  amountDue(txid: string): Told<number, 'title.unknown' | 'store.unavailable'>
}

/** A task: `await pay.bank.paid(notice)()`. */
type Told<V, C extends string = string> = () => Promise<Either<Failure<C>, V>>
