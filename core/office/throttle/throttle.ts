import { type Failure, throttled } from '../../failure.ts'
import { type Either, isLeft, left, right, t } from '../../fp.ts'
import { type Change, insert, patch, remove } from '../../kernel/records/change.ts'
import type { Collection, Field } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'
import { all, always, eq, gt, lt } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { inLine } from '../../kernel/running/in-line.ts'
import { decided, type RunnerCode, type Runtime, useCase } from '../../kernel/running/use-case.ts'
import { plusSeconds, secondsBetween } from '../../kernel/values/day.ts'
import { networkOf } from '../../kernel/values/network.ts'
import { byId, type Store } from '../../ports/store.ts'
import { hashedOrGivenBack } from '../hashing/hashing-use-case.ts'

const throttle = record({
  /** E-mail and network: `maria@example.com|203.0.113.7`. */
  id: t.string,
  /** Passwords that were tried and were not, or not yet, found right. */
  failures: t.number,
  /** When the window ends, counted from its first failure. */
  expiresAt: t.string,
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
  { steady }: Fresh,
): Either<Failure<'login.throttled'>, Change> => {
  const fields = { failures: 1, expiresAt: plusSeconds(steady, THROTTLE_SECONDS) }
  if (!known) return right(insert(throttles, { id, ...fields }))
  if (known.expiresAt <= steady) {
    return right(patch(throttles, id, { set: fields, when: eq('expiresAt', known.expiresAt) }))
  }
  if (known.failures >= MAX_LOGIN_FAILURES) {
    return left(throttled('login.throttled', secondsBetween(steady, known.expiresAt)))
  }
  const free = all(lt('failures', MAX_LOGIN_FAILURES), gt('expiresAt', steady))
  return right(patch(throttles, id, { add: { failures: 1 }, when: free }))
}

/** What a guess is made of: whoever compares says whether it was right, or why not. */
type Compare<V, C extends string, I extends string> = () => Promise<Either<Failure<C, I>, V>>

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
    indexes: [{ sort: 'expiresAt', across: true }],
  }
  const decideTry = (known: Throttle | null, id: string, fresh: Fresh) => {
    const counted = countTry(throttles, known, id, fresh)
    return isLeft(counted) ? counted : decided(null, counted.right)
  }
  const uncountTry = (known: Throttle | null, { steady }: Pick<Fresh, 'steady'>): readonly Change[] => {
    if (!known || known.expiresAt <= steady) return []
    const stands = all(eq<Field<Throttle>>('expiresAt', known.expiresAt), gt('failures', 0))
    return [patch(throttles, known.id, { add: { failures: -1 }, when: stands })]
  }
  return {
    throttles,
    decideTry,
    /** The changes that give a guess back which was right, and leave those that were not. */
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
      const line = inLine()
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
          return hashedOrGivenBack(
            compare,
            useCase(ports, read, (known, fresh) => decided(null, ...uncountTry(known, fresh))),
          )
        })
      }
    },
  }
}
