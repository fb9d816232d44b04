import { decided, type UseCase, useCase } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type AccountDetail, accountDetail } from '../accounts/account-view.ts'
import { openSeats } from './members/memberships-of.ts'
import { permissionsOf } from './members/role.ts'

/** Every account that somebody works in and their token opens, the newest link first. */
export const ownAccounts = async (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  store: Store,
  caller: Pick<Person, 'userId' | 'boundTo'>,
): Promise<readonly AccountDetail[]> => {
  const own: AccountDetail[] = []
  for await (const { account, link } of openSeats(store, caller))
    own.push(accountDetail(ports, account, permissionsOf(link.roleId, caller.boundTo)))
  return own
}

/** The caller's accounts, the newest link first. Source: 01-access.md, GET /access/accounts. */
export const listOwnAccounts =
  (ports: PaymentsPorts) =>
  (caller: Pick<Person, 'userId' | 'boundTo'>): UseCase<readonly AccountDetail[]> =>
    useCase(
      ports,
      (store) => ownAccounts(ports, store, caller),
      (own) => decided(own),
    )
