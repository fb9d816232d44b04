import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { pick } from '../../../kernel/input/table.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { accept, useCase, withoutKeys } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { accountFields, type ShownAccount, shownAccount } from '../../accounts/account.ts'
import { openAccountMemberships } from '../../members/membership.ts'
import { type ShownUser, shownUser, users, userView } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Caller } from '../sessions/authenticate.ts'

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
  for await (const { account } of openAccountMemberships(store, caller, caller.memberships))
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
