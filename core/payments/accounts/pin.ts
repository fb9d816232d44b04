import { type Either, type Failure, failure, isLeft, left, right } from '../../failure.ts'
import { type InputOf, input, pick } from '../../kernel/input/input.ts'
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
import { closeTry, dropLapsed, hashingUseCaseOf, hashOrUncount, isOpenTry, openTry } from '../../office/guesses.ts'
import { byId } from '../../ports/store.ts'
import { type AuditActor, recordAudit } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { type Account, accounts, isExisting, pinFields, UNKNOWN_ACCOUNT } from './account.ts'
import { type AccountDetail, accountDetail } from './views.ts'

const ALREADY_SET = failure('conflict', 'pin.set')

export const firstPin = input('FirstPin', pick(pinFields, 'pin'))

export type FirstPin = InputOf<typeof firstPin>

/** Sets an account's first PIN, of six digits. Fails: `fields`, `pin.set`, `account.unknown`, `server.busy`. */
export const setPin =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'permissions'> & AuditActor, given: FirstPin) =>
    withValidInput(ports, firstPin, given, ({ pin }) =>
      hashingUseCaseOf<AccountDetail>()(async (hooks) => {
        const pinHash = await ports.hasher.hash(pin, actor.origin)
        return useCase(
          ports,
          (store) => store.find(byId(accounts, actor.accountId)),
          (account, fresh) => {
            const set = decideFirstPin(account, actor, pinHash, fresh)
            if (isLeft(set)) return set
            const { changes, value } = set.right
            return accept((taken) => accountDetail(ports, value(taken), actor.permissions), ...changes)
          },
        )(hooks)
      }),
    )

const decideFirstPin = (account: Account | null, by: AuditActor, pinHash: string, fresh: Fresh) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  if (account.pinHash !== null) return left(ALREADY_SET)
  const set = { pinHash, updatedAt: fresh.now }
  const named = `account:${account.id}` as const
  return accept<Account>(
    { ...account, ...set },
    patch(accounts, account.id, { set, when: eq('pinHash', null) }),
    ...recordAudit(fresh, by, { chain: named, action: 'pin.set', subject: named }),
  )
}

const NONE = failure('forbidden', 'pin.none')
const MISSING = failure('forbidden', 'pin.missing')
const WRONG = failure('forbidden', 'pin.wrong')
const PIN = /^[0-9]{6}$/

const isMissing = (pin: unknown): boolean => pin === undefined || pin === null || pin === ''

const isPin = (pin: unknown): pin is string => typeof pin === 'string' && PIN.test(pin)

type PinCaller = Pick<Actor, 'accountId' | 'origin'>

type Checked = Either<Failure<'pin.none' | 'pin.wrong' | 'pin.locked' | 'account.unknown' | RunnerCode, never>, null>

/**
 * Checks the account's PIN. Each guess is counted before it is compared, a malformed one too; a missing PIN is not
 * counted. Guesses of one account run one by one, and all callers in all processes share one counter. The result is
 * never stored under an idempotency key.
 * Fails: `pin.missing`, `pin.none`, `pin.wrong`, `pin.locked`, `account.unknown`, `server.busy`.
 */
export const checkPin = (ports: PaymentsPorts) => {
  const line = serialByName()
  const isRight = secretVerifier(ports)
  const read = (id: number) => () => ports.store.find(byId(accounts, id))
  const guess = async ({ accountId, origin = null }: PinCaller, pin: unknown): Promise<Checked> => {
    const counted = await useCase(ports, read(accountId), decidePinTry)()
    if (isLeft(counted)) return counted
    const { hash } = counted.right
    // The caller gets the result only once it is stored.
    const keep = useCase(ports, read(accountId), (account, fresh) => decidePinWrong(account, counted.right, fresh))
    if (!isPin(pin)) return refused(await keep())
    const isKnown = await hashOrUncount(
      () => isRight(`${accountId}`, pin, hash, origin),
      useCase(ports, read(accountId), (account) => decidePinUncompared(account, counted.right)),
      keep,
    )
    if (!isKnown) return refused(await keep())
    return useCase(ports, read(accountId), (account) => decidePinRight(account, hash))()
  }
  const together = sharingQueuedGuesses(line)
  return (actor: PinCaller, pin: unknown) =>
    withoutKeys(
      hashingUseCaseOf<null>()(async () => {
        if (isMissing(pin)) return left(MISSING)
        const [account, own] = [`${actor.accountId}`, () => guess(actor, pin)]
        return isPin(pin) ? together(account, pin, own) : line(account, own)
      }),
    )
}

/**
 * Shares the result of a queued guess with further guesses of the same PIN for the same account: a hundred simultaneous
 * withdrawals compare once. If that guess was wrong or failed, each further one is counted and compared by itself.
 */
