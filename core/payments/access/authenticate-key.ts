import { failure, left } from '../../failure.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { isInNetworks } from '../../kernel/values/network.ts'
import type { Origin } from '../../office/audit.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, isExisting, shownAccount } from '../accounts/account.ts'
import { ACTIVE_MEMBERSHIP, type Membership, memberKey, memberships } from '../members/membership.ts'
import { type User, users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { environmentPrefix, keyStatusAt, type NamedKey, namedKeys } from './named-key.ts'
import { INVALID_TOKEN } from './session.ts'

const REVOKED = failure('unauthorized', 'api-key.revoked')
const EXPIRED = failure('unauthorized', 'api-key.expired')
const WRONG_ADDRESS = failure('unauthorized', 'api-key.address')

/** The shortest time between two stored uses of a key. */
const USE_SECONDS = 60
const MAX_USES = 10_000

interface KeyFacts {
  readonly key: NamedKey
  readonly user: User | null
  readonly account: Account | null
  readonly membership: Membership | null
}

/**
 * Returns the caller of a named key: its maker, limited to the key's account and permissions. The key is found by its
 * digest, so that a wrong key and an unknown one take one read of equal cost. Every use reads the key and the membership of
 * its maker: a revocation or a change of role counts from the next request on, in every process.
 */
export const authenticateKey = (ports: PaymentsPorts) => {
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

const readKeyFacts = async (store: Store, secretHash: string): Promise<KeyFacts | null> => {
  const key = await store.find(byKey(namedKeys, 'secret', secretHash))
  if (!key) return null
  const { accountId, createdBy } = key
  const rest = await store.read({
    user: byId(users, createdBy),
    account: byId(accounts, accountId),
    membership: byKey(memberships, 'member', memberKey(accountId, createdBy)),
  })
  return { key, ...rest }
}

/**
 * Stores the last use of a key beside the request, which neither waits for it nor fails with it. The guard keeps two
 * processes from storing the use of one minute twice.
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
