import { failure, left } from '../../failure.ts'
import { optional } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { flag, secret } from '../../kernel/input/scalars.ts'
import { all, check, eq } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf, type Throttle, throttleId, throttleIn } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accountMemberships, type Membership } from '../members/membership.ts'
import { findUserByEmail, type User, userFields, users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { endSessions, type Session, type SignInResult, signIn, surplusSession } from './session.ts'

/**
 * The shared throttle of guesses: passwords at the login, API keys, and the current password on a change of one's own
 * user.
 */
export const { throttles, uncountTry, forgetTries, loginThrottle } = throttleIn('payments')

export const credentialFields = { email: userFields.email, password: secret({ about: 'Senha' }) }

/** Requires the password again, ten minutes later, for some actions of the session. */
export const guardedField = optional(
  flag({
    about:
      'Se, dez minutos depois da senha, ver segredos e alterar a conta a pedem de novo, em POST /v1/auth/confirm-password',
  }),
)

export const credentials = input('Credentials', { ...credentialFields, guarded: guardedField })

export type Credentials = InputOf<typeof credentials>

/**
 * The account named in the tokens: none on v1, the newest on legacy, where a user without an account cannot sign in.
 */
export type TokenAccount = 'no account' | 'the newest account'

interface Facts {
  readonly throttle: Throttle | null
  readonly user: User | null
  /** The oldest session, if a further one exceeds the limit. */
  readonly surplus: readonly Session[]
  /** The membership whose account the tokens name. */
  readonly newest: Pick<Membership, 'accountId' | 'roleId'> | null
}

export const logIn = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return (submitted: Credentials, origin: Origin, tokenAccount: TokenAccount = 'no account') =>
    withValidInput(ports, credentials, submitted, ({ email, password, guarded: isGuarded = false }) =>
      hashingUseCaseOf<SignInResult>()((hooks) =>
        throttled(email, origin.address, async () => {
          const user = await findUserByEmail(ports.store, email)
          if (!(await isRight(email, password, user?.passwordHash ?? null, origin))) return left(WRONG_CREDENTIALS)
          const throttleKey = throttleId(email, origin.address)
          return useCase(
            ports,
            (store) => readFacts(store, throttleKey, email, tokenAccount),
            (facts, fresh) => decideLogIn(ports, facts, user, { origin, tokenAccount, isGuarded }, fresh),
          )(hooks)
        }),
      ),
    )
}

export const WRONG_CREDENTIALS = failure('unauthorized', 'credentials.wrong')

const readFacts = async (store: Store, id: string, email: string, tokenAccount: TokenAccount): Promise<Facts> => {
  const throttle = await store.find(byId(throttles, id))
  const user = await findUserByEmail(store, email)
  if (!user) return { throttle, user, surplus: [], newest: null }
  const { records: surplus } = await store.list(surplusSession(user.id, 'sign-in'))
  const facts = { throttle, user, surplus, newest: null }
  if (tokenAccount === 'no account') return facts
  for await (const { membership } of accountMemberships(store, user.id)) return { ...facts, newest: membership }
  return facts
}

interface LogInOptions {
  readonly origin: Origin
  readonly tokenAccount: TokenAccount
  readonly isGuarded: boolean
}

/** Opens a session after the password matched, unless the password was changed since. */
export const decideLogIn = (
  ports: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  { throttle, user, surplus, newest }: Facts,
  verified: User | null,
  { origin, tokenAccount, isGuarded }: LogInOptions,
  fresh: Fresh,
) => {
  if (!user || user.removedAt !== null || user.passwordHash !== verified?.passwordHash) return left(WRONG_CREDENTIALS)
  if (tokenAccount === 'the newest account' && newest === null) return left(failure('unauthorized', 'account.none'))
  const { result, change } = signIn(ports, fresh, user, origin, { member: newest, isGuarded })
  return accept(
    result,
    // Without this guard, a simultaneous password reset or removal of the user would miss this session.
    check(users, user.id, all(eq<keyof User & string>('removedAt', null), eq('passwordHash', user.passwordHash))),
    ...forgetTries(throttle),
    ...endSessions(surplus, fresh.now),
    change,
  )
}
