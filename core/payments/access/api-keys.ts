import { failure, left } from '../../failure.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { secret } from '../../kernel/input/scalars.ts'
import { check, eq } from '../../kernel/records/record.ts'
import { accept, type Fresh, readUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { type Throttle, throttleId } from '../../office/throttle.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { claimId, claims } from '../claim.ts'
import { notify } from '../inbox/inbox.ts'
import { ACTIVE_MEMBERSHIP, adminsOf, type Membership, memberKey, memberships } from '../members/membership.ts'
import { findUserByEmail, type User, userFields } from '../members/user.ts'
import { recordAudit } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { loginThrottle, throttles, uncountTry } from './log-in.ts'
import {
  endSessions,
  KEY_TOKEN_SECONDS,
  openSession,
  type Session,
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

interface Facts {
  readonly throttle: Throttle | null
  readonly user: User | null
  readonly account: Account | null
  readonly membership: Membership | null
  readonly surplus: readonly Session[]
  /** The memberships that are notified. */
  readonly admins: readonly Membership[]
}

const WRONG_KEY = failure('unauthorized', 'key.wrong')

/**
 * Signs a program in for ten minutes, by a member's e-mail and the account's API key. The token cannot be refreshed,
 * opens only this account, and has the permissions of the membership's role except `account:write` and `users:write`.
 * Guesses count with those at the login. A right key deletes only its own count: it does not prove the password. Each
 * use is audited and notified to the account's ADMINs.
 * Fails: `fields`, `key.wrong` for a wrong key, e-mail or membership, `login.throttled`.
 */
export const exchangeKey = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  return (submitted: ApiKeyCredentials, origin: Origin) =>
    withValidInput(ports, apiKeyCredentials, submitted, (credentials) =>
      useCaseOf<SignInResult>()((hooks) =>
        throttled(credentials.email, origin.address, (own) =>
          useCase(
            ports,
            (store) => readFacts(ports, store, credentials, throttleId(credentials.email, origin.address)),
            (facts, fresh) => decideExchange(ports, facts, { origin, own }, fresh),
          )(hooks),
        ),
      ),
    )
}

const readFacts = async (
  { digest }: PaymentsPorts,
  store: Store,
  { email, apiKey }: DecodedOf<typeof apiKeyCredentials>,
  throttleKey: string,
): Promise<Facts> => {
  const { throttle, claim } = await store.read({
    throttle: byId(throttles, throttleKey),
    claim: byId(claims, claimId('api-key', digest.sha256(apiKey))),
  })
  const user = await findUserByEmail(store, email)
  if (!user || typeof claim?.holder !== 'number')
    return { throttle, user, account: null, membership: null, surplus: [], admins: [] }
  const found = await store.read({
    account: byId(accounts, claim.holder),
    membership: byKey(memberships, 'member', memberKey(claim.holder, user.id)),
  })
  const { surplus, admins } = await store.read({
    surplus: surplusSession(user.id, 'API key'),
    admins: adminsOf(claim.holder),
  })
  return { throttle, user, ...found, surplus: surplus.records, admins: admins.records }
}

const decideExchange = (
  { tokens }: Pick<PaymentsPorts, 'tokens'>,
  { throttle, user, account, membership, surplus, admins }: Facts,
  { origin, own }: { readonly origin: Origin; readonly own: string },
  fresh: Fresh,
) => {
  if (!user || !account || account.removedAt !== null || membership?.status !== ACTIVE_MEMBERSHIP)
    return left(WRONG_KEY)
  const { id: userId, email } = user
  const { id: accountId } = account
  const { address } = origin
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
    ...uncountTry(throttle, own, fresh),
    ...endSessions(surplus, fresh.now),
    opened,
    ...recordAudit(
      fresh,
      { userId, origin },
      { chain: `account:${accountId}`, action: 'key.exchanged', subject: `session:${session.id}` },
    ),
    ...notify(fresh, admins, { accountId, type: 'key.exchanged', data: { user_id: userId, email, address } }),
  )
}

/** The account of an API key and the user in whose name a program acts there. */
export interface ApiKeyAccount extends Pick<Actor, 'userId' | 'accountId'> {
  readonly name: string
}

/**
 * Finds the account of an API key for another program of the operator, which acts as the account's oldest active ADMIN.
 * Guesses are not counted: a key cannot be guessed. Fails: `key.wrong`, also for the key of a removed account.
 */
export const findByApiKey =
  ({ store, digest }: Pick<PaymentsPorts, 'store' | 'digest'>) =>
  (apiKey: string) =>
    readUseCase('key.wrong', async (): Promise<ApiKeyAccount | null> => {
      const claim = await store.find(byId(claims, claimId('api-key', digest.sha256(apiKey))))
      if (typeof claim?.holder !== 'number') return null
      const { account, admins } = await store.read({
        account: byId(accounts, claim.holder),
        admins: adminsOf(claim.holder),
      })
      const admin = admins.records.at(-1)
      if (!account || account.removedAt !== null || !admin) return null
      return { accountId: account.id, userId: admin.userId, name: account.name }
    })
