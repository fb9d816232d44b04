import { failure } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import { type Instant, plusSeconds } from '../../../kernel/values/day.ts'
import { type Account, accounts } from '../account.ts'

/** Wrong PINs in a row that lock it, and for how long. Source: decisions.md §1. */
export const PIN_TRIES = 5
const LOCK_SECONDS = 30 * 60

const LOCKED = failure('forbidden', 'pin.locked')

type Counted = Pick<Account, 'id' | 'pinTries' | 'pinLockedUntil'>

/**
 * Counts a guess before anybody compares it: the fifth in a row locks at once, and is compared all the same. Fails: `pin.locked`.
 */
export const countPinTry = (account: Counted, now: Instant): Either<typeof LOCKED, Change> => {
  const { id, pinTries, pinLockedUntil } = account
  if (pinLockedUntil !== null && pinLockedUntil > now) return left(LOCKED)
  // A lock that is over takes what was counted before it along.
  const tries = (pinLockedUntil === null ? pinTries : 0) + 1
  const set = { pinTries: tries, pinLockedUntil: tries < PIN_TRIES ? null : plusSeconds(now, LOCK_SECONDS) }
  const when = all(eq<keyof Account & string>('pinTries', pinTries), eq('pinLockedUntil', pinLockedUntil))
  return right(patch(accounts, id, { set, when }))
}

/** The changes that give back a guess which nobody compared. */
export const giveBackPinTry = ({ id, pinTries, pinLockedUntil }: Counted): readonly Change[] => {
  if (pinTries === 0) return []
  const when = all(eq<keyof Account & string>('pinTries', pinTries), eq('pinLockedUntil', pinLockedUntil))
  return [patch(accounts, id, { set: { pinTries: pinTries - 1, pinLockedUntil: null }, when })]
}

/** What a right one gives back. */
export const NO_PIN_TRIES = { pinTries: 0, pinLockedUntil: null } as const
