import { type Either, type Failure, isLeft, left, throttled } from '../failure.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  eq,
  expiringCollection,
  type Field,
  gt,
  insert,
  lt,
  orNull,
  patch,
  record,
  remove,
  t,
  type Where,
} from '../kernel/records/record.ts'
import { serialByName } from '../kernel/running/concurrency.ts'
import {
  accept,
  type DecisionResult,
  type Fresh,
  type RunnerCode,
  type Runtime,
  type UseCase,
  unavailable,
  useCase,
} from '../kernel/running/use-case.ts'
import { addSeconds, secondsBetween } from '../kernel/values/day.ts'
import { networkOf } from '../kernel/values/network.ts'
import { HasherBusy } from '../ports/identity.ts'
import { byId, type Store } from '../ports/store.ts'

const throttle = record({
  /** E-mail and network: `maria@example.com|203.0.113.7`. */
  id: t.string,
  /** Passwords that were wrong or are still being compared. */
  failures: t.number,
  /** The end of the window, counted from its first failure. */
  expiresAt: t.string,
  /** The passwords that are still being compared (`OpenTries`). */
  openTries: orNull(t.string),
})

/** The failed logins of an e-mail from a network. */
export type Throttle = t.TypeOf<typeof throttle>

const MAX_LOGIN_FAILURES = 5
const THROTTLE_SECONDS = 15 * 60

export const throttleId = (email: string, address: string): string => `${email}|${networkOf(address)}`

/** Compares a guess; `tryId` names it while it is being compared. */
type Compare<V, C extends string, I extends string> = (tryId: string) => Promise<Either<Failure<C, I>, V>>

/**
 * Creates the login throttle of a business: five wrong guesses at the secrets of an e-mail from one network lock
 * further guesses from there until fifteen minutes after the first.
 */
export const throttleIn = (business: string) => {
  const throttles = expiringCollection(`${business}.throttles`, throttle)
  const { decideTry, uncountTry, failTry } = tryChanges(throttles)
  return {
    throttles,
    decideTry,
    uncountTry,
    /** Returns the changes that delete all failures, after a right password. */
    forgetTries: (found: Throttle | null): readonly Change[] => (found ? [remove(throttles, found.id, always)] : []),
    /**
     * Returns a function that compares a guess. Each guess is counted before it is compared, and guesses at one
     * throttle are compared one after the other, so that at most five wrong ones are compared and right ones do not
     * throttle each other. The comparison itself deletes the failures after a right password (`forgetTries`). A guess
     * that the hasher was too busy to compare is no longer counted. Fails: `login.throttled`, and as the comparison
     * does.
     */
    loginThrottle: (ports: Runtime) => {
      const inTurn = serialByName()
      return <V, C extends string = never, I extends string = never>(
        email: string,
        address: string,
        compare: Compare<V, C, I>,
      ): Promise<Either<Failure<C | 'login.throttled' | RunnerCode, I>, V>> => {
        const id = throttleId(email, address)
        const read = (store: Store) => store.find(byId(throttles, id))
        return inTurn(id, async () => {
          const counted = await useCase(ports, read, (found, fresh) => decideTry(found, id, fresh))()
          if (isLeft(counted)) return counted
          const tryId = counted.right
          const storeFailure = useCase(ports, read, (found, fresh) => accept(null, failTry(found, id, tryId, fresh)))
          const compared = await hashOrUncount(
            () => compare(tryId),
            useCase(ports, read, (found, fresh) => accept(null, ...uncountTry(found, tryId, fresh))),
            storeFailure,
          )
          if (!isLeft(compared)) return compared
          // The caller learns that the guess was wrong only after it is stored as a failure.
          const stored = await storeFailure()
          return isLeft(stored) ? stored : compared
        })
      }
    },
  }
}

