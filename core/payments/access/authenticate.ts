import { failure, left } from '../../failure.ts'
import { accept, useCase, useCaseOf, withoutKeys } from '../../kernel/running/use-case.ts'
import { fromEpochSeconds } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { Origin } from '../../office/audit.ts'
import type { Claims } from '../../ports/identity.ts'
import { byId, byKey, type Listed, type Store } from '../../ports/store.ts'
import { type Account, accounts, isExisting, type ShownAccount, shownAccount } from '../accounts/account.ts'
import {
  ACTIVE_MEMBERSHIP,
  accountMemberships,
  type Membership,
  memberKey,
  memberships,
  newestMemberships,
} from '../members/membership.ts'
import { type User, users } from '../members/user.ts'
import { type Actor, type PaymentsPorts, type Person, permissionsOf } from '../payments-ports.ts'
import { boundAccountOf, INVALID_TOKEN, isSessionValid, type Session, sessions } from './session.ts'

/** An authenticated person with their newest active memberships, so that finding their account takes one read. */
export interface Caller extends Person {
  readonly memberships: readonly Membership[]
}

/**
 * Returns the caller of a token, after one read. A token is valid while its session is open and has issued no newer
 * token.
 */
export const authenticate =
  (ports: PaymentsPorts) =>
  (token: string | null, origin: Origin | null = null) =>
    withoutKeys(
      useCaseOf<Caller>()(async () => {
        const claims = token === null ? null : ports.tokens.read(token)
        if (!claims || fromEpochSeconds(claims.exp) <= ports.clock.now()) return left(INVALID_TOKEN)
        return useCase(
          ports,
          (store) =>
            store.read({
              session: byId(sessions, claims.sid),
              user: byId(users, claims.sub),
              memberships: newestMemberships(claims.sub),
            }),
          (facts) => decideCaller(ports, facts, claims, origin),
        )()
      }),
    )

export const decideCaller = (
  ports: Pick<PaymentsPorts, 'digest'>,
  {
    session,
    user,
    memberships,
  }: { readonly session: Session | null; readonly user: User | null; readonly memberships: Listed<Membership> },
  { sub, sid, jti, acc }: Claims,
  origin: Origin | null = null,
) => {
  const isGood = session?.userId === sub && session.jti === jti && session.endedAt === null
  if (!isGood || !isSessionValid(ports, session, user)) return left(INVALID_TOKEN)
  const boundTo = boundAccountOf(session)
  return accept<Caller>({
    userId: sub,
    sessionId: sid,
    tokenAccountId: acc ?? null,
    boundTo,
    memberships: memberships.records,
    origin,
  })
}

/** The account that a request names; `account` takes precedence over `organization`. */
export interface RequestedAccount {
  /** An account id, from the header `X-Account-Id` or the parameter `account`. */
  readonly account: string | null
  /** A uuid, from the header `X-Organization-Id` or the parameter `organization`. */
  readonly organization: string | null
}

/** A person who acts in an account, with the account at the time of the request. */
export interface Member extends Actor {
  readonly account: ShownAccount
  /** This account if the token was issued for its API key; null after a sign-in with a password. */
  readonly boundTo: number | null
}

/** The generation of the API: v1 rejects an account of others with 404, legacy with 403. */
export type Generation = 'v1' | 'legacy'

interface AccountFacts {
  /** Reports whether the request or the token names an account; no other account is used instead. */
  readonly isRequested: boolean
  readonly account: Account | null
  readonly membership: Membership | null
}

export const UNKNOWN_ORGANIZATION = failure('not-found', 'organization.unknown')

/** A token issued for an API key opens only the account of the key. */
export const resolveAccount =
  (ports: PaymentsPorts) => (caller: Caller, requested: RequestedAccount, generation: Generation) =>
    withoutKeys(
      useCase(
        ports,
        (store) => readAccountFacts(store, caller, requested),
        (facts) => decideAccount(facts, caller, generation),
      ),
    )

const readAccountFacts = async (
  store: Store,
  caller: Caller,
  { account, organization }: RequestedAccount,
): Promise<AccountFacts> => {
  if (account !== null) return readById(store, caller, parseId(account))
  if (organization !== null) return readByUuid(store, caller, organization)
  const ofToken = caller.boundTo ?? caller.tokenAccountId
  if (ofToken !== null) return readById(store, caller, ofToken)
  // Usually the account of the newest membership is not removed, and no other account is read.
  const [membership] = caller.memberships
  const newest = membership && (await store.find(byId(accounts, membership.accountId)))
  if (membership && newest?.removedAt === null) return { account: newest, membership, isRequested: false }
  for await (const each of accountMemberships(store, caller.userId, caller.memberships))
    return { ...each, isRequested: false }
  return { account: null, membership: null, isRequested: false }
}

const readById = async (store: Store, { userId }: Caller, id: number | null): Promise<AccountFacts> => {
  if (id === null) return NOT_FOUND
  const membership = byKey(memberships, 'member', memberKey(id, userId))
  return { ...(await store.read({ account: byId(accounts, id), membership })), isRequested: true }
}

const NOT_FOUND: AccountFacts = { account: null, membership: null, isRequested: true }

const readByUuid = async (store: Store, caller: Caller, uuid: string): Promise<AccountFacts> => {
  const account = await store.find(byKey(accounts, 'uuid', uuid.toLowerCase()))
  if (!account) return NOT_FOUND
  const known = caller.memberships.find(({ accountId }) => accountId === account.id)
  const membership = known ?? (await store.find(byKey(memberships, 'member', memberKey(account.id, caller.userId))))
  return { account, membership, isRequested: true }
}

/**
 * Checks that the caller may act in the account. Permissions come from the membership's present role and the kind of
 * token.
 */
const decideAccount = (
  { account, membership, isRequested }: AccountFacts,
  { userId, boundTo, origin = null }: Pick<Caller, 'userId' | 'boundTo' | 'origin'>,
  generation: Generation,
) => {
  if (!isRequested && !account) return left(failure('not-found', 'organization.none'))
  const isOpen = membership?.status === ACTIVE_MEMBERSHIP && (boundTo === null || boundTo === account?.id)
  if ((!account || !isOpen) && generation === 'legacy') return left(failure('forbidden', 'account.foreign'))
  if (!isOpen || !isExisting(account)) return left(UNKNOWN_ORGANIZATION)
  const { roleId } = membership
  return accept<Member>({
    userId,
    accountId: account.id,
    roleId,
    permissions: permissionsOf(roleId, boundTo),
    boundTo,
    account: shownAccount(account),
    origin,
  })
}
