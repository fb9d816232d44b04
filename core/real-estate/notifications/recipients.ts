import { all, eq } from '../../kernel/records/where.ts'
import { MAX_PAGE } from '../../limits.ts'
import { byId, byKey, listAll, listOf, type Store } from '../../ports/store.ts'
import { brokers } from '../records/broker.ts'
import { type User, users } from '../records/user.ts'
import { may, type Role } from '../role.ts'

/** The users of a company in these roles. */
export const usersInRoles = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  ...roles: readonly Role[]
): Promise<readonly User[]> => {
  const inRole = (role: Role) =>
    listAll(
      store,
      listOf(users, {
        where: all(eq('companyId', companyId), eq('role', role)),
        when: 'live',
        sort: { by: 'createdAt', dir: 'asc' },
        limit: MAX_PAGE,
      }),
    )
  return (await Promise.all(roles.map(inRole))).flat()
}

/**
 * A broker's user: who has their e-mail in the company, verified or not, and may see what they are told of: whoever registers
 * themselves by somebody's e-mail as a tenant hears nothing. Source: decisions.md §10, Edges.
 */
export const userOfBroker = async (
  store: Pick<Store, 'find'>,
  companyId: string,
  brokerId: string,
): Promise<User | null> => {
  const broker = await store.find(byId(brokers, brokerId))
  if (broker?.companyId !== companyId) return null
  const user = await store.find(byKey(users, 'email', broker.email))
  const isOfCompany = user?.companyId === companyId && user.removedAt === null
  return isOfCompany && may(user.role, 'proposals:read') ? user : null
}
