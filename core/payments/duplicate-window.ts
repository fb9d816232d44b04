import {
  all,
  any,
  type Change,
  type Collection,
  ensure,
  eq,
  insert,
  lte,
  orNull,
  patch,
  record,
  t,
} from '../kernel/records/record.ts'
import { addSeconds, type Instant } from '../kernel/values/day.ts'

const sent = record({
  /** The account, the destination and the value of the payment. */
  id: t.string,
  accountId: t.number,
  /** The payment that is at the bank. */
  pendingId: orNull(t.union([t.string, t.number])),
  completedAt: orNull(t.string),
  /** The end of the window; null while a payment is at the bank. */
  expiresAt: orNull(t.string),
})

/** The guard record against duplicate payments: every payment of a value to one destination patches it. */
export type DuplicateGuard = t.TypeOf<typeof sent>

interface OutgoingPayment {
  readonly id: string | number
  readonly accountId: number
}

/**
 * Creates a guard against duplicate payments: an equal payment is refused while one is at the bank, and for `seconds` after its
 * completion. `idOf` returns the same id for equal payments.
 */
export const duplicateWindow = <S extends OutgoingPayment>(
  name: string,
  seconds: number,
  idOf: (sending: Omit<S, 'id'>) => string,
) => {
  const collection: Collection<DuplicateGuard> = {
    name,
    ids: 'text',
    codec: sent,
    owner: 'accountId',
    indexes: [{ sort: 'expiresAt', acrossOwners: true }],
  }
  return {
    collection,
    isDuplicate: (known: Pick<DuplicateGuard, 'pendingId' | 'completedAt'> | null, now: Instant): boolean =>
      known !== null &&
      (known.pendingId !== null || (known.completedAt !== null && now < addSeconds(known.completedAt, seconds))),
    /** Reserves the window for a payment; stale if another payment has it. */
    reserve: (sending: S, now: Instant): readonly Change[] => {
      const id = idOf(sending)
      const free = all<'pendingId' | 'completedAt'>(
        eq('pendingId', null),
        any(eq('completedAt', null), lte('completedAt', addSeconds(now, -seconds))),
      )
      const { accountId, id: pendingId } = sending
      return [
        ensure(collection, { id, accountId, pendingId: null, completedAt: null, expiresAt: null }),
        patch(collection, id, { set: { pendingId, expiresAt: null }, when: free }),
      ]
    },
    /** Starts the window of a payment that failed and was completed late, even if another payment is now at the bank. */
    completeLate: (sending: S, known: DuplicateGuard | null, now: Instant): readonly Change[] => {
      const [id, expiresAt] = [idOf(sending), addSeconds(now, seconds)]
      const { accountId } = sending
      if (known === null) return [insert(collection, { id, accountId, pendingId: null, completedAt: now, expiresAt })]
      const { pendingId } = known
      const set = { completedAt: now, expiresAt: pendingId === null ? expiresAt : null }
      return [patch(collection, id, { set, when: eq('pendingId', pendingId) })]
    },
    /** Ends a payment: a completed one starts the window, a failed one may be repeated at once. */
    release: (sending: S, now: Instant, isCompleted: boolean): Change =>
      patch(collection, idOf(sending), {
        set: {
          pendingId: null,
          ...(isCompleted ? { completedAt: now } : {}),
          expiresAt: addSeconds(now, seconds),
        },
        when: eq('pendingId', sending.id),
      }),
  }
}
