import { type Failure, failure } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { pick } from '../../kernel/input/table.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, type RunnerCode, useCase, withoutKeys, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { closeTry, dropLapsed, hashingUseCaseOf, hashOrUncount, isOpenTry, openTry } from '../../office/guesses.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type AuditActor, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { type Account, accounts, pinFields } from './account.ts'
import { type AccountDetail, accountDetail } from './views.ts'

const ALREADY_SET = failure('conflict', 'pin.set')

/** A first PIN. */
export const firstPin = input('FirstPin', pick(pinFields, 'pin'))

export type FirstPin = InputOf<typeof firstPin>

/**
 * Gives an account its first PIN, of six digits. Fails: `fields`, `pin.set`, `account.unknown`, `server.busy`.
 * Source: 01-access.md, POST /access/account/pin.
 */
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

export const decideFirstPin = (account: Account | null, by: AuditActor, pinHash: string, fresh: Fresh) => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
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
const UNKNOWN = failure('not-found', 'account.unknown')
const PIN = /^[0-9]{6}$/

const isMissing = (pin: unknown): boolean => pin === undefined || pin === null || pin === ''

const isPin = (pin: unknown): pin is string => typeof pin === 'string' && PIN.test(pin)

type PinCaller = Pick<Actor, 'accountId' | 'origin'>

type Checked = Either<Failure<'pin.none' | 'pin.wrong' | 'pin.locked' | 'account.unknown' | RunnerCode, never>, null>

/**
 * Whether somebody knows the account's PIN. Each guess is counted before it is compared, whatever it looks like, and those of
 * one account wait for each other; one that is missing is none. One counter for all that asks for it, in every process.
 * No key keeps what was right once.
 * Fails: `pin.missing`, `pin.none`, `pin.wrong`, `pin.locked`, `account.unknown`, `server.busy`.
 * Source: decisions.md §1 (PIN), §11 (Withdrawals), §12 (Validation).
 */
export const checkPin = (ports: PaymentsPorts) => {
  const line = serialByName()
  const isRight = secretVerifier(ports)
  const read = (id: number) => () => ports.store.find(byId(accounts, id))
  const guess = async ({ accountId, origin = null }: PinCaller, pin: unknown): Promise<Checked> => {
    const counted = await useCase(ports, read(accountId), decidePinTry)()
    if (isLeft(counted)) return counted
    const { hash } = counted.right
    // Told only once it is kept: a process that dies before has told its caller nothing.
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
 * Those of one account who send the same PIN while one who sent it still stands in line are as right as that one: a
 * hundred withdrawals at once ask once. Where it was wrong, or that one hung up, each guesses for themselves, and is counted.
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
      // Whoever comes from now on may know a PIN that is another by the time they come.
      waiting.delete(key)
      return guess()
    })
    waiting.set(key, mine)
    return mine
  }
}

const refused = (kept: Either<Failure<RunnerCode, never>, null>): Checked => (isLeft(kept) ? kept : left(WRONG))

/** A guess that is being compared, with the hash that it is compared with. */
interface Guess {
  readonly hash: string
  readonly own: string
}

export const decidePinTry = (account: Account | null, fresh: Pick<Fresh, 'now' | 'steady' | 'text'>) => {
  if (!account || account.removedAt !== null) return left(UNKNOWN)
  if (account.pinHash === null) return left(NONE)
  const counted = countPinTry(account, fresh)
  if (isLeft(counted)) return counted
  const { own, change } = counted.right
  return accept<Guess>({ hash: account.pinHash, own }, change)
}

/** A right one gives all tries back, unless the PIN is another by now. */
export const decidePinRight = (account: Account | null, checkedHash: string) => {
  if (account?.pinHash !== checkedHash) return left(WRONG)
  return accept(null, patch(accounts, account.id, { set: NO_PIN_TRIES, when: eq('pinHash', checkedHash) }))
}

/** A guess that was not compared locks no account. */
export const decidePinUncompared = (account: Account | null, { hash, own }: Guess) =>
  accept(null, ...(account?.pinHash === hash ? uncountPinTry(account, own) : []))

