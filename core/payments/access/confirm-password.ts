import { left } from '../../failure.ts'
import { type InputOf, input, secret, timestamp, view } from '../../kernel/input/mod.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf, throttleId } from '../../office/throttle.ts'
import { byId } from '../../ports/store.ts'
import { users } from '../members/user.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { WRONG_PASSWORD } from './change-user.ts'
import { forgetTries, loginThrottle, throttles } from './log-in.ts'
import { INVALID_TOKEN, passwordRecentUntil, sessions } from './session.ts'

export const passwordConfirmation = input('PasswordConfirmation', { password: secret({ about: 'Senha' }) })

export type PasswordConfirmation = InputOf<typeof passwordConfirmation>

export interface ConfirmedPassword {
  /** The end of the time in which the password counts as recent. */
  readonly expiresAt: Instant
}

export const confirmPassword = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return (
    { userId, sessionId }: Pick<Person, 'userId' | 'sessionId'>,
    submitted: PasswordConfirmation,
    origin: Origin,
  ) =>
    withValidInput(ports, passwordConfirmation, submitted, ({ password }) =>
      hashingUseCaseOf<ConfirmedPassword>()(async (hooks) => {
        const user = await ports.store.find(byId(users, userId))
        if (!user) return left(INVALID_TOKEN)
        const { email, passwordHash } = user
        return throttled(email, origin.address, async () => {
          if (!(await isRight(email, password, passwordHash, origin))) return left(WRONG_PASSWORD)
          return useCase(
            ports,
            (store) =>
              store.read({
                session: byId(sessions, sessionId),
                throttle: byId(throttles, throttleId(email, origin.address)),
              }),
            ({ session, throttle }, fresh) => {
              if (session?.endedAt !== null) return left(INVALID_TOKEN)
              const expiresAt = passwordRecentUntil(fresh)
              const set = { passwordRecentUntil: expiresAt }
              return accept<ConfirmedPassword>(
                { expiresAt },
                ...forgetTries(throttle),
                patch(sessions, sessionId, { set, when: eq('endedAt', null) }),
              )
            },
          )(hooks)
        })
      }),
    )
}

export const confirmedPasswordView = view(
  'ConfirmedPassword',
  { expiresAt: timestamp({ about: 'Até quando a sessão não pede a senha de novo' }) },
  (confirmed: ConfirmedPassword) => confirmed,
)
