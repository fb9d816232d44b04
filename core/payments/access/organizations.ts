import { isLeft, left, right } from '../../failure.ts'
import {
  allOptional,
  type DecodedOf,
  flag,
  type InputOf,
  input,
  output,
  type Paging,
  paging,
  pick,
  view,
} from '../../kernel/input/mod.ts'
import {
  accept,
  type Fresh,
  readUseCase,
  type UseCase,
  useCase,
  useCaseOf,
  withoutKeys,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { byId, type Listing, offsetOf, type Store } from '../../ports/store.ts'
import {
  type Account,
  accountFields,
  accounts,
  isExisting,
  type ShownAccount,
  shownAccount,
} from '../accounts/account.ts'
import { changeAccount, serialByAccount } from '../accounts/change-account.ts'
import { type AccountDetail, accountDetail, accountView } from '../accounts/views.ts'
import type { Claim } from '../claim.ts'
import { accessibleMemberships, listAccessible, mayEnter } from '../members/membership.ts'
import { findClaim, memberView, type ShownUser, shownUser, users, userView } from '../members/user.ts'
import type { AuditActor } from '../office.ts'
import {
  type AccountActor,
  type Actor,
  isPasswordRecent,
  type PaymentsPorts,
  type Person,
  permissionsField,
  permissionsOf,
  roleOf,
  roleView,
} from '../payments-ports.ts'
import { type Caller, type Member, UNKNOWN_ORGANIZATION } from './authenticate.ts'
import { INVALID_TOKEN } from './session.ts'

export const listOrganizations =
  (ports: PaymentsPorts) =>
  (caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>, requestedPage: Paging | null) =>
    withValidInput(ports, paging, requestedPage ?? {}, (page) =>
      useCaseOf<Listing<ShownAccount>>()(async () => {
        if (requestedPage === null) return right({ all: everyOrganization(ports.store, caller) })
        // Removed organizations are known only from their accounts.
        const all = await listAccessible(ports.store, caller)
        const start = offsetOf(page)
        const records = all.slice(start, start + page.perPage).map(({ account }) => shownAccount(account))
        return right({ ...page, records, total: all.length })
      }),
    )

async function* everyOrganization(
  store: Store,
  caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>,
): AsyncIterable<ShownAccount> {
  for await (const { account } of accessibleMemberships(store, caller)) yield shownAccount(account)
}

export const organizationView = view(
  'Organization',
  pick(accountFields, 'id', 'uuid', 'name', 'email', 'document', 'status'),
)

export const readAccount =
  (ports: Pick<PaymentsPorts, 'store' | 'cipher' | 'clock' | 'settings'>) =>
  (actor: Pick<Actor, 'accountId' | 'permissions' | 'passwordRecentUntil'>) =>
    readUseCase('account.unknown', async () => {
      const account = await ports.store.find(byId(accounts, actor.accountId))
      return isExisting(account) ? accountDetail(ports, account, actor) : null
    })

/** The rights of a member in an account, and the account. */
export interface AccountAccess extends Pick<Member, 'permissions' | 'roleId' | 'account'> {
  /** True if a guarded session must send the password again before it reads secrets or changes the account. */
  readonly isPasswordRequired: boolean
}

export const readAccess =
  (ports: Pick<PaymentsPorts, 'clock'>) =>
  ({ permissions, roleId, account, ...member }: Member): UseCase<AccountAccess, never> =>
  async () =>
    right({ permissions, roleId, account, isPasswordRequired: !isPasswordRecent(ports, member) })

type AccountsCaller = Pick<Person, 'userId' | 'boundTo' | 'keyPermissions' | 'passwordRecentUntil' | 'hasSecondFactor'>

const readOwnAccounts = async (
  ports: Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>,
  store: Store,
  caller: AccountsCaller,
): Promise<readonly AccountDetail[]> =>
  (await listAccessible(store, caller))
    .filter(({ account }) => mayEnter(account, caller))
    .map(({ account, membership: { roleId } }) =>
      accountDetail(ports, account, {
        ...caller,
        permissions: permissionsOf(roleId, caller.boundTo, caller.keyPermissions),
      }),
    )

export const listOwnAccounts = (ports: PaymentsPorts) => (caller: AccountsCaller) =>
  withoutKeys(
    useCase(
      ports,
      (store) => readOwnAccounts(ports, store, caller),
      (own) => accept(own),
    ),
  )

/** The changes of an organization; absent fields stay. Only the e-mail can be cleared. */
export const organizationChangeFields = allOptional(pick(accountFields, 'name', 'email', 'document', 'status'))

export const organizationChange = input('OrganizationChange', organizationChangeFields)
export type OrganizationChange = InputOf<typeof organizationChange>

export const updateOrganization = (ports: PaymentsPorts) => (actor: AccountActor, submitted: OrganizationChange) =>
  withValidInput(ports, organizationChange, submitted, (change) =>
    serialByAccount(
      ports.store,
      actor.accountId,
      useCase(
        ports,
        async (store) => ({
          account: await store.find(byId(accounts, actor.accountId)),
          claim: await findClaim(store, 'document', change.document),
        }),
        (facts, fresh) => decideUpdate(facts, actor, change, fresh),
      ),
    ),
  )

export const decideUpdate = (
  /** `claim` is that of the new document, if taken. */
  { account, claim }: { readonly account: Account | null; readonly claim: Claim | null },
  actor: AuditActor,
  change: DecodedOf<typeof organizationChange>,
  fresh: Fresh,
) => {
  if (!isExisting(account)) return left(UNKNOWN_ORGANIZATION)
  const about = { claim, by: actor, action: 'account.updated' } as const
  const changed = changeAccount(account, change, about, fresh)
  return isLeft(changed) ? changed : accept(shownAccount(changed.right.account), ...changed.right.changes)
}

/** A user with their organizations, newest membership first. */
export interface Me {
  readonly user: ShownUser
  readonly organizations: readonly ShownAccount[]
}

export const readMe = (ports: PaymentsPorts) => (caller: Caller) =>
  withoutKeys(
    useCase(
      ports,
      async (store): Promise<Me | null> => {
        const user = await store.find(byId(users, caller.userId))
        const organizations = (await listAccessible(store, caller)).map(({ account }) => shownAccount(account))
        return user && { user: shownUser(user), organizations }
      },
      (me) => (me ? accept(me) : left(INVALID_TOKEN)),
    ),
  )

const ownOrganizationView = view('OwnOrganization', pick(accountFields, 'id', 'uuid', 'name', 'status'))

export const meView = view(
  'Me',
  { ...userView.table, organizations: output.views(ownOrganizationView, { about: 'Organizações' }) },
  ({ user, organizations }: Me) => ({ ...user, organizations }),
)

export const accessView = view(
  'AccountAccess',
  {
    role: output.view(roleView, { about: 'Perfil na conta' }),
    permissions: permissionsField('O que o perfil permite'),
    isPasswordRequired: flag({
      wire: 'password_required',
      about: 'Se ver segredos e alterar a conta pedem antes POST /v1/auth/confirm-password',
    }),
    hasPin: flag({ about: 'Se há um PIN definido' }),
    organization: output.view(view('AccountOfAccess', pick(accountFields, 'id', 'name', 'status')), {
      about: 'Organização',
    }),
  },
  ({ account, roleId, ...access }: AccountAccess) => ({
    ...access,
    role: roleOf(roleId),
    hasPin: account.hasPin,
    organization: account,
  }),
)

/** A user with the account they act in, their role there, and all their accounts. */
export interface LegacyMe {
  readonly user: ShownUser
  readonly member: Pick<Member, 'permissions' | 'roleId'>
  readonly account: AccountDetail
  readonly accounts: readonly AccountDetail[]
}

export const readLegacyMe =
  (ports: PaymentsPorts) => (member: AccountsCaller & Pick<Member, 'accountId' | 'permissions' | 'roleId'>) =>
    withoutKeys(
      useCase(
        ports,
        async (store) => ({
          ...(await store.read({ user: byId(users, member.userId), account: byId(accounts, member.accountId) })),
          accounts: await readOwnAccounts(ports, store, member),
        }),
        ({ user, account, accounts }) => {
          if (!user || !account) return left(INVALID_TOKEN)
          const { permissions, roleId } = member
          return accept<LegacyMe>({
            user: shownUser(user),
            member: { permissions, roleId },
            account: accountDetail(ports, account, member),
            accounts,
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
