import { type Either, left, right } from '../../../fp.ts'
import { type Failure, invalid, issue } from '../../../kernel/failure.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { inLine } from '../../../kernel/running/in-line.ts'
import { attempt, type Decided, decided, type UseCase } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { audited, type By } from '../../audit/audited.ts'
import { queueMail } from '../../mails/mail.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { findUserByEmail, type User, users } from '../user.ts'
import { type Code, type Comparing, codes, tryCode } from './code.ts'
import { verifiedMail } from './code-mail.ts'
import { NOBODY, NOT_THEIRS } from './send-code.ts'

/** A code that somebody types in, with the e-mail it was sent to, in lower case. */
export interface TypedCode {
  readonly email: string
  readonly code: string
  /** What the caller calls it: `code` unless told. */
  readonly name?: string
}

export interface CodeFacts {
  readonly user: User | null
  readonly code: Code | null
}

export const readCode = async (store: Store, email: string): Promise<CodeFacts> => ({
  user: await findUserByEmail(store, email),
  code: await store.find(byId(codes, email)),
})

/**
 * Marks an e-mail as verified by the code that was mailed to it, and writes back.
 * Fails: `fields` (`email`: nobody has it, or not the caller where one is told), `code.invalid`.
 * Source: 01-access.md, POST /v1/auth/verify-email.
 */
export const verifyEmail = (ports: PaymentsPorts) => {
  // Guesses at one code wait for each other: each is decided on how many tries are left.
  const line = inLine()
  return (typed: TypedCode, by: By = NOBODY_SIGNED_IN): UseCase<null> =>
    (rider) =>
      line(typed.email, () =>
        attempt(
          ports,
          (store) => readCode(store, typed.email),
          (facts, fresh) =>
            by.userId !== null && facts.user?.id !== by.userId
              ? left(NOT_THEIRS)
              : decideVerify(ports, facts, typed, by, fresh),
        )(rider),
      )
}

const NOBODY_SIGNED_IN: By = { userId: null }

export const wrongCode = (name = 'code'): Failure => invalid([issue(name, 'code.invalid')], 'code.invalid')

export const decideVerify = (
  ports: Comparing,
  { user, code }: CodeFacts,
  typed: TypedCode,
  by: By,
  fresh: Fresh,
): Decided<Either<Failure, null>> => {
  if (!user) return left(NOBODY)
  const { isRight, changes } = tryCode(ports, code, 'verify', typed.code, fresh.now)
  if (!isRight) return decided<Either<Failure, null>>(left(wrongCode(typed.name)), ...changes)
  const set = { emailVerifiedAt: fresh.now, updatedAt: fresh.now }
  return decided<Either<Failure, null>>(
    right(null),
    ...changes,
    patch(users, user.id, { set, when: eq('email', user.email) }),
    queueMail(ports.cipher, fresh, { to: user.email, ...verifiedMail(user.name) }),
    ...audited(fresh, by, { chain: `user:${user.id}`, action: 'email.verified', subject: `user:${user.id}` }),
  )
}
