import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { accept, useCase, useCaseOf, withoutKeys } from '../../kernel/running/use-case.ts'
import { fromEpochSeconds } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { Origin } from '../../office/audit.ts'
import type { Claims } from '../../ports/identity.ts'
import { byId, byKey, type Listed, type Store } from '../../ports/store.ts'
import { type Account, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { type Actor, type Person, permissionsOf } from '../actor.ts'
import {
  ACTIVE_MEMBERSHIP,
  accountMemberships,
  type Membership,
  memberKey,
  memberships,
  newestMemberships,
} from '../members/membership.ts'
import { type User, users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { boundAccountOf, isSessionValid, type Session, sessions } from './session.ts'

/** Somebody who calls, with their newest active memberships: whose account it is about is then one read away. */
export interface Caller extends Person {
  readonly memberships: readonly Membership[]
}

interface CallerFacts {
  readonly session: Session | null
  readonly user: User | null
  readonly memberships: Listed<Membership>
}

const INVALID_TOKEN = failure('unauthorized', 'token.invalid')

/**
 * Who a token speaks for, in one read: a token is good while its session is alive and it is the session's present one.
 * What the caller does is audited with the origin that is told here.
 * Fails: `token.invalid`, whatever is wrong with it. Source: 01-access.md, Authentication; decisions.md §1.
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

/** Whether the session that a sound token names is alive, still its user's, and gave that token last. */
export const decideCaller = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { session, user, memberships }: CallerFacts,
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

/** What a request itself says about whose account it is for; the account comes before the organization. */
export interface RequestedAccount {
  /** Of `X-Account-Id` or `account`: an account id. */
  readonly account: string | null
  /** Of `X-Organization-Id` or `organization`: a uuid. */
  readonly organization: string | null
}

/** Somebody who acts in an account, with the account as it stood when they asked. */
export interface Member extends Actor {
  readonly account: ShownAccount
  /** This account, where their token was given for its API key; null for who signed in themselves. */
  readonly boundTo: number | null
}

/** How a generation of the API refuses an account that is not the caller's. */
export type Generation = 'v1' | 'legacy'

interface AccountFacts {
  /** Whether the request or its token names an account: another one is never taken for it. */
  readonly isRequested: boolean
  readonly account: Account | null
  readonly membership: Membership | null
}

/**
 * The account that a request acts in: the one it names, else the token's, else the caller's newest. To a token that is bound
 * to its account every other one is foreign, whoever works there.
 * Fails: `organization.none`; `organization.unknown` for a removed one, and on v1 for a foreign one; `account.foreign`
 * on legacy. Source: decisions.md §1, Active account; §12, Context and sessions.
 */
export const resolveAccount =
  (ports: PaymentsPorts) => (caller: Caller, named: RequestedAccount, generation: Generation) =>
    withoutKeys(
      useCase(
        ports,
        (store) => readAccountFacts(store, caller, named),
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
  // Nearly always it is the newest, and nobody else's account is looked at.
  const [membership] = caller.memberships
  const newest = membership && (await store.find(byId(accounts, membership.accountId)))
  if (membership && newest?.removedAt === null) return { account: newest, membership, isRequested: false }
  for await (const each of accountMemberships(store, caller.userId, caller.memberships))
    return { ...each, isRequested: false }
  return { account: null, membership: null, isRequested: false }
}

const readById = async (store: Store, { userId }: Caller, id: number | null): Promise<AccountFacts> => {
  if (id === null) return { account: null, membership: null, isRequested: true }
  const membership = byKey(memberships, 'member', memberKey(id, userId))
  return { ...(await store.read({ account: byId(accounts, id), membership })), isRequested: true }
}

const readByUuid = async (store: Store, caller: Caller, uuid: string): Promise<AccountFacts> => {
  const account = await store.find(byKey(accounts, 'uuid', uuid.toLowerCase()))
  if (!account) return { account, membership: null, isRequested: true }
  const known = caller.memberships.find(({ accountId }) => accountId === account.id)
  const membership = known ?? (await store.find(byKey(memberships, 'member', memberKey(account.id, caller.userId))))
  return { account, membership, isRequested: true }
}

/** Whether the caller may act there, and with what permissions: those that the membership's role gives now, to their token. */
export const decideAccount = (
  { account, membership, isRequested: named }: AccountFacts,
  { userId, boundTo, origin = null }: Pick<Caller, 'userId' | 'boundTo' | 'origin'>,
  generation: Generation,
) => {
  if (!named && !account) return left(failure('not-found', 'organization.none'))
  const isOpen = membership?.status === ACTIVE_MEMBERSHIP && (boundTo === null || boundTo === account?.id)
  if (!account || !isOpen) {
    const isV1 = generation === 'v1'
    return left(isV1 ? failure('not-found', 'organization.unknown') : failure('forbidden', 'account.foreign'))
  }
  if (account.removedAt !== null) return left(failure('not-found', 'organization.unknown'))
  const { roleId } = membership
  const permissions = permissionsOf(roleId, boundTo)
  return accept<Member>({
    userId,
    accountId: account.id,
    roleId,
    permissions,
    boundTo,
    account: shownAccount(account),
    origin,
  })
}
