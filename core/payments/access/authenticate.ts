import { failure, isLeft, left } from '../../failure.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { accept, useCase, useCaseOf, withoutKeys } from '../../kernel/running/use-case.ts'
import { addSeconds, fromEpochSeconds, type Instant } from '../../kernel/values/day.ts'
import { isInNetworks } from '../../kernel/values/network.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { Claims } from '../../ports/identity.ts'
import { byId, byKey, type Listed, type Store } from '../../ports/store.ts'
import { type Account, accounts, isExisting, type ShownAccount, shownAccount } from '../accounts/account.ts'
import {
  ACTIVE_MEMBERSHIP,
  accountMemberships,
  type Membership,
  mayEnter,
  membershipOf,
  newestMemberships,
} from '../members/membership.ts'
import { type User, users } from '../members/user.ts'
import { type Actor, type Origin, type PaymentsPorts, type Person, permissionsOf } from '../payments-ports.ts'
import { environmentPrefix, KEY_PREFIX, keyStatusAt, type NamedKey, namedKeys } from './named-key.ts'
import { boundAccountOf, INVALID_TOKEN, isSessionValid, passwordFreshUntil, type Session, sessions } from './session.ts'

/** An authenticated person with their newest active memberships, so that finding their account takes one read. */
export interface Caller extends Person {
  readonly memberships: readonly Membership[]
  /** The account that the request probably acts in, read with the memberships; absent if none could be guessed. */
  readonly guess?: GuessedAccount
}

export interface GuessedAccount {
  readonly account: ShownAccount
  /** The time from which account and memberships are read again, because a slow body may have delayed the request. */
  readonly usableUntil: Instant
}

const GUESS_SECONDS = 1
const MAX_GUESSES = 10_000

/**
 * Returns the caller of a token, after one read, or of a named API key, after two. A token is valid while its session
 * is open and has issued no newer token.
 */
export const authenticate = (ports: PaymentsPorts) => {
  // The account of each session's newest membership at the last request: only a guess of what to read.
  const guesses = new Map<string, number>()
  const remember = (sid: string, accountId: number): void => {
    if (guesses.get(sid) === accountId) return
    guesses.set(sid, accountId)
    const [oldest] = guesses.size > MAX_GUESSES ? guesses.keys() : []
    if (oldest !== undefined) guesses.delete(oldest)
  }
  const callerOfKey = authenticateKey(ports)
  return (token: string | null, origin: Origin | null = null) =>
    withoutKeys(
      useCaseOf<Caller>()(async () => {
        if (token?.startsWith(KEY_PREFIX))
          return callerOfKey(token, origin, addSeconds(ports.clock.now(), GUESS_SECONDS))()
        const claims = token === null ? null : ports.tokens.read(token)
        const now = ports.clock.now()
        if (!claims || fromEpochSeconds(claims.exp) <= now) return left(INVALID_TOKEN)
        const { sid, acc } = claims
        const usableUntil = addSeconds(now, GUESS_SECONDS)
        const caller = await useCase(
          ports,
          (store) => readCallerFacts(store, claims, acc ?? guesses.get(sid) ?? null),
          (facts) => decideCaller(ports, facts, claims, origin, usableUntil),
        )()
        const newest = isLeft(caller) ? undefined : caller.right.memberships[0]
        if (newest && acc === undefined) remember(sid, newest.accountId)
        return caller
      }),
    )
}

interface CallerFacts {
  readonly session: Session | null
  readonly user: User | null
  readonly memberships: Listed<Membership>
  readonly account?: Account | null
}

const readCallerFacts = (store: Store, { sid, sub }: Claims, guessed: number | null): Promise<CallerFacts> => {
  const person = { session: byId(sessions, sid), user: byId(users, sub), memberships: newestMemberships(sub) }
  return guessed === null ? store.read(person) : store.read({ account: byId(accounts, guessed), ...person })
}

