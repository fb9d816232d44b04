import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import { accept, useCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { changesOf, recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'

/**
 * Removes an organization for good: it is in no list and answers 404. Nothing of it is erased. Fails: `organization.unknown`. Source: 01-access.md, DELETE /v1/organizations/{id}; decisions.md §1.
 */
export const removeOrganization = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>) =>
  useCase(
    ports,
    (store) => store.find(byId(accounts, actor.accountId)),
    (account, fresh) => {
      if (!account || account.removedAt !== null) return left(failure('not-found', 'organization.unknown'))
      const { now } = fresh
      const set = { status: 'DELETED', removedAt: now, updatedAt: now } as const
      const told = { chain: `account:${account.id}`, subject: `account:${account.id}` } as const
      return accept(
        null,
        patch(accounts, account.id, { set, when: eq('removedAt', null) }),
        ...recordAudit(fresh, actor, { ...told, action: 'organization.removed', changes: changesOf(account, set) }),
      )
    },
  )
