import { failure } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { addSeconds, type Instant } from '../../../kernel/values/day.ts'
import { closeTry, dropLapsed, isOpenTry, openTry } from '../../../office/guesses.ts'
import { type Account, accounts } from '../account.ts'

/** Wrong PINs in a row that lock it, and for how long. Source: decisions.md §1. */
export const PIN_TRIES = 5
const LOCK_SECONDS = 30 * 60

const LOCKED = failure('forbidden', 'pin.locked')

type Counted = Pick<Account, 'id' | 'pinTries' | 'pinLockedUntil' | 'pinOpenTries'>

/** What a right guess leaves: those that are still being compared elsewhere are counted anew if they are wrong. */
export const NO_PIN_TRIES = { pinTries: 0, pinLockedUntil: null, pinOpenTries: null } as const

const unchanged = ({ pinTries, pinLockedUntil, pinOpenTries }: Counted) =>
  all(
    eq<keyof Account & string>('pinTries', pinTries),
    eq('pinLockedUntil', pinLockedUntil),
    eq('pinOpenTries', pinOpenTries),
  )

const changed = (account: Counted, set: Partial<Omit<Counted, 'id'>>): Change =>
  patch(accounts, account.id, { set, when: unchanged(account) })

/** The counter without the guesses that were never compared, because their process died. */
const withoutLapsed = (account: Counted, now: Instant): Omit<Counted, 'id'> => {
  const { open, lapsed } = dropLapsed(account.pinOpenTries, now)
  const pinTries = Math.max(0, account.pinTries - lapsed)
  const isLockLifted = lapsed > 0 && pinTries < PIN_TRIES
  return { pinTries, pinLockedUntil: isLockLifted ? null : account.pinLockedUntil, pinOpenTries: open }
}

const oneMore = ({ pinTries, pinLockedUntil }: Omit<Counted, 'id'>, now: Instant) => {
  // A lock that is over takes the guesses before it along.
  const tries = (pinLockedUntil === null ? pinTries : 0) + 1
  return { pinTries: tries, pinLockedUntil: tries < PIN_TRIES ? null : addSeconds(now, LOCK_SECONDS) }
}

/** A guess that was counted: the change, and its name for as long as it is being compared. */
interface CountedTry {
  readonly own: string
  readonly change: Change
}

/**
 * Counts a guess before it is compared: the fifth in a row locks at once, and is compared all the same. Fails: `pin.locked`.
 */
export const countPinTry = (
  account: Counted,
  fresh: Pick<Fresh, 'now' | 'steady' | 'text'>,
): Either<typeof LOCKED, CountedTry> => {
  const { steady } = fresh
  const counter = withoutLapsed(account, steady)
  if (counter.pinLockedUntil !== null && counter.pinLockedUntil > steady) return left(LOCKED)
  const { own, open } = openTry(counter.pinOpenTries, fresh)
  return right({ own, change: changed(account, { ...oneMore(counter, steady), pinOpenTries: open }) })
}

/** The change that gives back a guess which was not compared, unless it was given back already. */
export const giveBackPinTry = (account: Counted, own: string): readonly Change[] => {
  if (!isOpenTry(account.pinOpenTries, own)) return []
  const pinTries = Math.max(0, account.pinTries - 1)
  return [changed(account, { pinTries, pinLockedUntil: null, pinOpenTries: closeTry(account.pinOpenTries, own) })]
}

/** The change that keeps a guess which was wrong: one that was given back meanwhile is counted anew. */
export const keepPinTry = (account: Counted, own: string, now: Instant): readonly Change[] => {
  const { pinLockedUntil, pinOpenTries } = account
  if (isOpenTry(pinOpenTries, own)) return [changed(account, { pinOpenTries: closeTry(pinOpenTries, own) })]
  return pinLockedUntil !== null && pinLockedUntil > now ? [] : [changed(account, oneMore(account, now))]
}
