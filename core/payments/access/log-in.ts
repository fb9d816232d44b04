import { failure, left } from '../../failure.ts'
import { flag, type InputOf, input, optional, secret, view } from '../../kernel/input/mod.ts'
import { all, check, eq } from '../../kernel/records/record.ts'
import { accept, type DecisionResult, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { hashingUseCaseOf, type Throttle, throttleId, throttleIn } from '../../office/throttle.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { challengeView, openChallenge, type ShownChallenge } from '../challenges/challenge.ts'
import { type Factor, factorOf, proofKindsOf } from '../challenges/factor.ts'
import { isTrusted, type TrustedDevice, trustedDevices, useTrustedDevice } from '../challenges/trusted-device.ts'
import { accountMemberships, type Membership } from '../members/membership.ts'
import { findUserByEmail, type User, userFields, users } from '../members/user.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { endSessions, passwordMark, type Session, type SignInResult, signIn, surplusSession } from './session.ts'

/** The throttle of guesses at passwords, at the login and of signed-in users, and at API keys. */
export const { throttles, uncountTry, forgetTries, loginThrottle } = throttleIn('payments')

export const credentialFields = { email: userFields.email, password: secret({ about: 'Senha' }) }

/** Requires the password again, ten minutes later, for some actions of the session. */
export const guardedField = optional(
  flag({
    about:
      'Se, dez minutos depois da senha, ver segredos e alterar a conta a pedem de novo, em POST /v1/auth/confirm-password',
  }),
)

/** The token of a device on which the second factor was proved within 30 days. */
const deviceTokenField = optional(secret({ about: 'Token do dispositivo confiável, que dispensa o segundo fator' }))

export const credentials = input('Credentials', {
  ...credentialFields,
  guarded: guardedField,
  deviceToken: deviceTokenField,
})
export type Credentials = InputOf<typeof credentials>

/** The account named in the tokens: none on v1, the newest on legacy, where sign-in requires an account. */
export type TokenAccount = 'no account' | 'the newest account'

interface Facts {
  readonly throttle: Throttle | null
  readonly user: User | null
  /** The oldest session, if a further one exceeds the limit. */
  readonly surplus: readonly Session[]
  /** The membership whose account the tokens name. */
  readonly newest: Pick<Membership, 'accountId' | 'roleId'> | null
  /** The second factor, and the device that the sent token names. */
  readonly factor: Factor | null
  readonly trusted: TrustedDevice | null
}

/** The answer to a right password of a person with a second factor: a challenge, and no session. */
export interface SecondStepRequired {
  readonly challenge: ShownChallenge
}

export type LogInResult = SignInResult | SecondStepRequired

export const isSecondStepRequired = (result: LogInResult): result is SecondStepRequired => 'challenge' in result

export const secondStepRequiredView = view(
  'SecondStepRequired',
  challengeView.table,
  ({ challenge }: SecondStepRequired) => challengeView.of(challenge),
)

export const logIn = (ports: PaymentsPorts) =>
  logInBy<never, 'second-factor.required'>(ports, () => left(SECOND_FACTOR_REQUIRED))

export const beginLogIn = (ports: PaymentsPorts) =>
  logInBy<SecondStepRequired, never>(ports, ({ user, newest, factor, throttle }, { origin, isGuarded }, fresh) => {
    const { challenge, change } = openChallenge(ports, fresh, {
      userId: user.id,
      purpose: 'log-in',
      accountId: newest?.accountId ?? null,
      accepts: [...proofKindsOf(factor)],
      passwordMark: passwordMark(ports, user.passwordHash),
      isGuarded,
      device: origin.device,
    })
    return accept<SecondStepRequired>({ challenge }, ...forgetTries(throttle), change)
  })

/** Decides on the right password of a person whose second factor must be proved. */
type SecondStep<V, C extends string> = (
  facts: Facts & { readonly user: User },
  options: LogInOptions,
  fresh: Fresh,
) => DecisionResult<V, C, never>

const logInBy = <V, C extends string = never>(ports: PaymentsPorts, secondStep: SecondStep<V, C>) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return (submitted: Credentials, origin: Origin, tokenAccount: TokenAccount = 'no account') =>
    withValidInput(ports, credentials, submitted, ({ email, password, guarded: isGuarded = false, deviceToken }) =>
      hashingUseCaseOf<SignInResult | V>()((hooks) =>
        throttled(email, origin.address, async () => {
          const user = await findUserByEmail(ports.store, email)
          if (!(await isRight(email, password, user?.passwordHash ?? null, origin))) return left(WRONG_CREDENTIALS)
          const throttleKey = throttleId(email, origin.address)
          const deviceDigest = deviceToken === undefined ? null : ports.digest.sha256(deviceToken)
          return useCase(
            ports,
            (store) => readFacts(store, { throttleKey, email, tokenAccount, deviceDigest }),
            (facts, fresh) => decideLogIn(ports, facts, user, { origin, tokenAccount, isGuarded }, fresh, secondStep),
          )(hooks)
        }),
      ),
    )
}

