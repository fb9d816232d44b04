import { left } from '../../failure.ts'
import { pick } from '../../kernel/input/input.ts'
import { output, view } from '../../kernel/input/view.ts'
import { accept, useCase, withoutKeys } from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accountFields, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { type AccountDetail, accountDetail, accountView } from '../accounts/views.ts'
import { accessibleMemberships } from '../members/membership.ts'
import { memberView, type ShownUser, shownUser, users, userView } from '../members/user.ts'
import { type PaymentsPorts, permissionsField, roleOf, roleView } from '../payments-ports.ts'
import type { Caller, Member } from './authenticate.ts'
import { ownAccounts } from './organizations.ts'
import { INVALID_TOKEN } from './session.ts'

/** A user with their organizations, newest membership first. */
export interface Me {
  readonly user: ShownUser
  readonly organizations: readonly ShownAccount[]
}

/** Reads the caller and their organizations. Fails: `token.invalid` if the user no longer exists. */
export const readMe = (ports: PaymentsPorts) => (caller: Caller) =>
  withoutKeys(useCase(ports, (store) => findMe(store, caller), decideMe))

const findMe = async (store: Store, caller: Caller): Promise<Me | null> => {
  const user = await store.find(byId(users, caller.userId))
  const organizations: ShownAccount[] = []
  for await (const { account } of accessibleMemberships(store, caller, caller.memberships))
    organizations.push(shownAccount(account))
  return user && { user: shownUser(user), organizations }
}

const decideMe = (me: Me | null) => (me ? accept(me) : left(INVALID_TOKEN))

const ownOrganizationView = view(
  'OwnOrganization',
  pick(accountFields, 'id', 'uuid', 'name', 'status'),
  (account: ShownAccount) => account,
)

export const meView = view(
  'Me',
  { ...userView.table, organizations: output.views(ownOrganizationView, { about: 'Organizações' }) },
  ({ user, organizations }: Me) => ({ ...user, organizations }),
)

/** A user with the account they act in, their role there, and all their accounts. */
export interface LegacyMe {
  readonly user: ShownUser
  readonly member: Pick<Member, 'permissions' | 'roleId'>
  readonly account: AccountDetail
  readonly accounts: readonly AccountDetail[]
}

/**
 * Reads the caller, the account they act in and all their accounts. Fails: `token.invalid` if user or account are gone.
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
          if (!user || !account) return left(INVALID_TOKEN)
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
