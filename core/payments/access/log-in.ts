import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { secret } from '../../kernel/input/texts.ts'
import { check } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf } from '../../office/guesses.ts'
import { type Throttle, throttleId, throttleIn } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accountMemberships, type Membership } from '../members/membership.ts'
import { findUserByEmail, type User, userFields, users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import {
  endSessions,
  openSession,
  passwordMark,
  type Session,
  type SignInResult,
  signInResult,
  surplusSession,
} from './session.ts'

/** What somebody signs in with. */
export const credentialFields = { email: userFields.email, password: secret({ about: 'Senha' }) }

export const credentials = input('Credentials', credentialFields)

export type Credentials = InputOf<typeof credentials>

/** What the tokens name: v1's name no account, legacy's the newest one, without which nobody is let in. */
export type TokenAccount = 'no account' | 'the newest account'

type NewestMembership = Pick<Membership, 'accountId' | 'roleId'>

interface Facts {
  readonly throttle: Throttle | null
  readonly user: User | null
  /** Too many sign-ins of theirs are alive with a further one. */
  readonly surplus: readonly Session[]
  /** Where the session is to be: the newest account, by which role. */
  readonly newest: NewestMembership | null
}

/**
 * Signs a user in by e-mail and password.
 * Fails: `fields`, `credentials.wrong`, `account.none`, `login.throttled`, `server.busy`.
 * Source: 01-access.md, POST /v1/auth/login and /access/auth/login; decisions.md §1 and §12.
 */
export const logIn = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return (given: Credentials, origin: Origin, into: TokenAccount = 'no account') =>
    withValidInput(ports, credentials, given, ({ email, password }) =>
      hashingUseCaseOf<SignInResult>()((hooks) =>
        throttled(email, origin.address, async () => {
          const user = await findUserByEmail(ports.store, email)
          if (!(await isRight(email, password, user?.passwordHash ?? null, origin))) return left(WRONG_CREDENTIALS)
          const throttleKey = throttleId(email, origin.address)
          return useCase(
            ports,
            (store) => readFacts(store, throttleKey, email, into),
            (facts, fresh) => decideLogIn(ports, facts, user, origin, into, fresh),
          )(hooks)
        }),
      ),
    )
}

const WRONG_CREDENTIALS = failure('unauthorized', 'credentials.wrong')
const NO_ACCOUNT = failure('unauthorized', 'account.none')

const readFacts = async (store: Store, id: string, email: string, into: TokenAccount): Promise<Facts> => {
  const throttle = await store.find(byId(throttles, id))
  const user = await findUserByEmail(store, email)
  if (!user) return { throttle, user, surplus: [], newest: null }
  const { records: surplus } = await store.list(surplusSession(user.id, 'sign-in'))
  return { throttle, user, surplus, newest: into === 'no account' ? null : await newestMembership(store, user.id) }
}

const newestMembership = async (store: Store, userId: number): Promise<NewestMembership | null> => {
  for await (const { membership } of accountMemberships(store, userId)) return membership
  return null
}

/** Opens a session for whom a password was found right, unless it was changed meanwhile. */
export const decideLogIn = (
  { digest, tokens }: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  { throttle, user, surplus, newest: place }: Facts,
  verified: User | null,
  origin: Origin,
  into: TokenAccount,
  fresh: Fresh,
) => {
  if (!user || user.removedAt !== null || user.passwordHash !== verified?.passwordHash) return left(WRONG_CREDENTIALS)
  if (into === 'the newest account' && place === null) return left(NO_ACCOUNT)
  const accountId = place?.accountId ?? null
  const { session, change: opened } = openSession(fresh, {
    userId: user.id,
    accountId,
    origin,
    passwordMark: passwordMark({ digest }, user.passwordHash),
  })
  return accept(
    signInResult(tokens, session, user, place?.roleId),
    // A reset ends every session, and so does who removes them: neither may miss one that is opened just now.
    check(users, user.id, all(eq<keyof User & string>('removedAt', null), eq('passwordHash', user.passwordHash))),
    ...forgetTries(throttle),
    ...endSessions(surplus, fresh.now),
    opened,
  )
}

/** Guesses at the login, at a key and at one's own password count together. Source: decisions.md §1 and §12, People. */
export const { throttles, decideTry, uncountTry, forgetTries, loginThrottle } = throttleIn('payments')
