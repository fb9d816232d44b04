import { byId, byKey } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { recordId } from '../record-id.ts'
import { type Account, accounts } from './account.ts'
import { ACTIVE_LINK } from './links.ts'
import { memberKey, memberships } from './membership.ts'

/** An organization that the person belongs to; null for another one, a removed one, and for what is no id. */
export const readOrganization =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  async ({ userId }: Pick<Person, 'userId'>, pathId: string): Promise<Account | null> => {
    const id = recordId(pathId)
    if (id === null) return null
    const { account, link } = await store.read({
      account: byId(accounts, id),
      link: byKey(memberships, 'member', memberKey(id, userId)),
    })
    return account?.removedAt === null && link?.status === ACTIVE_LINK ? account : null
  }