const sharingQueuedGuesses = (line: ReturnType<typeof serialByName>) => {
  const waiting = new Map<string, Promise<Checked>>()
  return async (name: string, pin: string, guess: () => Promise<Checked>): Promise<Checked> => {
    const key = `${name} ${pin}`
    const others = waiting.get(key)
    if (others) {
      const known = await others.catch(() => null)
      return known === null || isLeft(known) ? line(name, guess) : known
    }
    const mine = line(name, () => {
      // The PIN may change from now on: later guesses are compared by themselves.
      waiting.delete(key)
      return guess()
    })
    waiting.set(key, mine)
    return mine
  }
}

const refused = (kept: Either<Failure<RunnerCode, never>, null>): Checked => (isLeft(kept) ? kept : left(WRONG))

/** A counted guess, and the hash to compare it with. */
interface Guess {
  readonly hash: string
  readonly own: string
}

export const decidePinTry = (account: Account | null, fresh: Pick<Fresh, 'now' | 'steady' | 'text'>) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  if (account.pinHash === null) return left(NONE)
  const counted = countPinTry(account, fresh)
  if (isLeft(counted)) return counted
  const { own, change } = counted.right
  return accept<Guess>({ hash: account.pinHash, own }, change)
}

/** A right guess resets the counter, unless the PIN has changed. */
export const decidePinRight = (account: Account | null, checkedHash: string) => {
  if (account?.pinHash !== checkedHash) return left(WRONG)
  return accept(null, patch(accounts, account.id, { set: NO_PIN_TRIES, when: eq('pinHash', checkedHash) }))
}

/** A guess that was not compared is no longer counted. */
export const decidePinUncompared = (account: Account | null, { hash, own }: Guess) =>
  accept(null, ...(account?.pinHash === hash ? uncountPinTry(account, own) : []))

/** A wrong guess stays counted, unless the PIN has changed. */
const decidePinWrong = (account: Account | null, { hash, own }: Guess, { steady }: Pick<Fresh, 'steady'>) =>
  accept(null, ...(account?.pinHash === hash ? confirmPinTry(account, own, steady) : []))

/** The number of wrong PINs in a row that locks the PIN. */
const PIN_TRIES = 5
const LOCK_SECONDS = 30 * 60

const LOCKED = failure('forbidden', 'pin.locked')

type PinCounter = Pick<Account, 'id' | 'pinTries' | 'pinLockedUntil' | 'pinOpenTries'>

/** The counter after a right guess. Wrong guesses that are still being compared are counted anew. */
const NO_PIN_TRIES = { pinTries: 0, pinLockedUntil: null, pinOpenTries: null } as const

const unchangedCounter = ({ pinTries, pinLockedUntil, pinOpenTries }: PinCounter) =>
  all(
    eq<keyof Account & string>('pinTries', pinTries),
    eq('pinLockedUntil', pinLockedUntil),
    eq('pinOpenTries', pinOpenTries),
  )

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

/** The change that counts a guess, and the id of the guess while it is being compared. */
interface CountedTry {
  readonly own: string
  readonly change: Change
}

/**
 * Counts a guess before it is compared. The fifth in a row locks at once, but is still compared. Fails: `pin.locked`.
 */
const countPinTry = (
  account: PinCounter,
  fresh: Pick<Fresh, 'now' | 'steady' | 'text'>,
): Either<typeof LOCKED, CountedTry> => {
  const { steady } = fresh
  const counter = withoutLapsed(account, steady)
  if (counter.pinLockedUntil !== null && counter.pinLockedUntil > steady) return left(LOCKED)
  const { own, open } = openTry(counter.pinOpenTries, fresh)
  return right({ own, change: patchCounter(account, { ...incremented(counter, steady), pinOpenTries: open }) })
}

/** Returns the change that uncounts a guess which was not compared, unless it was uncounted already. */
const uncountPinTry = (account: PinCounter, own: string): readonly Change[] => {
  if (!isOpenTry(account.pinOpenTries, own)) return []
  const pinTries = Math.max(0, account.pinTries - 1)
  return [patchCounter(account, { pinTries, pinLockedUntil: null, pinOpenTries: closeTry(account.pinOpenTries, own) })]
}

/** Returns the change that confirms a wrong guess; one that was uncounted in the meantime is counted anew. */
const confirmPinTry = (account: PinCounter, own: string, now: Instant): readonly Change[] => {
  const { pinLockedUntil, pinOpenTries } = account
  if (isOpenTry(pinOpenTries, own)) return [patchCounter(account, { pinOpenTries: closeTry(pinOpenTries, own) })]
  return pinLockedUntil !== null && pinLockedUntil > now ? [] : [patchCounter(account, incremented(account, now))]
}

/** Returns the differences of neighbouring digits. */
const steps = (pin: string): readonly number[] =>
  [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin.charAt(index)))

/** Reports whether a PIN is a run (123456, 987654) or one repeated digit. */
export const isWeakPin = (pin: string): boolean => {
  const [first, ...others] = steps(pin)
  return first !== undefined && Math.abs(first) <= 1 && others.every((step) => step === first)
}
