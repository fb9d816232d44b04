import { left } from '../../fp.ts'
import { failure } from '../../kernel/failure.ts'
import { type Decided, decided, type UseCase, useCase } from '../../kernel/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accountView, type ShownSecrets, shownSecrets } from '../accounts/account-view.ts'
import { everySeat, type Seat } from '../accounts/links.ts'
import type { Member } from '../accounts/resolve-account.ts'
import { ADMIN, roleView } from '../accounts/role.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { memberView, type User, users } from './user.ts'

/** An account of somebody's, with what their role may see of its secrets. */
export interface OwnAccount {
  readonly seat: Seat
  readonly secrets: ShownSecrets | null
}

/** Somebody in their active account, and everywhere else that they work. */
export interface LegacyMe {
  readonly user: User
  readonly member: Member
  readonly secrets: ShownSecrets | null
  readonly accounts: readonly OwnAccount[]
}

const ownAccounts = async (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  store: Store,
  userId: number,
): Promise<readonly OwnAccount[]> => {
  const own: OwnAccount[] = []
  for await (const seat of everySeat(store, userId)) {
    own.push({ seat, secrets: seat.link.roleId === ADMIN.id ? shownSecrets(cipher, seat.account) : null })
  }
  return own
}

/** Every account that the caller works in, the newest link first. Source: 01-access.md, GET /access/accounts. */
export const listOwnAccounts =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>): UseCase<readonly OwnAccount[]> =>
    useCase(
      ports,
      (store) => ownAccounts(ports, store, userId),
      (own) => decided(own),
    )

/**
 * The caller, the account they act in with their role there, and all their accounts.
 * Fails: `token.invalid` for a user who is no more. Source: 01-access.md, GET /access/auth/me.
 */
export const readLegacyMe =
  (ports: PaymentsPorts) =>
  (member: Member): UseCase<LegacyMe> =>
    useCase(
      ports,
      async (store) => ({
        user: await store.find(byId(users, member.userId)),
        accounts: await ownAccounts(ports, store, member.userId),
      }),
      ({ user, accounts }): Decided<LegacyMe> => {
        if (!user) return left(failure('unauthorized', 'token.invalid'))
        const secrets = member.roleId === ADMIN.id ? shownSecrets(ports.cipher, member.account) : null
        return decided({ user, member, secrets, accounts })
      },
    )

export const ownAccountView = ({ seat, secrets }: OwnAccount) => accountView(seat.account, secrets)

export const legacyMeView = ({ user, member, secrets, accounts }: LegacyMe) => ({
  account: accountView(member.account, secrets),
  user: memberView(user),
  permissions: member.permissions,
  role: roleView(member.roleId),
  accounts: accounts.map(ownAccountView),
})
