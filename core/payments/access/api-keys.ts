import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { secret } from '../../kernel/input/texts.ts'
import { check } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, readUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { type Throttle, throttleId } from '../../office/throttle.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { claimId, claims } from '../claim.ts'
import { ACTIVE_MEMBERSHIP, adminsOf, type Membership, memberKey, memberships } from '../members/membership.ts'
import { findUserByEmail, type User, userFields } from '../members/user.ts'
import { notify, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
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

/** An account's API key, and the e-mail of somebody who works there. */
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
  /** Who is told of it. */
  readonly admins: readonly Membership[]
}

const WRONG_KEY = failure('unauthorized', 'key.wrong')

/**
 * Signs a program in by its e-mail and the account's API key, for ten minutes and no longer: its token cannot be refreshed,
 * opens this account and no other, and carries of its membership's role neither `account:write` nor `users:write`.
 * A guess is counted with those at the login, and a right one gives back no more than itself: who knows the key has not
 * shown the password. Each use is audited, and the account's ADMINs are told in the app.
 * Fails: `fields`, `key.wrong` (e-mail, key or membership, whichever), `login.throttled`.
 * Source: 01-access.md, POST /access/account/get-token; decisions.md §1 and §12.
 */
export const exchangeKey = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  return (given: ApiKeyCredentials, origin: Origin) =>
    withValidInput(ports, apiKeyCredentials, given, (holder) =>
      useCaseOf<SignInResult>()((hooks) =>
        throttled(holder.email, origin.address, (own) =>
          useCase(
            ports,
            (store) => readFacts(ports, store, holder, throttleId(holder.email, origin.address)),
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
  const place = await store.read({
    account: byId(accounts, claim.holder),
    membership: byKey(memberships, 'member', memberKey(claim.holder, user.id)),
  })
  const { surplus, admins } = await store.read({
    surplus: surplusSession(user.id, 'API key'),
    admins: adminsOf(claim.holder),
  })
  return { throttle, user, ...place, surplus: surplus.records, admins: admins.records }
}

export const decideExchange = (
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
    // Whoever is let go of just now gets no token any more.
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

/** The account of an API key, and in whose name a program acts there. */
export interface ApiKeyAccount extends Pick<Actor, 'userId' | 'accountId'> {
  readonly name: string
}

/**
 * The account of an API key, for a program of the same house: what it does there is done by its longest-standing ADMIN. No guess is
 * counted, since nobody guesses a key.
 * Fails: `key.wrong` (a removed account's, too).
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
