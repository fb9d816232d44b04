import type { Failure } from '../failure.ts'
import type { Either } from '../fp.ts'
import type { CardDecision } from './acquirer.ts'

/** What an acquirer says of a charge that it has left pending, once or more often. */
export interface CardNotice extends Omit<CardDecision, 'status'> {
  /** Our own id at the acquirer. */
  readonly id: string
  readonly status: 'approved' | 'declined' | 'voided'
}

/**
 * Where an acquirer tells the platform what it has decided. A notice is told until it was taken or refused: only after
 * `unavailable` is it worth telling again.
 */
export interface AcquirerNotifications {
  /** Resolves after the platform has committed. Fails: `fields`, `charge.unknown`. */
  decided(notice: CardNotice): () => Promise<Either<Failure, unknown>>
}
