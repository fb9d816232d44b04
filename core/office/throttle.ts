import { type Failure, throttled } from '../failure.ts'
import { type Either, isLeft, left, right, t } from '../fp.ts'
import { type Change, insert, patch, remove } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { type Field, orNull, record } from '../kernel/records/record.ts'
import { all, always, eq, gt, lt, type Where } from '../kernel/records/where.ts'
import { serialByName } from '../kernel/running/concurrency.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { accept, type RunnerCode, type Runtime, useCase } from '../kernel/running/use-case.ts'
import { addSeconds, secondsBetween } from '../kernel/values/day.ts'
import { networkOf } from '../kernel/values/network.ts'
import { byId, type Store } from '../ports/store.ts'
import { closeTry, dropLapsed, hashOrUncount, isOpenTry, openTry } from './guesses.ts'

const throttle = record({
  /** E-mail and network: `maria@example.com|203.0.113.7`. */
  id: t.string,
  /** Passwords that were tried and were not, or not yet, found right. */
  failures: t.number,
  /** When the window ends, counted from its first failure. */
  expiresAt: t.string,
  /** Those of the passwords that are still being compared. */
  openTries: orNull(t.string),
})

/** How often an e-mail was tried in vain from an address. Source: decisions.md §1, login throttling. */
export type Throttle = t.TypeOf<typeof throttle>

const MAX_LOGIN_FAILURES = 5
const THROTTLE_SECONDS = 15 * 60

export const throttleId = (email: string, address: string): string => `${email}|${networkOf(address)}`

/** The change that counts a guess before it is compared. Fails: `login.throttled` while the window lasts. */
const countTry = (
  throttles: Collection<Throttle>,
  known: Throttle | null,
  id: string,
  fresh: Pick<Fresh, 'now' | 'steady' | 'text'>,
): Either<Failure<'login.throttled'>, CountedTry> => {
  const { steady } = fresh
  const { open: living, lapsed } = dropLapsed(known && known.expiresAt > steady ? known.openTries : null, steady)
  const { own, open: openTries } = openTry(living, fresh)
  const fields = { failures: 1, expiresAt: addSeconds(steady, THROTTLE_SECONDS), openTries }
  if (!known) return right({ own, change: insert(throttles, { id, ...fields }) })
  if (known.expiresAt <= steady) {
    return right({ own, change: patch(throttles, id, { set: fields, when: eq('expiresAt', known.expiresAt) }) })
  }
  if (known.failures - lapsed >= MAX_LOGIN_FAILURES) {
    return left(throttled('login.throttled', secondsBetween(steady, known.expiresAt)))
  }
  const free = all(lt('failures', MAX_LOGIN_FAILURES + lapsed), gt('expiresAt', steady), asRead(known))
  return right({ own, change: patch(throttles, id, { add: { failures: 1 - lapsed }, set: { openTries }, when: free }) })
}

/** A guess that was counted: the change, and its name for as long as it is being compared. */
interface CountedTry {
  readonly own: string
  readonly change: Change
}

const asRead = ({ openTries }: Throttle): Where<Field<Throttle>> => eq('openTries', openTries)

/** Compares a guess, which has a name meanwhile: the value, or why it was not right. */
type Compare<V, C extends string, I extends string> = (own: string) => Promise<Either<Failure<C, I>, V>>

/**
 * Guesses at what an e-mail of a business signs in with: five in vain from one address, and fifteen minutes are to pass.
 * Source: decisions.md §1 and §12, People.
 */
export const throttleIn = (business: string) => {
  const throttles: Collection<Throttle> = {
    name: `${business}.throttles`,
    ids: 'text',
    codec: throttle,
    owner: null,
    indexes: [{ sort: 'expiresAt', acrossOwners: true }],
  }
  const decideTry = (known: Throttle | null, id: string, fresh: Pick<Fresh, 'now' | 'steady' | 'text'>) => {
    const counted = countTry(throttles, known, id, fresh)
    return isLeft(counted) ? counted : accept(counted.right.own, counted.right.change)
  }
  const ended = (known: Throttle, own: string, failures: 0 | -1): Change => {
    const stands = all(eq<Field<Throttle>>('expiresAt', known.expiresAt), gt('failures', 0), asRead(known))
    const openTries = closeTry(known.openTries, own)
    return patch(throttles, known.id, { add: { failures }, set: { openTries }, when: stands })
  }
  const uncountTry = (known: Throttle | null, own: string, { steady }: Pick<Fresh, 'steady'>): readonly Change[] =>
    known && known.expiresAt > steady && isOpenTry(known.openTries, own) ? [ended(known, own, -1)] : []
  const keepTry = (known: Throttle | null, id: string, own: string, { steady }: Pick<Fresh, 'steady'>): Change => {
    if (known && isOpenTry(known.openTries, own)) return ended(known, own, 0)
    // It was given back, or forgotten with all others, while it was compared.
    if (known && known.expiresAt > steady) return patch(throttles, id, { add: { failures: 1 }, when: always })
    const anew = { failures: 1, expiresAt: addSeconds(steady, THROTTLE_SECONDS), openTries: null }
    return known ? patch(throttles, id, { set: anew, when: asRead(known) }) : insert(throttles, { id, ...anew })
  }
  return {
    throttles,
    decideTry,
    /** The changes that give back a guess which was right, or was not compared, and leave all others. */
    uncountTry,
    /** The changes that forget every failure, once a password was right. */
    forgetTries: (known: Throttle | null): readonly Change[] => (known ? [remove(throttles, known.id, always)] : []),
    /**
     * Guesses from one address: each is counted before it is compared, and they wait for each other, so that five wrong ones
     * are compared and no more, and right ones never throttle each other. Whoever finds one right forgets them all
     * (`forgetTries`); one that nobody compares is given back.
     * Fails: `login.throttled`, and what the comparison fails with.
     */
    loginThrottle: (ports: Runtime) => {
      const line = serialByName()
      return <V, C extends string = never, I extends string = never>(
        email: string,
        address: string,
        compare: Compare<V, C, I>,
      ): Promise<Either<Failure<C | 'login.throttled' | RunnerCode, I>, V>> => {
        const id = throttleId(email, address)
        const read = (store: Store) => store.find(byId(throttles, id))
        return line(id, async () => {
          const counted = await useCase(ports, read, (known, fresh) => decideTry(known, id, fresh))()
          if (isLeft(counted)) return counted
          const own = counted.right
          const keep = useCase(ports, read, (known, fresh) => accept(null, keepTry(known, id, own, fresh)))
          const compared = await hashOrUncount(
            () => compare(own),
            useCase(ports, read, (known, fresh) => accept(null, ...uncountTry(known, own, fresh))),
            keep,
          )
          if (!isLeft(compared)) return compared
          // Told only once it is kept: a process that dies before has told its caller nothing.
          const kept = await keep()
          return isLeft(kept) ? kept : compared
        })
      }
    },
  }
}
