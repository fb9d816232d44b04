import { type Either, type Failure, failure, isLeft, left } from '../../failure.ts'
import { type InputOf, input, pick } from '../../kernel/input/mod.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import {
  accept,
  type Fresh,
  type RunnerCode,
  useCase,
  withoutKeys,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { closeTry, dropLapsed, hashingUseCaseOf, hashOrUncount, isOpenTry, openTry } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type AuditActor, auditAccount } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { type Account, accounts, isExisting, pinFields, UNKNOWN_ACCOUNT } from './account.ts'
import { type AccountDetail, accountDetail } from './views.ts'

const firstPin = input('FirstPin', pick(pinFields, 'pin'))
export type FirstPin = InputOf<typeof firstPin>

export const setPin =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'permissions'> & AuditActor, submitted: FirstPin) =>
    withValidInput(ports, firstPin, submitted, ({ pin }) =>
      hashingUseCaseOf<AccountDetail>()(async (hooks) => {
        const pinHash = await ports.hasher.hash(pin, actor.origin)
        return useCase(
          ports,
          (store) => store.find(byId(accounts, actor.accountId)),
          (account, fresh) => {
            if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
            if (account.pinHash !== null) return left(failure('conflict', 'pin.set'))
            const set = { pinHash, updatedAt: fresh.now }
            return accept(
              accountDetail(ports, { ...account, ...set }, actor),
              patch(accounts, account.id, { set, when: eq('pinHash', null) }),
              ...auditAccount(fresh, actor, account.id, 'pin.set'),
            )
          },
        )(hooks)
      }),
    )

export const WRONG_PIN = failure('forbidden', 'pin.wrong')
const PIN = /^[0-9]{6}$/

const isPin = (pin: unknown): pin is string => typeof pin === 'string' && PIN.test(pin)

type PinCaller = Pick<Actor, 'accountId' | 'origin'>

type PinOutcome = Either<Failure<'pin.none' | 'pin.wrong' | 'pin.locked' | 'account.unknown' | RunnerCode, never>, null>

/**
 * Each guess is counted before it is compared, a malformed one too; a missing PIN is not counted. Guesses of one
 * account run one by one, and all callers in all processes share one counter. The result is never stored under an
 * idempotency key.
 */
export const checkPin = (ports: PaymentsPorts) => {
  const inSequence = serialByName()
  const isRight = secretVerifier(ports)
  const guess = async ({ accountId, origin = null }: PinCaller, pin: unknown): Promise<PinOutcome> => {
    const read = (store: Store) => store.find(byId(accounts, accountId))
    const counted = await useCase(ports, read, decidePinTry)()
    if (isLeft(counted)) return counted
    const { hash, asCounted } = counted.right
    // The caller gets the result only once it is stored.
    const storeWrong = useCase(ports, read, (account, fresh) => decidePinWrong(account, counted.right, fresh))
    const isKnown =
      isPin(pin) &&
      (await hashOrUncount(
        () => isRight(`${accountId}`, pin, hash, origin),
        useCase(ports, read, (account) => decidePinUncompared(account, counted.right)),
        storeWrong,
      ))
    if (isKnown) return useCase(ports, once(asCounted, read), (account) => decidePinRight(account, hash))()
    const stored = await storeWrong()
    return isLeft(stored) ? stored : left(WRONG_PIN)
  }
  const together = sharingQueuedGuesses(inSequence)
  return (actor: PinCaller, pin: unknown) =>
    withoutKeys(
      hashingUseCaseOf<null>()(async () => {
        if (pin === undefined || pin === null || pin === '') return left(failure('forbidden', 'pin.missing'))
        const [account, own] = [`${actor.accountId}`, () => guess(actor, pin)]
        return isPin(pin) ? together(account, pin, own) : inSequence(account, own)
      }),
    )
}

/**
 * Shares the result of a queued guess with further guesses of the same PIN for the same account: a hundred simultaneous
 * withdrawals compare once. If that guess was wrong or failed, each further one is counted and compared by itself.
 */
const sharingQueuedGuesses = (inSequence: ReturnType<typeof serialByName>) => {
  const waiting = new Map<string, Promise<PinOutcome>>()
  return async (name: string, pin: string, guess: () => Promise<PinOutcome>): Promise<PinOutcome> => {
    const key = `${name} ${pin}`
    const others = waiting.get(key)
    if (others) {
      const known = await others.catch(() => null)
      return known === null || isLeft(known) ? inSequence(name, guess) : known
    }
    const mine = inSequence(name, () => {
      // The PIN may change from now on: later guesses are compared by themselves.
      waiting.delete(key)
      return guess()
    })
    waiting.set(key, mine)
    return mine
  }
}

/** A counted guess, and the hash to compare it with. */
interface Guess {
  readonly hash: string
  readonly tryId: string
  readonly asCounted: Account
}

