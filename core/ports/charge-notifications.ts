import type { Failure } from '../failure.ts'
import type { Either } from '../fp.ts'
import type { Instant } from '../kernel/values/day.ts'
import type { ChargeMethod } from './charging.ts'

/** Money that came for a charge. */
export interface ChargeNotice {
  /** Under which it was ordered. */
  readonly reference: string
  /** What came, in cents, whatever was asked. */
  readonly valueCents: number
  readonly paidAt: Instant
  /** How it was paid. */
  readonly method: ChargeMethod
}

/**
 * Where whoever issues charges tells that one was paid. A notice is told until it was taken or refused: only after
 * `unavailable` is it worth telling again.
 */
export interface ChargeNotifications {
  /** Resolves after it was committed; again changes nothing. Fails: `fields`, `charge.unknown`. */
  paid(notice: ChargeNotice): () => Promise<Either<Failure, unknown>>
}
