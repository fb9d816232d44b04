import { type Either, type Failure, isLeft, left, right } from '../../failure.ts'
import { type InputOf, input, pick } from '../../kernel/input/mod.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import {
  accept,
  countingUseCase,
  type DecisionResult,
  type Fresh,
  useCase,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { hashingUseCaseOf, hashOrUncount } from '../../office/throttle.ts'
import type { Store } from '../../ports/store.ts'
import { auditUser, findUserByEmail, mailUser, passwordFields, type User, userFields, users } from '../members/user.ts'
import { changesOf } from '../office.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import {
  decideSend,
  readRightCode,
  readSendFacts,
  tryFlowCode,
  typedCodeFields,
  UNKNOWN_EMAIL,
  uncountCode,
  useRightCode,
  WRONG_CODE,
} from './code.ts'
import { passwordChangedMail } from './code-mail.ts'
import { aliveSessions, endSessions, type Session } from './session.ts'

const FLOW = 'recovery'

export const forgottenPassword = input('ForgottenPassword', pick(userFields, 'email'))

export type ForgottenPassword = InputOf<typeof forgottenPassword>

export const forgotPassword = (ports: PaymentsPorts) => (request: ForgottenPassword) =>
  withValidInput(ports, forgottenPassword, request, ({ email }) =>
    useCase(
      ports,
      async (store) => readSendFacts(store, FLOW, await findUserByEmail(store, email)),
      (facts, fresh) => decideSend(ports, facts, FLOW, fresh),
    ),
  )

/** A new password and the mailed code. */
export const newPassword = input('NewPassword', { ...typedCodeFields, password: passwordFields.password })

export type NewPassword = InputOf<typeof newPassword>

export const resetPassword = (ports: PaymentsPorts) => {
  // Tries at one code run in sequence: their counts would conflict.
  const inSequence = serialByName()
  return (submitted: NewPassword, origin: Origin | null = null) =>
    withValidInput(ports, newPassword, submitted, ({ email, code, password }) =>
      hashingUseCaseOf<null>()((hooks) =>
        inSequence(email, async () => {
          // A wrong code is rejected before the password is hashed, which is slow.
          const tried = { email, typed: code, origin, wrong: WRONG_CODE }
          const found = await tryFlowCode(ports, FLOW, tried, (user) => (user ? null : UNKNOWN_EMAIL))
          if (isLeft(found)) return found
          const passwordHash = await hashOrUncount(
            () => ports.hasher.hash(password, origin),
            uncountCode(ports, email, found.right),
          )
          return countingUseCase(
            ports,
            async (store) => {
              const facts = await readRightCode(store, email, found.right)
              return { ...facts, alive: await readAlive(store, facts.user) }
            },
            (facts, fresh) => {
              const used = useRightCode(ports, facts, found.right, fresh.steady)
              return decideReset(ports, facts, used, WRONG_CODE, { passwordHash, origin }, fresh)
            },
          )(hooks)
        }),
      ),
    )
}

/** Reads the sessions that a new password ends. */
export const readAlive = async (store: Store, user: User | null): Promise<readonly Session[]> =>
  user ? (await store.list(aliveSessions(user.id))).records : []

/**
 * Replaces the password of a user, ends every session and notifies the user. `used` are the changes that use up the
 * mailed code or link; if it is null, the code or link is `wrong`.
 */
export const decideReset = <C extends string, I extends string>(
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  { user, alive }: { readonly user: User | null; readonly alive: readonly Session[] },
  used: readonly Change[] | null,
  wrong: Failure<C, I>,
  { passwordHash, origin }: { readonly passwordHash: string; readonly origin: Origin | null },
  fresh: Fresh,
): DecisionResult<Either<never, null>, C, I> =>
  user && used
    ? accept(
        right(null),
        ...used,
        patch(users, user.id, {
          set: { passwordHash, updatedAt: fresh.now },
          // The code replaces the password that was read; one set since then stays.
          when: all(eq('email', user.email), eq('passwordHash', user.passwordHash)),
        }),
        ...endSessions(alive, fresh.now),
        mailUser(cipher, fresh, user, passwordChangedMail(user.name, 'all')),
        ...auditUser(fresh, { userId: null, origin }, user.id, 'password.reset', changesOf(user, { passwordHash })),
      )
    : left(wrong)
