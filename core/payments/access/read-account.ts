import { right } from '../../fp.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { type AccountDetail, accountDetail } from '../accounts/account-view.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Member } from './resolve-account.ts'

/** The active account; who may write it sees its secrets. Source: 01-access.md, GET /access/account; decisions.md §12. */
export const readAccount =
  (ports: Pick<PaymentsPorts, 'cipher' | 'settings'>) =>
  ({ permissions, account }: Member): UseCase<AccountDetail, never> =>
  async () =>
    right(accountDetail(ports, account, permissions))