const tryChanges = (throttles: Collection<Throttle>) => {
  /** Ends the comparison of a guess in the window that was read, and adds to its failures. */
  const endTry = (found: Throttle, tryId: string, failures: 0 | -1): Change => {
    const when = all(eq('expiresAt', found.expiresAt), gt('failures', 0), openTriesAsRead(found))
    const openTries = closeTry(found.openTries, tryId)
    return patch(throttles, found.id, { add: { failures }, set: { openTries }, when })
  }
  return {
    /** Counts a guess before it is compared, and returns its name. Fails: `login.throttled` within the window. */
    decideTry(
      found: Throttle | null,
      id: string,
      fresh: Pick<Fresh, 'now' | 'steady' | 'text'>,
    ): DecisionResult<string, 'login.throttled'> {
      const { steady } = fresh
      const { open: live, lapsed } = dropLapsed(found && found.expiresAt > steady ? found.openTries : null, steady)
      const { tryId, open: openTries } = openTry(live, fresh)
      const fields = { failures: 1, expiresAt: addSeconds(steady, THROTTLE_SECONDS), openTries }
      if (!found) return accept(tryId, insert(throttles, { id, ...fields }))
      if (found.expiresAt <= steady)
        return accept(tryId, patch(throttles, id, { set: fields, when: eq('expiresAt', found.expiresAt) }))
      if (found.failures - lapsed >= MAX_LOGIN_FAILURES) {
        return left(throttled('login.throttled', secondsBetween(steady, found.expiresAt)))
      }
      const when = all(lt('failures', MAX_LOGIN_FAILURES + lapsed), gt('expiresAt', steady), openTriesAsRead(found))
      return accept(tryId, patch(throttles, id, { add: { failures: 1 - lapsed }, set: { openTries }, when }))
    },
    /**
     * Returns the changes that no longer count one guess, which was right or was not compared. Other guesses stay
     * counted.
     */
    uncountTry: (found: Throttle | null, tryId: string, { steady }: Pick<Fresh, 'steady'>): readonly Change[] =>
      found && found.expiresAt > steady && isOpenTry(found.openTries, tryId) ? [endTry(found, tryId, -1)] : [],
    /** Returns the change that stores a wrong guess as a failure. */
    failTry(found: Throttle | null, id: string, tryId: string, { steady }: Pick<Fresh, 'steady'>): Change {
      if (found && isOpenTry(found.openTries, tryId)) return endTry(found, tryId, 0)
      // The guess is no longer counted: its lease ended, or a right password deleted all failures during the
      // comparison.
      if (found && found.expiresAt > steady) return patch(throttles, id, { add: { failures: 1 }, when: always })
      const fields = { failures: 1, expiresAt: addSeconds(steady, THROTTLE_SECONDS), openTries: null }
      return found
        ? patch(throttles, id, { set: fields, when: openTriesAsRead(found) })
        : insert(throttles, { id, ...fields })
    },
  }
}

const openTriesAsRead = ({ openTries }: Throttle): Where<Field<Throttle>> => eq('openTries', openTries)

// A guess at a password, PIN or code is counted before it is compared, so that guesses sent at once cannot exceed the
// limit.

/** Builds a use case that hashes a secret, with `V` as its value. Fails: `server.busy`, and as `run` does. */
export const hashingUseCaseOf =
  <V>() =>
  <C extends string = never, I extends string = never>(run: UseCase<V, C, I>): UseCase<V, C | 'server.busy', I> =>
  async (hooks) => {
    try {
      return await run(hooks)
    } catch (error) {
      if (error instanceof HasherBusy) return left(unavailable('server.busy'))
      throw error
    }
  }

/**
 * The hasher is busy, but the guess is known to be wrong without it. The guess stays counted: otherwise a client that
 * aborts its requests in time would have unlimited guesses.
 */
export class KnownWrong extends HasherBusy {}

/**
 * Hashes a counted guess. If the hasher is busy, the guess was not compared and `uncount` runs, so that a burst of
 * other requests does not lock the account. If the guess is known to be wrong, `fail` runs instead.
 */
export const hashOrUncount = async <A>(
  hash: () => Promise<A>,
  uncount: () => Promise<unknown>,
  fail: () => Promise<unknown> = async () => {},
): Promise<A> => {
  try {
    return await hash()
  } catch (error) {
    if (error instanceof KnownWrong) await fail()
    else if (error instanceof HasherBusy) await uncount()
    throw error
  }
}

/**
 * The counted guesses of a counter that are still being compared, each with the end of its lease, as one text that
 * guards the counter's record. A guess whose process dies stays in the text until its lease ends, and is then no longer
 * counted.
 */
export type OpenTries = string | null

/** The time for a comparison, including the wait for the hasher. */
const COMPARISON_SECONDS = 15
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const listed = (open: OpenTries): readonly string[] => open?.split(' ') ?? []
const joined = (tries: readonly string[]): OpenTries => (tries.length === 0 ? null : tries.join(' '))

/** Adds a guess, with the name by which it is closed. */
export const openTry = (open: OpenTries, { now, text }: Pick<Fresh, 'now' | 'text'>) => {
  const tryId = `${addSeconds(now, COMPARISON_SECONDS)}~${text(LETTERS, 6)}`
  return { tryId, open: [...listed(open), tryId].join(' ') }
}

export const isOpenTry = (open: OpenTries, tryId: string): boolean => listed(open).includes(tryId)

/** Removes a guess whose comparison has ended. */
export const closeTry = (open: OpenTries, tryId: string): OpenTries =>
  joined(listed(open).filter((each) => each !== tryId))

/** Removes the guesses whose lease has ended; `lapsed` is their number. */
export const dropLapsed = (open: OpenTries, steady: string): { readonly open: OpenTries; readonly lapsed: number } => {
  const live = listed(open).filter((each) => (each.split('~')[0] ?? '') > steady)
  return { open: joined(live), lapsed: listed(open).length - live.length }
}
