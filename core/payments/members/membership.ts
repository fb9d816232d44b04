import { t } from '../../fp.ts'
import { id, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { storedTypes } from '../../kernel/input/table.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { foldLines } from '../../kernel/values/text.ts'
import type { User } from './user.ts'

/** 1 active, 0 inactive: an inactive membership opens nothing. */
const STATUSES: readonly number[] = [0, 1]

/** What is known of a membership, but for its role. Source: 01-access.md, Legacy account-user membership. */
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

/** That a user works in an account, with a role: v1's users of an organization and legacy's account-user memberships alike. */
export type Membership = t.TypeOf<typeof membership>

export const memberships: Collection<Membership> = {
  name: 'payments.memberships',
  ids: 'integer',
  codec: membership,
  owner: null,
  conditions: { active: eq('status', 1) },
  keys: { member: (membership) => `${membership.accountId}|${membership.userId}` },
  // Read from both ends: a person's accounts, an account's people.
  indexes: [
    { eq: 'userId', sort: 'createdAt', when: 'active' },
    { eq: 'userId', sort: 'createdAt' },
    { eq: 'accountId', sort: 'createdAt', acrossOwners: true, search: 'search' },
  ],
  tallies: [{ by: ['accountId'], sum: [] }],
}

/** What a membership is found by. Lines, so that a search never matches across two fields. */
export const membershipSearch = ({ name, email, document }: Pick<User, 'name' | 'email' | 'document'>): string =>
  foldLines([name, email, document])

/** A membership of a user that opens an account. */
export const newMembership = (
  fresh: Fresh,
  user: Pick<User, 'id' | 'name' | 'email' | 'document'>,
  { accountId, roleId }: Pick<Membership, 'accountId' | 'roleId'>,
): Membership => ({
  id: fresh.id(memberships),
  userId: user.id,
  accountId,
  roleId,
  status: 1,
  search: membershipSearch(user),
  createdAt: fresh.now,
  updatedAt: fresh.now,
})

export const memberKey = (accountId: number, userId: number): string => `${accountId}|${userId}`
