import { failure, left } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, secret } from '../../kernel/input/mod.ts'
import { check, eq } from '../../kernel/records/record.ts'
import { accept, type Fresh, readUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { throttleId } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts, isExisting } from '../accounts/account.ts'
import { notify } from '../inbox/inbox.ts'
import { ACTIVE_MEMBERSHIP, adminsOf, membershipOf, memberships } from '../members/membership.ts'
import { findClaim, findUserByEmail, userFields } from '../members/user.ts'
import { auditInAccount } from '../office.ts'
import type { Actor, Origin, PaymentsPorts } from '../payments-ports.ts'
import { loginThrottle, throttles, uncountTry } from './log-in.ts'
import {
  endSessions,
  KEY_TOKEN_SECONDS,
  openSession,
  type SignInResult,
  signInResult,
  surplusSession,
} from './session.ts'

/** The API key of an account and the e-mail of one of its members. */
export const apiKeyCredentials = input('KeyHolder', {
  email: userFields.email,
  apiKey: secret({ max: 255, wire: 'token', about: 'Chave de API da conta' }),
})
export type ApiKeyCredentials = InputOf<typeof apiKeyCredentials>

/**
 * The token has the permissions of the membership's role except `account:write` and `users:write`. Guesses count with
 * those at the login. A right key deletes only its own count: it does not prove the password.
 */
export const exchangeKey = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  return (submitted: ApiKeyCredentials, origin: Origin) =>
    withValidInput(ports, apiKeyCredentials, submitted, (credentials) =>
      useCaseOf<SignInResult>()((hooks) =>
        throttled(credentials.email, origin.address, (tryId) =>
          useCase(
            ports,
            (store) => readFacts(ports, store, credentials, throttleId(credentials.email, origin.address)),
            (facts, fresh) => decideExchange(ports, facts, { origin, tryId }, fresh),
          )(hooks),
        ),
      ),
    )
}

const findKeyAccount = async (
  { digest }: Pick<PaymentsPorts, 'digest'>,
  store: Store,
  apiKey: string,
): Promise<number | null> => {
  const claim = await findClaim(store, 'api-key', digest.sha256(apiKey))
  return typeof claim?.holder === 'number' ? claim.holder : null
}

const readFacts = async (
  ports: PaymentsPorts,
  store: Store,
  { email, apiKey }: DecodedOf<typeof apiKeyCredentials>,
  throttleKey: string,
) => {
  const accountId = await findKeyAccount(ports, store, apiKey)
  const user = await findUserByEmail(store, email)
  if (!user || accountId === null) return null
  return {
    user,
    ...(await store.read({
      throttle: byId(throttles, throttleKey),
      account: byId(accounts, accountId),
      membership: membershipOf(accountId, user.id),
      surplus: surplusSession(user.id, 'API key'),
      admins: adminsOf(accountId),
    })),
  }
}

const decideExchange = (
  { tokens }: Pick<PaymentsPorts, 'tokens'>,
  facts: Awaited<ReturnType<typeof readFacts>>,
  { origin, tryId }: { readonly origin: Origin; readonly tryId: string },
  fresh: Fresh,
) => {
  if (!facts || !isExisting(facts.account) || facts.membership?.status !== ACTIVE_MEMBERSHIP)
    return left(failure('unauthorized', 'key.wrong'))
  const { user, account, membership, throttle, surplus, admins } = facts
  const { id: userId, email } = user
  const { id: accountId } = account
  const { session, change: opened } = openSession(fresh, {
    userId,
    accountId,
    origin,
    passwordMark: null,
    lifeSeconds: KEY_TOKEN_SECONDS,
  })
  return accept(
    signInResult(tokens, session, user, membership.roleId),
    // A member who is deactivated or removed at the same moment gets no token.
    check(memberships, membership.id, eq('status', ACTIVE_MEMBERSHIP)),
    ...uncountTry(throttle, tryId, fresh),
    ...endSessions(surplus.records, fresh.now),
    opened,
    ...auditInAccount(fresh, { userId, origin }, accountId, 'key.exchanged', `session:${session.id}`),
    ...notify(fresh, admins.records, {
      accountId,
      type: 'key.exchanged',
      data: { user_id: userId, email, address: origin.address },
    }),
  )
}

/** The account of an API key and the user in whose name a program acts there. */
export interface ApiKeyAccount extends Pick<Actor, 'userId' | 'accountId'> {
  readonly name: string
}

/**
 * Finds the account of an API key for another program of the operator, which acts as the account's oldest active ADMIN.
 * Guesses are not counted: a key cannot be guessed.
 */
export const findByApiKey = (ports: Pick<PaymentsPorts, 'store' | 'digest'>) => (apiKey: string) =>
  readUseCase('key.wrong', async (): Promise<ApiKeyAccount | null> => {
    const { store } = ports
    const accountId = await findKeyAccount(ports, store, apiKey)
    if (accountId === null) return null
    const { account, admins } = await store.read({ account: byId(accounts, accountId), admins: adminsOf(accountId) })
    const admin = admins.records.at(-1)
    return isExisting(account) && admin ? { accountId, userId: admin.userId, name: account.name } : null
  })
