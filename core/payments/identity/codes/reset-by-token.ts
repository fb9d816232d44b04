import { type Either, isLeft, left, right } from '../../../fp.ts'
import { type Failure, invalid, issue } from '../../../kernel/failure.ts'
import { type Change, patch, remove } from '../../../kernel/records/change.ts'
import { all, always, eq, not } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { inLine } from '../../../kernel/running/in-line.ts'
import { attempt, type Decided, decided, type UseCase } from '../../../kernel/running/use-case.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { livingSessions, type Origin, type Session } from '../sessions/session.ts'
import { findUserByEmail, type User, users } from '../user.ts'
import { type Code, type Comparing, codes, tryCode } from './code.ts'
import { linkId, type PasswordLink, passwordLinks } from './password-link.ts'
import { type Replacement, replacedPassword } from './reset-password.ts'

/** What shows that somebody may set a password: the long token of a link, or six digits together with their e-mail. */
export interface Proof {
  readonly token: string
  /** Lower-case; null where it was not sent. */
  readonly email: string | null
}

interface Facts {
  readonly user: User | null
  readonly code: Code | null
  readonly link: PasswordLink | null
  readonly alive: readonly Session[]
}

const WRONG: Failure = invalid([issue('token', 'code.invalid')], 'code.invalid')
const DIGITS = /^\d{6}$/

/**
 * Sets a new password by what was mailed, and ends every session of the user.
 * Fails: `code.invalid` (`token`). Source: 01-access.md, POST /access/auth/reset; decisions.md §1, §12 and §13.
 */
export const resetByToken = (ports: PaymentsPorts) => {
  const line = inLine()
  return ({ password, ...proof }: Proof & { readonly password: string }, origin: Origin | null = null): UseCase<null> =>
    (rider) =>
      line(proof.email ?? proof.token, async () => {
        const read = (store: Store) => readFacts(ports, store, proof)
        // What is wrong is counted and refused before anything slow is done for it.
        const known = await attempt(ports, read, (facts, fresh) => decideProof(ports, facts, proof, fresh))()
        if (isLeft(known)) return known
        const passwordHash = await ports.hasher.hash(password)
        return attempt(ports, read, (facts, fresh) =>
          decideReset(ports, facts, proof, { passwordHash, origin }, fresh),
        )(rider)
      })
}

const readFacts = async ({ digest }: PaymentsPorts, store: Store, { token, email }: Proof): Promise<Facts> => {
  const byDigits = DIGITS.test(token) && email !== null
  const link = byDigits ? null : await store.find(byId(passwordLinks, linkId(digest, token)))
  const user = byDigits ? await findUserByEmail(store, email) : link && (await store.find(byId(users, link.userId)))
  if (!user) return { user: null, code: null, link, alive: [] }
  const code = await store.find(byId(codes, user.email))
  return { user, code, link, alive: (await store.list(livingSessions(user.id))).records }
}

interface Shown {
  readonly isRight: boolean
  /** What uses it up, or counts a wrong one. */
  readonly changes: readonly Change[]
}

const shown = (ports: Comparing, facts: Facts, { token }: Proof, now: Instant): Shown => {
  const { user, code, link } = facts
  if (!user || user.removedAt !== null) return { isRight: false, changes: [] }
  if (!link) return tryCode(ports, code, 'legacy-recovery', token, now)
  const isMailedWithCode = link.codeId !== null
  // A link that was mailed by itself sets the first password, and no other.
  const isGood = isMailedWithCode ? code?.codeId === link.codeId && code?.hash !== null : user.passwordHash === null
  if (link.expiresAt <= now || !isGood) return { isRight: false, changes: [] }
  const used = remove(passwordLinks, link.id, always)
  if (!isMailedWithCode) return { isRight: true, changes: [used] }
  const when = all(eq<keyof Code & string>('codeId', link.codeId), not(eq('hash', null)))
  return { isRight: true, changes: [used, patch(codes, user.email, { set: { hash: null }, when })] }
}

const decideProof = (ports: Comparing, facts: Facts, proof: Proof, { now }: Fresh): Decided<Either<Failure, null>> => {
  const { isRight, changes } = shown(ports, facts, proof, now)
  return isRight ? decided<Either<Failure, null>>(right(null)) : decided(left(WRONG), ...changes)
}

const decideReset = (
  ports: Comparing,
  facts: Facts,
  proof: Proof,
  wanted: Replacement,
  fresh: Fresh,
): Decided<Either<Failure, null>> => {
  const { isRight, changes } = shown(ports, facts, proof, fresh.now)
  if (!isRight || !facts.user) return decided<Either<Failure, null>>(left(WRONG), ...changes)
  const replaced = replacedPassword(ports, facts.user, facts.alive, wanted, fresh)
  return decided<Either<Failure, null>>(right(null), ...changes, ...replaced)
}
