import { readUseCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { accountDetail } from '../accounts/views.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/**
 * The active account; who may write it sees its secrets. Fails: `account.unknown`.
 * Source: 01-access.md, GET /access/account; decisions.md §12.
 */
export const readAccount =
  (ports: Pick<PaymentsPorts, 'store' | 'cipher' | 'settings'>) =>
  ({ accountId, permissions }: Pick<Actor, 'accountId' | 'permissions'>) =>
    readUseCase('account.unknown', async () => {
      const account = await ports.store.find(byId(accounts, accountId))
      return account && account.removedAt === null ? accountDetail(ports, account, permissions) : null
    })
