import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/collection.ts'
import { record } from '../../kernel/record.ts'
import { eq } from '../../kernel/where.ts'

const membership = record({
  id: t.number,
  userId: t.number,
  accountId: t.number,
  roleId: t.number,
  /** 1 active, 0 inactive: an inactive link opens nothing. */
  status: t.number,
  createdAt: t.string,
  updatedAt: t.string,
})

/** That a user works in an account, with a role: v1's users of an organization and legacy's account-user links alike. */
export type Membership = t.TypeOf<typeof membership>

export const memberships: Collection<Membership> = {
  name: 'payments.memberships',
  ids: 'integer',
  codec: membership,
  owner: null,
  shard: 'userId',
  conditions: { active: eq('status', 1) },
  keys: { member: (link) => `${link.accountId}|${link.userId}` },
  // Read from both ends: a person's accounts, an account's people.
  indexes: [
    { eq: 'userId', sort: 'createdAt', when: 'active' },
    { eq: 'userId', sort: 'createdAt' },
    { eq: 'accountId', sort: 'createdAt', across: true },
  ],
  tallies: [{ by: ['accountId'], sum: [] }],
}

export const memberKey = (accountId: number, userId: number): string => `${accountId}|${userId}`
