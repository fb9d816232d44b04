import { t } from '../fp.ts'
import { type Change, ensure, insert, patch } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { orNull, record } from '../kernel/records/record.ts'
import { all, any, eq, lte } from '../kernel/records/where.ts'
import { addSeconds, type Instant } from '../kernel/values/day.ts'

const sent = record({
  /** What is the same: the account, where it goes, and the value. */
  id: t.string,
  accountId: t.number,
  /** What is with the bank. */
  pendingId: orNull(t.union([t.string, t.number])),
  completedAt: orNull(t.string),
  /** When it forbids nothing more; null while one is with the bank. */
  expiresAt: orNull(t.string),
})

/** The keeper of what is not to be sent twice: whoever sends a value to one place patches it. */
export type DuplicateGuard = t.TypeOf<typeof sent>

/** What is sent, and by whom. */
interface OutgoingPayment {
  readonly id: string | number
  readonly accountId: number
}

/**
 * What may not be sent again while it is with the bank, nor for so many seconds after it was completed: to the second, at the end
 * of them it is another one. `idOf` names what is the same.
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
    /** Holds the place, where no other has it. */
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
    /** Of what had ended otherwise and was completed after all: its time begins, whatever else has the place meanwhile. */
    completeLate: (sending: S, known: DuplicateGuard | null, now: Instant): readonly Change[] => {
      const [id, expiresAt] = [idOf(sending), addSeconds(now, seconds)]
      const { accountId } = sending
      if (known === null) return [insert(collection, { id, accountId, pendingId: null, completedAt: now, expiresAt })]
      const { pendingId } = known
      const set = { completedAt: now, expiresAt: pendingId === null ? expiresAt : null }
      return [patch(collection, id, { set, when: eq('pendingId', pendingId) })]
    },
    /** Lets go of the place of what has ended. Where it was completed the time begins; what failed may be sent again at once. */
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
