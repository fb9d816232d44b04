import { right } from '../../fp.ts'
import type { UseCase } from '../../kernel/use-case.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Account } from './account.ts'
import { type ShownSecrets, shownSecrets } from './account-view.ts'
import type { Member } from './resolve-account.ts'
import { ADMIN } from './role.ts'

/** An account with what the caller's role may see of its secrets. */
export interface AccountDetail {
  readonly account: Account
  readonly secrets: ShownSecrets | null
}

/** The active account; only an ADMIN sees its secrets. Source: 01-access.md, GET /access/account; decisions.md §12. */
export const readAccount =
  ({ cipher }: Pick<PaymentsPorts, 'cipher'>) =>
  ({ roleId, account }: Member): UseCase<AccountDetail> =>
  async () =>
    right({ account, secrets: roleId === ADMIN.id ? shownSecrets(cipher, account) : null })
