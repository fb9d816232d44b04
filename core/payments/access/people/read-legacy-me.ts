import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { shown } from '../../../kernel/input/fields/shown.ts'
import { view } from '../../../kernel/input/view.ts'
import { decided, useCase, withoutKeys } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { type AccountDetail, accountDetail, accountView } from '../../accounts/account-view.ts'
import { memberView, type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { permissionsField, roleOf, roleView } from '../../role.ts'
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
  withoutKeys(
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
    ),
  )

/** Source: 01-access.md, GET /access/auth/me. */
export const legacyMeView = view(
  'LegacyMe',
  {
    account: shown.view(accountView, { about: 'Conta ativa' }),
    user: shown.view(memberView, { about: 'Quem se autenticou' }),
    permissions: permissionsField('O que o perfil permite'),
    role: shown.view(roleView, { about: 'Perfil na conta ativa' }),
    accounts: shown.views(accountView, { about: 'Todas as contas' }),
  },
  ({ user, member, account, accounts }: LegacyMe) => ({
    account,
    user,
    permissions: member.permissions,
    role: roleOf(member.roleId),
    accounts,
  }),
)
