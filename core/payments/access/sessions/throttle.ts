import { type Failure, throttled } from '../../../failure.ts'
import { type Either, left, right, t } from '../../../fp.ts'
import { type Change, insert, patch, remove } from '../../../kernel/records/change.ts'
import type { Collection, Field } from '../../../kernel/records/collection.ts'
import { record } from '../../../kernel/records/record.ts'
import { all, always, eq, gt, lt } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { plusSeconds, secondsBetween } from '../../../kernel/values/day.ts'
import { networkOf } from '../../../kernel/values/network.ts'

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

export const throttles: Collection<Throttle> = {
  name: 'payments.throttles',
  ids: 'text',
  codec: throttle,
  owner: null,
  indexes: [{ sort: 'expiresAt', across: true }],
}

const MAX_LOGIN_FAILURES = 5
const THROTTLE_SECONDS = 15 * 60

export const throttleId = (email: string, address: string): string => `${email}|${networkOf(address)}`

/** The change that counts a guess before it is compared. Fails: `login.throttled` while the window lasts. */
export const countTry = (
  known: Throttle | null,
  id: string,
  { now }: Fresh,
): Either<Failure<'login.throttled'>, Change> => {
  const fields = { failures: 1, expiresAt: plusSeconds(now, THROTTLE_SECONDS) }
  if (!known) return right(insert(throttles, { id, ...fields }))
  if (known.expiresAt <= now) {
    return right(patch(throttles, id, { set: fields, when: eq('expiresAt', known.expiresAt) }))
  }
  if (known.failures >= MAX_LOGIN_FAILURES) {
    return left(throttled('login.throttled', secondsBetween(now, known.expiresAt)))
  }
  const free = all(lt('failures', MAX_LOGIN_FAILURES), gt('expiresAt', now))
  return right(patch(throttles, id, { add: { failures: 1 }, when: free }))
}

/** The changes that give a guess back which was right, and leave those that were not. */
export const uncountTry = (known: Throttle | null, { now }: Pick<Fresh, 'now'>): readonly Change[] => {
  if (!known || known.expiresAt <= now) return []
  const stands = all(eq<Field<Throttle>>('expiresAt', known.expiresAt), gt('failures', 0))
  return [patch(throttles, known.id, { add: { failures: -1 }, when: stands })]
}

/** The changes that forget every failure, once a password was right. */
export const forgetTries = (known: Throttle | null): readonly Change[] =>
  known ? [remove(throttles, known.id, always)] : []