export const WRONG_CREDENTIALS = failure('unauthorized', 'credentials.wrong')
const SECOND_FACTOR_REQUIRED = failure('forbidden', 'second-factor.required')

interface LogInReads {
  readonly throttleKey: string
  readonly email: string
  readonly tokenAccount: TokenAccount
  readonly deviceDigest: string | null
}

const readFacts = async (
  store: Store,
  { throttleKey, email, tokenAccount, deviceDigest }: LogInReads,
): Promise<Facts> => {
  const throttle = await store.find(byId(throttles, throttleKey))
  const user = await findUserByEmail(store, email)
  if (!user) return { throttle, user, surplus: [], newest: null, factor: null, trusted: null }
  const { records: surplus } = await store.list(surplusSession(user.id, 'sign-in'))
  const hasFactor = user.secondFactorAt !== null
  const factor = hasFactor ? await store.find(factorOf(user.id)) : null
  const trusted = hasFactor && deviceDigest ? await store.find(byKey(trustedDevices, 'token', deviceDigest)) : null
  const facts = { throttle, user, surplus, newest: null, factor, trusted }
  if (tokenAccount === 'no account') return facts
  for await (const { membership } of accountMemberships(store, user.id)) return { ...facts, newest: membership }
  return facts
}

interface LogInOptions {
  readonly origin: Origin
  readonly tokenAccount: TokenAccount
  readonly isGuarded: boolean
}

/**
 * Opens a session after the password matched, unless the password was changed since. A person with a second factor must
 * complete the second step, except on a trusted device.
 */
export const decideLogIn = <V = never, C extends string = never>(
  ports: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  facts: Facts,
  verified: User | null,
  options: LogInOptions,
  fresh: Fresh,
  secondStep: SecondStep<V, C>,
): DecisionResult<SignInResult | V, 'credentials.wrong' | 'account.none' | C, never> => {
  const { throttle, user, surplus, newest, trusted } = facts
  const { origin, tokenAccount, isGuarded } = options
  if (!user || user.removedAt !== null || user.passwordHash !== verified?.passwordHash) return left(WRONG_CREDENTIALS)
  if (tokenAccount === 'the newest account' && newest === null) return left(failure('unauthorized', 'account.none'))
  const device = trusted && isTrusted(ports, trusted, user, fresh.steady) ? trusted : null
  if (user.secondFactorAt !== null && !device) return secondStep({ ...facts, user }, options, fresh)
  const secondFactorAt = device ? fresh.now : null
  const { result, change } = signIn(ports, fresh, user, origin, { member: newest, isGuarded, secondFactorAt })
  return accept<SignInResult | V>(
    result,
    unchangedUser(user),
    ...forgetTries(throttle),
    ...endSessions(surplus, fresh.now),
    change,
    ...(device ? [useTrustedDevice(device, fresh)] : []),
  )
}

/** Guards a new session against a simultaneous removal of the user or change of the password or factor. */
export const unchangedUser = ({ id, passwordHash, secondFactorAt }: User) =>
  check(users, id, all(eq('removedAt', null), eq('passwordHash', passwordHash), eq('secondFactorAt', secondFactorAt)))