export const decideCaller = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { session, user, memberships, account = null }: CallerFacts,
  { sub, sid, jti, acc }: Claims,
  origin: Origin | null = null,
  usableUntil: Instant | null = null,
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
    ...(session.passwordRecentUntil !== null && { passwordRecentUntil: session.passwordRecentUntil }),
    ...(boundTo === null && { passwordFreshUntil: passwordFreshUntil(session) }),
    ...(session.secondFactorAt !== null && { hasSecondFactor: true }),
    ...(account && usableUntil !== null && { guess: { account: shownAccount(account), usableUntil } }),
    origin,
  })
}

const REVOKED = failure('unauthorized', 'api-key.revoked')
const EXPIRED = failure('unauthorized', 'api-key.expired')
const WRONG_ADDRESS = failure('unauthorized', 'api-key.address')

/** The shortest time between two stored uses of a key. */
const USE_SECONDS = 60
const MAX_USES = 10_000

/**
 * Returns the caller of a named key: its maker, limited to the key's account and permissions. The key is found by its
 * digest, so that a wrong key and an unknown one take one read of equal cost. Every use reads the key and the
 * membership of its maker: a revocation or a change of role counts from the next request on, in every process.
 */
const authenticateKey = (ports: PaymentsPorts) => {
  const storeUse = useRecorder(ports)
  return (text: string, origin: Origin | null, usableUntil: Instant) =>
    useCase(
      ports,
      (store) => readKeyFacts(store, ports.digest.sha256(text)),
      (facts, { steady }) => {
        if (!facts || !text.startsWith(environmentPrefix(ports.settings))) return left(INVALID_TOKEN)
        const { key, user, account, membership } = facts
        const isMember = user?.removedAt === null && membership?.status === ACTIVE_MEMBERSHIP
        if (key.revokedAt !== null || !isMember || !isExisting(account)) return left(REVOKED)
        if (keyStatusAt(key, steady) === 'expired') return left(EXPIRED)
        if (key.addresses.length > 0 && !isInNetworks(key.addresses, origin?.address ?? '')) return left(WRONG_ADDRESS)
        storeUse(key, origin, steady)
        const { accountId, createdBy: userId, permissions: keyPermissions } = key
        return accept({
          userId,
          sessionId: `api-key:${key.id}`,
          tokenAccountId: accountId,
          boundTo: accountId,
          keyPermissions,
          memberships: [membership],
          guess: { account: shownAccount(account), usableUntil },
          origin,
        })
      },
    )
}

const readKeyFacts = async (store: Store, secretHash: string) => {
  const key = await store.find(byKey(namedKeys, 'secret', secretHash))
  if (!key) return null
  const { accountId, createdBy } = key
  const rest = await store.read({
    user: byId(users, createdBy),
    account: byId(accounts, accountId),
    membership: membershipOf(accountId, createdBy),
  })
  return { key, ...rest }
}

/**
 * Stores the last use of a key; the request neither waits for it nor fails with it. The guard keeps two processes from
 * storing the use of one minute twice.
 */
const useRecorder = ({ store }: Pick<PaymentsPorts, 'store'>) => {
  const attempts = new Map<number, Instant>()
  return ({ id, lastUsedAt }: NamedKey, origin: Origin | null, now: Instant): void => {
    const last = [lastUsedAt ?? '', attempts.get(id) ?? ''].sort().at(-1)
    if (last && now < addSeconds(last, USE_SECONDS)) return
    if (attempts.size >= MAX_USES) attempts.clear()
    attempts.set(id, now)
    const set = { lastUsedAt: now, lastUsedAddress: origin?.address ?? null }
    store.commit([patch(namedKeys, id, { set, when: eq('lastUsedAt', lastUsedAt) })]).catch(() => {})
  }
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
  /** True if the request or the token names an account; then no other account is used instead. */
  readonly isRequested: boolean
  readonly account: ShownAccount | null
  readonly membership: Membership | null
}

export const UNKNOWN_ORGANIZATION = failure('not-found', 'organization.unknown')

