import { jwtTokens } from '../../../../adapters/crypto/tokens.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { type Account, accounts } from '../../../../core/payments/accounts/account.ts'
import {
  type Membership,
  memberKey,
  memberships,
  newestMemberships,
} from '../../../../core/payments/members/membership.ts'
import type { Claims } from '../../../../core/ports/identity.ts'
import { byId, byKey } from '../../../../core/ports/store.ts'
import { given } from '../given/given.ts'
import type { TestApi } from '../test-api.ts'

export const claimsOf = ({ host }: TestApi, token: string): Claims => {
  const claims = jwtTokens(host.secrets.jwtSecret).read(token)
  if (!claims) throw new Error('the token is not signed by this API')
  return claims
}

/** Signs claims, by default with the secret of the API. */
export const tokenOf = ({ host }: TestApi, claims: Claims, secret = host.secrets.jwtSecret): string =>
  jwtTokens(secret).sign(claims)

/** Returns the newest account of the owner of a token. */
export const accountOf = async (api: TestApi, token: string): Promise<Account> => {
  const { records } = await api.host.store.list(newestMemberships(claimsOf(api, token).sub))
  const account = records[0] && (await api.host.store.find(byId(accounts, records[0].accountId)))
  if (!account) throw new Error('the owner of the token has no account')
  return account
}

/** Adds a new user to an account in any role through the store, and returns their token. */
export const teamMember = async (api: TestApi, accountId: number, roleId: number): Promise<string> => {
  const { store, clock } = api.host
  const { token } = (await given.user?.(api)) ?? {}
  if (!token) throw new Error('the fixture made no token')
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
  if (!ok) throw new Error('the membership exists already')
  return token
}

/** Changes the membership of the owner of a token. */
export const changeMembership = async (api: TestApi, token: string, set: Partial<Membership>): Promise<void> => {
  const { store } = api.host
  const { id } = await accountOf(api, token)
  const membership = await store.find(byKey(memberships, 'member', memberKey(id, claimsOf(api, token).sub)))
  if (!membership) throw new Error('no such membership')
  await store.commit([patch(memberships, membership.id, { set, when: always })])
}
