import { withOffset } from '../../../kernel/values/day.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { memberView, users } from '../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { recordId } from '../../record-id.ts'
import { memberships } from '../members/membership.ts'
import { API, roleView } from '../members/role.ts'
import type { Colleague } from './colleague.ts'
import type { LinkKind } from './list-links.ts'

/** The account's link of this id and kind; null for any other, and for what is no id. */
export const readLink =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  async ({ accountId }: Pick<Actor, 'accountId'>, kind: LinkKind, pathId: string): Promise<Colleague | null> => {
    const id = recordId(pathId)
    const link = id === null ? null : await store.find(byId(memberships, id))
    if (link?.accountId !== accountId || (link.roleId === API.id) !== (kind === 'programs')) return null
    const user = await store.find(byId(users, link.userId))
    return user && { user, link }
  }

/** Source: 01-access.md, Legacy account-user link. */
export const linkView = ({ user, link }: Colleague) => ({
  id: link.id,
  user_id: link.userId,
  account_id: link.accountId,
  user: memberView(user),
  role: roleView(link.roleId),
  status: link.status,
  created_at: withOffset(link.createdAt),
  updated_at: withOffset(link.updatedAt),
})
