import { type Failure, failure } from '../../../failure.ts'
import { type Either, isLeft, left } from '../../../fp.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import { serialByName } from '../../../kernel/running/concurrency.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, type RunnerCode, useCase, withoutKeys } from '../../../kernel/running/use-case.ts'
import { hashingUseCaseOf, hashOrUncount } from '../../../office/guesses.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { secretVerifier } from '../../secret-verifier.ts'
import { type Account, accounts } from '../account.ts'
import { countPinTry, giveBackPinTry, keepPinTry, NO_PIN_TRIES } from './pin-tries.ts'

const NONE = failure('forbidden', 'pin.none')
const MISSING = failure('forbidden', 'pin.missing')
const WRONG = failure('forbidden', 'pin.wrong')
const UNKNOWN = failure('not-found', 'account.unknown')
const PIN = /^[0-9]{6}$/

const isMissing = (pin: unknown): boolean => pin === undefined || pin === null || pin === ''

const isPin = (pin: unknown): pin is string => typeof pin === 'string' && PIN.test(pin)

type Asking = Pick<Actor, 'accountId' | 'origin'>

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
  const guess = async ({ accountId, origin = null }: Asking, pin: unknown): Promise<Checked> => {
    const counted = await useCase(ports, read(accountId), decideTry)()
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
  const together = sharedWhileWaiting(line)
  return (actor: Asking, pin: unknown) =>
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
const sharedWhileWaiting = (line: ReturnType<typeof serialByName>) => {
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

export const decideTry = (account: Account | null, fresh: Pick<Fresh, 'now' | 'steady' | 'text'>) => {
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
  accept(null, ...(account?.pinHash === hash ? giveBackPinTry(account, own) : []))

/** A wrong guess stays counted, for the PIN that it was compared with. */
export const decidePinWrong = (account: Account | null, { hash, own }: Guess, { steady }: Pick<Fresh, 'steady'>) =>
  accept(null, ...(account?.pinHash === hash ? keepPinTry(account, own, steady) : []))
