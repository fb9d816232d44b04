import { type Either, isLeft, left, right } from '../../../fp.ts'
import type { Failure } from '../../../kernel/failure.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { inLine } from '../../../kernel/running/in-line.ts'
import { attempt, type Decided, decided, type UseCase } from '../../../kernel/running/use-case.ts'
import type { Store } from '../../../ports/store.ts'
import { audited } from '../../audit/audited.ts'
import { changesOf } from '../../audit/field-changes.ts'
import { queueMail } from '../../mails/mail.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { endSessions, livingSessions, type Origin, type Session } from '../sessions/session.ts'
import { type User, users } from '../user.ts'
import { type Comparing, tryCode } from './code.ts'
import { passwordMail } from './code-mail.ts'
import { NOBODY } from './send-code.ts'
import { type CodeFacts, readCode, type TypedCode, wrongCode } from './verify-email.ts'

export interface NewPassword extends TypedCode {
  readonly password: string
}

interface Facts extends CodeFacts {
  readonly alive: readonly Session[]
}

/**
 * Sets a new password by the code that was mailed, and ends every session of the user.
 * Fails: `fields` (`email`: nobody has it), `code.invalid`. Source: 01-access.md, POST /v1/auth/reset-password.
 */
export const resetPassword = (ports: PaymentsPorts) => {
  const line = inLine()
  return ({ password, ...typed }: NewPassword, origin: Origin | null = null): UseCase<null> =>
    (rider) =>
      line(typed.email, async () => {
        const read = (store: Store) => readFacts(store, typed.email)
        // A wrong code is counted and refused before anything slow is done for it.
        const known = await attempt(ports, read, (facts, fresh) => decideTry(ports, facts, typed, fresh))()
        if (isLeft(known)) return known
        const passwordHash = await ports.hasher.hash(password)
        return attempt(ports, read, (facts, fresh) =>
          decideReset(ports, facts, typed, { passwordHash, origin }, fresh),
        )(rider)
      })
}

const readFacts = async (store: Store, email: string): Promise<Facts> => {
  const facts = await readCode(store, email)
  const alive = facts.user ? (await store.list(livingSessions(facts.user.id))).records : []
  return { ...facts, alive }
}

/** Counts a wrong code; leaves a right one for what it was typed in for. */
export const decideTry = (
  ports: Comparing,
  { user, code }: CodeFacts,
  typed: TypedCode,
  fresh: Fresh,
): Decided<Either<Failure, null>> => {
  if (!user) return left(NOBODY)
  const { isRight, changes } = tryCode(ports, code, 'recovery', typed.code, fresh.now)
  return isRight ? decided<Either<Failure, null>>(right(null)) : decided(left(wrongCode()), ...changes)
}

export const decideReset = (
  ports: Comparing,
  { user, code, alive }: Facts,
  typed: TypedCode,
  wanted: Replacement,
  fresh: Fresh,
): Decided<Either<Failure, null>> => {
  if (!user) return left(NOBODY)
  const { isRight, changes } = tryCode(ports, code, 'recovery', typed.code, fresh.now)
  if (!isRight) return decided<Either<Failure, null>>(left(wrongCode()), ...changes)
  const replaced = replacedPassword(ports, user, alive, wanted, fresh)
  return decided<Either<Failure, null>>(right(null), ...changes, ...replaced)
}

/** What takes the place of a password, and where it was sent from. */
export interface Replacement {
  readonly passwordHash: string
  readonly origin: Origin | null
}

/** A new password in the place of the old one: every session ends, and the user is told. */
export const replacedPassword = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  user: User,
  alive: readonly Session[],
  { passwordHash, origin }: Replacement,
  fresh: Fresh,
): readonly Change[] => [
  patch(users, user.id, { set: { passwordHash, updatedAt: fresh.now }, when: eq('email', user.email) }),
  ...endSessions(alive, fresh.now),
  queueMail(cipher, fresh, { to: user.email, ...passwordMail(user.name) }),
  ...audited(
    fresh,
    { userId: null, origin },
    {
      chain: `user:${user.id}`,
      action: 'password.reset',
      subject: `user:${user.id}`,
      changes: changesOf(user, { passwordHash }),
    },
  ),
]
