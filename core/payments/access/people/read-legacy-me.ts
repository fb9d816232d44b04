import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { decided, useCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { type AccountDetail, accountDetail, accountView } from '../../accounts/account-view.ts'
import { memberView, type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { roleView } from '../../role.ts'
import { ownAccounts } from '../list-own-accounts.ts'
import type { Member } from '../resolve-account.ts'

/** Somebody in their active account, and everywhere else that they work. */
export interface LegacyMe {
  readonly user: User
  readonly member: Member
  readonly account: AccountDetail
  readonly accounts: readonly AccountDetail[]
}

/**
 * The caller, the account they act in with their role there, and all their accounts.
 * Fails: `token.invalid` for a user who is no more. Source: 01-access.md, GET /access/auth/me.
 */
export const readLegacyMe = (ports: PaymentsPorts) => (member: Member) =>
  useCase(
    ports,
    async (store) => ({
      user: await store.find(byId(users, member.userId)),
      accounts: await ownAccounts(ports, store, member),
    }),
    ({ user, accounts }) => {
      if (!user) return left(failure('unauthorized', 'token.invalid'))
      return decided<LegacyMe>({
        user,
        member,
        account: accountDetail(ports, member.account, member.permissions),
        accounts,
      })
    },
  )

export const legacyMeView = ({ user, member, account, accounts }: LegacyMe) => ({
  account: accountView(account),
  user: memberView(user),
  permissions: member.permissions,
  role: roleView(member.roleId),
  accounts: accounts.map(accountView),
})