/** A wrong guess stays counted, for the PIN that it was compared with. */
export const decidePinWrong = (account: Account | null, { hash, own }: Guess, { steady }: Pick<Fresh, 'steady'>) =>
  accept(null, ...(account?.pinHash === hash ? confirmPinTry(account, own, steady) : []))

/** Wrong PINs in a row that lock it, and for how long. Source: decisions.md §1. */
export const PIN_TRIES = 5
const LOCK_SECONDS = 30 * 60

const LOCKED = failure('forbidden', 'pin.locked')

type PinCounter = Pick<Account, 'id' | 'pinTries' | 'pinLockedUntil' | 'pinOpenTries'>

/** What a right guess leaves: those that are still being compared elsewhere are counted anew if they are wrong. */
export const NO_PIN_TRIES = { pinTries: 0, pinLockedUntil: null, pinOpenTries: null } as const

const unchangedCounter = ({ pinTries, pinLockedUntil, pinOpenTries }: PinCounter) =>
  all(
    eq<keyof Account & string>('pinTries', pinTries),
    eq('pinLockedUntil', pinLockedUntil),
    eq('pinOpenTries', pinOpenTries),
  )

const patchCounter = (account: PinCounter, set: Partial<Omit<PinCounter, 'id'>>): Change =>
  patch(accounts, account.id, { set, when: unchangedCounter(account) })

/** The counter without the guesses that were never compared, because their process died. */
const withoutLapsed = (account: PinCounter, now: Instant): Omit<PinCounter, 'id'> => {
  const { open, lapsed } = dropLapsed(account.pinOpenTries, now)
  const pinTries = Math.max(0, account.pinTries - lapsed)
  const isLockLifted = lapsed > 0 && pinTries < PIN_TRIES
  return { pinTries, pinLockedUntil: isLockLifted ? null : account.pinLockedUntil, pinOpenTries: open }
}

const incremented = ({ pinTries, pinLockedUntil }: Omit<PinCounter, 'id'>, now: Instant) => {
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
  account: PinCounter,
  fresh: Pick<Fresh, 'now' | 'steady' | 'text'>,
): Either<typeof LOCKED, CountedTry> => {
  const { steady } = fresh
  const counter = withoutLapsed(account, steady)
  if (counter.pinLockedUntil !== null && counter.pinLockedUntil > steady) return left(LOCKED)
  const { own, open } = openTry(counter.pinOpenTries, fresh)
  return right({ own, change: patchCounter(account, { ...incremented(counter, steady), pinOpenTries: open }) })
}

/** The change that gives back a guess which was not compared, unless it was given back already. */
export const uncountPinTry = (account: PinCounter, own: string): readonly Change[] => {
  if (!isOpenTry(account.pinOpenTries, own)) return []
  const pinTries = Math.max(0, account.pinTries - 1)
  return [patchCounter(account, { pinTries, pinLockedUntil: null, pinOpenTries: closeTry(account.pinOpenTries, own) })]
}

/** The change that keeps a guess which was wrong: one that was given back meanwhile is counted anew. */
export const confirmPinTry = (account: PinCounter, own: string, now: Instant): readonly Change[] => {
  const { pinLockedUntil, pinOpenTries } = account
  if (isOpenTry(pinOpenTries, own)) return [patchCounter(account, { pinOpenTries: closeTry(pinOpenTries, own) })]
  return pinLockedUntil !== null && pinLockedUntil > now ? [] : [patchCounter(account, incremented(account, now))]
}

/** How far apart two neighbouring digits are, all the way through. */
const steps = (pin: string): readonly number[] =>
  [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin.charAt(index)))

/** Whether a PIN is a run (123456, 987654: every step +1, or every step -1) or one digit over and over. Source: decisions.md §12. */
export const isWeakPin = (pin: string): boolean => {
  const [first, ...others] = steps(pin)
  return first !== undefined && Math.abs(first) <= 1 && others.every((step) => step === first)
}
