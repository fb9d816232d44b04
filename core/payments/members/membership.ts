import { id, oneOf, storedTypes, timestamp } from '../../kernel/input/mod.ts'
import { all, type Collection, eq, not, record, t, type Where } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { foldLines } from '../../kernel/values/text.ts'
import { byId, byKey, type Find, type List, listOf, NEWEST_FIRST, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { ADMIN, API, type Person } from '../payments-ports.ts'
import type { User } from './user.ts'

/** 1 active, 0 inactive: an inactive membership opens nothing. */
const STATUSES: readonly number[] = [0, 1]

/** The fields of a membership, without its role. */
export const membershipFields = {
  id: id({ about: 'Identificador do vínculo' }),
  userId: id({ about: 'Usuário' }),
  accountId: id({ about: 'Conta' }),
  status: oneOf(STATUSES, { about: '1 ativo, 0 inativo' }),
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
}

const membership = record({
  ...storedTypes(membershipFields),
  roleId: t.number,
  /** Folded: the user's name, e-mail and document. */
  search: t.string,
})

/** The role of a user in an account. */
export type Membership = t.TypeOf<typeof membership>

export const memberships: Collection<Membership> = {
  name: 'payments.memberships',
  ids: 'integer',
  codec: membership,
  owner: null,
  conditions: { active: eq('status', 1) },
  keys: { member: ({ accountId, userId }) => memberKey(accountId, userId) },
  indexes: [
    { eq: 'userId', sort: 'createdAt', when: 'active' },
    { eq: 'userId', sort: 'createdAt' },
    { eq: 'accountId', sort: 'createdAt', acrossOwners: true, search: 'search' },
  ],
  tallies: [{ by: ['accountId'], sum: [] }],
}

/** Builds the search text, in lines so that a search does not match across two fields. */
export const membershipSearch = ({ name, email, document }: Pick<User, 'name' | 'email' | 'document'>): string =>
  foldLines([name, email, document])

export const newMembership = (
  fresh: Fresh,
  user: Pick<User, 'id' | 'name' | 'email' | 'document'>,
  role: Pick<Membership, 'accountId' | 'roleId'>,
): Membership => ({
  id: fresh.id(memberships),
  userId: user.id,
  ...role,
  status: 1,
  search: membershipSearch(user),
  createdAt: fresh.now,
  updatedAt: fresh.now,
})

export const memberKey = (accountId: number, userId: number): string => `${accountId}|${userId}`

/** Queries the membership of a user in an account, of any status. */
export const membershipOf = (accountId: number, userId: number): Find<Membership> =>
  byKey(memberships, 'member', memberKey(accountId, userId))

export const ACTIVE_MEMBERSHIP = 1

/** The size of a slice, which is enough for nearly every user. */
const MEMBERSHIPS_AT_ONCE = 20

const MAX_MEMBERSHIPS = 500

/** A user's memberships of any status, newest first. */
export const allMemberships = (userId: number): List<Membership> =>
  listOf(memberships, { where: eq('userId', userId), sort: NEWEST_FIRST, limit: MAX_MEMBERSHIPS })

/** A user's active memberships, newest first. */
export const newestMemberships = (userId: number, offset = 0): List<Membership> =>
  listOf(memberships, {
    where: eq('userId', userId),
    when: 'active',
    sort: NEWEST_FIRST,
    limit: MEMBERSHIPS_AT_ONCE,
    offset,
  })

/** A membership with its account. */
interface AccountMembership {
  readonly membership: Membership
  readonly account: Account
}

/** Adds the accounts to memberships, in order, and drops those of removed accounts. */
export const withAccounts = async (
  store: Store,
  memberships: readonly Membership[],
): Promise<readonly AccountMembership[]> => {
  const finds = memberships.map(({ accountId }): [string, Find<Account>] => [`${accountId}`, byId(accounts, accountId)])
  const found = await store.read(Object.fromEntries(finds))
  return memberships.flatMap((membership) => {
    const account = found[`${membership.accountId}`]
    return account && account.removedAt === null ? [{ membership, account }] : []
  })
}

/** Yields a user's accounts, newest membership first; `first` are the newest memberships, if already read. */
export async function* accountMemberships(
  store: Store,
  userId: number,
  first?: readonly Membership[],
): AsyncIterable<AccountMembership> {
  let memberships = first ?? (await store.list(newestMemberships(userId))).records
  for (let offset = MEMBERSHIPS_AT_ONCE; ; offset += MEMBERSHIPS_AT_ONCE) {
    yield* await withAccounts(store, memberships)
    if (memberships.length < MEMBERSHIPS_AT_ONCE) return
    memberships = (await store.list(newestMemberships(userId, offset))).records
  }
}

/**
 * Reports whether a session may act in an account: one that requires the second factor of its members is closed to a
 * session without it. The token of an API key acts for a program, and confirms no withdrawal that requires the factor.
 */
export const mayEnter = (
  { requiresSecondFactor }: Pick<Account, 'requiresSecondFactor'>,
  { boundTo, hasSecondFactor = false }: Pick<Person, 'boundTo' | 'hasSecondFactor'>,
): boolean => requiresSecondFactor !== true || hasSecondFactor || boundTo !== null

/** A caller; `memberships` are the newest ones, if already read. */
type MembershipHolder = Pick<Person, 'userId' | 'boundTo'> & { readonly memberships?: readonly Membership[] }

/** Yields the memberships that a caller's token opens: all, or the one that it is bound to. */
export async function* accessibleMemberships(
  store: Store,
  { userId, boundTo, memberships }: MembershipHolder,
): AsyncIterable<AccountMembership> {
  for await (const each of accountMemberships(store, userId, memberships)) {
    if (boundTo === null || each.account.id === boundTo) yield each
  }
}

/** Lists the memberships that a caller's token opens; a caller has few enough to read them all. */
export const listAccessible = async (store: Store, holder: MembershipHolder): Promise<readonly AccountMembership[]> => {
  const found: AccountMembership[] = []
  for await (const each of accessibleMemberships(store, holder)) found.push(each)
  return found
}

/** The limit of notified users of an account, newest first. */
const MAX_NOTIFIED = 200

const activeOf = (accountId: number, isRole: Where<keyof Membership & string>): List<Membership> =>
  listOf(memberships, {
    where: all(eq('accountId', accountId), isRole, eq('status', ACTIVE_MEMBERSHIP)),
    sort: NEWEST_FIRST,
    limit: MAX_NOTIFIED,
  })

/** The active memberships to notify about an account, without API users. */
export const teamOf = (accountId: number): List<Membership> => activeOf(accountId, not(eq('roleId', API.id)))

/** The active memberships of an account's ADMINs. */
export const adminsOf = (accountId: number): List<Membership> => activeOf(accountId, eq('roleId', ADMIN.id))
