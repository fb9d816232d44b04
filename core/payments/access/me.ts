import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { accept, useCase, withoutKeys } from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accountFields, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { type AccountDetail, accountDetail, accountView } from '../accounts/views.ts'
import { permissionsField, roleOf, roleView } from '../actor.ts'
import { accessibleMemberships } from '../members/membership.ts'
import { memberView, type ShownUser, shownUser, users, userView } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Caller, Member } from './authenticate.ts'
import { ownAccounts } from './organizations.ts'

/** A user with the organizations they belong to, the newest membership first. */
export interface Me {
  readonly user: ShownUser
  readonly organizations: readonly ShownAccount[]
}

/**
 * The caller and their organizations.
 * Fails: `token.invalid` for a user who is no more. Source: 01-access.md, GET /v1/auth/me.
 */
export const readMe = (ports: PaymentsPorts) => (caller: Caller) =>
  withoutKeys(useCase(ports, (store) => findMe(store, caller), decideMe))

const findMe = async (store: Store, caller: Caller): Promise<Me | null> => {
  const user = await store.find(byId(users, caller.userId))
  const organizations: ShownAccount[] = []
  for await (const { account } of accessibleMemberships(store, caller, caller.memberships))
    organizations.push(shownAccount(account))
  return user && { user: shownUser(user), organizations }
}

const decideMe = (me: Me | null) => (me ? accept(me) : left(failure('unauthorized', 'token.invalid')))

const ownOrganizationView = view(
  'OwnOrganization',
  pick(accountFields, 'id', 'uuid', 'name', 'status'),
  (account: ShownAccount) => account,
)

/** Source: 01-access.md, GET /v1/auth/me. */
export const meView = view(
  'Me',
  { ...userView.table, organizations: output.views(ownOrganizationView, { about: 'Organizações' }) },
  ({ user, organizations }: Me) => ({ ...user, organizations }),
)

/** Somebody in their active account, and everywhere else that they work. */
export interface LegacyMe {
  readonly user: ShownUser
  readonly member: Pick<Member, 'permissions' | 'roleId'>
  readonly account: AccountDetail
  readonly accounts: readonly AccountDetail[]
}

/**
 * The caller, the account they act in with their role there, and all their accounts.
 * Fails: `token.invalid` for a user who is no more. Source: 01-access.md, GET /access/auth/me.
 */
export const readLegacyMe =
  (ports: PaymentsPorts) => (member: Pick<Member, 'userId' | 'accountId' | 'boundTo' | 'permissions' | 'roleId'>) =>
    withoutKeys(
      useCase(
        ports,
        async (store) => ({
          ...(await store.read({ user: byId(users, member.userId), account: byId(accounts, member.accountId) })),
          own: await ownAccounts(ports, store, member),
        }),
        ({ user, account, own }) => {
          if (!user || !account) return left(failure('unauthorized', 'token.invalid'))
          const { permissions, roleId } = member
          const detail = accountDetail(ports, account, permissions)
          return accept<LegacyMe>({
            user: shownUser(user),
            member: { permissions, roleId },
            account: detail,
            accounts: own,
          })
        },
      ),
    )

/** Source: 01-access.md, GET /access/auth/me. */
export const legacyMeView = view(
  'LegacyMe',
  {
    account: output.view(accountView, { about: 'Conta ativa' }),
    user: output.view(memberView, { about: 'Quem se autenticou' }),
    permissions: permissionsField('O que o perfil permite'),
    role: output.view(roleView, { about: 'Perfil na conta ativa' }),
    accounts: output.views(accountView, { about: 'Todas as contas' }),
  },
  ({ user, member, account, accounts }: LegacyMe) => ({
    account,
    user,
    permissions: member.permissions,
    role: roleOf(member.roleId),
    accounts,
  }),
)