/** Returns `known` to the first attempt, and reads after a stale commit. The changes must guard `known`. */
const once = <F>(known: F, read: (store: Store) => Promise<F>) => {
  let isFirst = true
  return (store: Store): Promise<F> | F => {
    if (!isFirst) return read(store)
    isFirst = false
    return known
  }
}

/** Counts a guess before it is compared. The fifth in a row locks at once, but is still compared. */
export const decidePinTry = (account: Account | null, fresh: Pick<Fresh, 'now' | 'steady' | 'text'>) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  if (account.pinHash === null) return left(failure('forbidden', 'pin.none'))
  const { steady } = fresh
  const counter = withoutLapsed(account, steady)
  if (counter.pinLockedUntil !== null && counter.pinLockedUntil > steady)
    return left(failure('forbidden', 'pin.locked'))
  const { tryId, open } = openTry(counter.pinOpenTries, fresh)
  const counted = patchCounter(account, { ...incremented(counter, steady), pinOpenTries: open })
  return accept<Guess>({ hash: account.pinHash, tryId, asCounted: account }, counted)
}

/** A right guess resets the counter, unless the PIN has changed. */
export const decidePinRight = (account: Account | null, checkedHash: string) => {
  if (account?.pinHash !== checkedHash) return left(WRONG_PIN)
  return accept(null, patch(accounts, account.id, { set: NO_PIN_TRIES, when: eq('pinHash', checkedHash) }))
}

/** A guess that was not compared is no longer counted. */
export const decidePinUncompared = (account: Account | null, { hash, tryId }: Omit<Guess, 'asCounted'>) =>
  accept(null, ...(account?.pinHash === hash ? uncountPinTry(account, tryId) : []))

/** A wrong guess stays counted, unless the PIN has changed. */
const decidePinWrong = (account: Account | null, { hash, tryId }: Guess, { steady }: Pick<Fresh, 'steady'>) =>
  accept(null, ...(account?.pinHash === hash ? confirmPinTry(account, tryId, steady) : []))

/** The number of wrong PINs in a row that locks the PIN. */
const PIN_TRIES = 5
const LOCK_SECONDS = 30 * 60

type PinCounter = Pick<Account, 'id' | 'pinTries' | 'pinLockedUntil' | 'pinOpenTries'>

/** The counter after a right guess. Wrong guesses that are still being compared are counted again when they end. */
const NO_PIN_TRIES = { pinTries: 0, pinLockedUntil: null, pinOpenTries: null } as const

const unchangedCounter = ({ pinTries, pinLockedUntil, pinOpenTries }: PinCounter) =>
  all(eq('pinTries', pinTries), eq('pinLockedUntil', pinLockedUntil), eq('pinOpenTries', pinOpenTries))

const patchCounter = (account: PinCounter, set: Partial<Omit<PinCounter, 'id'>>): Change =>
  patch(accounts, account.id, { set, when: unchangedCounter(account) })

/** Returns the counter without guesses that were never compared because their process died. */
const withoutLapsed = (account: PinCounter, now: Instant): Omit<PinCounter, 'id'> => {
  const { open, lapsed } = dropLapsed(account.pinOpenTries, now)
  const pinTries = Math.max(0, account.pinTries - lapsed)
  const isLockLifted = lapsed > 0 && pinTries < PIN_TRIES
  return { pinTries, pinLockedUntil: isLockLifted ? null : account.pinLockedUntil, pinOpenTries: open }
}

const incremented = ({ pinTries, pinLockedUntil }: Omit<PinCounter, 'id'>, now: Instant) => {
  // An expired lock clears the guesses before it.
  const tries = (pinLockedUntil === null ? pinTries : 0) + 1
  return { pinTries: tries, pinLockedUntil: tries < PIN_TRIES ? null : addSeconds(now, LOCK_SECONDS) }
}

/** Returns the change that uncounts a guess which was not compared, unless it was uncounted already. */
const uncountPinTry = (account: PinCounter, tryId: string): readonly Change[] => {
  if (!isOpenTry(account.pinOpenTries, tryId)) return []
  const pinTries = Math.max(0, account.pinTries - 1)
  return [
    patchCounter(account, { pinTries, pinLockedUntil: null, pinOpenTries: closeTry(account.pinOpenTries, tryId) }),
  ]
}

/** Returns the change that confirms a wrong guess; one that was uncounted in the meantime is counted again. */
const confirmPinTry = (account: PinCounter, tryId: string, now: Instant): readonly Change[] => {
  const { pinLockedUntil, pinOpenTries } = account
  if (isOpenTry(pinOpenTries, tryId)) return [patchCounter(account, { pinOpenTries: closeTry(pinOpenTries, tryId) })]
  return pinLockedUntil !== null && pinLockedUntil > now ? [] : [patchCounter(account, incremented(account, now))]
}

/** Reports whether a PIN is a run (123456, 987654) or one repeated digit. */
export const isWeakPin = (pin: string): boolean => {
  const [first, ...others] = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin.charAt(index)))
  return first !== undefined && Math.abs(first) <= 1 && others.every((step) => step === first)
}
