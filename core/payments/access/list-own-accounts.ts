import { accept, useCase, withoutKeys } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import { type AccountDetail, accountDetail } from '../accounts/views.ts'
import type { Person } from '../actor.ts'
import { permissionsOf } from '../actor.ts'
import { openAccountMemberships } from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** Every account that somebody works in and their token opens, the newest membership first. */
export const ownAccounts = async (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  store: Store,
  caller: Pick<Person, 'userId' | 'boundTo'>,
): Promise<readonly AccountDetail[]> => {
  const own: AccountDetail[] = []
  for await (const { account, membership } of openAccountMemberships(store, caller))
    own.push(accountDetail(ports, account, permissionsOf(membership.roleId, caller.boundTo)))
  return own
}

/** The caller's accounts, the newest membership first. Source: 01-access.md, GET /access/accounts. */
export const listOwnAccounts = (ports: PaymentsPorts) => (caller: Pick<Person, 'userId' | 'boundTo'>) =>
  withoutKeys(
    useCase(
      ports,
      (store) => ownAccounts(ports, store, caller),
      (own) => accept(own),
    ),
  )
