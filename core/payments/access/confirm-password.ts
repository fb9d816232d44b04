import { type Either, type Failure, failure, left, right } from '../../failure.ts'
import { type InputOf, input, secret, timestamp, view } from '../../kernel/input/mod.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import {
  accept,
  countingUseCase,
  type DecisionResult,
  type Fresh,
  type RunnerCode,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { hashingUseCaseOf, type Throttle, throttleId } from '../../office/throttle.ts'
import { byId, type Find, type Store } from '../../ports/store.ts'
import { type User, users } from '../members/user.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { forgetTries, loginThrottle, throttles } from './log-in.ts'
import { INVALID_TOKEN, passwordRecentUntil, sessions } from './session.ts'

const WRONG_PASSWORD = failure('unauthorized', 'password.wrong')

/** The queries of the caller's user, and of the throttle of its passwords. */
type UserQueries = { readonly user: Find<User>; readonly throttle: Find<Throttle> }

/** The facts after the caller's password matched. */
export interface VerifiedUser {
  readonly user: User
  readonly throttle: Throttle | null
}

type PasswordCode = RunnerCode | 'token.invalid' | 'password.wrong' | 'login.throttled'

/**
 * Runs a decision after the caller's password matched, unless it was replaced meanwhile; `prepare` does the slow parts
 * before the commit. Guesses count with those at the login. Fails: `token.invalid`, `password.wrong`,
 * `login.throttled`, `server.busy`, and as the decision does.
 */
export const passwordUseCase = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return <
    P,
    F extends { readonly user: User | null; readonly throttle: Throttle | null },
    V,
    C extends string = never,
    D extends string = never,
    J extends string = never,
  >(
    { userId }: Pick<Person, 'userId'>,
    { password, origin }: { readonly password: string; readonly origin: Origin },
    prepare: (user: User) => Promise<P> | P,
    read: (store: Store, queries: UserQueries, prepared: P) => Promise<F>,
    decide: (facts: F & VerifiedUser, prepared: P, fresh: Fresh) => DecisionResult<Either<Failure<D, J>, V>, C, never>,
  ) =>
    hashingUseCaseOf<V>()<PasswordCode | C | D, J>(async (hooks) => {
      const verified = await ports.store.find(byId(users, userId))
      if (!verified) return left(INVALID_TOKEN)
      const { email, passwordHash } = verified
      return throttled(email, origin.address, async () => {
        if (!(await isRight(email, password, passwordHash, origin))) return left(WRONG_PASSWORD)
        const prepared = await prepare(verified)
        const throttle = byId(throttles, throttleId(email, origin.address))
        return countingUseCase(
          ports,
          (store) => read(store, { user: byId(users, userId), throttle }, prepared),
          (facts, fresh): DecisionResult<Either<Failure<D, J>, V>, C | 'password.wrong', never> => {
            const { user } = facts
            if (!user || user.passwordHash !== passwordHash) return left(WRONG_PASSWORD)
            return decide({ ...facts, user }, prepared, fresh)
          },
        )(hooks)
      })
    })
}

export const passwordConfirmation = input('PasswordConfirmation', { password: secret({ about: 'Senha' }) })
export type PasswordConfirmation = InputOf<typeof passwordConfirmation>

export interface ConfirmedPassword {
  /** The end of the time in which the password counts as recent. */
  readonly expiresAt: Instant
}

export const confirmPassword = (ports: PaymentsPorts) => {
  const afterPassword = passwordUseCase(ports)
  return (caller: Pick<Person, 'userId' | 'sessionId'>, submitted: PasswordConfirmation, origin: Origin) =>
    withValidInput(ports, passwordConfirmation, submitted, ({ password }) =>
      afterPassword(
        caller,
        { password, origin },
        () => null,
        (store, queries) => store.read({ ...queries, session: byId(sessions, caller.sessionId) }),
        ({ session, throttle }, _, fresh) => {
          if (session?.endedAt !== null) return left(INVALID_TOKEN)
          const expiresAt = passwordRecentUntil(fresh)
          const set = { passwordRecentUntil: expiresAt }
          return accept(
            right<never, ConfirmedPassword>({ expiresAt }),
            ...forgetTries(throttle),
            patch(sessions, session.id, { set, when: eq('endedAt', null) }),
          )
        },
      ),
    )
}

export const confirmedPasswordView = view('ConfirmedPassword', {
  expiresAt: timestamp({ about: 'Até quando a sessão não pede a senha de novo' }),
})