/** A token issued for an API key opens only the account of the key. */
export const resolveAccount =
  (ports: PaymentsPorts) => (caller: Caller, requested: RequestedAccount, generation: Generation) =>
    withoutKeys(
      useCase(
        ports,
        () => readAccountFacts(ports, caller, requested),
        (facts) => decideAccount(facts, caller, generation),
      ),
    )

const readAccountFacts = async (
  { store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>,
  caller: Caller,
  { account, organization }: RequestedAccount,
): Promise<AccountFacts> => {
  const { guess } = caller
  const guessed = guess && clock.now() < guess.usableUntil ? guess.account : null
  if (account !== null) return readById(store, caller, guessed, parseId(account))
  if (organization !== null) return readByUuid(store, caller, guessed, organization.toLowerCase())
  const ofToken = caller.boundTo ?? caller.tokenAccountId
  if (ofToken !== null) return readById(store, caller, guessed, ofToken)
  // Usually the account of the newest membership is not removed, and no other account is read.
  const [membership] = caller.memberships
  const newest = membership && (await readShown(store, guessed, membership.accountId))
  if (membership && newest?.removedAt === null) return { account: newest, membership, isRequested: false }
  for await (const each of accountMemberships(store, caller.userId, caller.memberships))
    return { account: shownAccount(each.account), membership: each.membership, isRequested: false }
  return { account: null, membership: null, isRequested: false }
}

const shown = (account: Account | null): ShownAccount | null => account && shownAccount(account)

const readShown = async (store: Store, guessed: ShownAccount | null, id: number): Promise<ShownAccount | null> =>
  guessed?.id === id ? guessed : shown(await store.find(byId(accounts, id)))

const readById = async (
  store: Store,
  caller: Caller,
  guessed: ShownAccount | null,
  id: number | null,
): Promise<AccountFacts> => {
  if (id === null) return NOT_FOUND
  const known = guessed?.id === id && membershipIn(caller, id)
  if (known) return { account: guessed, membership: known, isRequested: true }
  const { account, membership } = await store.read({
    account: byId(accounts, id),
    membership: membershipOf(id, caller.userId),
  })
  return { account: shown(account), membership, isRequested: true }
}

const NOT_FOUND: AccountFacts = { account: null, membership: null, isRequested: true }

const readByUuid = async (
  store: Store,
  caller: Caller,
  guessed: ShownAccount | null,
  uuid: string,
): Promise<AccountFacts> => {
  const account = guessed?.uuid === uuid ? guessed : shown(await store.find(byKey(accounts, 'uuid', uuid)))
  if (!account) return NOT_FOUND
  const membership = membershipIn(caller, account.id) ?? (await store.find(membershipOf(account.id, caller.userId)))
  return { account, membership, isRequested: true }
}

const membershipIn = ({ memberships }: Caller, id: number) => memberships.find(({ accountId }) => accountId === id)

/** Checks that the caller may act in the account. Permissions come from the present role and the kind of token. */
const decideAccount = (
  { account, membership, isRequested }: AccountFacts,
  caller: Omit<Caller, 'memberships'>,
  generation: Generation,
) => {
  const { userId, boundTo, keyPermissions = null, passwordRecentUntil = null, origin = null } = caller
  const { passwordFreshUntil = null } = caller
  if (!isRequested && !account) return left(failure('not-found', 'organization.none'))
  const isOpen = membership?.status === ACTIVE_MEMBERSHIP && (boundTo === null || boundTo === account?.id)
  if ((!account || !isOpen) && generation === 'legacy') return left(failure('forbidden', 'account.foreign'))
  if (!isOpen || account?.removedAt !== null) return left(UNKNOWN_ORGANIZATION)
  if (!mayEnter(account, caller)) return left(failure('forbidden', 'second-factor.none'))
  const { roleId } = membership
  return accept<Member>({
    userId,
    accountId: account.id,
    roleId,
    permissions: permissionsOf(roleId, boundTo, keyPermissions),
    boundTo,
    account,
    passwordRecentUntil,
    passwordFreshUntil,
    ...(caller.hasSecondFactor && { hasSecondFactor: true }),
    origin,
  })
}
