import { jwtTokens } from '../../../../adapters/crypto/tokens.ts'
import { insert, patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { type Account, accounts } from '../../../../core/payments/accounts/account.ts'
import {
  type Membership,
  memberKey,
  memberships,
  newestMemberships,
} from '../../../../core/payments/members/membership.ts'
import type { Claims } from '../../../../core/ports/identity.ts'
import { byId, byKey } from '../../../../core/ports/store.ts'
import { given } from '../../given/given.ts'
import type { TestApi } from '../test-api.ts'

export const claimsOf = ({ host }: TestApi, token: string): Claims => {
  const claims = jwtTokens(host.secrets.jwtSecret).read(token)
  if (!claims) throw new Error('the token is none of this API')
  return claims
}

/** A token of these claims, as the API signs them unless another secret is told. */
export const tokenOf = ({ host }: TestApi, claims: Claims, secret = host.secrets.jwtSecret): string =>
  jwtTokens(secret).sign(claims)

/** The account that whoever has this token works in. */
export const accountOf = async (api: TestApi, token: string): Promise<Account> => {
  const { records } = await api.host.store.list(newestMemberships(claimsOf(api, token).sub))
  const account = records[0] && (await api.host.store.find(byId(accounts, records[0].accountId)))
  if (!account) throw new Error('whoever has this token works nowhere')
  return account
}

/** Somebody new who works in an account in this role, by the store: no route makes other roles yet. */
export const teamMember = async (api: TestApi, accountId: number, roleId: number): Promise<string> => {
  const { store, clock } = api.host
  const { token } = (await given.user?.(api)) ?? {}
  if (!token) throw new Error('a user has a token')
  const now = clock.now()
  const membership: Membership = {
    id: await store.reserve(memberships.name, 1),
    userId: claimsOf(api, token).sub,
    accountId,
    roleId,
    status: 1,
    search: '',
    createdAt: now,
    updatedAt: now,
  }
  const { ok } = await store.commit([insert(memberships, membership)])
  if (!ok) throw new Error('the team member is there already')
  return token
}

/** Changes the membership by which the owner of a token works in an account. */
export const changeMembership = async (api: TestApi, token: string, set: Partial<Membership>): Promise<void> => {
  const { store } = api.host
  const { id } = await accountOf(api, token)
  const membership = await store.find(byKey(memberships, 'member', memberKey(id, claimsOf(api, token).sub)))
  if (!membership) throw new Error('no such membership')
  await store.commit([patch(memberships, membership.id, { set, when: always })])
}
