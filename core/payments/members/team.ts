import { all, eq, not } from '../../kernel/records/where.ts'
import { type List, listOf } from '../../ports/store.ts'
import { ADMIN, API } from '../role.ts'
import { ACTIVE_MEMBERSHIP } from './account-membership.ts'
import { type Membership, memberships } from './membership.ts'

/** Whom an account's notifications reach at most: the newest who work there. */
const MAX_TOLD = 200

/** Memberships of those who may be told of what happens in an account: programs read no notifications. */
export const teamOf = (accountId: number): List<Membership> =>
  listOf(memberships, {
    where: all(
      eq<keyof Membership & string>('accountId', accountId),
      not(eq('roleId', API.id)),
      eq('status', ACTIVE_MEMBERSHIP),
    ),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_TOLD,
  })

/** Memberships of the account's active ADMINs. */
export const adminsOf = (accountId: number): List<Membership> =>
  listOf(memberships, {
    where: all(
      eq<keyof Membership & string>('accountId', accountId),
      eq('roleId', ADMIN.id),
      eq('status', ACTIVE_MEMBERSHIP),
    ),
    sort: { by: 'createdAt', dir: 'desc' },
    limit: MAX_TOLD,
  })
