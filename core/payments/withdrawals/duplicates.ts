import {
  all,
  any,
  type Change,
  ensure,
  eq,
  expiringCollection,
  insert,
  lte,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Withdrawal } from './withdrawal.ts'

const sent = record({
  /** The account, the destination and the value of the payment. */
  id: t.string,
  accountId: t.number,
  /** The payment that waits for the bank. */
  pendingId: orNull(t.union([t.string, t.number])),
  completedAt: orNull(t.string),
  /** The end of the window; null while a payment waits for the bank. */
  expiresAt: orNull(t.string),
})

/** The guard record against duplicate payments: every payment of a value to one destination patches it. */
export type DuplicateGuard = t.TypeOf<typeof sent>

interface OutgoingPayment {
  readonly id: string | number
  readonly accountId: number
}

/**
 * Creates a guard against duplicate payments: an equal payment is refused while one waits for the bank, and for
 * `seconds` after its completion. `idOf` returns the same id for equal payments.
 */
export const duplicateWindow = <S extends OutgoingPayment>(
  name: string,
  seconds: number,
  idOf: (payment: Omit<S, 'id'>) => string,
) => {
  const collection = expiringCollection(name, sent, 'accountId')
  return {
    collection,
    isDuplicate: (known: Pick<DuplicateGuard, 'pendingId' | 'completedAt'> | null, now: Instant): boolean =>
      known !== null &&
      (known.pendingId !== null || (known.completedAt !== null && now < addSeconds(known.completedAt, seconds))),
    /** Reserves the window for a payment. The commit is stale if another payment has reserved it. */
    reserve: (payment: S, now: Instant): readonly Change[] => {
      const id = idOf(payment)
      const free = all(
        eq('pendingId', null),
        any(eq('completedAt', null), lte('completedAt', addSeconds(now, -seconds))),
      )
      const { accountId, id: pendingId } = payment
      return [
        ensure(collection, { id, accountId, pendingId: null, completedAt: null, expiresAt: null }),
        patch(collection, id, { set: { pendingId, expiresAt: null }, when: free }),
      ]
    },
    /** Starts the window of a failed payment that was completed late, even if another payment waits for the bank. */
    completeLate: (payment: S, known: DuplicateGuard | null, now: Instant): readonly Change[] => {
      const [id, expiresAt] = [idOf(payment), addSeconds(now, seconds)]
      const { accountId } = payment
      if (known === null) return [insert(collection, { id, accountId, pendingId: null, completedAt: now, expiresAt })]
      const { pendingId } = known
      const set = { completedAt: now, expiresAt: pendingId === null ? expiresAt : null }
      return [patch(collection, id, { set, when: eq('pendingId', pendingId) })]
    },
    /** Ends a payment: a completed one starts the window, a failed one may be repeated at once. */
    release: (payment: S, now: Instant, isCompleted: boolean): Change =>
      patch(collection, idOf(payment), {
        set: { pendingId: null, ...(isCompleted ? { completedAt: now } : {}), expiresAt: addSeconds(now, seconds) },
        when: eq('pendingId', payment.id),
      }),
  }
}

/** The fields that identify a withdrawal and its duplicates. */
type DuplicateKey = Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>

/** The time after a withdrawal in which the same value to the same receiving account is refused as a repeat. */
export const REPEAT_SECONDS = 3_600

export const sentId = ({ accountId, destination, valueCents }: Omit<DuplicateKey, 'id'>): string =>
  `${accountId}|${valueCents ?? '-'}|${destination}`

/** Allows one withdrawal of a value to a receiving account within `REPEAT_SECONDS`. */
export const sentWithdrawals = duplicateWindow<DuplicateKey>('payments.sent-withdrawals', REPEAT_SECONDS, sentId)
